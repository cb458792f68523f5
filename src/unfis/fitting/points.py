"""The points of rules that are there, fitted to rows: of rules that a person has changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from unfis.arrays import Array
from unfis.objective import (
    CrossEntropyOfClasses,
    CrossEntropyOfTwo,
    HalfSquaredError,
    Objective,
    PoissonDeviance,
)
from unfis.rules import RuleModel
from unfis.search.constraints import Constraints
from unfis.search.limits import Limits
from unfis.search.refit import Design, Fit, refit
from unfis.search.whole import Points, round_points, whole_points

LIMITS = Limits()


def objective_of(model: RuleModel) -> Objective:
    """What a model was learned by."""
    if model.link == "softmax":
        return CrossEntropyOfClasses(len(model.start))
    of_links: dict[str, type[Objective]] = {
        "logistic": CrossEntropyOfTwo, "exp": PoissonDeviance, "identity": HalfSquaredError
    }  # fmt: skip
    return of_links[model.link]()


def with_fitted_points(
    model: RuleModel, fixed: Collection[int], constraints: Constraints, ridge: float,
    values: Array, targets: Array, weights: Array, *, whole: bool,
) -> RuleModel:  # fmt: skip
    """A model with the points that fit rows; those of rules at fixed places stay.

    What a point is worth stays too, so that points mean the same.
    """
    objective = objective_of(model)
    shift, scale = objective.units(targets, weights)
    size = model.unit / scale
    points = np.array([rule.points for rule in model.rules]) * size
    bounds = [
        (points[n], points[n]) if n in fixed else constraints.bounds(rule.conditions)
        for n, rule in enumerate(model.rules)
    ]
    outputs = np.array([[rule.output for rule in model.rules]], dtype=np.intp)
    limits = np.array(bounds).reshape(1, -1, 2)
    design = Design(model.degrees(values)[None], outputs, np.moveaxis(limits, -1, 0))
    scaled, weight = (targets - shift) / scale, weights[None]
    start = (np.array([model.start]) * model.unit - shift) / scale
    unit = np.ones(1)
    for _ in range(2):  # the ridge is in units of the dispersion, which is then known
        fit = refit(design, objective, scaled, weight, ridge * unit, start, points[None])
        unit = objective.dispersion(fit.at.losses, weight, 1 + len(points))
    found = Points(fit.start[0] / model.unit, fit.points[0] / model.unit, model.unit)
    if whole and model.rules:
        allowed = LIMITS.lost_by_points * len(points) * float(unit[0])
        found = readable_points(
            design, objective, scaled, weight, fit, allowed, ridge, scale, model.unit
        )
    numbers = found.points * scale
    numbers[[*fixed]] = [model.rules[n].points for n in fixed]
    return model.with_points(found.start * scale + shift / model.unit, numbers, model.unit)


def readable_points(
    design: Design, objective: Objective, targets: Array, weights: Array, fit: Fit,
    allowed: float, ridge: float, scale: float, unit: float | None,
) -> Points:  # fmt: skip
    """Points that a person can add up."""
    if objective.link == "identity":
        return round_points(design, objective, targets, weights, fit, allowed, scale)
    return whole_points(design, objective, targets, weights, fit, allowed, ridge, unit)


def without_nothing(model: RuleModel, kept: Collection[int]) -> tuple[RuleModel, list[int]]:
    """A model without rules that have no points, but for some; and where the others were."""
    left = [n for n, rule in enumerate(model.rules) if rule.points or n in kept]
    return replace(model, rules=tuple(model.rules[n] for n in left)), left
