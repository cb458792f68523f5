"""Tables wherever they are, a block of rows at a time: text, Parquet, Excel, standard input."""

from __future__ import annotations

import csv
import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as arrow

from unfis.app.requests.files import STANDARD_INPUT
from unfis.app.tables.excel import ZIP, sheet_frame
from unfis.app.tables.records import LAST, RaggedRows, RecordBlock, text_reader
from unfis.app.tables.streams import Kept, kept, unpacked
from unfis.app.tables.style import Style, find_style
from unfis.data import Notation
from unfis.data.files import (
    PARQUET,
    ParquetTable,
    TableError,
    beginning,
    checked_names,
    existing_file,
)

ROWS_AT_ONCE = 50_000
# Characters of text that are read at once; a row that is longer has a quote left open.
CHARACTERS_AT_ONCE = 4 << 20
OLD_EXCEL = b"\xd0\xcf\x11\xe0"


class Source:
    """A table that gives its rows block by block."""

    names: list[str]  # of the columns
    style: Style | None = None  # how a text file writes it
    first_row = 1

    def __init__(self, name: str, notation: Notation, size: int) -> None:
        self.name, self.notation = name, notation  # of the file in messages; what its cells mean
        self.size, self.done = size, 0  # of the file in bytes or rows, and what of it has been read
        self.types = dict[str, Any]()  # Arrow's types of the columns, of a file that has types

    def blocks(self, columns: list[str] | None = None) -> Iterator[RecordBlock]:
        """The rows; all columns, or some of them."""
        raise NotImplementedError

    def location(self, row: int) -> str:
        """Where a row is in the file, in words."""
        return f"{self.name}, row {self.first_row + row}"


class SheetSource(Source):
    """A table in a sheet, which is in memory already."""

    first_row = 2  # below the names

    def __init__(self, frame: Any, name: str, notation: Notation) -> None:
        super().__init__(name, notation, len(frame))
        self.names = [str(column) for column in frame.columns]
        self._frame = frame

    def blocks(self, columns: list[str] | None = None) -> Iterator[RecordBlock]:
        part = self._frame if columns is None else self._frame[columns]
        for start in range(0, len(part), ROWS_AT_ONCE):
            rows = part.iloc[start : start + ROWS_AT_ONCE].reset_index(drop=True)
            self.done = start + len(rows)
            yield RecordBlock(rows, self.location, start)


class ParquetSource(Source):
    """A table in a Parquet file."""

    def __init__(self, path: Path | Kept, name: str, notation: Notation) -> None:
        self._table = ParquetTable(path, name)
        super().__init__(name, notation, self._table.rows)
        self.types, self.names = self._table.types, list(self._table.types)

    def blocks(self, columns: list[str] | None = None) -> Iterator[RecordBlock]:
        self.done = 0
        for frame in self._table.frames(ROWS_AT_ONCE, columns):
            first, self.done = self.done, self.done + len(frame)
            yield RecordBlock(frame, self.location, first)


class TextSource(Source):
    """A table in a text file."""

    style: Style

    def __init__(self, path: Path | Kept, name: str, style: Style, notation: Notation) -> None:
        super().__init__(name, notation, path.stat().st_size)
        self.style, self._path = style, path
        with self._text() as file, suppress(arrow.ArrowInvalid):
            reader = text_reader(file, style.separator, CHARACTERS_AT_ONCE)
            self._heads: list[str] = reader.schema.names
        if not hasattr(self, "_heads") or LAST in self._heads[-1]:
            raise self._open_quote(-1)
        self.names = checked_names(self._heads, f"{name}, line 1")

    def blocks(self, columns: list[str] | None = None) -> Iterator[RecordBlock]:
        wanted = self.names if columns is None else columns
        heads = dict(zip(self.names, self._heads, strict=True))
        chosen, ragged, seen = [heads[name] for name in wanted], RaggedRows(), 0
        with self._text() as file:
            try:
                written = self.style.separator, CHARACTERS_AT_ONCE
                for batch in text_reader(file, *written, self._heads, chosen, ragged):
                    self.done = file.buffer.tell()
                    self._refuse_ragged(ragged)
                    cells = arrow.Table.from_batches([batch]).select(chosen).rename_columns(wanted)
                    if len(cells):
                        yield RecordBlock(cells, self.location, seen)
                    seen += len(cells)
            except arrow.ArrowInvalid as error:  # a row is longer than what is read at once
                raise self._open_quote(seen) from error
        self._refuse_ragged(ragged)
        if not ragged.is_ended:
            raise self._open_quote(seen - 1)

    def location(self, row: int) -> str:
        """The line in which a row begins, by the csv module: pyarrow's reader counts no lines."""
        line, left = 1, row + 1
        with self._text() as file, suppress(csv.Error):  # for a cell that is too long for it
            reader = csv.reader(file, delimiter=self.style.separator)
            for cells in reader:
                if len(cells) > 1 or (cells and (cells[0].strip() or len(self.names) == 1)):
                    if not left:
                        break
                    left -= 1
                line = reader.line_num + 1
        return f"{self.name}, row {row + 1}" if left else f"{self.name}, line {line}"

    def _text(self) -> Any:
        return self._path.open(encoding=self.style.encoding, newline="")

    def _refuse_ragged(self, ragged: RaggedRows) -> None:
        """Raise TableError for a row of more or fewer cells than there are columns."""
        if ragged.first is None:
            return
        if ragged.is_open:
            raise self._open_quote(ragged.first)
        raise TableError(
            f"{self.location(ragged.first)} has {ragged.widths[0]} cells, but there are "
            f"{len(self._heads)} columns. Mend the line, in which a cell with a separator or a "
            "line end needs quotes, or give the separator."
        )

    def _open_quote(self, row: int) -> TableError:
        return TableError(f"{self.location(row)}: a quote opens here that is not closed.")


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

    How text is written is found out where it is None; `missing` are words that mean that nothing is
    known, beside no text at all, or the usual ones.
    """
    table: Path | Kept
    with ExitStack() as files:
        if str(path) == STANDARD_INPUT:
            if sys.stdin is None:
                raise TableError("standard input is closed; a table was expected.")
            name, table = "standard input", files.enter_context(kept(sys.stdin.buffer))
        else:
            found = existing_file(path)
            name, table = found.name, found
            if not found.is_file():
                name = str(found)
                table = files.enter_context(kept(files.enter_context(found.open("rb"))))
        table = files.enter_context(unpacked(table, name))
        start, point = beginning(table), Notation.of(".", missing)
        if start == PARQUET:
            yield ParquetSource(table, name, point)
        elif start == ZIP:
            with table.open("rb") as file:
                frame = sheet_frame(file, name)
            yield SheetSource(frame, name, point)
        elif start == OLD_EXCEL:
            raise TableError(f"{name} is in Excel's old format; save it as .xlsx or CSV.")
        else:
            style = find_style(table, name, separator, decimal, encoding)
            yield TextSource(table, name, style, Notation.of(style.decimal, missing))
