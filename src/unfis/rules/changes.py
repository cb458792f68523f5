"""The smallest change of one input that would change the answer.

Along one input only its own terms move: log f_i = (rest of i) + log mu+(v), y^i = (rest) + s_i(v).
So whether a class beats the predicted one at the values v of a grid is the sign of
sum_i a_i mu_i(v) (b_i + s_i(v)), one matrix product for all rows. The crossings that may be the
nearest are then closed in on by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.rules.data import Variable
from unfis.rules.evaluation import Evaluation, RuleArrays

# Values of a number that are looked at, from its lowest to its highest, besides its sets' own.
GRID = 17
# A crossing is closed in on to what the data resolves, by so many halvings at most.
MOST_HALVINGS = 20
# Rows that are looked at together, so that they stay in the cache.
BLOCK = 4096


class Changes(NamedTuple):
    """For each row the input to change, and the value that changes the answer."""

    inputs: NDArray[np.intp]  # places among all inputs, -1 where no change would do, (rows,)
    values: Array  # as of a ValueReader, (rows,)
    predicted: NDArray[np.intp]  # the class that is predicted then, (rows,)


class Crossings(NamedTuple):
    """Where one input's nearest change of the answer lies, for each row; NaN where nowhere."""

    inside: Array  # a value from which on it may be, (rows,)
    outside: Array  # a value at which it has happened, (rows,)


@dataclass(frozen=True)
class OneInput:
    """The model as a function of one input, in rows that have one prediction.

    Attributes
    ----------
    arrays : the rules
    place : the input's, among those used
    predicted : the rows' class
    now : the input's value in each row, (rows,)
    log_rest : log f without this input, (rows, rules)
    opinions_rest : opinions without it, (rows, rules, classes)
    """

    arrays: RuleArrays
    place: int
    predicted: int
    now: Array
    log_rest: Array
    opinions_rest: Array

    @classmethod
    def of(
        cls, arrays: RuleArrays, place: int, predicted: int, now: Array, found: Evaluation
    ) -> OneInput:
        """The function of one input around rows that were evaluated."""
        added = arrays.added_at(place, found.columns[:, arrays.spans[place]])
        rest = found.log_firing - found.log_degrees[:, :, place]
        return cls(arrays, place, predicted, now, rest, found.opinions - added)

    def part(self, rows: NDArray[np.intp]) -> OneInput:
        """The same in some of the rows."""
        log_rest, opinions = self.log_rest.T[:, rows].T, self.opinions_rest.T[:, :, rows].T
        return replace(self, now=self.now[rows], log_rest=log_rest, opinions_rest=opinions)

    def terms(self, at: Array) -> tuple[Array, Array]:
        """log mu+ of each rule at values of the input, and what it adds to each opinion."""
        added = self.arrays.added_at(self.place, self.arrays.columns_at(self.place, at))
        return self.arrays.log_degrees_at(self.place, at), added

    def answers(self, at: Array) -> NDArray[np.intp]:
        """The class predicted in each row if the input were as given, (rows,)."""
        log_degrees, added = self.terms(at)
        strengths = softmax(self.log_rest + log_degrees)
        said = strengths[:, :, None] * (self.opinions_rest + added)
        return np.asarray(said.sum(axis=1).argmax(axis=1))

    def differs(self, at: Array) -> Mask:
        """Whether another class is predicted then, (rows,)."""
        return np.asarray(self.answers(at) != self.predicted)

    def leads(self, grid: Array) -> Array:
        """By how much the best other class leads at the values of a grid, up to a positive factor.

        Shape (rows, grid).
        """
        log_degrees, added = self.terms(grid)
        degrees = np.exp(log_degrees - log_degrees.max(axis=1, keepdims=True)).T
        weights = np.exp(self.log_rest - self.log_rest.max(axis=1, keepdims=True))
        leads = []
        for other in range(added.shape[2]):
            if other != self.predicted:
                ahead = self.opinions_rest[:, :, other] - self.opinions_rest[:, :, self.predicted]
                gained = (added[:, :, other] - added[:, :, self.predicted]).T
                left = np.concatenate([weights * ahead, weights], axis=1)
                leads.append(left @ np.concatenate([degrees, degrees * gained]))
        return reduce(np.maximum, leads)

    def crossings(self, grid: Array) -> Crossings:
        """The nearest value of a sorted grid with another answer, and its neighbour before it."""
        far = np.abs(grid - self.now[:, None])
        far[self.leads(grid) <= 0] = np.inf
        far[np.isnan(self.now)] = np.inf
        nearest = far.argmin(axis=1)
        outside = np.where(np.isfinite(far[np.arange(len(far)), nearest]), grid[nearest], np.nan)
        upwards = outside > self.now
        neighbour = grid[np.clip(nearest + np.where(upwards, -1, 1), 0, len(grid) - 1)]
        before = np.where(upwards, np.maximum(self.now, neighbour), np.minimum(self.now, neighbour))
        return Crossings(np.where(np.isnan(outside), np.nan, before), outside)

    def close_in(self, crossings: Crossings, decimals: int) -> Array:
        """Values just across the crossings, as round as the data where that does."""
        inside, outside = crossings
        unit = 10.0**-decimals
        parts = max(1.0, float(np.abs(outside - inside).max()) / unit)
        for _ in range(min(MOST_HALVINGS, math.ceil(math.log2(parts)))):
            middle = 0.5 * (inside + outside)
            differs = self.differs(middle)
            inside, outside = np.where(differs, inside, middle), np.where(differs, middle, outside)
        # Between the ends lies at most one round value: the first beyond the crossing is that one,
        # or the first beyond the outer end.
        found = outside
        for end in (outside, inside):
            away = np.where(outside > self.now, np.ceil(end / unit), np.floor(end / unit))
            rounded = np.round(away * unit, decimals)
            found = np.where(self.differs(rounded), rounded, found)
        return found


