"""Where the rows of a text table begin and end, and how many cells each has.

A row is a line, but for line ends inside quotes. In well-formed text every quote that opens stands
at the start of a cell, so counting quotes tells what is inside; other text goes to the csv module.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Mask

NEWLINE, RETURN, QUOTE = 10, 13, 34
# Longer cells than the csv module reads if nobody asks; a C long on every system holds it.
LONGEST_CELL = 2**31 - 1


class Records(NamedTuple):
    """The whole rows of a piece of text."""

    starts: NDArray[np.intp]  # (rows,)
    ends: NDArray[np.intp]  # where their line ends begin, (rows,)
    cells: NDArray[np.intp]  # how many cells each has, (rows,)
    size: int  # how much of the text they are

    def without_first(self) -> Records:
        """All rows but the first."""
        return Records(self.starts[1:], self.ends[1:], self.cells[1:], self.size)


@contextmanager
def long_cells() -> Iterator[None]:
    """Have the csv module read cells of any length, meanwhile."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def split_records(data: bytes, separator: str, *, final: bool) -> Records:
    """The whole rows of some UTF-8 text, blank lines left out; `final` if no text follows."""
    codes = np.frombuffer(data, dtype=np.uint8)
    quotes = np.flatnonzero(codes == QUOTE) if b'"' in data else np.empty(0, dtype=np.intp)
    if not is_well_formed(codes, quotes, ord(separator)):
        return careful_records(data, separator, final=final)
    ends = outside(np.flatnonzero(codes == NEWLINE), quotes)
    separators = outside(np.flatnonzero(codes == ord(separator)), quotes)
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    cells = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    size = int(ends[-1]) + 1 if len(ends) else 0
    return without_blank(data, codes, Records(starts, ends, cells, size))


def is_well_formed(codes: NDArray[np.uint8], quotes: NDArray[np.intp], separator: int) -> bool:
    """Whether every quote that opens stands at the start of a cell, or doubles another."""
    opening = quotes[::2]
    before = codes[opening[opening > 0] - 1]
    return bool(np.isin(before, (separator, NEWLINE, QUOTE)).all())


def outside(places: NDArray[np.intp], quotes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Those of some places that are not inside quotes."""
    return places[np.searchsorted(quotes, places) % 2 == 0] if len(quotes) else places


def without_blank(data: bytes, codes: NDArray[np.uint8], records: Records) -> Records:
    """The rows that are no blank lines, ended before their carriage return."""
    starts, ends, cells, size = records
    if not len(ends):
        return records
    ends = ends - ((codes[ends - 1] == RETURN) & (ends > starts))
    kept: Mask = np.ones(len(ends), dtype=bool)
    for row in np.flatnonzero(cells == 1):
        kept[row] = bool(data[starts[row] : ends[row]].strip())
    if kept.all():
        return Records(starts, ends, cells, size)
    return Records(starts[kept], ends[kept], cells[kept], size)


def careful_records(data: bytes, separator: str, *, final: bool) -> Records:
    """As `split_records`, row by row, where quotes stand inside cells."""
    lines = data.split(b"\n")
    if not lines[-1] or not final:
        lines.pop()
    stops = np.cumsum([len(line) + 1 for line in lines])
    reader = csv.reader((line.decode() + "\n" for line in lines), delimiter=separator)
    first, found = 0, []
    with long_cells():
        for row in reader:
            found.append((first, reader.line_num, len(row)))
            first = reader.line_num
    if not final and found:
        found.pop()  # the last may go on
    places = np.array([(a, b, n) for a, b, n in found], dtype=np.intp).reshape(-1, 3)
    begins = np.concatenate([[0], stops]).astype(np.intp)
    ends = begins[places[:, 1]] - 1
    size = int(ends[-1]) + 1 if len(ends) else 0
    codes = np.frombuffer(data + b"\n", dtype=np.uint8)
    records = Records(begins[places[:, 0]], ends, np.maximum(places[:, 2], 1), size)
    return without_blank(data, codes, records)
