"""What is known of the values of one input: where the training rows lie, and its resolution."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf, log10

import numpy as np
from scipy.special import ndtr

from unfis.arrays import Array
from unfis.model import FittedModel

FINE = 4  # decimals of a number beyond those of the size of the middle half of its values
NEARER = 1e-9  # of changes that are as large, the one to a nearer value or to a commoner kind
NOTHING = np.zeros(0)


@dataclass(frozen=True, eq=False)
class Seen:
    """The values of one input, in the training rows if the model has them.

    Without these, numbers are taken for normal by the mean and deviation that the columns have.
    """

    rising: Array  # the different values of the rows; () without rows
    sums: Array  # the share of the rows below each of them, and below infinity
    centre: float  # the median, or the mean
    scale: float  # the standard deviation
    decimals: int
    choices: Array  # all that it may be; () of a number that may be any
    shares: Array  # of the rows, of each kind of a category; () of a number

    @classmethod
    def of(cls, model: FittedModel, j: int, knots: Array) -> Seen:
        """What a model knows of an input with borders at knots."""
        item, rows = model.columns.inputs[j], model.searched
        column = weights = NOTHING
        if rows is not None:
            known = ~np.isnan(rows.values[:, j])
            column, weights = rows.values[known, j], rows.weights[known]
        if item.kind == "category":
            count = len(item.categories)
            shares = np.bincount(column.astype(np.intp), weights, count) / max(weights.sum(), 1.0)
            return cls(NOTHING, NOTHING, 0.0, 1.0, 0, np.arange(float(count)), shares)
        pair = (0.0, 1.0) if item.kind == "boolean" else model.names.pair(j) or ()
        choices, scale = np.array(pair, dtype=float), float(item.scales[0])
        if not len(column):
            decimals = 0 if model.names.is_whole(j) else resolution(knots, scale)
            centre = float(item.offsets[0])
            return cls(NOTHING, NOTHING, centre, scale, decimals, choices, NOTHING)
        rising, place = np.unique(column, return_inverse=True)
        sums = np.append(0.0, np.cumsum(np.bincount(place, weights)) / weights.sum())
        centre = float(rising[min(int(np.searchsorted(sums, 0.5)), len(rising)) - 1])
        low, high = np.quantile(rising, [0.25, 0.75]).tolist()
        decimals = resolution(rising, high - low or scale)
        return cls(rising, sums, centre, scale, decimals, choices, NOTHING)

    def below(self, values: Array) -> Array:
        """The share of the rows below values, and of half of those at them."""
        if not len(self.rising):
            return np.asarray(ndtr((values - self.centre) / self.scale))
        left, right = (np.searchsorted(self.rising, values, side) for side in ("left", "right"))
        return np.asarray((self.sums[left] + self.sums[right]) / 2)

    def sizes(self, now: Array, then: Array) -> Array:
        """How large changes are: the share of the training rows between old and new values.

        A missing value counts as the median. Another kind is as far as the other one of two values,
        half of the rows. Infinite for no change, for NaN, and beyond all training rows.
        """
        possible = (then != now) & ~np.isnan(then)
        if len(self.shares):
            kinds = np.where(possible, then, 0).astype(np.intp)
            return np.where(possible, 0.5 + NEARER * (1 - self.shares[kinds]), inf)
        old = np.where(np.isnan(now), self.centre, now)
        away = np.abs(then - old) / self.scale
        if len(self.rising):
            possible &= (then >= self.rising[0]) & (then <= self.rising[-1])
        found = np.abs(self.below(then) - self.below(old)) + NEARER * away / (1 + away)
        return np.where(possible, found, inf)

    def rounded(self, values: Array) -> Array:
        """The numbers of the table's resolution at values and next to these, NaN for none."""
        with np.errstate(all="ignore"):
            steps = [values + step * 10.0**-self.decimals for step in (-1, 0, 1)]
            found = np.round(np.concatenate(steps, axis=-1), self.decimals)
        return np.where(np.isfinite(found), found, np.nan)


def resolution(values: Array, spread: float) -> int:
    """The decimals that numbers have; of many decimals as many as show beside their spread."""
    fine = min(max(FINE - floor(log10(spread)), -300), 300)
    with np.errstate(all="ignore"):
        for decimals in range(min(0, fine), fine):
            if (np.round(values, decimals) == values).all():
                return decimals
    return fine
