"""Two conditions at once: corners and boxes of two inputs, of which none may say anything alone.

All two-way sums on coarse bins come of one matrix product.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np
from numpy.typing import NDArray

from unfis.additive.rules import Trapezoid
from unfis.additive.search.additions import Move
from unfis.additive.search.bins import NumberBins
from unfis.additive.search.constraints import common_signs, is_allowed
from unfis.additive.search.state import Draft, SearchTable, State
from unfis.arrays import Array
from unfis.ties import first_greatest

WITHIN = 0.01, 0.9  # of the curvature, what a box may hold


class Boxes:
    """The two-way screen of a table."""

    def __init__(self, table: SearchTable) -> None:
        limits = table.limits
        self.table = table
        self.cuts = [screen_cuts(bins, limits.screen_bins) for bins in table.numbers]
        count = limits.screen_bins
        self.intervals = [(a, b) for a in range(count) for b in range(a, count)]
        self.intervals.remove((0, count - 1))
        inside = [[a <= bin <= b for bin in range(count)] for a, b in self.intervals]
        self.inside = np.array(inside, dtype=float)
        rows = [screen_rows(b, c, count) for b, c in zip(table.numbers, self.cuts, strict=True)]
        self.members = np.concatenate(rows)  # (numbers * bins, rows)
        self.signs = self._signs()

    def best(self, state: State, walk: int, output: int) -> Iterator[Move]:
        """The best box for an output of a walk, if it gains more than its price."""
        at = state.fit.at
        gradient, curvature = at.gradient[walk, output], at.curvature[walk, output]
        unit, total = float(state.dispersion[walk]), float(curvature.sum())
        slopes, squares = self._sums(gradient), self._sums(curvature)
        known = (squares > WITHIN[0] * total) & (squares < WITHIN[1] * total)
        left = np.where(known, squares - squares**2 / total, 1.0) + state.ridge * unit
        known &= is_allowed(slopes, self.signs)
        gains = np.where(known, slopes**2 / (2 * unit * left), 0.0)
        numbers = len(self.cuts)
        gains[np.tril_indices(numbers)] = 0.0
        compared = numbers * (numbers - 1) / 2 * len(self.intervals)
        price = self.table.limits.boxes_price + np.log(compared)
        place = np.unravel_index(first_greatest(gains.ravel()), gains.shape)
        score = float(gains[place]) - price
        if score > 0:
            one, other, low, high = map(int, place)
            conditions = (self._condition(one, low), self._condition(other, high))
            if not all(condition.edges for condition in conditions):
                return  # holds for all known values
            yield Move(score / 2, Draft(output, conditions))

    def _sums(self, rows: Array) -> Array:
        """Sums in all boxes of two inputs, (numbers, numbers, intervals, intervals)."""
        numbers, count = len(self.cuts), self.table.limits.screen_bins
        both = (self.members * rows.astype(np.float32)) @ self.members.T
        both = both.astype(np.float64).reshape(numbers, count, numbers, count).transpose(0, 2, 1, 3)
        return np.asarray(self.inside @ both @ self.inside.T)

    def _signs(self) -> Array:
        """The sign of each box, as of `_sums`; of all alike where no input has any."""
        constraints, numbers = self.table.constraints, range(len(self.cuts))
        inputs = [bins.input for bins in self.table.numbers]
        pairs = np.array([constraints.partners([j], inputs) for j in inputs])[:, :, None, None]
        if not constraints.signs:
            return pairs
        signs = np.array([
            [constraints.sign([self._condition(n, i)]) if a <= len(self.cuts[n]) else np.nan
             for i, (a, _) in enumerate(self.intervals)]
            for n in numbers
        ])  # fmt: skip
        return pairs + common_signs(signs[:, None, :, None], signs[None, :, None, :])

    def _condition(self, number: int, interval: int) -> Trapezoid:
        """An interval of screen bins with fuzzy edges."""
        bins, cuts = self.table.numbers[number], self.cuts[number]
        first, last = self.intervals[interval]
        low = edge(bins, int(cuts[first - 1])) if first else (-inf, -inf)
        high = edge(bins, int(cuts[last])) if last < len(cuts) else (inf, inf)
        if low[1] > high[0]:
            low, high = (low[0], low[0]), (high[1], high[1])
        return Trapezoid(bins.input, *low, *high)


def edge(bins: NumberBins, coarse: int) -> tuple[float, float]:
    """A fuzzy edge around a coarse knot, a sharp one of few values."""
    knots = bins.knots[bins.coarse]
    if bins.crisp:
        return float(knots[coarse]), float(knots[coarse])
    return float(knots[max(coarse - 1, 0)]), float(knots[min(coarse + 1, len(knots) - 1)])


def screen_cuts(bins: NumberBins, count: int) -> NDArray[np.intp]:
    """The coarse knots between screen bins of much the same weight; fewer of few values."""
    below = bins.below[bins.coarse] if len(bins.coarse) else np.zeros(0)
    places = np.searchsorted(below, np.arange(1, count) / count)
    return np.unique(np.minimum(places, max(len(below) - 1, 0)))[: len(below)]


def screen_rows(bins: NumberBins, cuts: NDArray[np.intp], count: int) -> NDArray[np.float32]:
    """Which rows are in which screen bin, (bins, rows); missing values are in none."""
    of_coarse = np.searchsorted(cuts, np.arange(len(bins.coarse) + 1), side="left")
    of_fine = np.append(of_coarse[bins.coarse_map], count)
    return np.asarray(of_fine[bins.codes] == np.arange(count)[:, None], dtype=np.float32)
