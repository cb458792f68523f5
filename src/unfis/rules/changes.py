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
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.rules.data import Variable
from unfis.rules.evaluation import Evaluation, RuleArrays, times_slopes
from unfis.ties import first_least

T = TypeVar("T")

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

    def part(self, rows: NDArray[np.intp]) -> Changes:
        """Those of some of the rows."""
        return Changes._make(array[rows] for array in self)


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
    others : the classes that are not predicted, (others,)
    now : the input's value in each row, (rows,)
    log_rest : log f without this input, (rows, rules)
    ahead : opinions on the others against the predicted class without it, (rows, rules, others)
    slopes : what its columns add to these, (rules, others, columns)
    """

    arrays: RuleArrays
    place: int
    others: NDArray[np.intp]
    now: Array
    log_rest: Array
    ahead: Array
    slopes: Array

    @classmethod
    def of(
        cls, arrays: RuleArrays, place: int, predicted: int, now: Array, found: Evaluation
    ) -> OneInput:
        """The function of one input around rows that were evaluated."""
        others = np.flatnonzero(np.arange(arrays.biases.shape[1]) != predicted)
        span = arrays.spans[place]
        slopes = arrays.slopes[:, others, span] - arrays.slopes[:, [predicted], span]
        ahead = found.opinions[:, :, others] - found.opinions[:, :, [predicted]]
        ahead = np.asfortranarray(ahead) - times_slopes(found.columns[:, span], slopes)
        return cls(arrays, place, others, now, found.log_firing_without(place), ahead, slopes)

    def part(self, rows: NDArray[np.intp]) -> OneInput:
        """The same in some of the rows."""
        log_rest, ahead = self.log_rest.T[:, rows].T, self.ahead.T[:, :, rows].T
        return replace(self, now=self.now[rows], log_rest=log_rest, ahead=ahead)

    def terms(self, at: Array) -> tuple[Array, Array]:
        """log mu+ of each rule at values of the input, and what these add to `ahead`."""
        added = times_slopes(self.arrays.columns_at(self.place, at), self.slopes)
        return self.arrays.log_degrees_at(self.place, at), added

    def leads_at(self, at: Array) -> Array:
        """By how much the others lead if the input is as given, up to a factor, (rows, others)."""
        log_degrees, added = self.terms(at)
        weights = relative(self.log_rest + log_degrees)
        return np.asarray((weights[:, :, None] * (self.ahead + added)).sum(axis=1))

    def answers(self, at: Array) -> NDArray[np.intp]:
        """The other class that leads most then, (rows,)."""
        return np.asarray(self.others[self.leads_at(at).argmax(axis=1)])

    def differs(self, at: Array) -> Mask:
        """Whether another class is predicted then, (rows,)."""
        return np.asarray((self.leads_at(at) > 0).any(axis=1))

    def differs_on(self, grid: Array) -> Mask:
        """Whether another class is predicted at each value of a grid, (rows, grid)."""
        log_degrees, added = self.terms(grid)
        degrees, weights = relative(log_degrees).T, relative(self.log_rest)
        differs = np.zeros((len(weights), len(grid)), dtype=bool)
        for other in range(len(self.others)):
            left = np.concatenate([weights * self.ahead[:, :, other], weights], axis=1)
            differs |= left @ np.concatenate([degrees, degrees * added[:, :, other].T]) > 0
        return differs

    def crossings(self, grid: Array) -> tuple[Crossings, Crossings]:
        """The nearest values of a sorted grid with another answer, below and above each row's.

        With the neighbours before them, or the row's own value if that is nearer.
        """
        differs = self.differs_on(grid)
        below = np.where(differs & (grid < self.now[:, None]), grid, -np.inf).max(axis=1)
        above = np.where(differs & (grid > self.now[:, None]), grid, np.inf).min(axis=1)
        places = np.searchsorted(grid, below), np.searchsorted(grid, above)
        last = len(grid) - 1
        return (
            bracket(np.minimum(self.now, grid[np.minimum(places[0] + 1, last)]), below),
            bracket(np.maximum(self.now, grid[np.clip(places[1] - 1, 0, last)]), above),
        )

    def close_in(self, crossings: Crossings, variable: Variable) -> Array:
        """Values just across the crossings, as round as the data where that does."""
        inside, outside = crossings
        decimals, unit = variable.decimals, 10.0**-variable.decimals
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
            rounded = np.clip(rounded, variable.lowest, variable.highest)
            found = np.where(self.differs(rounded), rounded, found)
        return found


def relative(logs: Array) -> Array:
    """Powers of logarithms, up to a factor of each row that makes the largest 1, (rows, rules)."""
    return np.asarray(np.exp(logs - logs.max(axis=1, keepdims=True)))


def bracket(inside: Array, outside: Array) -> Crossings:
    """Crossings, with NaN where there is none."""
    there = np.isfinite(outside)
    return Crossings(np.where(there, inside, np.nan), np.where(there, outside, np.nan))


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
    # One candidate below each row's value and one above, for every input.
    models, variables = repeat_each(models), repeat_each(variables)
    then = nearest_changes(models, variables)
    sizes = sizes_of(models, variables, then)
    best, every = first_least(sizes.T), np.arange(sizes.shape[1])
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
    """The nearest value of each candidate with another answer, NaN where none, (candidates, rows).

    To the grid's next value only, where another candidate is sure to need less of a change.
    """
    pairs = zip(models[::2], variables[::2], strict=True)
    crossings = [side for m, v in pairs for side in m.crossings(grid_of(m, v))]
    inside, outside = np.array(crossings).transpose(1, 0, 2)
    surely = sizes_of(models, variables, outside).min(axis=0)
    worth = sizes_of(models, variables, inside) <= surely
    for place, (model, variable) in enumerate(zip(models, variables, strict=True)):
        rows = np.flatnonzero(worth[place] & ~np.isnan(outside[place]))
        if len(rows) and not is_discrete(variable):
            near = Crossings(inside[place, rows], outside[place, rows])
            outside[place, rows] = model.part(rows).close_in(near, variable)
    return np.asarray(outside)


def repeat_each(items: list[T]) -> list[T]:
    """Each of the items twice."""
    return [item for item in items for _ in range(2)]


def sizes_of(models: list[OneInput], variables: list[Variable], then: Array) -> Array:
    """How large the changes of each candidate are, (candidates, rows)."""
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
