"""The choice of a ridge and of a length, by rows that the walks of the folds have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from unfis.arrays import Array
from unfis.search.refit import Design, Fit, refit
from unfis.search.state import NO_RULE, SearchTable
from unfis.search.walk import Paths, Stage
from unfis.ties import first_least


@dataclass(frozen=True, eq=False)
class LengthChoice:
    """What was chosen, and what it was chosen by."""

    ridge: float
    length: int
    losses: Array  # of rows held out, (lengths, rows), from no rules on
    fits: tuple[Fit, ...]  # the points of every length, with this ridge


def chosen(
    table: SearchTable, paths: Paths, ridges: tuple[float, ...], tolerance: float | None = None
) -> LengthChoice:
    """The ridge that predicts best at the usual length, then the length."""
    limits, longest = table.limits, paths.longest
    usual = min(limits.usual(table.objective), longest)
    if len(table.weights) == 1 < len(ridges):  # too few rows to hold any out
        ridges = (limits.ridge,)
    tried = [held_out_losses(table, fit_of(table, paths, usual, ridge)) for ridge in ridges]
    means = np.array([mean_loss(table, losses) for losses in tried])
    ridge = ridges[int(first_least(means))]
    fits = tuple(fits_of(table, paths, ridge))
    losses = np.array([held_out_losses(table, fit) for fit in fits])
    return LengthChoice(ridge, chosen_length(table, losses, tolerance), losses, fits)


def fits_of(table: SearchTable, paths: Paths, ridge: float) -> Iterator[Fit]:
    """The points of all walks' rules of every length; where no walk has other rules, the same."""
    before: list[Stage] = []
    for length in range(paths.longest + 1):
        stages = [paths.at(walk, length) for walk in range(len(table.weights))]
        if any(one is not other for one, other in zip_longest(stages, before)):
            fit, before = fit_of(table, paths, length, ridge), stages
        yield fit


def fit_of(table: SearchTable, paths: Paths, length: int, ridge: float) -> Fit:
    """The points of all walks' rules of a length."""
    stages = [paths.at(walk, length) for walk in range(len(table.weights))]
    most = max(len(stage.drafts) for stage in stages)
    walks, rows = table.weights.shape
    degrees, outputs = np.zeros((walks, most, rows)), np.zeros((walks, most), np.intp)
    points, start = np.zeros((walks, most)), np.array([stage.start for stage in stages])
    for walk, stage in enumerate(stages):
        for place, draft in enumerate(stage.drafts):
            degrees[walk, place] = table.rule_degrees(draft.conditions)
            outputs[walk, place] = draft.output
        points[walk, : len(stage.points)] = stage.points
    bounds = table.bounds([[*s.drafts, *[NO_RULE] * (most - len(s.drafts))] for s in stages])
    design, objective = Design(degrees, outputs, bounds), table.objective
    prior = np.full(walks, ridge)
    fit = refit(design, objective, table.targets, table.weights, prior, start, points)
    unit = objective.dispersion(fit.at.losses, table.weights, most + start.shape[1])
    if (unit == 1.0).all():
        return fit
    return refit(
        design, objective, table.targets, table.weights, ridge * unit, fit.start, fit.points
    )


def held_out_losses(table: SearchTable, fit: Fit) -> Array:
    """The loss of each row by the fold that has not seen it, or by several, (rows,)."""
    held = 1 - table.weights[:-1] / table.weights[-1]
    return np.asarray((held * fit.at.losses[:-1]).sum(axis=0))


def mean_loss(table: SearchTable, losses: Array) -> float:
    """The mean over the rows by weight."""
    weights = table.weights[-1]
    return float(weights @ losses / weights.sum())


def chosen_length(table: SearchTable, losses: Array, tolerance: float | None = None) -> int:
    """The length nearest to the usual one that the folds find not clearly worse than the best.

    With a tolerance in standard errors the shortest that is worse by no more. A model that predicts
    no better than none is not taken: then it is the best, which may have no rules.
    """
    usual = min(table.limits.usual(table.objective), len(losses) - 1)
    weights = table.weights[-1]
    best = int(first_least(losses @ weights / weights.sum()))
    held_out = len(table.weights) > 1
    length = 0 if held_out and tolerance is not None else usual
    clear = table.limits.clear if tolerance is None else tolerance
    while length != best:
        more, error = difference(losses[length] - losses[best], weights)
        if more <= clear * error:
            break
        length += 1 if best > length else -1
    no_better = held_out and weights @ losses[length] >= weights @ losses[0]
    return best if no_better else length


def difference(losses: Array, weights: Array) -> tuple[float, float]:
    """The mean of differences and its standard error."""
    shares = weights / weights.sum()
    mean = float(shares @ losses)
    spread = float(shares @ (losses - mean) ** 2)
    return mean, float(np.sqrt(spread * (shares**2).sum()))
