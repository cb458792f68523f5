"""PointEstimate: what rows say of the points of rules, and how sure they make them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import lsq_linear

from unfis.additive.fitting.all_rows import LossOfRows, Task, number_steps
from unfis.additive.fitting.points import LIMITS, objective_of
from unfis.additive.fitting.rows import AllRows, RowBlock, added
from unfis.additive.rules import RuleModel
from unfis.additive.search.constraints import Constraints
from unfis.additive.search.whole import TINY
from unfis.arrays import Array, Mask, softmax

MOST_PARAMETERS = 200  # of more the precision would be most of a model
NEWTON_STEPS = 20  # of Newton's method, from points that are near
STEP_PARTS = 0.4 ** np.arange(8)  # parts of a step that are tried
LONGEST_STEP = 5.0  # of log odds
ENOUGH_SLOPE = 1e-8  # of the loss that one more step would save


@dataclass(frozen=True, eq=False)
class PointEstimate:
    """Rows hold numbers t near those of least loss, m: loss = (t - m)' precision (t - m) / 2.

    The numbers are the starts, then the points of each rule, times what one point is worth.
    """

    numbers: Array  # exact, where the model's own are rounded, (parameters,)
    precision: Array  # the curvature of the loss with the ridge, (parameters, parameters)
    dispersion: float  # the unit of the loss: 1 of classes, more where they are weighted

    @classmethod
    def of(
        cls, model: RuleModel, fixed: Collection[int], constraints: Constraints, ridge: float,
        rows: AllRows, *, class_weight: bool,
    ) -> Self | None:  # fmt: skip
        """That of rows alone; None of too many numbers."""
        numbers, outputs = numbers_of(model), len(model.start)
        if len(numbers) > MOST_PARAMETERS:
            return None
        objective, free = objective_of(model), len(numbers) - outputs + 1
        sums = rows.joined(partial(target_sums, centre=model.start[0]), added)
        weight, squares, apart, spread = (float(one) for one in sums)
        mean = model.start[0] + apart / weight
        # As of two rows that have the same mean and deviation.
        away = np.sqrt(max(spread / weight - (apart / weight) ** 2, 0.0)) * np.array([-1.0, 1.0])
        scale = objective.units(mean + away, np.ones(2))[1]
        loss = LossOfRows(rows, Task(model.rules, objective, 0.0, 1.0)).at(numbers[None])
        each = loss[:, None] / weight / scale**2
        unit = float(objective.dispersion(each, np.array([[weight]]), free)[0])
        prior = np.diag(np.where(np.arange(len(numbers)) < outputs, 0.0, ridge * unit))
        # The starts of several classes are free but for what they have in common.
        prior[:outputs, :outputs] += float(outputs > 1)
        numbers[outputs:] = 0.0
        if class_weight:
            unit *= squares / weight
        return cls(numbers, prior, unit * scale**2).with_rows(model, fixed, constraints, rows)

    def with_rows(
        self, model: RuleModel, fixed: Collection[int], constraints: Constraints, rows: AllRows
    ) -> Self:
        """The estimate by more rows, by Newton's method; the points of fixed rules stay."""
        low, high, free = bounds_of_numbers(model, fixed, constraints)
        loss_of_rows = LossOfRows(rows, Task(model.rules, objective_of(model), 0.0, 1.0))

        def at_numbers(numbers: Array) -> tuple[float, Array, Array]:
            moved = numbers - self.numbers
            loss = float(loss_of_rows.at(numbers[None])[0] + moved @ self.precision @ moved / 2)
            slopes, curvature = loss_of_rows.derivatives()
            return loss, slopes[0] - self.precision @ moved, curvature[0] + self.precision

        numbers = np.clip(numbers_of(model), low, high)
        loss, downhill, precision = at_numbers(numbers)
        for _ in range(NEWTON_STEPS):
            step = np.zeros(len(numbers))
            step[free] = bounded_step(
                precision[np.ix_(free, free)], downhill[free], (low - numbers)[free],
                (high - numbers)[free],
            )  # fmt: skip
            if downhill @ step <= ENOUGH_SLOPE * self.dispersion:
                break
            if model.link != "identity":  # a class without rows so far is far from where it goes
                step *= min(1.0, LONGEST_STEP / np.abs(step).max())
            for part in STEP_PARTS:
                found = at_numbers(numbers + part * step)
                if found[0] < loss:
                    break
            else:
                break
            numbers = numbers + part * step
            loss, downhill, precision = found
        return replace(self, numbers=numbers, precision=precision)

    def intervals(
        self, model: RuleModel, fixed: Collection[int], values: Array, confidence: float
    ) -> Array:
        """Between which probabilities each class of each row is, (rows, classes, 2).

        Of the log odds g of a class, by the delta method: g -+ q sqrt(dg' C dg), with C the inverse
        of the precision and q the normal quantile; then as probabilities.
        """
        free = bounds_of_numbers(model, fixed, Constraints())[2]
        covariance = self.dispersion * np.linalg.inv(damped(self.precision[np.ix_(free, free)]))
        which, z = outputs_of_numbers(model), model.unit * model.points(values)
        if model.link == "logistic":  # the first of two classes has a sum too, 0
            which, z = which + 1, np.column_stack([np.zeros(len(z)), z])
        columns, which = columns_of_numbers(model, values)[free].T, which[free]
        log_odds, changes = log_odds_of(z)
        quantile = NormalDist().inv_cdf((1 + confidence) / 2)
        errors = np.empty_like(log_odds)
        for c in range(errors.shape[1]):
            slopes = changes[:, c, which] * columns
            errors[:, c] = np.sqrt(((slopes @ covariance) * slopes).sum(axis=1))
        found = log_odds[:, :, None] + quantile * errors[:, :, None] * [-1.0, 1.0]
        return np.asarray(np.exp(-np.logaddexp(0.0, -found)))

    def model(self, model: RuleModel, fixed: Collection[int], *, whole: bool) -> RuleModel:
        """The rules with these points, which a person can add up if they are to be whole."""
        outputs = len(model.start)
        starts, exact = np.split(self.numbers, [outputs])
        stay = np.asarray(np.isin(np.arange(len(exact)), [*fixed]))
        if not whole or not exact.any():
            return with_numbers(model, starts, exact, stay)
        allowed = LIMITS.lost_by_points * len(exact) * self.dispersion
        within, beside = self.precision[:outputs, :outputs], self.precision[:outputs, outputs:]
        for step in round_steps(model, exact):
            points = np.rint(exact / step) * step
            if model.link != "identity":
                points = np.where(points == 0, np.sign(exact) * step, points)
            points = np.where(stay, exact, points)
            # Given the points, the starts of least loss.
            moved = np.append(-np.linalg.solve(within, beside @ (points - exact)), points - exact)
            is_none = (points == 0) & (np.abs(exact) >= TINY * np.abs(exact).max())
            if not is_none.any() and moved @ self.precision @ moved / 2 <= allowed:
                break
        starts = starts + moved[:outputs]
        if model.link != "identity":
            starts = np.round(starts / model.unit, 1) * model.unit
        return with_numbers(model, starts, points, stay)


