"""Where the rows of a text table begin and end, and how many cells each has.

A row is a line, but for line ends inside quotes. A quote opens a cell only at its start, so
counting those that open and close tells what is inside; others are letters.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Mask

NEWLINE, RETURN, QUOTE = 10, 13, 34
# A cell in quotes, those inside doubled, and what stands behind them all the same.
IN_QUOTES = re.compile(r'"((?:[^"]+|"")*+)"?(.*)', re.DOTALL)


class Records(NamedTuple):
    """The whole rows of a piece of text."""

    starts: NDArray[np.intp]  # (rows,)
    ends: NDArray[np.intp]  # where their line ends begin, (rows,)
    cells: NDArray[np.intp]  # how many cells each has, (rows,)
    size: int  # how much of the text they are

    def without_first(self) -> Records:
        """All rows but the first."""
        return Records(self.starts[1:], self.ends[1:], self.cells[1:], self.size)


def split_records(data: bytes, separator: str) -> Records:
    """The whole rows of some UTF-8 text, each with its line end; blank lines left out."""
    codes = np.frombuffer(data, dtype=np.uint8)
    quotes = delimiting_quotes(data, codes, separator)
    ends = outside(np.flatnonzero(codes == NEWLINE), quotes)
    separators = outside(np.flatnonzero(codes == ord(separator)), quotes)
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)]
    cells = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    size = int(ends[-1]) + 1 if len(ends) else 0
    return without_blank(data, codes, Records(starts, ends, cells, size))


def delimiting_quotes(data: bytes, codes: NDArray[np.uint8], separator: str) -> NDArray[np.intp]:
    """The places of the quotes that open or close a cell, or double another inside of one."""
    if b'"' not in data:
        return np.empty(0, dtype=np.intp)
    quotes = np.flatnonzero(codes == QUOTE)
    if is_well_formed(codes, quotes, ord(separator)):
        return quotes
    found = [-2]
    inside = False
    opening = (NEWLINE, ord(separator))
    for place in quotes.tolist():
        starts_cell = place == 0 or data[place - 1] in opening
        if inside or starts_cell or found[-1] == place - 1:
            found.append(place)
            inside = not inside
    return np.array(found[1:], dtype=np.intp)


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


def row_cells(row: bytes, separator: str) -> list[str]:
    """The cells of a row, without their quotes."""
    codes = np.frombuffer(row, dtype=np.uint8)
    quotes = delimiting_quotes(row, codes, separator)
    ends = [*outside(np.flatnonzero(codes == ord(separator)), quotes).tolist(), len(row)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [unquoted(row[a:b].decode()) for a, b in zip(starts, ends, strict=True)]


def unquoted(cell: str) -> str:
    """A cell without the quotes around it; those inside it once."""
    found = IN_QUOTES.fullmatch(cell)
    return found[1].replace('""', '"') + found[2] if found else cell


def has_stray_return(row: bytes, separator: str) -> bool:
    """Whether an old line end stands in a row outside of quotes."""
    codes = np.frombuffer(row, dtype=np.uint8)
    quotes = delimiting_quotes(row, codes, separator)
    return bool(len(outside(np.flatnonzero(codes == RETURN), quotes)))
