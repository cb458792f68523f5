import errno
import os
import stat
import threading

import pytest

from unfis.serial.files import descriptor_of, replacing, write_whole

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device is full here")


def test_a_file_is_replaced_at_the_end_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write("new\n")
        assert path.read_text() == "old"
    assert path.read_bytes() == b"new\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def interrupted():
        with replacing(path) as file:
            file.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_whole(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_whole(path, b"through")
    reader.join(10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_new_files_have_the_usual_permissions(tmp_path):
    write_whole(tmp_path / "a", "")
    (tmp_path / "b").write_text("")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "ab"]
    assert modes[0] == modes[1]


def test_the_mask_of_the_process_is_not_touched(tmp_path, monkeypatch):
    """For a moment without it, other threads would make files that everybody may write."""
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("was set"))
        write_whole(tmp_path / "a", "new")
        monkeypatch.undo()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_a_draft_is_as_private_as_its_file(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    path.chmod(0o600)
    with replacing(path) as file:
        file.write("new")
        (draft,) = (entry for entry in tmp_path.iterdir() if entry != path)
        assert stat.S_IMODE(draft.stat().st_mode) == 0o600


def test_a_name_as_long_as_can_be(tmp_path):
    path = tmp_path / ("名" * 85)  # 255 bytes
    write_whole(path, "new")
    assert path.read_text() == "new"


def test_names_of_what_is_open_already():
    assert descriptor_of("/dev/stdout") == 1
    assert descriptor_of("/dev/stderr") == 2
    assert descriptor_of("/dev/fd/63") == 63
    assert descriptor_of("/proc/self/fd/7") == 7
    for name in ("/dev/null", "stdout", "/dev/fd/", "/dev/fd/x", "dev/fd/1"):
        assert descriptor_of(name) is None


@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd"])
def test_a_pipe_that_is_open_already(folder):
    reading, writing = os.pipe()
    write_whole(f"{folder}/{writing}", "through\n")
    os.close(writing)  # it was not closed with the file
    with open(reading) as file:
        assert file.read() == "through\n"


def test_a_file_that_is_open_already_is_written_on(tmp_path):
    """As a shell expects of standard output, between the lines that others write to it."""
    path = tmp_path / "a.txt"
    with open(path, "wb", buffering=0) as file:
        file.write(b"before\n")
        write_whole(f"/dev/fd/{file.fileno()}", b"new\n")
        file.write(b"after\n")
    assert path.read_bytes() == b"before\nnew\nafter\n"


def test_what_is_not_open(tmp_path):
    with pytest.raises(OSError, match="/dev/fd/999999"):
        write_whole("/dev/fd/999999", "")


@needs_full
@pytest.mark.parametrize("content", ["text" * 10_000, b"few"])
def test_a_full_disk_names_the_file_and_says_what_to_do(content):
    with pytest.raises(OSError, match="Make room there, or write to another place") as caught:
        write_whole("/dev/full", content)
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == "/dev/full"


def test_a_folder_that_is_not_there_is_told_of_the_file_and_not_of_its_draft(tmp_path):
    path = tmp_path / "no" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(path, "new")
    assert caught.value.filename == str(path)
