"""Reading a user's table column by column: data frames of any library, arrays, lists.

Nothing here imports a data frame library: a frame is what has named, typed columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

Array = NDArray[np.float64]

BOOLEAN_DTYPES = ("bool",)
CATEGORY_DTYPES = ("category", "categorical", "enum", "str", "string", "large_string", "dictionary")
UNUSABLE_DTYPES = ("date", "time", "duration", "period", "interval", "list", "struct", "array")


def is_frame(X: Any) -> bool:
    """Whether X is a data frame (pandas, polars): something with named, typed columns."""
    return hasattr(X, "columns") and (hasattr(X, "dtypes") or hasattr(X, "schema"))


def has_text(X: Any) -> bool:
    """Whether a table without typed columns holds text: its encoding will name the column."""
    array = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
    return array.dtype.kind in "OUS" and any(isinstance(value, str) for value in array.flat)


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
                f"the table's {len(names)} columns; {item!r} is none of them."
            )
    return positions


def frame_kind(column: Any, name: str) -> str:
    """The kind of a data frame's column by its dtype; of objects by what they are."""
    dtype = str(column.dtype).lower()
    if dtype.startswith(BOOLEAN_DTYPES):
        return "boolean"
    if dtype.startswith(UNUSABLE_DTYPES):
        raise ValueError(
            f"{name} has dtype {column.dtype}; numbers, booleans or categories were expected. Drop "
            "it, or turn it into a number such as an age in days."
        )
    if dtype.startswith(CATEGORY_DTYPES):
        return "category"
    if dtype == "object":
        known = [value for value in np.asarray(column).tolist() if value is not None]
        if any(isinstance(value, str) for value in known):
            return "category"
        if known and all(isinstance(value, bool | np.bool_) or value != value for value in known):
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
        known = np.array([value is not None and value == value for value in values], dtype=bool)
    return values[:, None], known


def number_matrix(X: Any, columns: list[int], names: list[str]) -> Array:
    """The numeric columns as floats, NaN where missing, shape (rows, columns)."""
    if not columns:
        return np.empty((len(X), 0))
    chosen = [names[j] for j in columns]
    part = X
    if len(columns) < len(names):
        part = X[[X.columns[j] for j in columns]] if is_frame(X) else X[:, columns]
    try:
        matrix = check_array(part, dtype=np.float64, ensure_all_finite=False, input_name="X")
    except ValueError as error:
        if "could not convert" not in str(error):
            raise
        raise ValueError(text_message(part, chosen)) from error
    refuse_infinite(matrix, chosen)
    return np.asarray(matrix)


def refuse_infinite(matrix: Array, names: list[str]) -> None:
    """Raise ValueError naming the first infinite value."""
    infinite = np.isinf(matrix)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise ValueError(
            f"{names[column]} holds {matrix[row, column]} in row {row}; finite numbers or missing "
            "values (NaN) were expected."
        )


def text_message(part: Any, names: list[str]) -> str:
    """Say which column holds text where numbers were expected."""
    values = np.asarray(part, dtype=object)
    for name, column in zip(names, values.T, strict=True):
        text = next((value for value in column if isinstance(value, str)), None)
        if text is not None:
            return (
                f"{name} holds {text!r} where a number was expected. Name it in "
                "categorical_features if it is a category."
            )
    return "X holds text where numbers were expected."
