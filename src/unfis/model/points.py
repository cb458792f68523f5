"""Scorecards: numbers of a model's consequents as whole points, the rest fitted around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.data.columns import Input
from unfis.data.samples import weighted_deviation, weighted_mean
from unfis.initialisation.prior import trainable
from unfis.learning.damped import TrustRegion
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.problem import Prior
from unfis.model.fitted import FittedModel
from unfis.network import Parameters
from unfis.rules.data import Scorecard
from unfis.selection.stage import NO_CHANCE
from unfis.ties import first_least

# Steps that people count in, times powers of ten.
ROUND_NUMBERS = (1.0, 2.0, 5.0)
# A step is so many deviations of its number at most, and the inverse of that at least.
WIDEST_STEP = 5.0
# How much rounding error, in points of a deviation, a step that is e times as wide is worth.
STEP_PREFERENCE = 0.02
# Of a number with so few values points count from the lowest one.
COUNTED_FROM_LOWEST = 6
REFIT_ITERATIONS, REFIT_TOLERANCE = 10, 1e-8
# Shares of the slopes that are rounded before the rest is fitted again, and rounded in the end.
ROUNDED_SHARES = (0.4, 0.75)
# Classes are tied where their logits differ by less than these decimals tell.
DECIMALS_OF_STARTS = 9


class Counting(NamedTuple):
    """How an input may be counted in points."""

    deviation: float  # of a number
    steps: Array  # for a number to choose from; () for a category
    origin: float  # the value, or the number of the category, that has none


def with_points(model: FittedModel, problem: LocalProblem | None) -> FittedModel:
    """The model with its consequents' numbers as whole points, if it is to have them.

    Slopes become points of a unit that is a share of the rule's largest effect of one deviation, by
    round steps in the table's units; biases and fuzzy sets are fitted again around them by what
    they minimised, unless that is not known. They stay exact: if they were whole too, rows would
    often lie just between two classes. Only averaged rules have scorecards of their own.
    """
    network, has_slopes = model.network, model.network.selection.in_consequent.any()
    averaged = network.combination.has_otherwise
    if averaged and not has_slopes:
        return replace(model, network=with_ties(network), scorecard=None)
    points = model.settings.most_points(network.shape.classes)
    if points == "exact" or not averaged:
        return replace(model, scorecard=None)
    most = int(points)
    countings = [counting(model, j) for j in range(len(model.columns.inputs))]
    network = with_reference_class(network)
    rules = range(network.shape.rules)
    units = tuple(unit_of(model, network, rule, countings, most) for rule in rules)
    steps = tuple(step_of(model, network, units, j, one, most) for j, one in enumerate(countings))
    origins = tuple(one.origin for one in countings)
    scorecard = Scorecard(units, steps, origins)
    rounded = rounded_in_turns(model, network, scorecard, most, problem)
    return replace(model, network=rounded, scorecard=in_lowest_terms(model, rounded, scorecard))


def rounded_in_turns(
    model: FittedModel,
    network: Parameters,
    scorecard: Scorecard,
    most: int,
    problem: LocalProblem | None,
) -> Parameters:
    """The network whose slopes are whole points, those that are nearest to it first.

    What is rounded stays, and the rest is fitted again around it: it makes up for the rounding.
    """
    if problem is None:
        return with_whole_points(model, network, scorecard, most)
    for share in ROUNDED_SHARES:
        network = with_usual_kinds(model, network, scorecard.origins)
        whole = with_whole_points(model, network, scorecard, most).consequents[:, :, 1:]
        consequents = network.consequents.copy()
        slopes = consequents[:, :, 1:]
        away, inside = np.abs(whole - slopes), slopes != 0
        held = ~inside | (away <= np.quantile(away[inside], share))
        np.copyto(slopes, whole, where=held)
        network = fitted_around(model, replace(network, consequents=consequents), problem, held)
        network = with_reference_class(network)
    network = with_whole_points(model, network, scorecard, most)
    return fitted_around(model, network, problem, np.ones_like(network.consequents[:, :, 1:], bool))


def with_usual_kinds(
    model: FittedModel, network: Parameters, origins: Sequence[float]
) -> Parameters:
    """The same network, but for rows that lack it, in which the usual kind of a category adds 0."""
    consequents = network.consequents.copy()
    for item, origin in zip(model.columns.inputs, origins, strict=True):
        if item.columns.stop - item.columns.start == 1:
            continue
        for rule in range(network.shape.rules):
            usual = usual_effects(network, rule, item, int(origin))
            consequents[rule, :, 1:][:, item.columns] -= usual * item.scales
            consequents[rule, :, 0] += usual[:, 0]
    return replace(network, consequents=consequents)


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


def with_reference_class(network: Parameters) -> Parameters:
    """The same network, in which no number, and no kind of a category, has slopes of all classes.

    Where it had, those of one class are taken off all, which changes nothing after the softmax of
    an averaged rule; of the class that leaves the others least: then points are small numbers.
    Others keep their zeros, as the selection says. It is one class for all, as what is printed has
    one without points.
    """
    network = without_thresholds(network)
    consequents, classes = network.consequents.copy(), network.shape.classes
    full = np.all(consequents[:, :, 1:] != 0, axis=1, keepdims=True) | (classes == 2)
    slopes = np.where(full, consequents[:, :, 1:], 0.0)
    sizes = [np.square(slopes - slopes[:, [c]]).sum() for c in range(classes)]
    least = first_least(sizes)
    consequents[:, :, 1:] -= slopes[:, [least]]
    consequents[:, :, 0] -= network.consequents[:, [least], 0]
    return replace(network, consequents=consequents)


def without_thresholds(network: Parameters) -> Parameters:
    """The same network, in which what thresholds say is in the biases."""
    consequents = network.consequents.copy()
    consequents[:, :, 0] -= network.thresholds
    return replace(network, consequents=consequents, thresholds=np.zeros_like(network.thresholds))


def with_thresholds(network: Parameters) -> Parameters:
    """The same network, in which thresholds say what all rules have in common.

    A prior holds biases near 0, and no thresholds: else each step would move some of it there, and
    where the last one ends would depend on the order of the classes.
    """
    consequents = network.consequents.copy()
    consequents[:, :, 0] -= network.thresholds
    common = consequents[:, :, 0].mean(axis=0)
    consequents[:, :, 0] -= common
    return replace(network, consequents=consequents, thresholds=common[0] - common)


def with_ties(network: Parameters) -> Parameters:
    """The same rules that name classes, in which classes that differ by rounding alone are tied.

    Else the last digit, another one on every processor, would tell the answer to all rows.
    """
    network = without_thresholds(network)
    starts = network.consequents[:, :, 0]
    starts[:] = np.round(starts - starts[:, :1], DECIMALS_OF_STARTS)
    return network


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


def with_whole_points(
    model: FittedModel, network: Parameters, scorecard: Scorecard, most: int
) -> Parameters:
    """The network whose slopes are whole points."""
    consequents = network.consequents.copy()
    for j, item in enumerate(model.columns.inputs):
        step, origin = scorecard.steps[j], scorecard.origins[j]
        inside = network.selection.in_consequent[:, item.columns].any(axis=1)
        for rule in np.flatnonzero(inside).tolist():
            unit, effects = scorecard.units[rule], effects_of(network, rule, item)
            if item.categories:
                exact = (effects - usual_effects(network, rule, item, int(origin))) / unit
                points = whole_points(exact.ravel()[None], most).reshape(exact.shape)
                slopes = slopes_of_kinds(unit * points, item)
            else:
                points = whole_points((effects * step / unit).T, most).T
                slopes = unit * points / step * item.scales
            consequents[rule, :, 1:][:, item.columns] = slopes
    return replace(network, consequents=consequents)


def in_lowest_terms(model: FittedModel, rounded: Parameters, scorecard: Scorecard) -> Scorecard:
    """The scorecard of the same slopes in which the points of a rule have no common divisor."""
    units = []
    for rule, unit in enumerate(scorecard.units):
        points = [0]
        for j, item in enumerate(model.columns.inputs):
            effects = effects_of(rounded, rule, item)
            if item.categories:
                effects = effects - effects[:, [int(scorecard.origins[j])]]
            points += np.round(effects * scorecard.steps[j] / unit).astype(int).ravel().tolist()
        units.append(unit * (gcd(*points) or 1))
    return scorecard._replace(units=tuple(units))


def slopes_of_kinds(effects: Array, item: Input) -> Array:
    """Slopes of a category's columns that so tell its kinds apart, (classes, columns)."""
    if item.columns.stop - item.columns.start > 1:
        return np.asarray(effects * item.scales)
    return np.asarray(np.diff(effects, axis=1) * item.scales)


def fitted_around(
    model: FittedModel, rounded: Parameters, problem: LocalProblem, slopes_held: Mask
) -> Parameters:
    """The network fitted again, but for the slopes that are held, (rules, classes, columns)."""
    shape, settings = rounded.shape, model.settings
    rounded = with_thresholds(rounded)
    around = trainable(
        model.objective, rounded, settings.selection, settings.consequents, model.fixed
    )
    flags = Parameters.from_vector(np.zeros(shape.size), shape)
    # Of two classes a slope is the contrast of both.
    both = slopes_held if shape.classes > 2 else slopes_held.all(axis=1, keepdims=True)
    flags.consequents[:, :, 1:] = both
    held = around.values_of(flags) > 0
    around = around.without(held)
    prior = Prior(problem.prior.mean[~held], problem.prior.precision[~held])
    problem = replace(problem, model=around, prior=prior)
    learner = TrustRegion(
        batch_size=problem.samples, tol=REFIT_TOLERANCE, max_iter=REFIT_ITERATIONS
    )
    return around.parameters(train(learner, problem, around.start, NO_CHANCE).vector)
