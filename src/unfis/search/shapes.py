"""The conditions that may be tried on an input, by their degrees in its coarse bins, and prices."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.rules import Trapezoid, Unknown
from unfis.rules.condition import Condition
from unfis.search.bins import NumberBins
from unfis.search.limits import Limits

NONE = -1  # in place of a knot: there is no such edge


@dataclass(frozen=True, eq=False)
class Shapes:
    """The shapes of one number: rising shoulders, bands between two, each with and without unknown.

    A falling shoulder is 1 less a rising one, so that it gains the same: `condition` makes it.
    """

    bins: NumberBins
    edges: NDArray[np.intp]  # coarse knots of each shape's a, b, c, d, (shapes, 4)
    unknown: Array  # the degree of missing values, (shapes,)
    degrees: Array  # in the coarse bins, the last one that of missing values, (shapes, bins)
    prices: Array  # in nats, (shapes,)

    @classmethod
    def of(cls, bins: NumberBins, limits: Limits) -> Shapes:
        """All shapes of a number."""
        edges, degrees, prices = shoulders(bins, limits)
        low, high = band_edges(bins, edges, limits)
        bands = np.column_stack([edges[low, :2], edges[high, :2]])
        band_prices = np.full(len(low), limits.band_price)
        edges = np.concatenate([edges, bands])
        degrees = np.concatenate([degrees, degrees[low] - degrees[high]])
        prices = np.concatenate([prices, band_prices]) * few_values(bins, limits)
        unknown = np.zeros(len(edges))
        if bins.missing:
            edges, prices = np.tile(edges, (2, 1)), np.tile(prices, 2) + limits.unknown_price
            degrees, unknown = np.tile(degrees, (2, 1)), np.repeat([0.0, 1.0], len(unknown))
            edges = np.append(edges, [[NONE] * 4], axis=0)
            degrees = np.append(degrees, np.zeros((1, degrees.shape[1])), axis=0)
            unknown, prices = np.append(unknown, 1.0), np.append(prices, limits.unknown_price)
        return cls(bins, edges, unknown, np.column_stack([degrees, unknown]), prices)

    @property
    def shoulder(self) -> Mask:
        """Which shapes have a rising edge and no falling one, (shapes,)."""
        return np.asarray((self.edges[:, 0] != NONE) & (self.edges[:, 2] == NONE))

    @property
    def band(self) -> Mask:
        """Which shapes have a rising edge and a falling one, (shapes,)."""
        return np.asarray(self.edges[:, 2] != NONE)

    def condition(self, shape: int, *, falling: bool = False) -> Condition:
        """A shape in the units of the table; of a shoulder also its complement."""
        if self.edges[shape, 0] == NONE:
            return Unknown(self.bins.input)
        knots = self.bins.knots[self.bins.coarse[self.edges[shape]]].tolist()
        unknown = float(self.unknown[shape])
        if self.edges[shape, 2] != NONE:
            a, b, c, d = knots
            return Trapezoid(self.bins.input, a, b, c, d, unknown)
        if falling:
            return Trapezoid(self.bins.input, -inf, -inf, knots[0], knots[1], 1.0 - unknown)
        return Trapezoid(self.bins.input, knots[0], knots[1], inf, inf, unknown)


def shoulders(bins: NumberBins, limits: Limits) -> tuple[NDArray[np.intp], Array, Array]:
    """The edges, degrees and prices of all rising shoulders, sharp ones and ever wider ones."""
    count = len(bins.coarse)
    low, high = np.triu_indices(count)
    knots, means = bins.knots[bins.coarse], bins.coarse_means
    sharp = low == high
    width = np.where(sharp, 1.0, knots[high] - knots[low])
    slopes = np.clip((means - knots[low][:, None]) / width[:, None], 0.0, 1.0)
    steps = np.arange(count + 1) > low[:, None]
    degrees = np.where(sharp[:, None], steps, slopes)
    prices = np.where(sharp & (not bins.crisp), limits.sharp_price, limits.shoulder_price)
    none = np.full(len(low), NONE)
    return np.column_stack([low, high, none, none]), degrees, prices


def band_edges(
    bins: NumberBins, edges: NDArray[np.intp], limits: Limits
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which pairs of shoulders make bands: narrow ones on every other knot, (bands,) each."""
    count = len(bins.coarse)
    step = 1 if count <= limits.coarse_bins // 2 else 2
    width = 0 if bins.crisp else step
    narrow = np.flatnonzero((edges[:, 0] % step == 0) & (edges[:, 1] - edges[:, 0] == width))
    first, second = np.triu_indices(len(narrow), 1)
    low, high = narrow[first], narrow[second]
    apart = edges[high, 0] >= edges[low, 1]
    return low[apart], high[apart]


def few_values(bins: NumberBins, limits: Limits) -> float:
    """By what prices are multiplied: of few values there are few shapes to be misled by."""
    values = len(bins.knots) + 1
    if values <= 2:
        return limits.two_values_price / limits.shoulder_price
    return min(1.0, float(np.log2(values)) / 4) if bins.crisp else 1.0