def round_steps(model: RuleModel, points: Array) -> list[float]:
    """The steps that points may be rounded to, the coarsest first; of classes what one is worth."""
    if model.link != "identity":
        return [model.unit]
    return list(number_steps(float(np.abs(points).max())))


def with_numbers(model: RuleModel, starts: Array, points: Array, stay: Mask) -> RuleModel:
    """A model with other numbers; points that stay do so to the last digit."""
    own = np.array([rule.points for rule in model.rules])
    found = np.where(stay, own, points / model.unit)
    return model.with_points(starts / model.unit, found, model.unit)


def numbers_of(model: RuleModel) -> Array:
    """The starts of a model, then its points, times what one is worth, (parameters,)."""
    points = [rule.points for rule in model.rules]
    return np.array([*model.start, *points]) * model.unit


def outputs_of_numbers(model: RuleModel) -> NDArray[np.intp]:
    """Which output each number is for, (parameters,)."""
    return np.array([*range(len(model.start)), *(rule.output for rule in model.rules)])


def columns_of_numbers(model: RuleModel, values: Array) -> Array:
    """What each number counts in rows: all of a start, of points the degree, (parameters, rows)."""
    return np.concatenate([np.ones((len(model.start), len(values))), model.degrees(values)])


def target_sums(block: RowBlock, centre: float) -> tuple[Array, ...]:
    """Sums of the weights, of their squares, and of targets and their squares from a centre."""
    weights, apart = block.weights, block.targets - centre
    return weights.sum(), weights @ weights, weights @ apart, weights @ apart**2


def bounds_of_numbers(
    model: RuleModel, fixed: Collection[int], constraints: Constraints
) -> tuple[Array, Array, NDArray[np.intp]]:
    """The least and the greatest of each number, and which are free."""
    outputs = len(model.start)
    own = [constraints.bounds(rule.conditions) for rule in model.rules]
    bounds = np.array([(-np.inf, np.inf)] * outputs + own)
    for n in fixed:
        bounds[outputs + n] = model.rules[n].points * model.unit
    return bounds[:, 0], bounds[:, 1], np.flatnonzero(bounds[:, 0] < bounds[:, 1])


def bounded_step(precision: Array, downhill: Array, low: Array, high: Array) -> Array:
    """The step s of least s' precision s / 2 - downhill' s between bounds."""
    root = np.linalg.cholesky(damped(precision))
    wanted = np.linalg.solve(root, downhill)
    found = lsq_linear(root.T, wanted, (low, high), method="bvls")
    return np.clip(np.asarray(found.x), low, high)


def damped(precision: Array) -> Array:
    """A precision that can be inverted, as of two rules that hold for the same rows."""
    return precision + np.diag(1e-10 * (1.0 + np.diagonal(precision)))


def log_odds_of(z: Array) -> tuple[Array, Array]:
    """g_c = z_c - log sum_{k != c} exp z_k, (rows, classes), and dg/dz, with one more axis."""
    own = np.eye(z.shape[1])
    others = np.where(own > 0, -np.inf, z[:, None, :])
    highest = others.max(axis=2)
    rest = highest + np.log(np.exp(others - highest[:, :, None]).sum(axis=2))
    return z - rest, own - softmax(others)
