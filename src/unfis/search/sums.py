"""Sums over the rows of each bin, of many columns at once: all that the search asks of the rows.

They add up over rows, so that folds are other weights, and blocks of rows parts of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from unfis.arrays import Array
from unfis.search.bins import Bins, Codes, KindBins, NumberBins


class BinSums:
    """Adds columns of numbers up in the bins of every input."""

    def __init__(self, bins: Sequence[Bins], width: int, rows: int) -> None:
        numbers = [one for one in bins if isinstance(one, NumberBins)]
        kinds = [one for one in bins if isinstance(one, KindBins)]
        self.width = width  # the coarse bins of a number, that of missing values among them
        self.most_kinds = max((one.count + 1 for one in kinds), default=0)
        self._numbers = members([coarse_codes(one, width) for one in numbers], width, rows)
        self._kinds = members([one.codes for one in kinds], self.most_kinds, rows)

    def of_numbers(self, columns: Array) -> Array:
        """The sums of columns, (rows, columns), in coarse bins, (numbers, bins, columns)."""
        return np.asarray(self._numbers @ columns).reshape(-1, self.width, columns.shape[1])

    def of_kinds(self, columns: Array) -> Array:
        """The sums of columns by kind, (categories, kinds, columns); the last one is missing."""
        found = np.asarray(self._kinds @ columns)
        return found.reshape(-1, max(self.most_kinds, 1), columns.shape[1])


def coarse_codes(bins: NumberBins, width: int) -> Codes:
    """The coarse bin of each row, (rows,); the last one that of missing values."""
    return np.append(bins.coarse_map, width - 1).astype(np.int16)[bins.codes]


def members(codes: Sequence[Codes], width: int, rows: int) -> csr_array:
    """Which rows are in which bins, (all bins, rows)."""
    places = [code.astype(np.intp) + width * number for number, code in enumerate(codes)]
    bins = np.concatenate([*places, np.zeros(0, np.intp)])
    numbers = np.tile(np.arange(rows), len(codes))
    return csr_array((np.ones(len(bins)), (bins, numbers)), shape=(width * len(codes), rows))
