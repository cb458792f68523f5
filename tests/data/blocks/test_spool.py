"""Arrays in files."""

import errno
import sys
import tempfile
from contextlib import closing

import numpy as np
import pytest

from unfis.data.blocks import spool
from unfis.data.blocks.spool import Spool


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_rows_come_back(temporary, monkeypatch):
    monkeypatch.setattr(spool, "ELEMENTS_AT_ONCE", 7)
    rows = np.arange(60.0).reshape(20, 3)
    with closing(Spool()) as values:
        for part in np.array_split(rows, 3):
            values.append(np.asfortranarray(part))
        np.testing.assert_array_equal(values.array(), rows)
        values.rewrite(lambda part: -part)
        values.append(rows[:1])
        found = values.array()
    np.testing.assert_array_equal(found, np.concatenate([-rows, rows[:1]]))
    assert not found.flags.writeable
    if sys.platform != "win32":
        assert not list(temporary.iterdir())


def test_single_precision_stays_until_a_double_comes(temporary):
    single = np.array([[0.1], [0.2]], dtype=np.float32)
    with closing(Spool()) as values:
        values.append(single)
        assert values.array().dtype == np.float32
        values.append(np.array([[0.1]]))
        values.append(single)
        found = values.array()
    expected = np.concatenate([single, [[0.1]], single])
    assert found.dtype == expected.dtype == np.float64
    np.testing.assert_array_equal(found, expected)


class Full:
    """A file on a disk that is full after some bytes."""

    def __init__(self, room, code=errno.ENOSPC):
        self.room, self.code, self.held = room, code, 0

    def write(self, data):
        if self.held == self.room:
            raise OSError(self.code, "as the system says it")
        written = min(len(data), self.room - self.held)
        self.held += written
        return written


def test_a_full_disk_is_told_in_a_sentence(temporary, monkeypatch):
    monkeypatch.setattr(spool, "temporary_file", lambda: Full(40))
    values = Spool()
    values.append(np.ones((2, 2)))
    with pytest.raises(OSError, match="Make room in this folder of temporary files") as caught:
        values.append(np.ones((2, 2)))
    assert caught.value.errno == errno.ENOSPC
    assert caught.value.filename == str(temporary)
    assert "environment variable TMPDIR" in str(caught.value)
    monkeypatch.setattr(spool, "temporary_file", lambda: Full(0, errno.EIO))
    with pytest.raises(OSError, match="as the system says it"):
        Spool().append(np.ones(3))
