"""Workers and schedulers that die, fits that are interrupted, and what is left of them."""

import json
import os
import signal
import subprocess
import sys
import time

import calling
import numpy as np
import pandas as pd
import pytest
from block_tables import clinic, numbers
from cluster_tasks import tasks_of
from dask import delayed
from distributed import Client

from unfis import TrustRegion
from unfis.distributed import ClusterError, DaskUNFISClassifier
from unfis.distributed.problem import DaskProblem

SETTINGS = {"n_rules": 2, "ridge": 0.1, "points": "exact", "random_state": 0}


EVENTS = []  # what happens in the fits of these tests


@pytest.fixture(autouse=True)
def interrupted(monkeypatch):
    """Let something happen before the third iteration on the cluster, if a test asks for it."""
    iterate = TrustRegion.iterate

    def iterate_after(self, problem, vector, state):
        if EVENTS and isinstance(EVENTS[-1], int) and isinstance(problem, DaskProblem):
            EVENTS[-1] -= 1
            if not EVENTS[-1]:
                EVENTS.pop()
                EVENTS.pop()()
        return iterate(self, problem, vector, state)

    monkeypatch.setattr(TrustRegion, "iterate", iterate_after)
    # So few that the training on all rows has something left to do.
    monkeypatch.setattr("unfis.selection.beginning.CHOICE_ROWS", 60)


def blocks(X, y, parts=4):
    rows = np.array_split(np.arange(len(X)), parts)
    return [delayed((X[part], y[part])) for part in rows]


@pytest.fixture
def table():
    return blocks(*numbers(900))


def model_with(client, event, **more):
    """A model that lets something happen in the middle of its fit."""
    EVENTS.extend([event, 3])
    return DaskUNFISClassifier(**SETTINGS, client=client, **more)


def vector_of(model):
    return model.parameters_.to_vector()


def test_a_worker_that_is_killed_takes_nothing_with_it(client, table):
    expected = DaskUNFISClassifier(**SETTINGS, client=client).fit(table)
    victim = next(iter(client.run(os.getpid).values()))
    found = model_with(client, lambda: os.kill(victim, signal.SIGKILL)).fit(table)
    assert not EVENTS
    np.testing.assert_array_equal(vector_of(found), vector_of(expected))


def test_an_interrupt_leaves_no_task_and_the_old_model(client, table):
    def interrupt_at_work():
        assert tasks_of(client, seconds=0)
        raise KeyboardInterrupt

    model = DaskUNFISClassifier(**SETTINGS, client=client).fit(table)
    before = model.model_
    EVENTS.extend([interrupt_at_work, 3])
    with pytest.raises(KeyboardInterrupt):
        model.fit(table)
    assert model.model_ is before
    assert tasks_of(client) == []


def interrupted_fit(client, table, path):
    """A model whose fit was interrupted and has left a checkpoint."""
    model = DaskUNFISClassifier(**SETTINGS, client=client, checkpoint=path)
    EVENTS.extend([interrupt, 3])
    with pytest.raises(KeyboardInterrupt):
        model.fit(table)
    assert path.exists()
    return model


def interrupt():
    raise KeyboardInterrupt


def test_a_fit_goes_on_from_its_checkpoint(client, table, tmp_path):
    path = tmp_path / "fit.npz"
    expected = DaskUNFISClassifier(**SETTINGS, client=client).fit(table)
    model = interrupted_fit(client, table, path).fit(table)
    assert model.n_iter_ == expected.n_iter_ - 2
    np.testing.assert_array_equal(vector_of(model), vector_of(expected))
    assert not path.exists()


def test_a_checkpoint_of_another_fit_is_refused_and_kept(client, table, tmp_path):
    path = tmp_path / "fit.npz"
    model = interrupted_fit(client, table, path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="is the checkpoint of a fit of other rows, or with other"):
        model.fit(blocks(*numbers(300)))
    assert path.read_bytes() == before
    path.write_bytes(before[:50])
    with pytest.raises(ValueError, match="is no checkpoint of a fit, or is damaged"):
        model.fit(table)


