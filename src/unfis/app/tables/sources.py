"""Tables wherever they are: text, Parquet, Excel, standard input."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from unfis.app.request import STANDARD_INPUT
from unfis.app.tables.block import Block
from unfis.app.tables.excel import ZIP, sheet_frame
from unfis.app.tables.streams import Kept, kept, unpacked
from unfis.app.tables.style import Style, find_style
from unfis.app.tables.text import TextSource
from unfis.data import Notation
from unfis.data.files import PARQUET, ParquetTable, TableError, beginning, existing_file

ROWS_AT_ONCE = 50_000
OLD_EXCEL = b"\xd0\xcf\x11\xe0"


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
        self._table = ParquetTable(path, name)
        self.name, self.notation, self.types = name, notation, self._table.types
        self.names = list(self.types)
        self.size, self.done = self._table.rows, 0

    def blocks(self, columns: list[str] | None = None) -> Iterator[Block]:
        """The rows; all columns, or some of them."""
        self.done = 0
        for frame in self._table.frames(ROWS_AT_ONCE, columns):
            first, self.done = self.done + 1, self.done + len(frame)
            yield Block(frame, self.name, first)


@contextmanager
def opened(
    path: str | Path,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Collection[str] | None = None,
) -> Iterator[Source]:
    """A table by its path, or from standard input ("-"), by what it begins with; packed or not.

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
        with kept(sys.stdin.buffer) as copy, unpacked(copy, name := "standard input") as table:
            yield source_of(table, name, given, missing)
        return
    place = existing_file(path)
    with ExitStack() as files:
        name, table = place.name, place
        if not place.is_file():
            name = str(place)
            table = files.enter_context(kept(files.enter_context(place.open("rb"))))
        yield source_of(files.enter_context(unpacked(table, name)), name, given, missing)


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
