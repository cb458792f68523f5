"""The command, as a process: tables, figures, and what is left when it is killed."""

import contextlib
import csv
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest

from unfis_paper.app import main
from unfis_paper.reproduction.figures import FIGURES
from unfis_paper.reproduction.paper import COMPARED, SETS
from unfis_paper.reproduction.reproduce import TARGETS, runs_for
from unfis_paper.reproduction.systems import COMPARED_SYSTEMS, SYSTEMS
from unfis_paper.reproduction.tables import TABLES

# UNFIS and FNN as printed, the default, and the systems that are compared.
IN_TABLE = 3 + len(COMPARED_SYSTEMS)
COMMAND = [sys.executable, "-m", "unfis_paper", "reproduce"]


def call(*arguments, **settings):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, **settings
    )


def call_here(*arguments):
    """In this process; packages are imported already."""
    out, err = io.StringIO(), io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setattr("sys.argv", ["unfis-paper", "reproduce", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
    code = ended.value.code
    said = err.getvalue() + (code if isinstance(code, str) else "")
    returned = 1 if isinstance(code, str) else code or 0
    return subprocess.CompletedProcess(arguments, returned, out.getvalue(), said)


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_of_two_runs(tmp_path):
    done = call("table-4", "--runs", 2, "--only", "iris", "-o", tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "96.25 ± 2.69" in done.stdout
    assert [row["system"] for row in rows_of(tmp_path / "table-4.csv")] == list(COMPARED)
    runs = rows_of(tmp_path / "runs.csv")
    assert len(runs) == 2 * IN_TABLE
    assert not any(row["error"] for row in runs)
    assert (tmp_path / "circumstances.json").exists()
    again = call("table-3", "--runs", 2, "--only", "IRI", "-o", tmp_path, timeout=300)
    assert again.returncode == 0
    assert "IRI  2.29 and 3.31" in again.stdout
    assert rows_of(tmp_path / "runs.csv") == runs


def test_everything_of_one_set_in_two_runs(tmp_path):
    """All tables and figures, in 20 s of two idle cores: 40 s of one."""
    pytest.importorskip("matplotlib")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = call("all", "--runs", 2, "--only", "IRI", "--jobs", 2, "-o", tmp_path, timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert sum(after[:2]) - sum(before[:2]) < 40
    assert {path.name for path in tmp_path.glob("*.svg")} == {f"{name}.svg" for name in FIGURES}
    assert {path.name for path in tmp_path.glob("table-*")} == {f"{name}.csv" for name in TABLES}
    (known,) = json.loads((tmp_path / "circumstances.json").read_text())
    runs = rows_of(tmp_path / "runs.csv")
    assert known["sessions"][0]["runs"] == len(runs) == 2 * len(SYSTEMS)
    assert {row["circumstances"] for row in runs} == {known["id"]}
    errors = {row["error"] for row in runs}
    assert all(error.startswith("not installed") for error in errors - {""})


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    done = call_here("table-1", "-o", tmp_path / "file")
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_folder_of_data_sets_is_that_of_the_call(tmp_path):
    (tmp_path / "haberman.csv").write_text("")
    arguments = ("table-2", "--only", "HAB", "--data-home", tmp_path, "-o", tmp_path / "out")
    done = call_here(*arguments)
    assert done.returncode == 2
    assert f"{tmp_path}/haberman.csv cannot be read" in done.stderr


def test_what_needs_no_runs(tmp_path):
    for target in ("table-1", "table-2", "figure-selection", "figure-iris"):
        done = call_here(target, "--only", "iris", "-o", tmp_path)
        assert done.returncode == 0, done.stderr
    assert "4 x 105 + 45, 3 classes" in (tmp_path / "table-2.csv").read_text()
    for figure in ("figure-selection", "figure-iris"):
        assert (tmp_path / f"{figure}.svg").read_text().startswith("<?xml")


def test_killed_in_the_middle_it_goes_on(tmp_path):
    """No run is lost or done twice, and the file is whole."""
    path = tmp_path / "runs.csv"
    wanted = [*COMMAND, "table-4", "--runs", "2", "--only", "iris", "-o", str(tmp_path)]
    process = subprocess.Popen(
        wanted, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 300
        while not path.exists() or len(path.read_bytes().splitlines()) < 4:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    before = [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    assert 4 <= len(before) < 1 + 2 * IN_TABLE
    subprocess.run(wanted, check=True, capture_output=True, timeout=300)
    after = path.read_bytes().splitlines(keepends=True)
    assert after[: len(before)] == before
    runs = [(row["set"], row["system"], row["seed"]) for row in rows_of(path)]
    assert len(runs) == len(set(runs)) == 2 * IN_TABLE


WRONG = {
    "There is no 'table-9'; choose one of table-1": ["table-9"],
    "There is no set 'irsi'; choose from haberman": ["table-4", "--only", "irsi"],
    "Invalid value for '--runs': ": ["table-4", "--runs", "0"],
    "Invalid value for '--jobs': ": ["table-4", "--jobs", "-1"],
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_calls_are_sentences(tmp_path, message):
    done = call_here(*WRONG[message], "-o", tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_set_that_is_not_there_says_where_to_put_it(tmp_path, monkeypatch):
    monkeypatch.delenv("UNFIS_DATA", raising=False)
    done = call_here("table-4", "--only", "cryotherapy", "-o", tmp_path)
    assert done.returncode == 1
    assert "Put cryotherapy.csv into a folder" in done.stderr


def test_help_has_an_example():
    done = call("--help", timeout=300, env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 0
    assert "unfis-paper reproduce table-4 --runs 5 --only iris,wine -o results" in done.stdout


def test_every_target_knows_its_runs():
    for target in TARGETS:
        runs = runs_for(target, list(SETS), 2)
        assert len(runs) == len(set(runs))
        assert all(run.system in SYSTEMS for run in runs)
    assert runs_for("table-1", list(SETS), 30) == []
    assert {run.set for run in runs_for("table-4", ["AUT"], 1)} == {
        "autism",
        "autism-17",
        "autism-18",
    }
    assert {run.set for run in runs_for("figure-learners", ["AUT", "IRI"], 1)} == {
        "autism-18",
        "iris",
    }
    assert {run.set for run in runs_for("all", ["IRI"], 1)} == {"iris"}
