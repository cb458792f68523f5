"""Tables wherever they are, a block of rows at a time: text, Parquet, Excel, standard input."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from unfis.app.request import STANDARD_INPUT
from unfis.app.tables.excel import ZIP, sheet_frame
from unfis.app.tables.records import NEWLINE, RETURN, Records, RowBlock, split_records
from unfis.app.tables.streams import Kept, kept, unpacked
from unfis.app.tables.style import SAMPLE, Style, find_style
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
# Bytes of text that are read at once; a row longer than many of them has a quote left open.
BYTES_AT_ONCE = 4 << 20
LONGEST_ROW = 8 * BYTES_AT_ONCE
OLD_EXCEL = b"\xd0\xcf\x11\xe0"


class Source:
    """A table that gives its rows block by block."""

    names: list[str]  # of the columns
    style: Style | None = None  # how a text file writes it

    def __init__(self, name: str, notation: Notation, size: int) -> None:
        self.name, self.notation = name, notation  # of the file in messages; what its cells mean
        self.size, self.done = size, 0  # of the file in bytes or rows, and what of it has been read
        self.types = dict[str, Any]()  # Arrow's types of the columns, of a file that has types

    def blocks(self, columns: list[str] | None = None) -> Iterator[RowBlock]:
        """The rows; all columns, or some of them."""
        raise NotImplementedError


class SheetSource(Source):
    """A table in a sheet, which is in memory already."""

    def __init__(self, frame: Any, name: str, notation: Notation) -> None:
        super().__init__(name, notation, len(frame))
        self.names = [str(column) for column in frame.columns]
        self._frame = frame

    def blocks(self, columns: list[str] | None = None) -> Iterator[RowBlock]:
        part = self._frame if columns is None else self._frame[columns]
        for start in range(0, len(part), ROWS_AT_ONCE):
            rows = part.iloc[start : start + ROWS_AT_ONCE].reset_index(drop=True)
            self.done = start + len(rows)
            yield RowBlock(rows, self.name, 2 + start)  # the first row has the names


class ParquetSource(Source):
    """A table in a Parquet file."""

    def __init__(self, path: Path | Kept, name: str, notation: Notation) -> None:
        self._table = ParquetTable(path, name)
        super().__init__(name, notation, self._table.rows)
        self.types, self.names = self._table.types, list(self._table.types)

    def blocks(self, columns: list[str] | None = None) -> Iterator[RowBlock]:
        self.done = 0
        for frame in self._table.frames(ROWS_AT_ONCE, columns):
            first, self.done = self.done + 1, self.done + len(frame)
            yield RowBlock(frame, self.name, first)


class TextSource(Source):
    """A table in a text file, whose line of names is `header` and ends with `newline`."""

    style: Style

    def __init__(self, path: Path | Kept, name: str, style: Style, notation: Notation) -> None:
        super().__init__(name, notation, path.stat().st_size)
        self.style, self._path = style, path
        data, records, _ = next(self._pieces(), (b"", None, 1))
        if records is None:
            raise TableError(f"{name} is empty; a line of column names and rows were expected.")
        self.header = data[records.starts[0] : records.ends[0]]
        self.newline = b"\r\n" if data[records.ends[0]] == RETURN else b"\n"
        cells = [column[0].as_py() for column in records.cells.columns]
        self.names = checked_names(cells, f"{name}, line 1")

    def blocks(self, columns: list[str] | None = None) -> Iterator[RowBlock]:
        wanted = self.names if columns is None else columns
        headed = True
        for data, records, line in self._pieces(self.names, wanted):
            if headed:
                records, headed = records.without_first(), False
            if len(records.starts):
                block = RowBlock(None, self.name, line, data, records._replace(cells=None))
                self._refuse_ragged(block, records)
                yield block._replace(frame=records.cells.select(wanted))

    def _pieces(
        self, names: list[str] | None = None, wanted: list[str] | None = None
    ) -> Iterator[tuple[bytes, Records, int]]:
        """Pieces of the text that end with a line's end, their whole rows, and their first line."""
        rest, line = b"", 1
        for read in self._read():
            rest += read
            data, begun = rest[: (cut := rest.rfind(b"\n") + 1)], rest[cut:]
            records = split_records(data, self.style.separator, names, wanted)
            if len(records.starts):
                self._refuse_cut(RowBlock(None, self.name, line, data, records), data)
                yield data, records, line
            line += data.count(b"\n", 0, records.size)
            rest = data[records.size :] + begun
            if len(rest) > LONGEST_ROW:
                break
        if rest.strip():
            line += rest.count(b"\n", 0, max(0, rest.find(b'"')))
            raise TableError(f"{self.name}, line {line}: a quote opens here that is not closed.")

    def _read(self) -> Iterator[bytes]:
        """The text as UTF-8 without its mark, and with an end of its last line."""
        self.done = 0
        with self._path.open(encoding=self.style.encoding, newline="") as sample:
            has_old_ends = "\n" not in sample.read(SAMPLE)
        decoder = codecs.getincrementaldecoder(self.style.encoding)()
        with self._path.open("rb") as file:
            while data := file.read(BYTES_AT_ONCE):
                self.done += len(data)
                text = decoder.decode(data)
                yield (text.replace("\r", "\n") if has_old_ends else text).encode()
        yield b"\n"

    def _refuse_cut(self, block: RowBlock, data: bytes) -> None:
        """Raise TableError for a row that ends with a carriage return alone."""
        assert block.records is not None
        codes, ends = np.frombuffer(data, dtype=np.uint8), block.records.ends
        returns = np.flatnonzero(codes[ends] == RETURN)
        cut = returns[codes[ends[returns] + 1] != NEWLINE]
        if len(cut):
            raise TableError(
                f"{block.location(int(cut[0]))} has a stray line end inside a cell; put the cell "
                "into quotes."
            )

    def _refuse_ragged(self, block: RowBlock, records: Records) -> None:
        """Raise TableError for a row of more or fewer cells than there are columns."""
        ragged = np.flatnonzero(records.widths != len(self.names))
        if len(ragged):
            row = int(ragged[0])
            raise TableError(
                f"{block.location(row)} has {records.widths[row]} cells, but there are "
                f"{len(self.names)} columns. Mend the line, or give the separator."
            )


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
