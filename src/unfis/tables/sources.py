"""Tables wherever they are: text, Parquet, Excel, standard input."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from unfis.data import Notation
from unfis.tables.block import Block, checked_names
from unfis.tables.errors import TableError, nearest
from unfis.tables.style import Style, find_style
from unfis.tables.text import TextSource

STANDARD_INPUT = "-"
ROWS_AT_ONCE = 50_000
BUFFER = 1 << 18  # bytes of each column
PARQUET = b"PAR1"
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

    def __init__(self, path: Path, name: str, notation: Notation) -> None:
        parquet = module("pyarrow.parquet", name, "Parquet")
        try:
            # Through a buffer, or parts of the file as large as its row groups would be in memory.
            self._file = parquet.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
        except (OSError, ValueError) as error:
            told = str(error).rstrip(".")
            raise TableError(f"{name} begins like Parquet but is damaged: {told}.") from error
        self.name, self.notation = name, notation
        schema = self._file.schema_arrow
        self.names = checked_names(schema.names, name)
        self.types = dict(zip(self.names, schema.types, strict=True))
        self.size, self.done = self._file.metadata.num_rows, 0

    def blocks(self, columns: list[str] | None = None, rows: int = ROWS_AT_ONCE) -> Iterator[Block]:
        """The rows, so many at once; all columns, or some of them."""
        self.done = 0
        for batch in self._file.iter_batches(rows, columns=columns):
            frame = batch.to_pandas()
            first, self.done = self.done + 1, self.done + batch.num_rows
            yield Block(frame if columns is None else frame[columns], self.name, first)


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
        with tempfile.NamedTemporaryFile(prefix="unfis-") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            yield source_of(Path(copy.name), "standard input", given, missing)
        return
    place = existing_file(path)
    yield source_of(place, place.name, given, missing)


def existing_file(path: str | os.PathLike[str]) -> Path:
    """The place of a file; TableError if there is none."""
    place = Path(path)
    if not place.exists():
        raise TableError(f"There is no file {str(path)!r}. {siblings(place)}".strip())
    if place.is_dir():
        raise TableError(f"{path} is a folder; a file was expected.")
    return place


def beginning(path: Path) -> bytes:
    """The bytes by which a kind of file is known."""
    with path.open("rb") as file:
        return file.read(len(PARQUET))


def source_of(
    path: Path,
    name: str,
    given: tuple[str | None, str | None, str | None],
    missing: Collection[str] | None,
) -> Source:
    """The table in a file, of which separator, decimal mark and encoding may be given."""
    start = beginning(path)
    if start == PARQUET:
        return ParquetSource(path, name, Notation.of(".", missing))
    if start.startswith(b"PK") and zipfile.is_zipfile(path):
        return sheet(path, name, Notation.of(".", missing))
    if start == OLD_EXCEL:
        raise TableError(f"{name} is in Excel's old format; save it as .xlsx or CSV.")
    style = find_style(path, name, *given)
    return TextSource(path, name, style, Notation.of(style.decimal, missing))


def sheet(path: Path, name: str, notation: Notation) -> FrameSource:
    """The first sheet of an Excel file, its first row the names."""
    openpyxl = module("openpyxl", name, "Excel")
    import pandas as pd

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (KeyError, ValueError, OSError) as error:
        raise TableError(f"{name} is no table: it is a ZIP archive, but no Excel file.") from error
    rows = [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]
    book.close()
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    if not rows:
        raise TableError(f"{name} is empty; a row of column names and rows were expected.")
    names = rows[0]
    while names and names[-1] is None and all(row[len(names) - 1] is None for row in rows):
        names.pop()
    names = checked_names(names, f"{name}, row 1")
    cells = [row[: len(names)] for row in rows[1:]]
    frame = pd.DataFrame(cells, columns=names, dtype=object)
    return FrameSource(frame.apply(typed), name, notation, first=2)


def typed(column: Any) -> Any:
    """A sheet's column by what all its cells are: numbers, truth values, dates, or text."""
    import pandas as pd

    known = column[column.notna()]
    if len(known) and not any(isinstance(cell, str) for cell in known):
        return pd.Series(known.infer_objects(), index=known.index).reindex(column.index)
    return column.map(lambda cell: "" if cell is None else str(cell)).astype(object)


def module(name: str, file: str, kind: str) -> Any:
    """A package that reads a kind of file."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise TableError(
            f"{file} is {kind}, which needs {package}: pip install 'unfis[app]'."
        ) from error


def siblings(path: Path) -> str:
    """A sentence that offers the file with the nearest name."""
    folder = path.parent
    names = [p.name for p in folder.iterdir() if p.is_file()] if folder.is_dir() else []
    near = nearest(path.name, names)
    return f"Did you mean {near!r}?" if near else ""
