"""What can be read only once, read again and again."""

import errno
import io
import os
import tempfile
import threading

import pandas as pd
import pytest
from calling import clinic

from unfis.app.tables import TableError, read_table, streams
from unfis.app.tables.streams import PACKED, kept

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device is full here")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_each_reader_has_a_place_of_its_own():
    data = os.urandom(50_000)
    with kept(io.BytesIO(data)) as copy:
        assert copy.stat().st_size == len(data)
        first, second = copy.open("rb"), copy.open("rb")
        assert first.read(10) == second.read(10) == data[:10]
        second.seek(-7, os.SEEK_END)
        assert first.read(20_000) == data[10:20_010]
        assert second.read() == data[-7:]
        second.seek(3)
        second.seek(2, os.SEEK_CUR)
        assert second.read(4) == data[5:9]
        assert first.tell() == 20_010
    with kept(io.BytesIO("a\r\nü\n".encode())) as copy:
        assert copy.open(encoding="utf-8").read() == "a\nü\n"
        assert copy.open(encoding="utf-8", newline="").read() == "a\r\nü\n"


def test_the_copy_has_no_name_that_could_be_left_behind(temporary):
    with kept(io.BytesIO(b"a,b\n1,2\n")) as copy:
        assert list(temporary.iterdir()) == []
        assert copy.open("rb").read() == b"a,b\n1,2\n"


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_standard_input_and_pipes_are_the_same_table(tmp_path, temporary, monkeypatch, ending):
    pytest.importorskip({"csv": "pandas", "parquet": "pyarrow", "xlsx": "openpyxl"}[ending])
    path, pipe = tmp_path / f"t.{ending}", tmp_path / "pipe"
    frame = clinic(30)
    write = {"csv": frame.to_csv, "parquet": frame.to_parquet, "xlsx": frame.to_excel}[ending]
    write(path, index=False)
    expected = read_table(path).frame
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    pd.testing.assert_frame_equal(read_table("-").frame, expected)
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(path.read_bytes()))
    writer.start()
    pd.testing.assert_frame_equal(read_table(pipe).frame, expected)
    writer.join(10)
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("kind", PACKED.values())
def test_packed_tables_are_unpacked_from_files_and_pipes(tmp_path, temporary, monkeypatch, kind):
    arrow = pytest.importorskip("pyarrow")
    plain, path = tmp_path / "plain.csv", tmp_path / "t.csv.packed"
    clinic(300).to_csv(plain, index=False)
    with arrow.CompressedOutputStream(str(path), kind) as file:
        file.write(plain.read_bytes())
    expected = read_table(plain)
    found = read_table(path)
    pd.testing.assert_frame_equal(found.frame, expected.frame)
    assert found.location(250) == "t.csv.packed, line 252"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    pd.testing.assert_frame_equal(read_table("-").frame, expected.frame)
    for damaged in (path.read_bytes()[:200], path.read_bytes()[:200] + bytes(300)):
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=rf"^t\.csv\.packed begins like {kind} but is damaged"):
            read_table(path)
    assert list(temporary.iterdir()) == []


def test_what_may_never_end_is_no_table():
    with pytest.raises(TableError, match="/dev/zero is a device, which may never end"):
        read_table("/dev/zero")


def test_no_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(TableError, match="standard input is closed"):
        read_table("-")


@needs_full
def test_a_full_folder_of_temporary_files_is_named(temporary, monkeypatch):
    def full():
        return open("/dev/full", "w+b", buffering=0)

    monkeypatch.setattr(streams, "temporary_file", full)
    with pytest.raises(OSError, match="Make room in this folder of temporary files") as caught:
        copied()
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(temporary)


def copied():
    with kept(io.BytesIO(bytes(1000))):
        pass
