"""Whole points: numbers that a person can add up, at little cost in loss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from unfis.arrays import Array, Mask
from unfis.objective import Objective
from unfis.search.refit import Design, Fit, sums_of_points

TINY = 1e-3  # of the greatest points, what may be rounded to none
SCALES = (5, 7, 9)  # the most points, tried from few to many


class Points(NamedTuple):
    """Points, what one is worth, and the start in points."""

    start: Array  # (outputs,)
    points: Array  # (rules,)
    unit: float


def whole_points(
    design: Design,
    objective: Objective,
    targets: Array,
    weights: Array,
    fit: Fit,
    allowed: float,
    ridge: float,
    unit: float | None = None,
) -> Points:
    """The fewest whole points that cost no more nats than allowed, given one walk.

    With a `unit` that one point is worth there is nothing to choose; bound points stay.
    """
    points, exact, stay = fit.points[0], float(fit.losses[0]), bound_points(design)
    largest = float(np.abs(points).max(initial=0.0))
    if not largest:
        return Points(fit.start[0], points, 1.0)
    for first in [largest / most for most in SCALES] if unit is None else [unit]:
        whole = np.rint(points / first)
        whole[whole == 0] = np.sign(points[whole == 0])
        whole = np.where(stay, points / first, whole)
        start, found, loss = best_unit(
            design, objective, targets, weights, fit, whole, first, ridge, is_free=unit is None
        )
        if loss <= exact + allowed:
            break
    return Points(np.round(start / found, 1), whole, found)


def bound_points(design: Design) -> Mask:
    """Which rules of one walk have points that stay as they are, (rules,)."""
    if design.bounds is None:
        return np.zeros(design.outputs.shape[1], bool)
    low, high = design.bounds[:, 0]
    return np.asarray(low == high)


def best_unit(
    design: Design,
    objective: Objective,
    targets: Array,
    weights: Array,
    fit: Fit,
    whole: Array,
    unit: float,
    ridge: float,
    *,
    is_free: bool = True,
) -> tuple[Array, float, float]:
    """The start and the unit of least loss, and the loss, given whole points; a unit may stay."""
    outputs = fit.start.shape[1]
    sums = sums_of_points(design, np.zeros((1, outputs)), whole[None])
    prior = ridge * float(whole @ whole)

    def loss(parameters: Array) -> tuple[float, Array]:
        z = parameters[:outputs, None] + parameters[outputs] * sums
        at = objective.evaluate(z, targets, weights)
        slope: Array = np.append(-at.gradient.sum(axis=2), -(at.gradient * sums).sum())
        slope[outputs] = is_free * (slope[outputs] + prior * parameters[outputs])
        held = prior * float(parameters[outputs]) ** 2 / 2
        return float((weights * at.losses).sum()) + held, slope

    found = minimize(loss, np.append(fit.start[0], unit), jac=True, method="BFGS")
    if not found.x[outputs] > 0:
        return fit.start[0], unit, loss(np.append(fit.start[0], unit))[0]
    return found.x[:outputs], float(found.x[outputs]), float(found.fun)


def round_points(
    design: Design, objective: Objective, targets: Array, weights: Array, fit: Fit, allowed: float,
    scale: float,
) -> Points:  # fmt: skip
    """Points of a number, as round as they may be in the unit of the target, of size `scale`."""
    exact = float((weights * fit.at.losses).sum())
    stay = bound_points(design)
    largest = float(np.abs(fit.points[0]).max(initial=0.0)) * scale
    if not largest:
        return Points(fit.start[0], fit.points[0], 1.0)
    tiny = np.abs(fit.points[0]) * scale < TINY * largest
    exponent = int(np.floor(np.log10(largest)))
    for down in range(6):
        for factor in (5, 2, 1):
            step = factor * 10.0 ** (exponent - down)
            points = np.rint(fit.points[0] * scale / step) * step / scale
            points = np.where(stay, fit.points[0], points)
            z = sums_of_points(design, np.zeros((1, 1)), points[None])
            shift = np.average(targets - z[0, 0], weights=weights[0])
            at = objective.evaluate(z + shift, targets, weights)
            if (tiny | (points != 0)).all() and float(
                (weights * at.losses).sum()
            ) <= exact + allowed:
                return Points(np.array([shift]), points, 1.0)
    return Points(fit.start[0], fit.points[0], 1.0)
