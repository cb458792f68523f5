"""Where results go: standard output by its names, pipes, readers that leave, full disks."""

import contextlib
import io
import json
import os
import resource
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from calling import COMMAND, call, clinic, fresh, piped

from unfis.additive import load

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device is full here")

# Every command that writes a file, with what its output begins with.
WRITING = {
    "fit": (["fit", "clinic.csv", "-t", "outcome", "--rules", "1"], b'{\n "format": "unfis rules"'),
    "predict": (["predict", "model.json", "clinic.csv"], b"patient_id,"),
    "predict --json": (["predict", "model.json", "clinic.csv", "--json"], b'{"row": 1,'),
    "report": (["report", "model.json", "clinic.csv"], b"<!doctype html>"),
    "export": (["export", "model.json", "--to", "sql"], b"--"),
}


def begins_rightly(data, name):
    return data.lstrip().lower().startswith(WRITING[name][1])


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("place", ["/dev/stdout", "-"])
def test_standard_output_by_its_names_into_a_pipe(folder, name, place):
    result = piped(*WRITING[name][0], "-o", place, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert begins_rightly(result.stdout, name), result.stdout[:100]
    assert not (folder / "-").exists()


@pytest.mark.parametrize("name", WRITING)
def test_standard_output_into_a_file_and_standard_error(folder, name):
    for place, stream in (("/dev/stdout", "stdout"), ("/dev/stderr", "stderr")):
        result = call(*WRITING[name][0], "-o", place, cwd=folder)
        assert result.returncode == 0, result.stderr
        written = getattr(result, stream)
        assert begins_rightly(written, name), written[:100]


def into_pipe(pipe, *arguments, **settings):
    """What a command writes to a named pipe, and the pipe is one afterwards."""
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        data = pool.submit(pipe.read_bytes)
        result = call(*arguments, "-o", pipe, **settings)
        assert result.returncode == 0, result.stderr
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        return data.result(30)


@pytest.mark.parametrize("name", WRITING)
def test_a_named_pipe(tmp_path, folder, name):
    written = into_pipe(tmp_path / "pipe", *WRITING[name][0], cwd=folder)
    assert begins_rightly(written, name), written[:100]


def test_a_descriptor_of_who_started_it(folder):
    reading, writing = os.pipe()
    arguments = [*WRITING["export"][0], "-o", f"/dev/fd/{writing}"]
    process = subprocess.Popen([*COMMAND, *arguments], cwd=folder, pass_fds=[writing])
    os.close(writing)
    with open(reading, "rb") as file:
        assert begins_rightly(file.read(), "export")
    assert process.wait(60) == 0


@pytest.mark.parametrize("ending", ["parquet", "xlsx"])
def test_files_with_types_go_through_a_pipe(tmp_path, folder, ending):
    pytest.importorskip({"parquet": "pyarrow", "xlsx": "openpyxl"}[ending])
    arguments = ["predict", "model.json", "clinic.csv"]
    written = into_pipe(tmp_path / f"pipe.{ending}", *arguments, cwd=folder)
    read = pd.read_parquet if ending == "parquet" else pd.read_excel
    assert len(read(io.BytesIO(written))) == 90


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_model_from_standard_output_is_a_model(tmp_path, folder, more):
    """What is told of it goes elsewhere."""
    result = piped(*WRITING["fit"][0], "-o", "-", *more, cwd=folder)
    assert result.returncode == 0
    (tmp_path / "m.json").write_bytes(result.stdout)
    assert len(load(tmp_path / "m.json").model_.rules.rules) == 1
    told = json.loads(result.stderr)["model"] if more else result.stderr.decode()
    assert told == "/dev/stdout" if more else "held-out rows" in told
    assert b"Saved in" not in result.stderr


CLOSED = {
    **{name: [*call_, "-o", "-"] for name, (call_, _) in WRITING.items()},
    "rules": ["rules", "model.json"],
    "predict, no name": ["predict", "model.json", "clinic.csv"],
    "evaluate": ["evaluate", "model.json", "clinic.csv"],
}


@pytest.mark.parametrize("name", CLOSED)
def test_a_reader_that_left_ends_it_silently(folder, name):
    result = piped(*CLOSED[name], read=False, cwd=folder)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.parametrize("more", ["", "-o -"])
def test_a_reader_that_leaves_after_the_first_line(tmp_path, folder, more):
    large = tmp_path / "large.csv"
    pd.concat([clinic()] * 300).to_csv(large, index=False)
    line = f"{' '.join(COMMAND)} predict model.json {large} {more} | head -1"
    told = subprocess.run(line, shell=True, capture_output=True, cwd=folder, check=True)
    assert told.stdout.count(b"\n") == 1
    assert told.stderr == b""


def is_full(result, place):
    words = result.stderr.decode()
    assert result.returncode == 1
    assert words.count("\n") == 1, words
    assert words.startswith(f"unfis: {place}: No space left on device. Make room there, or write")


@needs_full
@pytest.mark.parametrize("name", CLOSED)
def test_standard_output_that_is_full_is_told(folder, name):
    result = call(*CLOSED[name], stdout="/dev/full", cwd=folder)
    is_full(result, "/dev/stdout" if "-o" in CLOSED[name] else "standard output")


@needs_full
def test_standard_output_that_is_full_is_told_once(folder):
    """Not again when the interpreter ends."""
    with open("/dev/full", "wb") as full:
        line = [*COMMAND, *CLOSED["rules"]]
        settings = {"stdout": full, "stderr": subprocess.PIPE, "cwd": folder}
        is_full(subprocess.run(line, check=False, **settings), "standard output")


def test_a_closed_standard_output_is_no_error(tmp_path, folder):
    output = tmp_path / "out.csv"
    line = f"{' '.join(COMMAND)} predict model.json clinic.csv -o {output} >&-"
    told = subprocess.run(line, shell=True, stderr=subprocess.PIPE, cwd=folder, check=False)
    assert (told.returncode, told.stderr) == (0, b"")
    assert output.read_bytes().count(b"\n") == 91


FULL = {
    "model.json": ["fit", "clinic.csv", "-t", "outcome", "--rules", "1"],
    "out.csv": ["predict", "model.json", "clinic.csv"],
    "out.json": ["predict", "model.json", "clinic.csv", "--json"],
    "out.parquet": ["predict", "model.json", "clinic.csv"],
    "out.xlsx": ["predict", "model.json", "clinic.csv"],
    "page.html": ["report", "model.json", "clinic.csv"],
    "rules.py": ["export", "model.json", "--to", "python"],
    "rules.onnx": ["export", "model.json", "--to", "onnx"],
}
NEEDED = {"parquet": "pyarrow", "xlsx": "openpyxl", "html": "jinja2", "onnx": "onnx"}


def needed(name):
    pytest.importorskip(NEEDED.get(name.partition(".")[2], "pandas"))


def told_of_full(folder, place, name, start=call, **settings):
    """What is said where a file does not fit, the old one of which stays."""
    output = place / name
    output.write_text("old")
    result = start(*FULL[name], "-o", output, cwd=folder, **settings)
    words = result.stderr.decode()
    assert result.returncode == 1, words
    assert words.count("\n") == 1, words
    assert result.stdout == b""
    assert output.read_text() == "old"
    return words


@pytest.mark.parametrize("name", ["model.json", "out.csv", "out.parquet", "out.xlsx"])
def test_a_file_that_may_not_grow_leaves_the_old_one(tmp_path, folder, name):
    needed(name)
    temporary = tmp_path / "temporary"
    temporary.mkdir()

    def bound():
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

    words = told_of_full(
        folder,
        tmp_path,
        name,
        start=fresh,
        preexec_fn=bound,
        env={**os.environ, "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    # openpyxl writes a sheet to a temporary file first.
    place = temporary if name == "out.xlsx" else tmp_path / name
    assert words.startswith(f"unfis: {place}: File too large. Make room ")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted([name, "temporary"])
    assert list(temporary.iterdir()) == []


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 16 kB, where one can be had."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("name", FULL)
def test_a_full_disk_leaves_the_old_file(folder, small_disk, name):
    needed(name)
    rest = small_disk / "rest"
    with contextlib.suppress(OSError), open(rest, "wb", buffering=0) as file:
        for _ in range(2):
            file.write(bytes(4096))
    words = told_of_full(folder, small_disk, name)
    assert words.startswith(f"unfis: {small_disk / name}: No space left on device. Make room there")
    assert {entry.name for entry in small_disk.iterdir()} == {name, "rest"}
