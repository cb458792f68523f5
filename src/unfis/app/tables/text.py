"""Tables in text files, a block of rows at a time: cells as text, rows as they stand."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from unfis.app.tables.block import Block
from unfis.app.tables.records import NEWLINE, RETURN, Records, split_records
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
        data, records, _ = next(self._pieces(), (b"", None, 1))
        if records is None:
            raise TableError(f"{name} is empty; a line of column names and rows were expected.")
        self.header = data[records.starts[0] : records.ends[0]]
        self.newline = b"\r\n" if data[records.ends[0]] == RETURN else b"\n"
        cells = [column[0].as_py() for column in records.cells.columns]
        self.names = checked_names(cells, f"{name}, line 1")

    def blocks(self, columns: list[str] | None = None) -> Iterator[Block]:
        """The rows, some of their columns as text."""
        wanted = self.names if columns is None else columns
        headed = True
        for data, records, line in self._pieces(self.names, wanted):
            if headed:
                records, headed = records.without_first(), False
            if len(records.starts):
                block = Block(None, self.name, line, data, records._replace(cells=None))
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
                self._refuse_cut(Block(None, self.name, line, data, records), data)
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
            while data := file.read(BLOCK):
                self.done += len(data)
                text = decoder.decode(data)
                yield (text.replace("\r", "\n") if has_old_ends else text).encode()
        yield b"\n"

    def _refuse_cut(self, block: Block, data: bytes) -> None:
        """Raise TableError for a row that ends with a carriage return alone."""
        assert block.records is not None
        codes, ends = np.frombuffer(data, dtype=np.uint8), block.records.ends
        returns = np.flatnonzero(codes[ends] == RETURN)
        cut = returns[codes[ends[returns] + 1] != NEWLINE]
        if len(cut):
            raise TableError(
                f"{block.place(int(cut[0]))} has a stray line end inside a cell; put the cell into "
                "quotes."
            )

    def _refuse_ragged(self, block: Block, records: Records) -> None:
        """Raise TableError for a row of more or fewer cells than there are columns."""
        ragged = np.flatnonzero(records.widths != len(self.names))
        if len(ragged):
            row = int(ragged[0])
            raise TableError(
                f"{block.place(row)} has {records.widths[row]} cells, but there are "
                f"{len(self.names)} columns. Mend the line, or give the separator."
            )


def text_frame(cells: Any) -> Any:
    """A pyarrow table of text as a pandas data frame."""
    import pandas as pd

    text = pd.ArrowDtype(cells.schema.types[0])
    return cells.to_pandas(types_mapper=lambda _: text)
