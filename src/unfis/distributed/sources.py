"""Dask's arrays, data frames and delayed objects as blocks of a table with labels."""

from __future__ import annotations

from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
from dask.delayed import Delayed, delayed
from distributed import Future

from unfis.data.files import unknown_column
from unfis.serial.messages import quoted

LAZY_TABLES = "a dask array or data frame, or a list of delayed blocks (X, y) or (X, y, weights)"


def is_lazy(X: Any) -> bool:
    """Whether X is a table whose rows lie in Dask's blocks."""
    return isinstance(X, da.Array | dd.DataFrame) or is_delayed_list(X)


def is_delayed_list(X: Any) -> bool:
    """Whether X is a list of blocks that are still to be computed."""
    return isinstance(X, list | tuple) and bool(X) and isinstance(X[0], Delayed | Future)


def labelled_blocks(X: Any, y: Any, weights: Any) -> list[Any]:
    """Delayed tuples (X, y) or (X, y, weights), in the order of the rows."""
    if is_delayed_list(X):
        for name, value in {"y": y, "sample_weight": weights}.items():
            if value is not None:
                raise ValueError(
                    f"{name} must be None where X is a list of delayed blocks: each of them, (X, "
                    "y) or (X, y, weights), brings its own."
                )
        return list(X)
    if not is_lazy(X):
        raise ValueError(
            f"X must be {LAZY_TABLES}, got {type(X).__name__}. UNFISClassifier takes tables in "
            "memory, iterators of blocks and Parquet files."
        )
    if y is None:
        raise ValueError("y must hold the classes of the rows, or name their column, got None.")
    X, named = with_named_columns(X, {"y": y, "sample_weight": weights})
    parts = [table_parts(X)]
    parts += [blocks_beside(role, value, X, len(parts[0])) for role, value in named.items()]
    return [delayed(labelled_parts)(*block) for block in zip(*parts, strict=True)]


def with_named_columns(X: Any, roles: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A table, and what lies beside it: of a data frame that may be columns, by their names."""
    given = {role: value for role, value in roles.items() if value is not None}
    names = [value for value in given.values() if isinstance(value, str)]
    if not names or not isinstance(X, dd.DataFrame):
        return X, given
    for name in names:
        if name not in X.columns:
            raise ValueError(unknown_column(name, map(str, X.columns), "X"))
    if len(set(names)) < len(names):
        raise ValueError(
            f"y and sample_weight both name the column {quoted(names[0])}; give each its own."
        )
    taken = {role: X[one] if isinstance(one, str) else one for role, one in given.items()}
    return X.drop(columns=names), taken


def labelled_parts(*parts: Any) -> tuple[Any, ...]:
    """The parts of a block."""
    return parts


def table_parts(X: Any) -> list[Any]:
    """The blocks of rows of a table, delayed; those of a list of blocks as they are."""
    if is_delayed_list(X):
        return list(X)
    if isinstance(X, dd.DataFrame):
        return list(X.to_delayed())
    if X.ndim != 2:
        raise ValueError(f"X must be a table of rows and columns, got a dask array of {X.ndim}-D.")
    if len(X.chunks[1]) > 1:
        X = X.rechunk({1: X.shape[1]})
    return list(X.to_delayed().ravel())


def blocks_beside(role: str, value: Any, X: Any, count: int) -> list[Any]:
    """The blocks of labels or weights that lie beside those of X, of which there are so many."""
    known = isinstance(X, da.Array) and not any(np.isnan(X.chunks[0]))
    if known and not isinstance(value, str | da.Array | dd.Series | dd.DataFrame):
        value = da.from_array(np.asarray(value), chunks=-1)
    if isinstance(value, da.Array):
        if known and not any(np.isnan(value.chunks[0])):
            if value.shape[0] != X.shape[0]:
                raise ValueError(
                    f"{role} must hold one value for each row of X: X has {X.shape[0]:,} rows, "
                    f"{role} {value.shape[0]:,}."
                )
            value = value.rechunk({0: X.chunks[0]})
        found = list(value.to_delayed().ravel())
    elif isinstance(value, dd.Series | dd.DataFrame):
        found = list(value.to_delayed())
    else:
        raise ValueError(
            f"{role} must be a dask array or series with the blocks of X, or name a column of a "
            f"dask data frame, got {quoted(value)}."
        )
    if len(found) != count:
        raise ValueError(
            f"{role} must come in the {count} blocks of X, got {len(found)}; take both from one "
            "table, or rechunk one like the other."
        )
    return found
