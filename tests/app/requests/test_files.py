"""Files that may be written, and those that may not."""

import os
from pathlib import Path

import pytest

from unfis.app.requests import RequestError
from unfis.app.requests.files import check_output


def test_what_is_read_is_not_written_over(tmp_path):
    table, other = tmp_path / "t.csv", tmp_path / "other.csv"
    table.write_text("a,b\n1,2\n")
    link, hard = tmp_path / "link.csv", tmp_path / "hard.csv"
    link.symlink_to(table)
    hard.hardlink_to(table)
    for path in (table, link, hard, tmp_path / "." / "t.csv"):
        with pytest.raises(RequestError, match="is read here, and would be lost"):
            check_output(path, [other, table])
    check_output(other, [table])
    check_output(table, [other])


def test_pipes_and_what_is_open_need_no_folder_to_write_in(tmp_path, monkeypatch):
    """As /dev is for everybody but the administrator."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for place in (pipe, Path("/dev/stdout"), Path("/dev/fd/1"), Path("/dev/null")):
        check_output(place, [tmp_path / "other.csv"])
    with pytest.raises(RequestError, match="needs the folder"):
        check_output(tmp_path / "new.csv", [])
    with pytest.raises(RequestError, match="is read here"):
        check_output(pipe, [pipe])


def test_no_file_is_named_as_packed_that_is_not(tmp_path):
    with pytest.raises(RequestError, match=r"out\.csv\.GZ would not be packed .* leave out \.GZ"):
        check_output(tmp_path / "out.csv.GZ", [])
