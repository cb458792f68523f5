"""The rows of some text by pyarrow's reader, and where in the text they stand.

The reader says what the cells are, not where: a row is one line, and one more for every line end
inside its cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pyarrow as arrow
from numpy.typing import NDArray
from pyarrow import compute, csv

from unfis.arrays import Mask

NEWLINE, RETURN = 10, 13
BLANK_LINES = re.compile(rb"(?:[ \t\r]*\n)*")


class Records(NamedTuple):
    """The whole rows of some text, without blank lines."""

    starts: NDArray[np.intp]  # (rows,)
    ends: NDArray[np.intp]  # where their line ends begin, (rows,)
    widths: NDArray[np.intp]  # how many cells each has, (rows,)
    size: int  # how much of the text they are
    cells: Any  # of the rows as wide as there are columns, a pyarrow table of text

    def without_first(self) -> Records:
        """All rows but the first."""
        starts, ends, widths = self.starts[1:], self.ends[1:], self.widths[1:]
        return Records(starts, ends, widths, self.size, self.cells.slice(1))


def split_records(
    data: bytes, separator: str, names: list[str] | None = None, wanted: list[str] | None = None
) -> Records:
    """The rows of UTF-8 text that ends with a line end, but for a last one whose quote stays open.

    Without names of columns there are as many as the first row has cells; the cells of those that
    are wanted are needed, or all.
    """
    first = len(BLANK_LINES.match(data)[0])  # type: ignore[index]
    # The last row is then the line added here, or one that has swallowed it in open quotes.
    text = data[first:] + b"\n"
    names = names or [str(column) for column in range(first_width(text, separator))]
    ragged: list[Any] = []

    def skip(row: Any) -> str:
        ragged.append(row)
        return "skip"

    quotes = b'"' in text
    cells = read_cells(text, separator, names, skip, None if quotes else wanted)
    usual: Mask = np.ones(cells.num_rows + len(ragged), dtype=bool)
    odd = [row.number - 1 for row in ragged]
    usual[odd] = False
    widths, lines = np.full(len(usual), len(names)), np.ones(len(usual), dtype=np.intp)
    widths[odd] = [row.actual_columns for row in ragged]
    if quotes:
        lines[usual] += inner_line_ends(cells, returns=b"\r" in text)
        lines[odd] = [1 + len(line_ends(row.text.encode())) for row in ragged]
    ends = first + line_ends(text)[lines.cumsum()[:-1] - 1]
    starts = np.concatenate([[first], ends + 1])
    whole = Records(starts[:-1], ends, widths[:-1], int(starts[-1]), cells)
    return without_blank(data, whole, usual)


def first_width(text: bytes, separator: str) -> int:
    """How many cells the first row has."""
    width = 1

    def stop(row: Any) -> str:
        nonlocal width
        width = row.actual_columns if row.number == 1 else 1
        return "error"

    with suppress(arrow.ArrowInvalid):
        read_cells(text, separator, ["0"], stop)
    return width


def read_cells(
    text: bytes,
    separator: str,
    names: list[str],
    ragged: Callable[[Any], str],
    wanted: list[str] | None = None,
) -> Any:
    """The cells of the rows as wide as there are columns; `ragged` gets the others."""
    return csv.read_csv(
        arrow.py_buffer(text),
        # In one thread and block, or ragged rows would have no number.
        csv.ReadOptions(column_names=names, use_threads=False, block_size=len(text)),
        csv.ParseOptions(
            delimiter=separator,
            newlines_in_values=True,
            ignore_empty_lines=False,
            invalid_row_handler=ragged,
        ),
        csv.ConvertOptions(
            column_types=dict.fromkeys(names, arrow.string()),
            include_columns=wanted,
            check_utf8=False,
        ),
    )


def line_ends(text: bytes) -> NDArray[np.intp]:
    """Where lines end, a carriage return alone being a line end as well."""
    codes = np.frombuffer(text, dtype=np.uint8)
    found = codes == NEWLINE
    if b"\r" in text:
        found |= (codes == RETURN) & (np.append(codes[1:], 0) != NEWLINE)
    return np.flatnonzero(found)


def inner_line_ends(cells: Any, *, returns: bool) -> NDArray[np.intp]:
    """How many line ends are inside the cells of each row, (rows,)."""
    found = np.zeros(cells.num_rows, dtype=np.intp)
    signs = {"\n": 1, "\r": 1, "\r\n": -1} if returns else {"\n": 1}
    for column in cells.columns:
        for mark, sign in signs.items():
            found += sign * as_array(compute.count_substring(column, mark))
    return found


def without_blank(data: bytes, records: Records, usual: Mask) -> Records:
    """Rows that are no blank lines, ended before their carriage return; all cut by one alone.

    Of these and one row more the cells are known, if they are as many as usual.
    """
    starts, ends, widths, size, cells = records
    codes = np.frombuffer(data, dtype=np.uint8)
    usual_end = codes[ends] == NEWLINE
    ends = ends - (usual_end & (codes[ends - 1] == RETURN) & (ends > starts))
    kept: Mask = np.ones(len(ends), dtype=bool)
    for row in np.flatnonzero(usual_end & ((widths == 1) | (starts == ends))):
        kept[row] = bool(data[starts[row] : ends[row]].strip())
    cells = cells.slice(0, int(usual[:-1].sum()))
    if kept.all():
        return Records(starts, ends, widths, size, cells)
    bits = np.packbits(chosen := kept[usual[:-1]], bitorder="little")
    mask = arrow.Array.from_buffers(arrow.bool_(), len(chosen), [None, arrow.py_buffer(bits)])
    return Records(starts[kept], ends[kept], widths[kept], size, cells.filter(mask))


def as_array(column: Any) -> NDArray[Any]:
    """A column of pyarrow's that is known in every row; its own to_numpy would import pandas."""
    whole = column.combine_chunks() if isinstance(column, arrow.ChunkedArray) else column
    return np.from_dlpack(whole)


class RowBlock(NamedTuple):
    """Some rows of a table."""

    frame: Any  # some of the columns: of text a pyarrow table, of other files a pandas data frame
    name: str  # of the file
    first: int  # the line that `data` begins with; of a file without lines, the first row
    data: bytes | None = None  # the text that the rows stand in
    records: Records | None = None  # where they stand in it

    def location(self, row: int) -> str:
        """Where one of the rows is, in words."""
        if self.data is None or self.records is None:
            return f"{self.name}, row {self.first + row}"
        lines = self.data.count(b"\n", 0, int(self.records.starts[row]))
        return f"{self.name}, line {self.first + lines}"

    def row(self, row: int) -> RowBlock:
        """One of the rows alone."""
        if self.records is None:
            return self._replace(frame=self.frame.iloc[row : row + 1], first=self.first + row)
        starts, ends = self.records.starts[row : row + 1], self.records.ends[row : row + 1]
        records = self.records._replace(starts=starts, ends=ends)
        return self._replace(frame=self.frame.slice(row, 1), records=records)

    def rows(self) -> list[bytes]:
        """The rows as they stand, without their line ends."""
        assert self.data is not None and self.records is not None  # noqa: PT018
        data, (starts, ends, *_) = self.data, self.records
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        return [data[start:end] for start, end in pairs]


def text_frame(cells: Any) -> Any:
    """A pyarrow table of text as a pandas data frame."""
    import pandas as pd

    text = pd.ArrowDtype(cells.schema.types[0])
    return cells.to_pandas(types_mapper=lambda _: text)
