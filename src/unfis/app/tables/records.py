"""The rows of some text by pyarrow's reader, and whether its quotes are closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO, Any, NamedTuple

import numpy as np
import pyarrow as arrow
from numpy.typing import NDArray
from pyarrow import csv

LONGEST_CHARACTER = 4  # in bytes
LAST = "\x1e"  # no table has it at the beginning of a row


class EndedText:
    """Text as UTF-8, and a last row of too many cells, which an open quote would swallow."""

    closed = False

    def __init__(self, file: IO[str], separator: str, width: int) -> None:
        self._file, self._end = file, f"\n{LAST}{separator * width}\n"

    def read(self, size: int) -> bytes:
        """At most so many bytes."""
        text = self._file.read(count := size // LONGEST_CHARACTER)
        # With the rest of the text, or a file of names alone would have no whole row.
        if not text or len(text) + len(self._end) <= count:
            text, self._end = text + self._end, ""
        return text.encode()


class RaggedRows:
    """The rows of more or fewer cells than there are columns, as the reader comes upon them."""

    def __init__(self) -> None:
        self.is_ended = False  # whether the last row came by itself
        self.blank = 0  # lines of blanks, which are no rows
        self.widths: list[int] = []
        self.first: int | None = None  # row, counted from 0 below the names
        self.is_open = False  # whether a quote opens in the first one that is not closed

    def skip(self, row: Any) -> str:
        """Note a row and go on."""
        if row.text.startswith(LAST):
            self.is_ended = True
        elif row.actual_columns == 1 and not row.text.strip():
            self.blank += 1
        else:
            self.widths.append(row.actual_columns)
            if self.first is None:
                self.first, self.is_open = row.number - 2 - self.blank, LAST in row.text
        return "skip"


def text_reader(
    file: IO[str],
    separator: str,
    size: int,
    names: list[str] | None = None,
    wanted: list[str] | None = None,
    ragged: RaggedRows | None = None,
) -> Any:
    """pyarrow's reader of a text below its row of names, all cells text; some of the columns.

    Without names its schema tells them. So many characters are read at once; no row may be longer.
    """
    return csv.open_csv(
        EndedText(file, separator, len(names or ())),
        # In one thread, or ragged rows would have no number.
        csv.ReadOptions(use_threads=False, block_size=LONGEST_CHARACTER * size),
        csv.ParseOptions(
            delimiter=separator,
            newlines_in_values=True,
            invalid_row_handler=(ragged or RaggedRows()).skip,
        ),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names or (), arrow.string()),
            include_columns=wanted,
            check_utf8=False,
        ),
    )


def as_array(column: Any) -> NDArray[Any]:
    """A column of pyarrow's that is known in every row; its own to_numpy would import pandas."""
    whole = column.combine_chunks() if isinstance(column, arrow.ChunkedArray) else column
    return np.from_dlpack(whole)


class RecordBlock(NamedTuple):
    """Some rows of a table."""

    frame: Any  # some of the columns: of text a pyarrow table, of other files a pandas data frame
    place: Callable[[int], str]  # where a row of the table is, in words
    first: int = 0  # which row of the table is the first one here

    def location(self, row: int) -> str:
        """Where one of the rows is, in words."""
        return self.place(self.first + row)

    def row(self, row: int) -> RecordBlock:
        """One of the rows alone."""
        is_text = isinstance(self.frame, arrow.Table)
        frame = self.frame.slice(row, 1) if is_text else self.frame.iloc[row : row + 1]
        return self._replace(frame=frame, first=self.first + row)


def text_frame(cells: Any) -> Any:
    """A pyarrow table of text as a pandas data frame."""
    import pandas as pd

    text = pd.ArrowDtype(cells.schema.types[0])
    return cells.to_pandas(types_mapper=lambda _: text)
