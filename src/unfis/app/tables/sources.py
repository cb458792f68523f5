"""Tables wherever they are: text, Parquet, Excel, standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from unfis.app.tables.block import Block, checked_names
from unfis.app.tables.errors import TableError, nearest
from unfis.app.tables.excel import ZIP, sheet_frame
from unfis.app.tables.packages import module
from unfis.app.tables.streams import Kept, kept
from unfis.app.tables.style import Style, find_style
from unfis.app.tables.text import TextSource
from unfis.data import Notation
from unfis.messages import quoted, shortened

STANDARD_INPUT = "-"
ROWS_AT_ONCE = 50_000
BUFFER = 1 << 18  # bytes of each column
PARQUET = b"PAR1"
OLD_EXCEL = b"\xd0\xcf\x11\xe0"
LONGEST_REASON = 200  # characters that are repeated of what pyarrow says


class Source(Protocol):
    """A table that gives its rows block by block."""

    name: str
    names: list[str]
    notation: Notation
    size: int
    done: int

    @property
    def style(self) -> Style | None:
        """How a text file writes it; None of other files."""
        ...

    @property
    def types(self) -> dict[str, Any]:
        """Arrow's types of the columns that a file with types says."""
        ...

    def blocks(self, columns: list[str] | None = None) -> Iterator[Block]:
        """The rows; all columns, or some of them."""
        ...


class FrameSource:
    """A table that is already in memory, such as a sheet."""

    style = None

    def __init__(self, frame: Any, name: str, notation: Notation, first: int) -> None:
        self.name, self.names = name, [str(column) for column in frame.columns]
        self.notation, self.types = notation, dict[str, Any]()
        self.size, self.done = len(frame), 0
        self._frame, self._first = frame, first

    def blocks(self, columns: list[str] | None = None) -> Iterator[Block]:
        """The rows; all columns, or some of them."""
        part = self._frame if columns is None else self._frame[columns]
        for start in range(0, len(part), ROWS_AT_ONCE):
            rows = part.iloc[start : start + ROWS_AT_ONCE].reset_index(drop=True)
            self.done = start + len(rows)
            yield Block(rows, self.name, self._first + start)


class ParquetSource:
    """A table in a Parquet file."""

    style = None

    def __init__(self, path: Path | Kept, name: str, notation: Notation) -> None:
        parquet = module("pyarrow.parquet", name, "Parquet")
        file = path if isinstance(path, Path) else path.open("rb")
        with refusing_damage(name):
            # Through a buffer, or parts of the file as large as its row groups would be in memory.
            self._file = parquet.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)
        self.name, self.notation = name, notation
        schema = self._file.schema_arrow
        self.names = checked_names(schema.names, name)
        self.types = dict(zip(self.names, schema.types, strict=True))
        self.size, self.done = self._file.metadata.num_rows, 0

    def blocks(self, columns: list[str] | None = None, rows: int = ROWS_AT_ONCE) -> Iterator[Block]:
        """The rows, so many at once; all columns, or some of them."""
        self.done = 0
        batches = self._file.iter_batches(rows, columns=columns)
        while True:
            with refusing_damage(self.name):
                batch = next(batches, None)
                if batch is None:
                    return
                frame = batch.to_pandas()
            first, self.done = self.done + 1, self.done + batch.num_rows
            yield Block(frame if columns is None else frame[columns], self.name, first)


@contextmanager
def refusing_damage(name: str) -> Iterator[None]:
    """Have what pyarrow says of a damaged file, of whatever kind, say which file it is."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        told = shortened(" ".join(str(error).split()), LONGEST_REASON).rstrip(".")
        raise TableError(f"{name} begins like Parquet but is damaged: {told}.") from error


@contextmanager
def opened(
    path: str | Path,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Collection[str] | None = None,
) -> Iterator[Source]:
    """A table by its path, or from standard input ("-"), its kind by what it begins with.

    Parameters
    ----------
    path : of the file
    separator, decimal, encoding : of a text file; found out where None
    missing : words that mean that nothing is known, beside no text at all; the usual ones if None
    """
    given = separator, decimal, encoding
    if str(path) == STANDARD_INPUT:
        if sys.stdin is None:
            raise TableError("standard input is closed; a table was expected.")
        with kept(sys.stdin.buffer) as copy:
            yield source_of(copy, "standard input", given, missing)
        return
    place = existing_file(path)
    if place.is_file():
        yield source_of(place, place.name, given, missing)
        return
    with place.open("rb") as stream, kept(stream) as copy:
        yield source_of(copy, str(place), given, missing)


def existing_file(path: str | os.PathLike[str]) -> Path:
    """The place of a file; TableError if there is none."""
    place = Path(path)
    if not place.exists():
        raise TableError(f"There is no file {quoted(str(path))}. {siblings(place)}".strip())
    if place.is_dir():
        raise TableError(f"{path} is a folder; a file was expected.")
    if stat.S_ISCHR(place.stat().st_mode) or stat.S_ISBLK(place.stat().st_mode):
        raise TableError(f"{path} is a device, which may never end; a file was expected.")
    return place


def beginning(path: Path | Kept) -> bytes:
    """The bytes by which a kind of file is known."""
    with path.open("rb") as file:
        return file.read(len(PARQUET))


def source_of(
    path: Path | Kept,
    name: str,
    given: tuple[str | None, str | None, str | None],
    missing: Collection[str] | None,
) -> Source:
    """The table in a file, of which separator, decimal mark and encoding may be given."""
    start = beginning(path)
    if start == PARQUET:
        return ParquetSource(path, name, Notation.of(".", missing))
    if start == ZIP:
        with path.open("rb") as file:
            return FrameSource(sheet_frame(file, name), name, Notation.of(".", missing), first=2)
    if start == OLD_EXCEL:
        raise TableError(f"{name} is in Excel's old format; save it as .xlsx or CSV.")
    style = find_style(path, name, *given)
    return TextSource(path, name, style, Notation.of(style.decimal, missing))


def siblings(path: Path) -> str:
    """A sentence that offers the file with the nearest name."""
    folder = path.parent
    names = [p.name for p in folder.iterdir() if p.is_file()] if folder.is_dir() else []
    near = nearest(path.name, names)
    return f"Did you mean {quoted(near)}?" if near else ""
