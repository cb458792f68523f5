"""The rows that are searched: the same ones are merged, and all are dealt out in folds.

None of it hinges on the order of rows or columns, or on chance: rows are dealt out by a hash of
where their values stand among the others, whatever the units.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from unfis.additive.search.bins import Bins, weight_sums
from unfis.arrays import Array

Hashes = NDArray[np.uint64]


def row_hashes(codes: Sequence[NDArray[np.integer]], strata: NDArray[np.intp]) -> Hashes:
    """A hash of each row by its codes, (rows,); a copy of a column changes nothing."""
    found = np.zeros(len(strata), np.uint64)
    seen = set()
    for column in codes:
        content = column.tobytes()
        if content in seen or column.min() == column.max():
            continue
        seen.add(content)
        # A column is known by its counts in the strata, not by its place among the columns.
        counts = np.bincount(column.astype(np.intp) * (strata.max() + 1) + strata)
        salt = mixed(np.array([crc32(counts.tobytes())], np.uint64))
        found += mixed(column.astype(np.uint64) + salt)
    return mixed(found)


def mixed(numbers: Hashes) -> Hashes:
    """Numbers as far apart as if they were drawn (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        found = numbers + np.uint64(0x9E3779B97F4A7C15)
        found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(found ^ (found >> np.uint64(31)))


class Merged(NamedTuple):
    """Rows that are the same in all bins and in the target, as one."""

    first: NDArray[np.intp]  # a row of each kind, (kinds,)
    place: NDArray[np.intp]  # the kind of each row, (rows,)
    weights: Array  # of each kind, (kinds,)

    @classmethod
    def of(cls, bins: Sequence[Bins], targets: Array, weights: Array) -> Merged:
        """The rows in the order of their bins, so that the order they came in does not matter."""
        ranks = np.unique(targets, return_inverse=True)[1]
        codes = np.column_stack([ranks, *(one.codes for one in bins)]).astype(np.int32)
        _, first, place = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        return cls(first, place.ravel(), weight_sums(place.ravel(), weights, len(first)))


def fold_weights(
    bins: Sequence[Bins], strata: NDArray[np.intp], weights: Array, folds: int
) -> Array:
    """The weights of each walk, (folds + 1, rows): a fold's are 0 where it is held out.

    Rows of one stratum (a class, a range of numbers) are dealt out in the order of their hashes. A
    row that stands for several is dealt out in as many parts. The last walk has all rows.
    """
    hashes = row_hashes([one.codes for one in bins], strata)
    order = np.lexsort((hashes, strata))
    parts = np.clip(np.rint(weights / np.median(weights)), 1, max(folds, 1)).astype(np.intp)
    first = np.empty(len(order), dtype=np.intp)
    first[order] = np.cumsum(parts[order]) - parts[order]
    every = np.arange(folds)[:, None]
    held = ((every - first) % folds < parts) / parts if folds else np.zeros((0, len(weights)))
    return np.concatenate([weights * (1 - held), weights[None]])
