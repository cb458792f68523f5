"""What can be read only once, such as a pipe, or is packed: kept to be read like a file."""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as arrow

from unfis.data.files import beginning, refusing_damage
from unfis.serial.files import temporary_file, write_temporary

COPIED_AT_ONCE = 1 << 20
# What packed files begin with, and no text does.
PACKED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4"}


class Kept:
    """The bytes of a stream, in a temporary file without a name; opened as a path is."""

    def __init__(self, file: IO[bytes]) -> None:
        self._status = os.fstat(file.fileno())
        size = self._status.st_size
        data = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) if size else b""
        self._data = arrow.py_buffer(data)

    def open(
        self, mode: str = "r", *, encoding: str | None = None, newline: str | None = None
    ) -> IO[Any]:
        """Its bytes ("rb") or its text, from the beginning."""
        data: Any = arrow.BufferReader(self._data)
        return data if mode == "rb" else io.TextIOWrapper(data, encoding=encoding, newline=newline)

    def stat(self) -> os.stat_result:
        """What the system knows of the file."""
        return self._status


@contextmanager
def kept(stream: IO[bytes]) -> Iterator[Kept]:
    """All that a stream gives, meanwhile on disk."""
    with temporary_file() as file:
        while data := stream.read(COPIED_AT_ONCE):
            write_temporary(file, data)
        yield Kept(file)


@contextmanager
def unpacked(path: Path | Kept, name: str) -> Iterator[Path | Kept]:
    """A file as it is, or what is in it if it is packed, meanwhile on disk."""
    start = beginning(path)
    kind = next((kind for mark, kind in PACKED.items() if start.startswith(mark)), None)
    if kind is None:
        yield path
        return
    with ExitStack() as files:
        packed = files.enter_context(path.open("rb"))
        stream = files.enter_context(arrow.CompressedInputStream(packed, kind))
        with refusing_damage(name, kind):
            copy = files.enter_context(kept(stream))
        yield copy
