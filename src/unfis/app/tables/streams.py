"""What can be read only once, such as a pipe, kept so that it can be read again like a file."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from unfis.serial.files import temporary_file, write_temporary

READ_AT_ONCE = 1 << 20


class Kept:
    """The bytes of a stream, in a temporary file without a name; opened as a path is."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def open(
        self, mode: str = "r", *, encoding: str | None = None, newline: str | None = None
    ) -> IO[Any]:
        """Its bytes ("rb") or its text, from the beginning."""
        data = io.BufferedReader(View(self._file))
        return data if mode == "rb" else io.TextIOWrapper(data, encoding=encoding, newline=newline)

    def stat(self) -> os.stat_result:
        """What the system knows of the file."""
        return os.fstat(self._file.fileno())


class View(io.RawIOBase):
    """A file that others read as well, read from a place of its own."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._place = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place}
        if whence == os.SEEK_END:
            start[whence] = os.fstat(self._file.fileno()).st_size
        self._place = max(0, start[whence] + offset)
        return self._place

    def readinto(self, buffer: Any, /) -> int:
        self._file.seek(self._place)
        data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


@contextmanager
def kept(stream: IO[bytes]) -> Iterator[Kept]:
    """All that a stream gives, meanwhile on disk."""
    with temporary_file() as file:
        while data := stream.read(READ_AT_ONCE):
            write_temporary(file, data)
        yield Kept(file)
