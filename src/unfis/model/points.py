"""Scorecards: numbers of a model's consequents as whole points, the rest fitted around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import gcd

import numpy as np

from unfis.arrays import Array, Mask
from unfis.data.columns import Input
from unfis.data.samples import Samples
from unfis.learning.damped import TrustRegion
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.problem import Prior
from unfis.model.counting import counting, effects_of, step_of, unit_of, usual_effects, whole_points
from unfis.model.fitted import FittedModel
from unfis.model.settings import MOST_AUTO_POINTS, is_auto
from unfis.model.training import as_allowed, network_to_train
from unfis.network import Parameters, Trainable
from unfis.rules.data import Scorecard
from unfis.selection.scoring import frequency_loss, network_loss
from unfis.selection.stage import NO_CHANCE
from unfis.ties import first_least, is_less

REFIT_ITERATIONS, REFIT_TOLERANCE = 10, 1e-8
# Shares of the slopes that are rounded before the rest is fitted again, and rounded in the end.
ROUNDED_SHARES = (0.4, 0.75)
# Points may lose this share of what a model has learned before they are made finer, and so much
# evidence of all rows together (nats, by the weight): less is within what chance makes of them.
MOST_LOST, MOST_EVIDENCE_LOST = 0.05, 2.0
# Classes are tied where their logits differ by less than these decimals tell.
DECIMALS_OF_STARTS = 9


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
    most = model.settings.most_points(network.shape.classes)
    if most == "exact" or not averaged:
        return replace(model, scorecard=None)
    found = with_points_up_to(model, int(most), problem)
    if problem is None or not is_auto(model.settings.points) or most == MOST_AUTO_POINTS:
        return found
    finer = partial(with_points_up_to, model, MOST_AUTO_POINTS, problem)
    return finer() if loses_much(model, found, problem) else found


def with_points_up_to(model: FittedModel, most: int, problem: LocalProblem | None) -> FittedModel:
    """The model with whole points, at most so many for a step."""
    countings = [counting(model, j) for j in range(len(model.columns.inputs))]
    network = with_reference_class(model.network)
    rules = range(network.shape.rules)
    units = tuple(unit_of(model, network, rule, countings, most) for rule in rules)
    steps = tuple(step_of(model, network, units, j, one, most) for j, one in enumerate(countings))
    origins = tuple(one.origin for one in countings)
    scorecard = Scorecard(units, steps, origins)
    rounded = rounded_in_turns(model, network, scorecard, most, problem)
    return replace(model, network=rounded, scorecard=in_lowest_terms(model, rounded, scorecard))


def loses_much(exact: FittedModel, rounded: FittedModel, problem: LocalProblem) -> bool:
    """Whether points lose a share of what the model knows more than how frequent classes are."""
    samples = Samples(problem.X, problem.targets, problem.weights)
    before, after = (
        network_loss(problem.objective, model.network, samples) for model in (exact, rounded)
    )
    known = frequency_loss(problem.objective, samples) - before
    allowed = max(MOST_LOST * known, MOST_EVIDENCE_LOST / float(samples.weights.sum()))
    return is_less(allowed, after - before)


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
        # A slope that was small may have changed its sign.
        network, problem = as_allowed(model, with_reference_class(network), problem)
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
    network = without_thresholds(network)
    common = network.consequents[:, :, 0].mean(axis=0)
    network.consequents[:, :, 0] -= common
    return replace(network, thresholds=common[0] - common)


def with_ties(network: Parameters) -> Parameters:
    """The same rules that name classes, in which classes that differ by rounding alone are tied.

    Else the last digit, another one on every processor, would tell the answer to all rows.
    """
    network = without_thresholds(network)
    starts = network.consequents[:, :, 0]
    starts[:] = np.round(starts - starts[:, :1], DECIMALS_OF_STARTS)
    return network


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
    shape = rounded.shape
    rounded = with_thresholds(rounded)
    around = network_to_train(model, rounded)
    flags = Parameters.from_vector(np.zeros(shape.size), shape)
    # Of two classes a slope is the contrast of both.
    both = slopes_held if shape.classes > 2 else slopes_held.all(axis=1, keepdims=True)
    flags.consequents[:, :, 1:] = both
    held = around.values_of(flags) > 0
    # One threshold of several classes is not learned: the prior holds the others beside it.
    assert isinstance(problem.model, Trainable)
    mean = problem.model.parameters(problem.prior.mean)
    beside = mean.thresholds + (rounded.thresholds[0] - mean.thresholds[0])
    mean_vector = around.vector_of(replace(mean, thresholds=beside))
    around = around.without(held)
    prior = Prior(mean_vector[~held], problem.prior.precision[~held])
    problem = replace(problem, model=around, prior=prior)
    learner = TrustRegion(
        batch_size=problem.samples, tol=REFIT_TOLERANCE, max_iter=REFIT_ITERATIONS
    )
    return around.parameters(train(learner, problem, around.start, NO_CHANCE).vector)