def smallest_changes(
    arrays: RuleArrays, variables: Sequence[Variable], found: Evaluation, values: Array
) -> Changes:
    """For each row the smallest change of one input, in spans of it, that changes the answer.

    Numbers change within the range of the training rows; where few values occur, to one of them.
    To change a category counts as a whole span.
    """
    inputs, then = np.full(len(values), -1), np.full(len(values), np.nan)
    answers = np.full(len(values), -1)
    predicted = found.logits.argmax(axis=1)
    for number in np.unique(predicted) if arrays.used else ():
        alike = np.flatnonzero(predicted == number)
        for rows in np.array_split(alike, np.ceil(len(alike) / BLOCK)):
            part = found.part(rows)
            models = [
                OneInput.of(arrays, place, number, values[rows, j], part)
                for place, j in enumerate(arrays.used)
            ]
            known = [variables[j] for j in arrays.used]
            inputs[rows], then[rows], answers[rows] = block_changes(models, known)
    return Changes(inputs, then, answers)


def block_changes(models: list[OneInput], variables: list[Variable]) -> Changes:
    """The smallest changes of a block of rows, from the models of each input."""
    then = nearest_changes(models, variables)
    sizes = sizes_of(models, variables, then)
    best, every = sizes.argmin(axis=0), np.arange(sizes.shape[1])
    possible = np.isfinite(sizes[best, every])
    answers = np.full(len(best), -1)
    for place, model in enumerate(models):
        rows = np.flatnonzero(possible & (best == place))
        answers[rows] = model.part(rows).answers(then[place, rows])
    places = np.array([model.arrays.used[model.place] for model in models])
    return Changes(
        np.where(possible, places[best], -1),
        np.where(possible, then[best, every], np.nan),
        answers,
    )


def nearest_changes(models: list[OneInput], variables: list[Variable]) -> Array:
    """The nearest value of each input with another answer, NaN where there is none, (inputs, rows).

    To the grid's next value only, where another input is sure to need less of a change.
    """
    crossings = [m.crossings(grid_of(m, v)) for m, v in zip(models, variables, strict=True)]
    inside, outside = np.array(crossings).transpose(1, 0, 2)
    surely = sizes_of(models, variables, outside).min(axis=0)
    worth = sizes_of(models, variables, inside) <= surely
    for place, (model, variable) in enumerate(zip(models, variables, strict=True)):
        rows = np.flatnonzero(worth[place] & ~np.isnan(outside[place]))
        if len(rows) and not is_discrete(variable):
            near = Crossings(inside[place, rows], outside[place, rows])
            outside[place, rows] = model.part(rows).close_in(near, variable.decimals)
    return np.asarray(outside)


def sizes_of(models: list[OneInput], variables: list[Variable], then: Array) -> Array:
    """How large the changes of each input are, (inputs, rows)."""
    parts = zip(models, variables, then, strict=True)
    return np.array([change_size(variable, model.now, values) for model, variable, values in parts])


def is_discrete(variable: Variable) -> bool:
    """Whether an input can only take values that are known one by one."""
    return bool(variable.categories or variable.levels)


def grid_of(model: OneInput, variable: Variable) -> Array:
    """The values of an input at which other answers are looked for, in order."""
    if variable.categories:
        return np.arange(float(len(variable.categories)))
    if variable.levels:
        return np.array(variable.levels)
    even = np.linspace(variable.lowest, variable.highest, GRID)
    sets = model.arrays.sets_of(model.place)
    inside = sets[(sets > variable.lowest) & (sets < variable.highest)]
    return np.unique(np.concatenate([even, inside]))


def change_size(variable: Variable, now: Array, then: Array) -> Array:
    """How large a change is, in spans of the input; inf where there is none."""
    sizes = np.abs(then - now) / variable.span
    if variable.categories:
        sizes = np.sign(sizes)
    return np.where(np.isnan(sizes), np.inf, sizes)
