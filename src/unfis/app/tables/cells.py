"""What the cells of a column are: missing, numbers, truth values, dates, or words.

A column is text, or typed where the file has types. What it is, is asked of all its cells, and a
cell is then read by itself: so a part of a table becomes the same as the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as arrow
from numpy.typing import NDArray
from pyarrow import compute

from unfis.arrays import Array
from unfis.data.frames import UNUSABLE_DTYPES
from unfis.data.notation import BLANKS, Notation, as_text
from unfis.rules.text.numbers import numbered

# So many of the words that were taken for missing are named.
MOST_NAMED = 3
DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(\d{4}|\d{2})|\d{1,2} \w{3,9} \d{4})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[ap]m)?( ?(Z|[+-]\d{2}:?\d{2}))?)?"
    r"|\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?",
    re.IGNORECASE,
)


def is_text(column: Any) -> bool:
    """Whether a column's cells are text, or objects that may be."""
    return str(column.dtype).lower().startswith(("object", "str", "large_string", "category"))


def texts(column: Any) -> list[str]:
    """The cells of a column as text, "" where the file has none."""
    places, kinds = different(column)
    found = np.empty(len(kinds), dtype=object)
    found[:] = [as_text(kind) for kind in kinds]
    cells: list[str] = found[places].tolist()
    return cells


def numbers(column: Any, notation: Notation) -> tuple[Array, NDArray[np.intp]]:
    """A column as floats, NaN where missing, and the rows in which it is no number."""
    unknown = notation.missing_numbers
    if not is_text(column):
        values = np.array(column.astype(float), dtype=np.float64)
        values[np.isin(values, unknown)] = np.nan
        return values, NO_ROWS
    if (plain := plain_numbers(column, notation.decimal)) is not None:
        plain[np.isin(plain, unknown)] = np.nan
        return plain, NO_ROWS
    found = [notation.number(cell) for cell in texts(column)]
    wrong = np.flatnonzero([value is None for value in found])
    return np.array([np.nan if value is None else value for value in found]), wrong


NO_ROWS: NDArray[np.intp] = np.empty(0, dtype=np.intp)


def plain_numbers(column: Any, decimal: str) -> Array | None:
    """A column of text as floats, all at once; None if a cell is missing or no number."""
    try:
        cells = arrow.Array.from_pandas(column, type=arrow.string())
        if decimal == ",":  # a number has no "_"
            cells = compute.replace_substring(cells, ".", "_")
            cells = compute.replace_substring(cells, ",", ".")
        found = compute.utf8_trim(cells, BLANKS).cast(arrow.float64())
    except (arrow.ArrowException, TypeError):
        return None
    values: Array = np.asarray(found, dtype=np.float64).copy()
    return None if np.isnan(values).any() else values


def truths(column: Any, notation: Notation) -> tuple[Array, NDArray[np.intp]]:
    """A column as 0 and 1, NaN where missing, and the rows in which it is neither."""
    places, kinds = different(column)
    found = [notation.truth(as_text(kind)) for kind in kinds]
    wrong = np.array([value is None for value in found], dtype=bool)
    values = np.array([np.nan if value is None else value for value in found])
    return values[places], np.flatnonzero(wrong[places])


def words(column: Any, notation: Notation) -> NDArray[np.object_]:
    """A column as words, None where missing, shape (rows,)."""
    places, kinds = different(column)
    found = np.empty(len(kinds), dtype=object)
    cells = [as_text(kind) for kind in kinds]
    found[:] = [None if notation.is_missing(cell) else cell for cell in cells]
    return np.asarray(found[places], dtype=object)


def different(column: Any) -> tuple[NDArray[np.intp], list[Any]]:
    """The different cells of a column, and which of them each row has, (rows,)."""
    import pandas as pd

    # One more at the end, for what the file has no value for.
    places, kinds = pd.factorize(column)
    return places, [*kinds, ""]


def kind_of(column: Any, notation: Notation) -> str:
    """What a column is: "number", "boolean", "date", "category", or "empty"."""
    if not is_text(column):
        dtype = str(column.dtype).lower()
        if column.isna().all():
            return "empty"
        if dtype.startswith("bool"):
            return "boolean"
        if dtype.startswith(UNUSABLE_DTYPES):
            return "date"
        return "number"
    cells = {as_text(kind) for kind in different(column)[1]}
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


def missing_words(lost: Iterable[str]) -> str:
    """How many cells are missing, and by which words: 3 cells missing ('NA')."""
    cells = list(lost)
    return f"{numbered(len(cells), 'cell')} missing{by_words(cells)}"


def by_words(lost: Iterable[str]) -> str:
    """The words that were taken for missing, in brackets; nothing if there were none."""
    found = sorted({cell.strip() for cell in lost} - {""})
    more = ", ..." if len(found) > MOST_NAMED else ""
    return f" ({', '.join(map(repr, found[:MOST_NAMED]))}{more})" if found else ""
