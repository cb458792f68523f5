"""The command, as a process: tables, figures, and what is left when it is killed."""

import csv
import os
import signal
import subprocess
import sys
import time

import pytest

from unfis.benchmark.paper import ACCURACY, ACTIVE, BALANCED, COMPARED, SETS, best_compared
from unfis.benchmark.reproduce import SYSTEMS, TARGETS, is_wanted, runs_for

COMMAND = [sys.executable, "-m", "unfis", "reproduce"]


def call(*arguments, **settings):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, **settings
    )


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_of_two_runs(tmp_path):
    done = call("table-4", "--runs", 2, "--only", "iris", "-o", tmp_path, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "96.25 ± 2.69" in done.stdout
    assert [row["system"] for row in rows_of(tmp_path / "table-4.csv")] == list(COMPARED)
    runs = rows_of(tmp_path / "runs.csv")
    assert len(runs) == 2 * 3
    assert not any(row["error"] for row in runs)
    assert (tmp_path / "circumstances.json").exists()
    again = call("table-3", "--runs", 2, "--only", "IRI", "-o", tmp_path, timeout=60)
    assert again.returncode == 0
    assert rows_of(tmp_path / "runs.csv") == runs


def test_what_needs_no_runs(tmp_path):
    for target in ("table-1", "table-2", "figure-selection", "figure-iris"):
        done = call(target, "--only", "iris", "-o", tmp_path, timeout=60)
        assert done.returncode == 0, done.stderr
    assert "4 x 105 + 45, 3 classes" in (tmp_path / "table-2.csv").read_text()
    for figure in ("figure-selection", "figure-iris"):
        assert (tmp_path / f"{figure}.svg").read_text().startswith("<?xml")


def test_killed_in_the_middle_it_goes_on(tmp_path):
    """No run is lost or done twice, and the file is whole."""
    path = tmp_path / "runs.csv"
    wanted = [*COMMAND, "table-4", "--runs", "6", "--only", "iris", "-o", str(tmp_path)]
    process = subprocess.Popen(
        wanted, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        while not path.exists() or len(path.read_bytes().splitlines()) < 4:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    before = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert 4 <= len(before) < 1 + 18
    subprocess.run(wanted, check=True, capture_output=True, timeout=120)
    after = path.read_bytes().splitlines(keepends=True)
    assert after[: len(before)] == before
    runs = [(row["set"], row["system"], row["seed"]) for row in rows_of(path)]
    assert len(runs) == len(set(runs)) == 18


WRONG = {
    "There is no 'table-9'; choose one of table-1": ["table-9"],
    "--only names 'irsi'; choose from autism": ["table-4", "--only", "irsi"],
    "--runs must be at least 1, got 0": ["table-4", "--runs", "0"],
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_calls_are_sentences(tmp_path, message):
    done = call(*WRONG[message], "-o", tmp_path, timeout=60)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_set_that_is_not_there_says_where_to_put_it(tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "UNFIS_DATA"}
    done = call("table-4", "--only", "cryotherapy", "-o", tmp_path, timeout=60, env=environment)
    assert done.returncode == 1
    assert "Put cryotherapy.csv into a folder" in done.stderr


def test_help_has_an_example():
    done = call("--help", timeout=60, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 0
    assert "unfis reproduce table-4 --runs 5 --only iris,wine -o results" in done.stdout


def test_every_target_knows_its_runs():
    for target in TARGETS:
        runs = runs_for(target, [], 2)
        assert len(runs) == len(set(runs)) or target in ("all", "verdict")
        assert all(run.system in SYSTEMS for run in runs)
    assert runs_for("table-1", [], 30) == []
    assert {run.set for run in runs_for("table-4", ["autism"], 1)} == {
        "autism",
        "autism-17",
        "autism-18",
    }
    assert is_wanted("autism-17", ["AUT"])
    assert not is_wanted("iris", ["wine"])


def test_the_printed_numbers_are_the_papers():
    """Means of the columns, summed up by hand from the print."""
    assert sum(row[-1][0] for row in ACCURACY.values()) == pytest.approx(603.35)
    assert sum(row[0][0] for row in BALANCED.values()) == pytest.approx(3.1275)
    assert sum(sum(pair) for pair in ACTIVE.values()) == pytest.approx(64.21)
    assert list(ACCURACY) == list(SETS)
    assert best_compared("HAB") == ("EFNN-NullUni", 76.06)
    assert best_compared("CRI") == ("UNInull-FNN", 82.46)
