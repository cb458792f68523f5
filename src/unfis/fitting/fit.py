"""From rows of values to a RuleModel, with the models of every length and of every fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.fitting.all_rows import LossOfRows, Task, centred, round_by_rows, whole_by_rows
from unfis.fitting.draw import drawn_rows
from unfis.fitting.points import readable_points
from unfis.fitting.rows import AllRows
from unfis.objective import Objective
from unfis.parallel import ONE_THREAD
from unfis.rules import Rule, RuleModel
from unfis.search.bins import Bins, KindBins, NumberBins
from unfis.search.constraints import Constraints
from unfis.search.judge import LengthChoice, chosen
from unfis.search.limits import Limits
from unfis.search.refit import Design, Fit, bounds_of, least, prior_of
from unfis.search.rows import Merged, fold_weights
from unfis.search.state import NO_CONSTRAINTS, Draft, SearchTable
from unfis.search.walk import GoOn, Paths, always, walked
from unfis.search.whole import Points

USUAL = Limits()
DOUBLE = float(np.log(2))  # a point that an expert gives doubles odds, or what is expected


@dataclass(frozen=True)
class SearchRequest:
    """What a user decides about a fit."""

    max_rules: int | None = None
    max_conditions: int = 2
    ridge: float | None = None
    whole: bool = True  # points that a person can add up
    constraints: Constraints = NO_CONSTRAINTS
    tolerance: float | None = None  # standard errors of loss that a shorter model may cost
    given: tuple[Rule, ...] = ()  # an expert's; NaN as points where they are to be learned

    def unit(self, objective: Objective) -> float | None:
        """What one point is worth; None where that is free as no points are given."""
        if all(np.isnan(rule.points) for rule in self.given):
            return None
        return 1.0 if objective.link == "identity" else DOUBLE


class SearchedRows(NamedTuple):
    """The rows that were searched, and which of the folds have not seen them."""

    values: Array  # (rows, inputs)
    targets: Array  # (rows,)
    weights: Array  # those of all rows, shared out among these, (rows,)
    held: Array  # the part of each row that a fold has not seen, (folds, rows)


@dataclass(frozen=True)
class FittedRules:
    """What a fit has found."""

    path: tuple[RuleModel, ...]  # the model of every length, from no rules on
    length: int  # that was chosen
    ridge: float
    losses: Array  # of the searched rows, each by the fold that had not seen it, (lengths, rows)
    searched: SearchedRows
    folds: tuple[tuple[RuleModel, ...], ...]  # each fold's models, by length

    @property
    def model(self) -> RuleModel:
        """The model of the chosen length."""
        return self.path[self.length]


def fit_rules(
    rows: AllRows,
    kinds: Sequence[int],
    objective: Objective,
    request: SearchRequest = SearchRequest(),
    limits: Limits = USUAL,
    go_on: GoOn = always,
) -> FittedRules:
    """Learn rules from rows; `kinds` counts the categories of each input, 0 for a number."""
    with ONE_THREAD:  # of matrices so small several would wait for each other
        return learned_rules(rows, kinds, objective, request, limits, go_on)


def learned_rules(
    rows: AllRows, kinds: Sequence[int], objective: Objective, request: SearchRequest,
    limits: Limits, go_on: GoOn,
) -> FittedRules:  # fmt: skip
    """What a fit finds."""
    drawn = drawn_rows(rows, objective, limits.search_rows)
    values, targets = drawn.rows.values, drawn.rows.targets
    shift, scale = objective.units(targets, drawn.weights)
    scaled = (targets - shift) / scale
    table, place = search_table(
        values, kinds, scaled, drawn.weights, drawn.strata, objective, limits
    )
    table = replace(
        table, constraints=request.constraints, given=given_drafts(request, table, scale)
    )
    most = round(limits.longest * limits.usual(objective)) + len(request.given)
    most = most if request.max_rules is None else request.max_rules
    paths = walked(table, most, request.max_conditions, go_on)
    ridges = limits.ridges if request.ridge is None else (request.ridge,)
    choice = chosen(table, paths, ridges, request.tolerance)
    finish = Finish(table, paths, choice, shift, scale, request)
    last = len(table.weights) - 1
    path = finish.path(last)
    length = max(choice.length, len(request.given))
    if rows.count > len(targets):
        path[length] = refitted(path[length], rows, finish, length)
    folds = tuple(
        tuple(finish.exact(walk, length) for length in range(paths.longest + 1))
        for walk in range(last)
    )
    held = 1 - table.weights[:-1] / table.weights[-1]
    shares = drawn.weights * (drawn.total / drawn.weights.sum())
    searched = SearchedRows(values, targets, shares, held[:, place])
    losses = choice.losses[:, place]
    return FittedRules(tuple(path), length, choice.ridge, losses, searched, folds)


def search_table(
    values: Array,
    kinds: Sequence[int],
    targets: Array,
    weights: Array,
    strata: NDArray[np.intp],
    objective: Objective,
    limits: Limits,
) -> tuple[SearchTable, NDArray[np.intp]]:
    """The searched rows as bins, the same ones merged, dealt out in folds; each row's place."""
    bins: list[Bins] = [
        KindBins.of(j, values[:, j], count)
        if count
        else NumberBins.of(j, values[:, j], weights, limits)
        for j, count in enumerate(kinds)
    ]
    merged = Merged.of(bins, targets, weights)
    bins = [replace(one, codes=one.codes[merged.first]) for one in bins]
    folds = min(limits.folds, len(merged.first) // 2)
    folds = folds if folds > 1 else 0  # one would hold out everything
    walks = fold_weights(bins, strata[merged.first], merged.weights, folds)
    table = SearchTable(bins, targets[merged.first], walks, objective, limits)
    return table, merged.place


def given_drafts(request: SearchRequest, table: SearchTable, scale: float) -> tuple[Draft, ...]:
    """An expert's rules in the units of the search."""
    size = (request.unit(table.objective) or 1.0) / scale
    return tuple(
        Draft(rule.output, rule.conditions, None if np.isnan(rule.points) else rule.points * size)
        for rule in request.given
    )


class Finish:
    """Makes models of what the search has found."""

    def __init__(
        self, table: SearchTable, paths: Paths, choice: LengthChoice, shift: float, scale: float,
        request: SearchRequest,
    ) -> None:  # fmt: skip
        self.table, self.paths, self.choice = table, paths, choice
        self.shift, self.scale, self.request = shift, scale, request

    def exact(self, walk: int, length: int) -> RuleModel:
        """A walk's model of a length, with real numbers as points."""
        drafts, fit = self.found(walk, length)
        return self._model(drafts, self.plain(fit))

    def path(self, walk: int) -> list[RuleModel]:
        """A walk's models of every length."""
        found: list[RuleModel] = []
        fits = self.choice.fits
        for length, fit in enumerate(fits):
            same = length > 0 and fit is fits[length - 1]
            found.append(found[-1] if same else self.model(walk, length))
        return found

    def model(self, walk: int, length: int) -> RuleModel:
        """A walk's model of a length, with points that a person can add up."""
        drafts, fit = self.found(walk, length)
        if not self.request.whole or not drafts:
            return self.exact(walk, length)
        table = self.table
        degrees = [table.rule_degrees(draft.conditions) for draft in drafts]
        outputs = np.array([[draft.output for draft in drafts]])
        design = Design(np.array(degrees)[None], outputs, table.bounds([drafts]))
        return self._model(drafts, self.rounded(design, table.targets, table.weights[[walk]], fit))

    def found(self, walk: int, length: int) -> tuple[list[Draft], Fit]:
        """A walk's rules of a length without those that bounds leave no points, and their fit."""
        drafts = self.paths.at(walk, length).drafts
        kept, fit = with_effect(self.choice.fits[length], walk, len(self.table.given))
        return [drafts[n] for n in kept], fit

    def rounded(self, design: Design, targets: Array, weights: Array, fit: Fit) -> Points:
        """Round points for exact ones."""
        objective, limits = self.table.objective, self.table.limits
        count = fit.points.shape[1]
        unit = float(objective.dispersion(fit.at.losses, weights, count + 1)[0])
        allowed = limits.lost_by_points * count * unit
        ridge, worth = self.choice.ridge, self.request.unit(objective)
        return readable_points(
            design, objective, targets, weights, fit, allowed, ridge, self.scale, worth
        )

    def plain(self, fit: Fit) -> Points:
        """Points as they are."""
        unit = self.request.unit(self.table.objective) or 1.0
        return Points(fit.start[0] / unit, fit.points[0] / unit, unit)

    def in_units(self, points: Array) -> Array:
        """Points in the units of the target; those that are given to the last digit."""
        found = points * self.scale
        given = np.array([rule.points for rule in self.request.given])
        found[: len(given)] = np.where(np.isnan(given), found[: len(given)], given)
        return found

    def _model(self, drafts: Sequence[Draft], found: Points) -> RuleModel:
        """A model in the units of the target."""
        table, points = self.table, self.in_units(found.points).tolist()
        rules = tuple(
            Rule(tuple(map(table.finished, draft.conditions)), draft.output, number)
            for draft, number in zip(drafts, points, strict=True)
        )
        start = tuple((found.start * self.scale + self.shift).tolist())
        return RuleModel(rules, start, found.unit, table.objective.link)


def refitted(model: RuleModel, rows: AllRows, finish: Finish, length: int) -> RuleModel:
    """A model with the points that fit all rows."""
    table, request = finish.table, finish.request
    objective, outputs = table.objective, table.objective.outputs
    drafts, fit = finish.found(len(table.weights) - 1, length)
    bounds = table.bounds([drafts])
    unit = float(objective.dispersion(fit.at.losses, table.weights[-1:], 1 + len(drafts))[0])
    prior = prior_of(np.array([finish.choice.ridge * unit]), outputs, fit.points)
    task = Task(model.rules, objective, finish.shift, finish.scale)
    begin = np.concatenate([fit.start, fit.points], axis=1)
    free = None if bounds is None else bounds_of(bounds, outputs)
    exact = least(LossOfRows(rows, task), prior, begin, free)
    stays = np.arange(len(drafts)) < len(table.given)
    kept = np.flatnonzero((exact.parameters[0, outputs:] != 0) | stays)
    some = np.append(np.arange(outputs), outputs + kept)
    exact = exact.part(some)
    model = replace(model, rules=tuple(model.rules[n] for n in kept))
    worth = request.unit(objective)
    found = exact.parameters[0] / (worth or 1.0)
    points = Points(centred(found[:outputs]), found[outputs:], worth or 1.0)
    if request.whole and model.rules:
        stay = np.zeros(len(kept), bool) if bounds is None else np.equal(*bounds[:, 0, kept])
        allowed = table.limits.lost_by_points * len(kept) * unit
        if objective.link == "identity":
            points = round_by_rows(exact, stay, allowed, finish.scale)
        else:
            loss = LossOfRows(rows, task._replace(rules=model.rules))
            points = whole_by_rows(loss, prior[:, some], exact, stay, allowed, worth)
    start = points.start * finish.scale + finish.shift
    return model.with_points(start, finish.in_units(points.points), points.unit)


def with_effect(fit: Fit, walk: int, given: int) -> tuple[list[int], Fit]:
    """Which rules of a walk bounds leave any points, or are given; its fit with these alone."""
    kept = np.flatnonzero((fit.points[walk] != 0) | (np.arange(fit.points.shape[1]) < given))
    one = [walk]
    at = fit.at.of_walk(walk)
    points = fit.points[one][:, kept]
    found = fit._replace(start=fit.start[one], points=points, losses=fit.losses[one], at=at)
    return kept.tolist(), found
