"""Shares and means of rows, with their 95 % intervals."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array

NORMAL_95 = 1.959963984540054  # 95 % of a normal distribution lie within so many deviations


class Estimate(NamedTuple):
    """Something measured, its 95 % interval, and what is reached without looking at any input."""

    value: float
    low: float
    high: float
    baseline: float


class Rate(NamedTuple):
    """A share of some rows."""

    part: int
    rows: int

    @property
    def value(self) -> float:
        """The share, NaN of no rows."""
        return self.part / self.rows if self.rows else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval (Wilson's), NaN of no rows."""
        return wilson(self.value, self.rows) if self.rows else (math.nan, math.nan)


def wilson(share: float, rows: float) -> tuple[float, float]:
    """The 95 % interval of a share that was measured on so many rows (Wilson's).

    Those bounds p whose distance from the share is z sqrt(p (1 - p) / rows). The rows need not be
    a whole number, as scipy's `binomtest` wants them.
    """
    spread = NORMAL_95**2 / rows
    middle = share + spread / 2
    reach = math.sqrt(spread * (share * (1 - share) + spread / 4))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def mean_of_shares(shares: Array, rows: Array, baseline: float) -> Estimate:
    """The mean of shares that were measured on rows of their own, both (shares,).

    Its bounds lie as far off as those of the shares together, root of the sum of their squares
    (Zou and Donner's): unlike a variance, they know that 0 of 5 may be chance.
    """
    bounds = np.array([wilson(share, count) for share, count in zip(shares, rows, strict=True)])
    below, above = (np.sqrt(np.square(bounds.T - shares).sum(axis=1)) / len(shares)).tolist()
    mean = float(shares.mean())
    return Estimate(mean, max(0.0, mean - below), min(1.0, mean + above), baseline)


def mean_of_rows(values: Array, baseline: float) -> Estimate:
    """The mean of a loss over rows, (rows,), by its standard error; at least 0."""
    mean = float(values.mean())
    reach = NORMAL_95 * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0
    return Estimate(mean, max(0.0, mean - reach), mean + reach, baseline)
