"""How the known values of an input lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unfis.arrays import Array


class Distribution:
    """Values in order, each with its share."""

    def __init__(self, values: Array, weights: Array) -> None:
        known = ~np.isnan(values)
        self.values, indices = np.unique(values[known], return_inverse=True)  # distinct, (values,)
        self.repeats = known.sum() / max(1, len(self.values))  # rows of one value, on average
        sums = np.bincount(indices, weights=weights[known], minlength=len(self.values))
        self.shares = sums / max(sums.sum(), np.finfo(float).tiny)  # of each value, (values,)
        self._reached = np.concatenate([[0.0], np.cumsum(sums)])
        self._reached /= max(self._reached[-1], np.finfo(float).tiny)

    def up_to(self, value: float) -> float:
        """The share of values that are not above this one."""
        return float(self._reached[np.searchsorted(self.values, value, side="right")])

    def below(self, value: float) -> float:
        """The share of values that are below this one."""
        return float(self._reached[np.searchsorted(self.values, value, side="left")])

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """The smallest values that so much is not above, up to rounding."""
        indices = np.searchsorted(self._reached[1:], np.array(shares) - 1e-9)
        return [float(self.values[index]) for index in np.minimum(indices, len(self.values) - 1)]
