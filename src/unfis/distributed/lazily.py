"""Answers of a model to tables whose rows lie in Dask's blocks, block by block when asked for."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed

from unfis.distributed.sources import is_delayed_list, table_parts
from unfis.estimators.base import RuleEstimator


def block_answer(model: RuleEstimator, method: str, table: Any) -> Any:
    """What a method of a model says of a block; None of an empty one."""
    table = table[0] if isinstance(table, tuple) else table
    return getattr(model, method)(table) if len(table) else None


def array_answer(model: RuleEstimator, method: str, table: Any, like: Any) -> Any:
    """The same as an array, which is empty like another one where the block is."""
    found = block_answer(model, method, table)
    return like if found is None else found


def lazy_arrays(model: RuleEstimator, method: str, X: Any, like: Any) -> Any:
    """What a method says of all rows: a dask array, or of a list of blocks a list of delayed ones.

    `like` is an array of no rows of the same kind.
    """
    one = delayed(model)
    found = [delayed(array_answer)(one, method, part, like) for part in table_parts(X)]
    if is_delayed_list(X):
        return found
    lengths = X.chunks[0] if isinstance(X, da.Array) else [np.nan] * len(found)
    arrays = [
        da.from_delayed(part, (length, *like.shape[1:]), dtype=like.dtype)
        for part, length in zip(found, lengths, strict=True)
    ]
    return da.concatenate(arrays, allow_unknown_chunksizes=True)
