"""Sums over the rows of each bin, of many columns at once: all that the search asks of the rows.

They add up over rows, so that folds are other weights, and blocks of rows parts of the sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from unfis.additive.search.bins import Bins, Codes, KindBins, NumberBins
from unfis.arrays import Array


class BinSums:
    """Adds columns of numbers up in the bins of every input."""

    def __init__(self, bins: Sequence[Bins], width: int) -> None:
        numbers = [one for one in bins if isinstance(one, NumberBins)]
        kinds = [one for one in bins if isinstance(one, KindBins)]
        self.width = width  # the coarse bins of a number, that of missing values among them
        self.numbers = len(numbers)
        rows = len(bins[0].codes)
        codes = [coarse_codes(one, width) for one in numbers]
        self._numbers = members(codes, [width] * len(numbers), rows)
        self.starts = np.cumsum([0, *(one.count + 1 for one in kinds)])
        self._kinds = members([one.codes for one in kinds], np.diff(self.starts).tolist(), rows)

    def of_numbers(self, columns: Array) -> Array:
        """The sums of columns, (rows, columns), in coarse bins, (numbers, bins, columns)."""
        return np.asarray(self._numbers @ columns).reshape(
            self.numbers, self.width, columns.shape[1]
        )

    def of_kinds(self, columns: Array) -> list[Array]:
        """The sums of columns by kind, the last one missing, (kinds, columns) for each category."""
        found = np.asarray(self._kinds @ columns)
        return [found[a:b] for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)]


def coarse_codes(bins: NumberBins, width: int) -> Codes:
    """The coarse bin of each row, (rows,); the last one that of missing values."""
    return np.append(bins.coarse_map, width - 1).astype(np.int16)[bins.codes]


def members(codes: Sequence[Codes], widths: Sequence[int], rows: int) -> csr_array:
    """Which rows are in which bins, (all bins, rows)."""
    offsets = np.cumsum([0, *widths])
    places = [code + int(offset) for code, offset in zip(codes, offsets[:-1], strict=True)]
    bins = np.concatenate([*places, np.zeros(0, np.intp)]).astype(np.intp)
    numbers = np.tile(np.arange(rows), len(codes))
    return csr_array((np.ones(len(bins)), (bins, numbers)), shape=(int(offsets[-1]), rows))
