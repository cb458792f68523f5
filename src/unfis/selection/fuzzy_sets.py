"""Fuzzy sets that a new condition may begin with: those between quantiles, those of kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.samples import Samples

# A set's ends lie at the outer ones, its borders at the inner ones.
LEVELS = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
# From so few values on, borders lie amid neighbouring ones.
FEW_VALUES = 10
# At its border, so many widths from its centre, a set holds by half.
BORDER = np.sqrt(2 * np.log(2))
# Narrower than this, in deviations, is no set of a number.
NARROWEST_SET = 1e-3
# A set of kinds says nothing of the columns of those that it accepts: they are so wide.
WIDE = 1e3
# A new rule holds by half on this share of the rows at least.
LEAST_HELD = 0.03


class FuzzySets(NamedTuple):
    """Sets to choose from, over all inputs."""

    inputs: NDArray[np.intp]  # the input of each, (sets,)
    centres: list[Array]  # of each of the input's columns
    widths: list[Array]
    degrees: Array  # how far each holds on each sample, (samples, sets)
    held: Array  # the share of the samples on which it holds by half, (sets,)


def fuzzy_sets(samples: Samples, inputs: Mapping[int, slice]) -> FuzzySets:
    """The sets that a condition may begin with, on inputs given by their columns."""
    X, _, weights = samples
    owners, centres, widths, degrees = [], [], [], []
    for item, columns in inputs.items():
        values = X[:, columns]
        few = values.shape[1] > 1
        for centre, width in kind_sets(values) if few else number_sets(values[:, 0], weights):
            ratios = np.square((values - centre) / width)
            owners.append(item)
            centres.append(centre)
            widths.append(width)
            degrees.append(np.exp(-0.5 * np.nansum(ratios, axis=1)))
    table = np.column_stack(degrees) if degrees else np.zeros((len(X), 0))
    held = (weights @ (table > 0.5)) / weights.sum()
    return FuzzySets(np.array(owners, dtype=np.intp), centres, widths, table, held)


def kind_sets(values: Array) -> Iterator[tuple[Array, Array]]:
    """One kind alone, and all but one, of a category with a column for each kind."""
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    for kind in np.flatnonzero(high > low):
        width = np.full(len(low), WIDE)
        width[kind] = 0.5 * (high[kind] - low[kind]) / BORDER
        yield high, width
        centre = high.copy()
        centre[kind] = low[kind]
        yield centre, width


def number_sets(values: Array, weights: Array) -> Iterator[tuple[Array, Array]]:
    """Low or high from several borders on, and medium; of two values one and the other."""
    known = ~np.isnan(values)
    different = np.unique(values[known])
    if len(different) < 2:
        return
    seen = set()
    for centre, border in ends_and_borders(values[known], weights[known], different):
        width = abs(border - centre) / BORDER
        key = (round(centre, 9), round(width, 9))
        if width > NARROWEST_SET and key not in seen:
            seen.add(key)
            yield np.array([centre]), np.array([width])


def ends_and_borders(
    values: Array, weights: Array, different: Array
) -> Iterator[tuple[float, float]]:
    """Where a set may hold wholly, and where by half."""
    lowest, highest = float(different[0]), float(different[-1])
    if len(different) == 2:
        middle = 0.5 * (lowest + highest)
        yield lowest, middle
        yield highest, middle
        return
    levels = quantiles(values, weights, LEVELS)
    first, last = levels[0], levels[-1]
    for level in levels[1:-1]:
        border = level
        if len(different) < FEW_VALUES:
            above = int(np.searchsorted(different, level))
            if not 0 < above < len(different):
                continue
            border = 0.5 * float(different[above - 1] + different[above])
        yield (first if first < border else lowest), border
        yield (last if last > border else highest), border
    middle, quarter = levels[3], len(levels) // 4
    yield middle, levels[quarter]
    yield middle, levels[-1 - quarter]
    yield levels[2], levels[4]
    yield levels[4], levels[2]


def quantiles(values: Array, weights: Array, levels: Sequence[float]) -> list[float]:
    """The values below which such shares of the weight lie."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    found = np.searchsorted(reached, np.array(levels) * reached[-1] * (1 - 1e-12))
    return [float(values[order[min(k, len(values) - 1)]]) for k in found]


def may_begin(sets: FuzzySets, everywhere: float) -> Mask:
    """Which sets a rule may begin with: none that hold on nearly all samples, or hardly any."""
    return (sets.held < everywhere) & (sets.held > LEAST_HELD)
