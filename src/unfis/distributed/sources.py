"""Dask's arrays, data frames and delayed objects as blocks of a table with labels."""

from __future__ import annotations

from typing import Any, NamedTuple

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
    given = {"y": y} if weights is None else {"y": y, "sample_weight": weights}
    names = column_names(X, given)
    parts = table_parts(X)
    found = [
        [names[role]] * len(parts) if role in names else blocks_beside(role, one, X, len(parts))
        for role, one in given.items()
    ]
    return [delayed(labelled_parts)(*block) for block in zip(parts, *found, strict=True)]


def column_names(X: Any, given: dict[str, Any]) -> dict[str, ColumnName]:
    """Which labels and weights are columns of a data frame, given by their names."""
    if not isinstance(X, dd.DataFrame):
        return {}
    names = {role: ColumnName(one) for role, one in given.items() if isinstance(one, str)}
    for one in names.values():
        if one.name not in X.columns:
            raise ValueError(unknown_column(one.name, map(str, X.columns), "X"))
    if len(set(names.values())) < len(names):
        raise ValueError(
            f"y and sample_weight both name the column {quoted(given['y'])}; give each its own."
        )
    return names


class ColumnName(NamedTuple):
    """A column of the table itself, which is cut off it where its block is: Dask reads some columns
    of a file in other blocks than all of them.
    """

    name: str


def labelled_parts(table: Any, *beside: Any) -> tuple[Any, ...]:
    """A block of a table with what lies beside it, or in columns of it."""
    names = [one.name for one in beside if isinstance(one, ColumnName)]
    columns = [table[one.name] if isinstance(one, ColumnName) else one for one in beside]
    return table.drop(columns=names) if names else table, *columns


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
            f"{role} must come in the {count} blocks of X, got {len(found)}. Name its column "
            "in X if it has one, or rechunk one like the other."
        )
    return found
