"""How inputs are counted in points: units, round steps and origins, by the training rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input
from unfis.data.samples import weighted_deviation, weighted_mean
from unfis.model.fitted import FittedModel
from unfis.network import Parameters
from unfis.ties import first_least

# Steps that people count in, times powers of ten.
ROUND_NUMBERS = (1.0, 2.0, 5.0)
# A step is so many deviations of its number at most, and the inverse of that at least.
WIDEST_STEP = 5.0
# How much rounding error, in points of a deviation, a step that is e times as wide is worth.
STEP_PREFERENCE = 0.02
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


def effects_of(network: Parameters, rule: int, item: Input) -> Array:
    """What an input adds in a rule: per unit of a number, or each category; (classes, 1 or k)."""
    slopes = network.consequents[rule, :, 1:][:, item.columns]
    return np.asarray(slopes @ item.kind_columns.T if item.categories else slopes / item.scales)


def usual_effects(network: Parameters, rule: int, item: Input, origin: int) -> Array:
    """What the kind adds that has no points, (classes, 1): 0 where other kinds say nothing.

    That is told for each class: an input may speak for some of them alone.
    """
    effects = effects_of(network, rule, item)[:, [origin]]
    inside = network.selection.in_classes[rule][:, item.columns]
    return np.asarray(np.where(inside.all(axis=1, keepdims=True), effects, 0.0))


def unit_of(
    model: FittedModel, network: Parameters, rule: int, countings: Sequence[Counting], most: int
) -> float:
    """Log-odds of a point: a share of the largest effect of a deviation, or between categories."""
    largest = 0.0
    for item, one in zip(model.columns.inputs, countings, strict=True):
        effects = effects_of(network, rule, item)
        if item.categories:
            size = np.abs(effects - usual_effects(network, rule, item, int(one.origin))).max()
        else:
            # The least step of a count, or of two values, may be many deviations wide.
            size = np.abs(effects).max() * max(one.deviation, float(one.steps.min()))
        largest = max(largest, float(size))
    return largest / most if largest > 0 else 1.0


def step_of(
    model: FittedModel,
    network: Parameters,
    units: tuple[float, ...],
    index: int,
    counted: Counting,
    most: int,
) -> float:
    """The step by which whole points are nearest to what a number adds in all rules."""
    item = model.columns.inputs[index]
    if item.categories:
        return 1.0
    inside = network.selection.in_consequent[:, item.columns].any(axis=1)
    rules = np.flatnonzero(inside).tolist()
    effects = np.array([effects_of(network, rule, item)[:, 0] for rule in rules])
    if not len(effects):
        return float(counted.steps[0])
    sizes = np.array(units)[inside][:, None]
    errors = []
    for step in counted.steps:
        points = whole_points(effects * step / sizes, most)
        missed = np.abs(points * sizes / step - effects) * counted.deviation / sizes
        preferred = STEP_PREFERENCE * abs(np.log(step / counted.deviation))
        errors.append(float(missed.max()) + preferred)
    return float(counted.steps[first_least(errors)])


def whole_points(points: Array, most: int) -> Array:
    """Points rounded, at most so many; of what each rule has the largest is no less than 1."""
    found = np.clip(np.round(points), -most, most)
    for row, exact in zip(found, points, strict=True):
        if not row.any():
            largest = np.abs(exact).argmax()
            row[largest] = np.sign(exact[largest]) or 1.0
    return np.asarray(found) + 0.0  # which makes 0 of -0
