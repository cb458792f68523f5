"""How inputs may be counted in points: from where, and in which round steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.data.samples import weighted_deviation, weighted_mean
from unfis.model.fitted import FittedModel
from unfis.ties import first_least

# Steps that people count in, times powers of ten.
ROUND_NUMBERS = (1.0, 2.0, 5.0)
# A step is so many deviations of its number at most, and the inverse of that at least.
WIDEST_STEP = 5.0
# Of a number with so few values points count from the lowest one.
COUNTED_FROM_LOWEST = 6


class Counting(NamedTuple):
    """How an input may be counted in points."""

    deviation: float  # of a number
    steps: Array  # for a number to choose from; () for a category
    origin: float  # the value, or the number of the category, that has none


def counting(model: FittedModel, index: int) -> Counting:
    """How an input may be counted, by its values in the training rows."""
    item, sample = model.columns.inputs[index], model.sample
    values = sample.values[:, index]
    known = ~np.isnan(values)
    if item.categories:
        counts = np.bincount(values[known].astype(int), sample.weights[known], len(item.categories))
        return Counting(1.0, np.empty(0), float(counts.argmax()))
    different = np.unique(values[known])
    if len(different) < 2:
        return Counting(1.0, np.ones(1), float(item.offsets[0]))
    size = np.abs(different).max()  # the squares of huge values, and of tiny ones, are no numbers
    ratios, weights = values[known, None] / size, sample.weights[known]
    deviation = float(size * weighted_deviation(ratios, weights)[0])
    deviation = deviation or float(different[-1] - different[0])  # different by rounding alone
    if len(different) == 2:
        return Counting(deviation, np.diff(different), float(different[0]))
    steps = round_steps(deviation)
    if (different == different.round()).all():
        steps = steps[steps >= 1] if (steps >= 1).any() else np.ones(1)
    if len(different) <= COUNTED_FROM_LOWEST:
        return Counting(deviation, steps, float(different[0]))
    mean = float(size * weighted_mean(ratios, weights)[0])
    nearest = steps[first_least(np.abs(np.log(steps / deviation)))]
    origin = float(nearest * np.round(mean / nearest)) + 0.0  # which makes 0 of -0
    return Counting(deviation, steps, origin)


def round_steps(deviation: float) -> Array:
    """Round numbers around a deviation, in rising order."""
    powers = 10.0 ** np.arange(np.floor(np.log10(deviation)) - 1, np.log10(deviation) + 2)
    steps = np.outer(powers, ROUND_NUMBERS).ravel()
    return np.asarray(steps[np.abs(np.log(steps / deviation)) <= np.log(WIDEST_STEP)])
