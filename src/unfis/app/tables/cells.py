"""What the cells of a column are: missing, numbers, truth values, dates, or words.

A column is text, or typed where the file has types. What it is, is asked of all its cells, and a
cell is then read by itself: so a part of a table becomes the same as the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pyarrow as arrow
from numpy.typing import NDArray
from pyarrow import compute

from unfis.additive.text.numbers import numbered
from unfis.app.tables.records import as_array
from unfis.arrays import Array
from unfis.data.frames import UNUSABLE, cell_numbers, is_textual, without_missing
from unfis.data.notation import BLANKS, Notation, cell_text

# So many of the words that were taken for missing are named.
MOST_WORDS = 3
DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(\d{4}|\d{2})|\d{1,2} \w{3,9} \d{4})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]m)?( ?(Z|[+-]\d{2}:?\d{2}))?)?"
    r"|\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?",
    re.IGNORECASE,
)


def holds_text(column: Any) -> bool:
    """Whether a column's cells are text, or objects that may be."""
    return isinstance(column, arrow.ChunkedArray) or is_textual(column)


def texts(column: Any) -> list[str]:
    """The cells of a column as text, "" where the file has none."""
    positions, kinds = different(column)
    cells = np.array([cell_text(kind) for kind in kinds], dtype=object)
    return list(cells[positions])


def numbers(
    column: Any, notation: Notation, kind: str = "number"
) -> tuple[Array, NDArray[np.intp]]:
    """A column of numbers or truth values as floats, and the rows in which it holds none.

    NaN where missing; of a "boolean" 0 and 1.
    """
    by_words = kind == "boolean" and holds_text(column)
    values = None if by_words else plain_numbers(column, notation.decimal)
    if values is None:
        positions, kinds = different(column)
        found, wrong = cell_numbers(kinds, kind, notation)
        return found[positions], np.flatnonzero(np.isin(positions, wrong))
    values = without_missing(values, kind, notation)
    untrue = (kind == "boolean") & ~np.isnan(values) & ~np.isin(values, (0.0, 1.0))
    return values, np.flatnonzero(untrue)


def plain_numbers(column: Any, decimal: str) -> Array | None:
    """A column as floats, all at once; None if a cell is no number, or is text that is missing."""
    try:
        if not holds_text(column):
            return np.array(column.astype(float), dtype=np.float64)
        is_read = isinstance(column, arrow.ChunkedArray)
        cells = column if is_read else arrow.Array.from_pandas(column, type=arrow.string())
        if decimal == ",":  # a number has no "_"
            cells = compute.replace_substring(cells, ".", "_")
            cells = compute.replace_substring(cells, ",", ".")
        found = compute.utf8_trim(cells, BLANKS).cast(arrow.float64())
    except (arrow.ArrowException, TypeError):
        return None
    values: Array = as_array(found).copy()
    return None if np.isnan(values).any() else values


def words(column: Any, notation: Notation) -> NDArray[np.object_]:
    """A column as words, None where missing, shape (rows,)."""
    cells = texts(column)
    known = {cell: None if notation.is_missing(cell) else cell for cell in set(cells)}
    return np.array([known[cell] for cell in cells], dtype=object)


def different(column: Any) -> tuple[NDArray[np.intp], list[Any]]:
    """The different cells of a column, and which of them each row has, (rows,)."""
    if isinstance(column, arrow.ChunkedArray):
        encoded = column.combine_chunks().dictionary_encode()
        positions, kinds = as_array(encoded.indices), encoded.dictionary.to_pylist()
    else:
        import pandas as pd

        positions, kinds = pd.factorize(column)
    # One more at the end, for what the file has no value for.
    return positions, [*kinds, ""]


def kind_of(column: Any, notation: Notation) -> str:
    """What a column is: "number", "boolean", "date", "category", or "empty"."""
    if not holds_text(column):
        dtype = str(column.dtype).lower()
        if column.isna().all():
            return "empty"
        if dtype.startswith("bool"):
            return "boolean"
        if dtype.startswith(UNUSABLE):
            return "date"
        return "number"
    cells = {cell_text(kind) for kind in different(column)[1]}
    kinds = {cell for cell in cells if not notation.is_missing(cell)}
    if not kinds:
        return "empty"
    if all(notation.number(kind) is not None for kind in kinds):
        return "number"
    if all(notation.truth(kind) is not None and notation.number(kind) is None for kind in kinds):
        return "boolean"
    if all(DATE.fullmatch(kind) for kind in kinds):
        return "date"
    return "category"


def by_words(lost: Iterable[str]) -> str:
    """The words that were taken for missing, in brackets; nothing if there were none."""
    found = sorted({cell.strip() for cell in lost} - {""})
    more = ", ..." if len(found) > MOST_WORDS else ""
    return f" ({', '.join(map(repr, found[:MOST_WORDS]))}{more})" if found else ""


class Column(NamedTuple):
    """A column of the rows whose class is known."""

    name: str
    data: Any  # a pandas series
    notation: Notation
    kind: str  # as `kind_of` says
    cells: list[str]  # those that are known
    lost: list[str]  # those that say that nothing is known
    kinds: list[str]  # the different known cells, in order

    @classmethod
    def of(cls, name: str, data: Any, notation: Notation) -> Column:
        """A column by its data, in the notation of its table."""
        everything = texts(data)
        notation = notation.among(set(everything))
        kind = kind_of(data, notation)
        missing = {cell for cell in set(everything) if is_lost(cell, kind, notation)}
        cells = [cell for cell in everything if cell not in missing]
        lost = [cell for cell in everything if cell in missing]
        return cls(name, data, notation, kind, cells, lost, sorted(set(cells)))

    @property
    def but_for_lost(self) -> str:
        """How many cells are missing, and by which words, to add to a sentence; "" if none is."""
        words = f", {numbered(len(self.lost), 'cell')} missing{by_words(self.lost)}"
        return words if self.lost else ""


def is_lost(cell: str, kind: str, notation: Notation) -> bool:
    """Whether a cell of a column of some kind says that nothing is known."""
    if kind != "number":
        return notation.is_missing(cell)
    number = notation.number(cell)
    return number is not None and number != number
