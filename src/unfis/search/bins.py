"""An input's values as bins: fine ones, between which borders may lie, and coarse ones of those.

A knot is a border of bins and a number of few digits: the roundest in a small share of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.rules import Kinds, Trapezoid, Unknown
from unfis.rules.condition import Condition
from unfis.search.limits import Limits

Codes = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class NumberBins:
    """The bins of a number: those between fine knots, and one of what is missing."""

    input: int
    codes: Codes  # the fine bin of each row, (rows,); the last one is that of missing values
    knots: Array  # rising; a bin begins with its knot
    means: Array  # of the values in each bin, (bins,)
    weights: Array  # of the rows in each bin, (bins,)
    coarse: NDArray[np.intp]  # which knots are coarse ones
    crisp: bool  # so few values that each has a bin
    missing: bool  # whether any value is

    @classmethod
    def of(cls, input: int, values: Array, weights: Array, limits: Limits) -> NumberBins:
        """The bins of a column of values, NaN where missing."""
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(values[known], kind="stable")]
        rising = values[order]
        distinct = rising[np.append(True, rising[1:] > rising[:-1])] if len(rising) else rising
        crisp = len(distinct) <= limits.crisp_values
        if crisp:
            knots = distinct[1:].copy()
        elif len(distinct) <= limits.fine_bins:
            knots = round_between(distinct[:-1], distinct[1:])
        else:
            shares = np.cumsum(weights[order])
            ends = quantiles(rising, shares, middles(denser_ends(limits.fine_bins)))
            ends = np.unique(ends)
            knots = np.unique(round_between(ends[:-1], ends[1:]))
        codes = np.searchsorted(knots, values, side="right")
        codes[np.isnan(values)] = len(knots) + 1
        inside = weight_sums(codes[known], weights[known], len(knots) + 1)
        sums = weight_sums(codes[known], weights[known] * values[known], len(knots) + 1)
        means = sums / np.maximum(inside, 1e-300)
        coarse = coarse_knots(inside, limits.coarse_bins)
        missing = len(known) < len(values)
        return cls(input, codes.astype(np.int16), knots, means, inside, coarse, crisp, missing)

    @cached_property
    def coarse_map(self) -> NDArray[np.intp]:
        """The coarse bin of each fine one, (bins,)."""
        return np.searchsorted(self.coarse, np.arange(len(self.means)), side="left")

    @cached_property
    def coarse_weights(self) -> Array:
        """The weight of the rows in each coarse bin, (coarse bins,)."""
        return weight_sums(self.coarse_map, self.weights, len(self.coarse) + 1)

    @cached_property
    def coarse_means(self) -> Array:
        """The mean of the values in each coarse bin, (coarse bins,)."""
        sums = weight_sums(self.coarse_map, self.weights * self.means, len(self.coarse) + 1)
        return sums / np.where(self.coarse_weights > 0, self.coarse_weights, 1.0)

    @cached_property
    def below(self) -> Array:
        """The share of the known rows below each knot, (knots,)."""
        return np.asarray(np.cumsum(self.weights)[:-1] / max(self.weights.sum(), 1e-300))

    def table(self, condition: Condition) -> Array:
        """The degree of a condition in each bin, the last one that of missing values."""
        if isinstance(condition, Unknown):
            return np.append(np.zeros(len(self.means)), 1.0)
        assert isinstance(condition, Trapezoid)
        inside = condition.degrees(np.maximum(self.means, np.append(-np.inf, self.knots)))
        return np.append(inside, condition.unknown)

    def with_usual(self, condition: Trapezoid) -> Trapezoid:
        """The condition, where a missing value counts as the rows do on average if none is."""
        if self.missing:
            return condition
        mean = self.table(condition)[:-1] @ self.weights / max(self.weights.sum(), 1e-300)
        ends = condition.a, condition.b, condition.c, condition.d
        return Trapezoid(condition.input, *ends, unknown=float(mean))


@dataclass(frozen=True, eq=False)
class KindBins:
    """The bins of a category: its kinds, and one of what is missing."""

    input: int
    codes: Codes
    count: int  # of kinds
    missing: bool

    @classmethod
    def of(cls, input: int, values: Array, count: int) -> KindBins:
        """The bins of a column of codes, NaN where missing."""
        missing = np.isnan(values)
        codes = np.where(missing, count, values).astype(np.int16)
        return cls(input, codes, count, bool(missing.any()))

    def table(self, condition: Condition) -> Array:
        """The degree of a condition in each bin, the last one that of missing values."""
        assert isinstance(condition, Kinds)
        found = np.append(np.zeros(self.count), condition.unknown)
        found[list(condition.kinds)] = 1.0
        return found


Bins = NumberBins | KindBins


def distinct(bins: Sequence[Bins]) -> list[Bins]:
    """Those that tell rows apart, the first of copies: the others would only cost by being many."""
    found: dict[tuple[bytes, ...], Bins] = {}
    for one in bins:
        if one.codes.min() < one.codes.max():
            content = one.means if isinstance(one, NumberBins) else np.zeros(0)
            found.setdefault((one.codes.tobytes(), content.tobytes()), one)
    return list(found.values())


def weight_sums(codes: NDArray[Any], weights: Array, count: int) -> Array:
    """The sums of weights by code, (count,)."""
    return np.asarray(np.bincount(codes, weights, count), dtype=np.float64)


def denser_ends(count: int) -> Array:
    """So many shares between 0 and 1, denser at both ends: the tails are where values speak."""
    even = np.arange(1, count + 1) / (count + 1)
    return np.asarray((even + (1 - np.cos(np.pi * even)) / 2) / 2)


def middles(shares: Array) -> Array:
    """The shares half way between neighbours, with both ends."""
    ends = np.concatenate([[0.0], shares, [1.0]])
    return np.asarray((ends[:-1] + ends[1:]) / 2)


def quantiles(rising: Array, sums: Array, shares: Array) -> Array:
    """The values below which such shares of the weights lie."""
    places = np.searchsorted(sums, shares * sums[-1])
    return np.asarray(rising[np.minimum(places, len(rising) - 1)])


def coarse_knots(weights: Array, count: int) -> NDArray[np.intp]:
    """Which of the knots between bins of these weights are coarse ones."""
    knots = len(weights) - 1
    if knots <= count:
        return np.arange(knots)
    below = np.cumsum(weights)[:-1] / weights.sum()
    return np.unique(np.minimum(np.searchsorted(below, denser_ends(count)), knots - 1))


def round_between(low: Array, high: Array) -> Array:
    """The roundest number above `low` and up to `high`: a multiple of 1, 2 or 5 * 10^k."""
    found = high.astype(float).copy()
    with np.errstate(all="ignore"):  # where a multiple is too large, another is taken
        exponent = np.ceil(np.log10(high - low)) + 1
        done = ~np.isfinite(exponent)
        for down, factor in product(range(4), (5.0, 2.0, 1.0)):
            power = np.where(done, 0, exponent - down)
            digits = np.power(10.0, np.abs(power))
            scaled = np.where(power < 0, high * digits, high / digits)
            multiple = np.floor(scaled / factor + 1e-9) * factor
            number = np.where(power < 0, multiple / digits, multiple * digits)
            fits = ~done & (number > low) & (number <= high)
            found[fits], done = number[fits], done | fits
    return found
