"""Reading a user's table column by column: data frames of any library, arrays, lists.

Nothing here imports a data frame library: a frame is what has named, typed columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.notation import Notation, number_of
from unfis.serial.messages import listed, quoted, shortened

CATEGORY_DTYPES = ("category", "categorical", "enum", "str", "string", "large_string", "dictionary")
UNUSABLE = ("complex", "date", "time", "duration", "period", "interval", "list", "struct", "array")


def is_frame(X: Any) -> bool:
    """Whether X is a data frame (pandas, polars): something with named, typed columns."""
    # Asked of its class: a lazy frame would warn that it has to look.
    kind = type(X)
    return hasattr(kind, "columns") and (hasattr(kind, "dtypes") or hasattr(kind, "schema"))


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, NaT or pandas' NA, whose comparisons have no truth value."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"


def check_frame(X: Any, known: list[Any] | None) -> None:
    """Check that a data frame is one, with rows and columns; with the known ones, if any."""
    if hasattr(X, "collect") or not hasattr(X, "shape"):
        raise ValueError(f"X is a {type(X).__name__}, not yet a table; call its collect() first.")
    if hasattr(X, "column_names"):
        raise ValueError(f"X is a {type(X).__name__}; turn it into a pandas or polars data frame.")
    rows, columns = X.shape
    if not rows or not columns:
        empty = "sample(s)" if not rows else "feature(s)"
        raise ValueError(f"X must hold rows and columns, got 0 {empty} (shape={X.shape}).")
    names = list(X.columns)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X has several columns named {quoted(twice)}; give each its own name.")
    # Names that are not text scikit-learn does not look at.
    unnamed = not all(isinstance(name, str) for name in names)
    if known is not None and unnamed:
        check_names(names, known)


def check_names(names: list[Any], known: list[Any]) -> None:
    """Raise ValueError unless columns are those that are known, in their order."""
    if names != known:
        raise ValueError(
            f"X must have the columns [{listed(known)}] in this order, got [{listed(names)}]."
        )


def has_text(X: Any) -> bool:
    """Whether a table without typed columns holds text: its encoding will name the column."""
    array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
    return array.dtype.kind in "OUS" and any(isinstance(value, str) for value in array.flat)


def refuse_dates(X: Any) -> None:
    """Raise ValueError for an array of dates or times, which would pass for large numbers."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "mM":
        raise ValueError(
            f"X holds dates or times ({X.dtype}); numbers were expected. Turn them into numbers, "
            "such as an age in days."
        )


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of a table."""
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def column_kinds(X: Any, names: list[str], categorical: Any) -> list[str]:
    """The kind of each column: "number", "boolean" or "category"."""
    if not is_frame(X) and isinstance(categorical, str):
        return ["number"] * len(names)
    named = None if isinstance(categorical, str) else named_columns(categorical, names)
    kinds = []
    for j, name in enumerate(names):
        if named is not None and j in named:
            kinds.append("category")
            continue
        kind = frame_kind(X[X.columns[j]], name) if is_frame(X) else "number"
        if kind == "category" and named is not None:
            raise ValueError(
                f"{name} holds text where numbers were expected. Name it in categorical_features, "
                "or use categorical_features='from_dtype'."
            )
        kinds.append(kind)
    return kinds


def named_columns(categorical: Any, names: list[str]) -> set[int]:
    """Positions of the columns that the user called categories."""
    wanted = [] if categorical is None else np.asarray(categorical).ravel().tolist()
    if len(wanted) == len(names) and all(isinstance(item, bool) for item in wanted):
        return set(np.flatnonzero(wanted).tolist())
    positions = set()
    for item in wanted:
        if isinstance(item, str) and item in names:
            positions.add(names.index(item))
        elif isinstance(item, int) and not isinstance(item, bool) and 0 <= item < len(names):
            positions.add(item)
        else:
            raise ValueError(
                "categorical_features must be 'from_dtype', None, or names, indices or a mask of "
                f"the table's {len(names)} columns; {quoted(item)} is none of them."
            )
    return positions


def frame_kind(column: Any, name: str) -> str:
    """The kind of a data frame's column by its dtype; of objects by what they are."""
    dtype = str(column.dtype).lower()
    if dtype.startswith("bool"):
        return "boolean"
    if dtype.startswith(UNUSABLE):
        raise ValueError(
            f"{name} has dtype {column.dtype}; numbers, booleans or categories were expected. Drop "
            "it, or turn it into a number such as an age in days."
        )
    if dtype.startswith(CATEGORY_DTYPES):
        return "category"
    if dtype == "object":
        known = [value for value in np.asarray(column) if not is_missing(value)]
        if any(isinstance(value, str) for value in known):
            return "category"
        if known and all(isinstance(value, bool | np.bool_) for value in known):
            return "boolean"
    return "number"