@pytest.fixture
def own_cluster(tmp_path):
    """A scheduler and a worker in processes of their own, and a client."""
    file = tmp_path / "scheduler.json"
    told, quiet = ["--scheduler-file", str(file), "--no-dashboard"], subprocess.DEVNULL
    commands = ["scheduler", *told, "--port", "0"], ["worker", *told, "--no-nanny"]
    scheduler, worker = (
        subprocess.Popen([sys.executable, "-m", "dask", *command], stdout=quiet, stderr=quiet)
        for command in commands
    )
    try:
        for _ in range(300):
            if file.exists() and file.read_text():
                break
            time.sleep(0.1)
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
            yield client, scheduler
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()


def test_a_scheduler_that_is_killed_leaves_the_old_model(own_cluster, table):
    client, scheduler = own_cluster
    model = DaskUNFISClassifier(**SETTINGS, client=client).fit(table)
    before = model.model_
    EVENTS.extend([scheduler.kill, 3])
    with pytest.raises(ClusterError, match="The connection to Dask's scheduler was lost"):
        model.fit(table)
    assert model.model_ is before


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with a table in three Parquet files."""
    folder = tmp_path_factory.mktemp("parts")
    X, y = clinic()
    table = X.assign(outcome=y)
    for number in range(3):
        part = table[300 * number : 300 * (number + 1)]
        part.to_parquet(folder / f"part-{number}.parquet", index=False)
    return folder


def unfis(*arguments, **settings):
    call = [*calling.COMMAND, *map(str, arguments)]
    return subprocess.run(
        call, capture_output=True, check=False, timeout=120, text=True, **settings
    )


def test_the_command_on_a_cluster_that_runs(client, files):
    fit = ["fit", "part-*.parquet", "-t", "outcome", "-o", "model.json", "--engine", "dask"]
    done = unfis(*fit, "--scheduler", client.scheduler.address, "--json", cwd=files)
    assert done.returncode == 0, done.stderr
    assert "Dask's dashboard: http" in done.stderr
    told = json.loads(done.stdout)
    assert told["rows"] + told["held_out"]["rows"] == 900
    assert told["held_out"]["accuracy"] > 0.6
    assert unfis("rules", "model.json", cwd=files).stdout.startswith(
        f"{len(told['rules']['rules'])} rule"
    )


def test_the_command_starts_a_cluster_of_its_own(files):
    fit = ["fit", "part-*.parquet", "-t", "outcome", "-o", "own.json", "--test", "0"]
    done = unfis(*fit, "--engine", "dask", "--workers", "1", "--rules", "1", cwd=files)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("part-*.parquet: 900 rows in 3 files, 6 columns\n  age")
    assert "Next: unfis rules own.json" in done.stdout


def test_the_command_is_interrupted(client, files):
    fit = ["fit", "part-*.parquet", "-t", "outcome", "-o", "gone.json", "--engine", "dask"]
    process = subprocess.Popen(
        [*calling.COMMAND, *fit, "--scheduler", client.scheduler.address],
        cwd=files,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not tasks_of(client, seconds=0):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in words
    assert tasks_of(client) == []
    assert not (files / "gone.json").exists()


BAD_CALLS = {
    "no such files": (["nothing-*.parquet"], 1, "There is no file 'nothing-*.parquet'"),
    "no Parquet": (
        ["text.csv"],
        1,
        "text.csv is no Parquet file, and --engine dask",
    ),
    "other columns": (["*.parquet"], 1, "part-0.parquet has other columns than"),
    "no such column": (["part-*.parquet", "-t", "income"], 2, "Did you mean 'outcome'?"),
    "two clusters": (["part-0.parquet", "--workers", "2", "--scheduler", "tcp://x:1"], 2, "one of"),
    "no cluster": (["part-0.parquet", "--engine", "local", "--workers", "2"], 2, "--engine dask"),
    "nobody there": (
        ["part-*.parquet", "--scheduler", "tcp://127.0.0.1:1"],
        1,
        "No Dask scheduler",
    ),
}


@pytest.mark.parametrize(("call", "code", "words"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_calls_that_are_refused(files, tmp_path, call, code, words):
    for path in files.glob("part-*"):
        tmp_path.joinpath(path.name).write_bytes(path.read_bytes())
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "other.parquet")
    tmp_path.joinpath("text.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    done = calling.call(
        "fit", "-t", "outcome", "-o", "m.json", "--engine", "dask", *call, cwd=tmp_path
    )
    told = done.stderr.decode()
    assert done.returncode == code, told
    assert words in told
    assert "Traceback" not in told
    assert not tmp_path.joinpath("m.json").exists()
