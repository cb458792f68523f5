"""Tables in text files, a block of rows at a time: cells as text, rows as they stand."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from unfis.app.tables.block import Block
from unfis.app.tables.records import (
    RETURN,
    Records,
    has_stray_return,
    row_cells,
    split_records,
)
from unfis.app.tables.streams import Kept
from unfis.app.tables.style import SAMPLE, Style
from unfis.data import Notation
from unfis.data.files import TableError, checked_names

# Bytes that are read at once; a row that is longer than many of them has a quote left open.
BLOCK = 4 << 20
LONGEST_ROW = 8 * BLOCK


class TextSource:
    """A table in a text file.

    Attributes
    ----------
    name : what the file is called in messages
    names : of the columns
    style, notation : how it is written, and what its cells mean
    types : of columns; text has none
    header : the line of names, as it stands
    newline : what ends it
    size, done : bytes of the file, and how many have been read
    """

    def __init__(self, path: Path | Kept, name: str, style: Style, notation: Notation) -> None:
        self.name, self.style, self.notation = name, style, notation
        self.types = dict[str, Any]()
        self.size, self.done = path.stat().st_size, 0
        self._path = path
        first = next(self._pieces(), None)
        if first is None:
            raise TableError(f"{name} is empty; a line of column names and rows were expected.")
        data, records, _ = first
        self.header = data[records.starts[0] : records.ends[0]]
        self.newline = b"\r\n" if data[records.ends[0]] == RETURN else b"\n"
        self.names = checked_names(row_cells(self.header, style.separator), f"{name}, line 1")

    def blocks(self, columns: list[str] | None = None) -> Iterator[Block]:
        """The rows, some of their columns as text."""
        wanted = self.names if columns is None else columns
        headed = True
        for data, records, line in self._pieces():
            if headed:
                records, headed = records.without_first(), False
            if len(records.starts):
                block = Block(None, self.name, line, data, records)
                self._refuse_ragged(block)
                yield block._replace(frame=self._parsed(block, wanted))

    def _pieces(self) -> Iterator[tuple[bytes, Records, int]]:
        """Pieces of the text that end with a row's end, their rows, and their first line."""
        rest, line = b"", 1
        for read in self._read():
            data = rest + read
            records = split_records(data, self.style.separator)
            if len(records.starts):
                yield data, records, line
            elif len(data) > LONGEST_ROW:
                raise self._unclosed(data, line)
            line += data.count(b"\n", 0, records.size)
            rest = data[records.size :]
        if rest.strip():
            data = rest if rest.endswith(b"\n") else rest + b"\n"
            records = split_records(data, self.style.separator)
            if records.size < len(data):
                raise self._unclosed(data[records.size :], line)
            yield data, records, line

    def _read(self) -> Iterator[bytes]:
        """The text as UTF-8, without its mark."""
        self.done = 0
        encoding = self.style.encoding
        if encoding in ("utf-8", "utf-8-sig"):
            with self._path.open("rb") as file:
                file.seek(3 if encoding == "utf-8-sig" else 0)
                if b"\n" in file.read(SAMPLE) or self.size < 2:
                    file.seek(3 if encoding == "utf-8-sig" else 0)
                    while data := file.read(BLOCK):
                        self.done += len(data)
                        yield data
                    return
        with self._path.open(encoding=encoding, newline="") as probe:
            newline = "" if "\n" in probe.read(SAMPLE) else None  # old line ends become usual ones
        with self._path.open(encoding=encoding, newline=newline) as text:
            while read := text.read(BLOCK):
                self.done += len(read)
                yield read.encode()

    def _refuse_ragged(self, block: Block) -> None:
        """Raise TableError for a row of more or fewer cells than there are columns."""
        wrong = np.flatnonzero(block.records.cells != len(self.names))
        if len(wrong):
            row = int(wrong[0])
            raise TableError(
                f"{block.place(row)} has {block.records.cells[row]} cells, but there are "
                f"{len(self.names)} columns. Mend the line, or give the separator."
            )

    def _parsed(self, block: Block, columns: list[str]) -> Any:
        """The cells of a block's rows as text."""
        import pandas as pd

        places = [self.names.index(column) for column in columns]
        kept = block.text()
        if not places:
            return pd.DataFrame(index=range(len(block.records.starts)))
        try:
            frame = pd.read_csv(
                io.BytesIO(kept),
                sep=self.style.separator,
                header=None,
                names=range(len(self.names)),
                usecols=places,
                index_col=False,
                dtype=object,
                na_filter=False,
                skip_blank_lines=False,
                low_memory=False,
            )
        except pd.errors.ParserError as error:
            raise self._stray(block) from error
        if len(frame) != len(block.records.starts):
            raise self._stray(block)
        return frame[places].set_axis(columns, axis=1)

    def _stray(self, block: Block) -> TableError:
        """The error of a quote or line end where none may be, at its row if that is found."""
        place = f"{block.place(0)} or one of the {len(block.records.starts) - 1:,} rows after it"
        for row, data in enumerate(block.rows()):
            if has_stray_return(data, self.style.separator):
                place = block.place(row)
                break
        return TableError(
            f"{place} has a stray quote or line end inside a cell; put the cell into quotes."
        )

    def _unclosed(self, data: bytes, line: int) -> TableError:
        """The error of a cell that never ends."""
        line += data.count(b"\n", 0, max(0, data.find(b'"')))
        return TableError(f"{self.name}, line {line}: a quote opens here that is not closed.")