def column_values(X: Any, j: int) -> tuple[NDArray[np.object_], NDArray[np.bool_]]:
    """The values of a column, shape (rows, 1), and which of them are known, (rows,)."""
    if is_frame(X):
        column = X[X.columns[j]]
        missing = column.isna() if hasattr(column, "isna") else column.is_null()
        known = ~np.asarray(missing, dtype=bool)
        values = np.asarray(column.to_numpy(), dtype=object)
    else:
        values = np.asarray(X[:, j], dtype=object)
        known = np.array([not is_missing(value) for value in values], dtype=bool)
    return values[:, None], known


def number_matrix(
    X: Any, columns: list[int], names: list[str], kinds: list[str], notation: Notation | None
) -> Array:
    """Columns of numbers and truth values as floats, NaN where missing, shape (rows, columns).

    Text is read in a notation, in which some numbers may mean missing; without one it is refused.
    """
    if isinstance(X, np.ndarray) and X.dtype in (np.float64, np.float32):
        matrix = X if len(columns) == X.shape[1] else X[:, columns]
    else:
        matrix = column_numbers(X, columns, names, kinds, notation)
    if notation and notation.missing_numbers:
        matrix = without_missing(matrix, np.array([kinds[j] for j in columns]), notation)
    refuse_infinite(matrix, [names[j] for j in columns])
    return np.asarray(matrix)


def without_missing(numbers: Array, kinds: Any, notation: Notation) -> Array:
    """Numbers, NaN for those that mean missing; `kinds` are those of the columns, or one."""
    if not (unknown := notation.missing_numbers):
        return numbers
    truths = np.asarray(kinds == "boolean") & np.isin(numbers, (0.0, 1.0))  # false is no number 0
    return np.where(np.isin(numbers, unknown) & ~truths, np.nan, numbers)


def is_textual(column: Any) -> bool:
    """Whether a data frame's column may hold text, by its dtype."""
    return str(column.dtype).lower().startswith((*CATEGORY_DTYPES, "object"))


def column_numbers(
    X: Any, columns: list[int], names: list[str], kinds: list[str], notation: Notation | None
) -> Array:
    """Columns as floats: typed ones of a data frame all at once, others value by value."""
    typed = [k for k, j in enumerate(columns) if is_frame(X) and not is_textual(X[X.columns[j]])]
    at_once = typed_numbers(X[[X.columns[columns[k]] for k in typed]]) if typed else None
    if at_once is not None and len(typed) == len(columns):
        return at_once
    numbers = np.full((X.shape[0], len(columns)), np.nan)
    singly = set(range(len(columns)))
    if at_once is not None:
        numbers[:, typed] = at_once
        singly -= set(typed)
    for k in sorted(singly):
        j = columns[k]
        values, known = column_values(X, j)
        numbers[known, k], wrong = cell_numbers(values[known, 0], kinds[j], notation)
        if len(wrong):
            refuse_cell(values[known, 0][wrong[0]], names[j], kinds[j], notation)
    return numbers


def typed_numbers(frame: Any) -> Array | None:
    """Typed columns as floats, None where some of them cannot be read all at once."""
    with suppress(TypeError, ValueError):
        return np.asarray(frame, dtype=np.float64)
    with suppress(AttributeError, TypeError, ValueError):  # pandas' types that know missing values
        return np.asarray(frame.astype(np.float64))
    return None


def refuse_cell(cell: Any, name: str, kind: str, notation: Notation | None) -> NoReturn:
    """Raise ValueError for a cell that is no number."""
    expected = "True or False" if kind == "boolean" else "a number"
    hint = ". Name it in categorical_features if it is a category, or drop it."
    raise ValueError(
        f"{shortened(name)} holds {quoted(cell)} where {expected} was expected"
        f"{', as in training.' if notation else hint}"
    )


def cell_numbers(
    cells: Iterable[Any], kind: str, notation: Notation | None
) -> tuple[Array, NDArray[np.intp]]:
    """Cells as floats, NaN where missing, and the positions of those that are no number."""
    found = [cell_number(cell, kind, notation) for cell in cells]
    wrong = np.flatnonzero([number is None for number in found])
    return np.array([np.nan if number is None else number for number in found]), wrong


def cell_number(cell: Any, kind: str, notation: Notation | None) -> float | None:
    """A cell as a float; without a notation text is none, even where it spells one."""
    if isinstance(cell, str):
        if notation is None:
            return None
        return notation.truth(cell) if kind == "boolean" else notation.number(cell)
    return number_of(cell)


def refuse_infinite(matrix: Array, names: list[str]) -> None:
    """Raise ValueError naming the first infinite value."""
    # Sums of what is finite are finite but for overflow: most tables need no closer look.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(matrix.sum()):
            return
    infinite = np.isinf(matrix)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise ValueError(
            f"{names[column]} holds {matrix[row, column]} in row {row}; finite numbers or missing "
            "values (NaN) were expected."
        )
