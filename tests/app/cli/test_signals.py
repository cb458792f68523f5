"""Signals that end the command: what was begun is undone, what was there is whole."""

import signal
import subprocess
import sys
import threading
import time

import pytest
from calling import COMMAND, clinic

from unfis.app.cli.running import ENDING, ending_in_order


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table that takes some seconds to predict."""
    return written(tmp_path_factory.mktemp("large"), 1500)


def written(folder, times, table=None):
    path = folder / "table.csv"
    table = clinic(1000) if table is None else table
    head, rows = table.to_csv(index=False).split("\n", 1)
    path.write_text(f"{head}\n{rows * times}", encoding="utf-8")
    return path


def predicting(model, table, output, *more, **settings):
    """A process that has begun to write."""
    process = subprocess.Popen(
        [*COMMAND, "predict", str(model), str(table), "-o", str(output), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **settings,
    )
    while not drafts_of(output):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    return process


def drafts_of(path):
    return [entry for entry in path.parent.iterdir() if entry.name.startswith(".")]


@pytest.mark.parametrize(
    ("ending", "number"),
    [
        ("csv", signal.SIGTERM),
        ("xlsx", signal.SIGTERM),
        ("parquet", signal.SIGHUP),
        ("json", signal.SIGINT),
    ],
)
def test_an_ended_prediction_leaves_the_old_file_and_nothing_else(
    tmp_path, model, large, ending, number
):
    pytest.importorskip({"parquet": "pyarrow", "xlsx": "openpyxl"}.get(ending, "pandas"))
    output = tmp_path / f"out.{ending}"
    output.write_text("old")
    process = predicting(model, large, output, *(["--json"] if ending == "json" else []))
    process.send_signal(number)
    told = process.communicate(timeout=60)
    assert told == (b"", b"")
    assert process.returncode == 128 + number
    assert output.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == [output.name]


def test_what_is_ignored_stays_so(tmp_path, model):
    """As nohup asks for."""
    # Of the rows that the model knows: none of them is told to be unlike anything.
    output, table = tmp_path / "out.csv", written(tmp_path, 2200, clinic().iloc[:40])
    process = predicting(
        model, table, output, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    process.send_signal(signal.SIGHUP)
    assert process.communicate(timeout=120) == (b"", b"")
    assert process.returncode == 0
    assert output.stat().st_size > table.stat().st_size


def test_the_library_leaves_signals_alone():
    program = """if True:
        import signal
        from unfis import UNFISClassifier, export
        from unfis.app import report, tables
        import unfis.app.cli.app
        print([signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)])
    """
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert told.stdout.count(b"SIG_DFL") == 2


def test_handlers_are_there_only_while_the_command_runs():
    def caught():
        with ending_in_order():
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(SystemExit) as ended:
        caught()
    assert ended.value.code == 128 + signal.SIGTERM
    assert all(signal.getsignal(number) == signal.SIG_DFL for number in ENDING)


def test_in_another_thread_nothing_can_be_caught():
    found = []

    def run():
        with ending_in_order():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]
