"""The smallest change of one input that would change the answer.

Along one input only its own terms move: log f_i = (rest of i) + log mu+(v), y^i = (rest) + s_i(v).
So whether a class beats the predicted one at the values v of a grid is the sign of
sum_i a_i mu_i(v) (b_i + s_i(v)), one matrix product for all rows. Where several rules average their
probabilities it is that of sum_i f_i(v) (q_c^i(v) - q^i(v) of the predicted class), value by value.
With costs a class beats the answer where it is expected to save something: of two classes b_i moves
by the logarithm of what both errors cost, of more the costs weigh the probabilities. The crossings
that may be the nearest are then closed in on by bisection.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.data.costs import Costs, least_costly
from unfis.rules.data import Variable
from unfis.rules.evaluation import Evaluation, RuleArrays, times_slopes, with_otherwise
from unfis.ties import first_least

# Values of a number that are looked at, from its lowest to its highest, besides its sets' own.
GRID, FINE_GRID = 17, 33
# A crossing is closed in on to what the data resolves, by so many halvings at most.
MOST_HALVINGS = 20
# Rows that are looked at together, so that they stay in the cache.
ROWS_IN_CACHE = 4096


class Counterfactuals(NamedTuple):
    """For each row the input to change, and the value that changes the answer."""

    inputs: NDArray[np.intp]  # indices of inputs, -1 where no change would do, (rows,)
    values: Array  # as of a ValueReader, (rows,)
    predicted: NDArray[np.intp]  # the class that is predicted then, (rows,)

    def part(self, rows: NDArray[np.intp]) -> Counterfactuals:
        """Those of some of the rows."""
        return Counterfactuals._make(array[rows] for array in self)


@dataclass(frozen=True)
class OneInput:
    """The model as a function of one input, in rows that have one prediction."""

    arrays: RuleArrays
    index: int  # of the input among those used
    others: NDArray[np.intp]  # the classes that are not predicted, (others,)
    now: Array  # the input's value in each row, (rows,)
    log_rest: Array  # log f without this input, (rows, rules)
    ahead: Array  # opinions on them against the predicted class without it, (rows, rules, others)
    slopes: Array  # what its columns add to these, (rules, others, columns)
    # What it saves to answer others in place of the predicted class where that, or another, is the
    # true one, (1 + others, others).
    savings: Array
    linear: bool  # whether the sign of what is saved is that of a mean of opinions

    @classmethod
    def of(
        cls,
        arrays: RuleArrays,
        index: int,
        predicted: int,
        now: Array,
        found: Evaluation,
        costs: Costs,
    ) -> OneInput:
        """The function of one input around rows that were evaluated."""
        others = np.flatnonzero(np.arange(arrays.biases.shape[1]) != predicted)
        savings = savings_of(costs, predicted, others)
        linear = not (arrays.averages and len(arrays.biases) > 1)
        linear &= not costs or len(others) == 1
        span = arrays.spans[index]
        slopes = arrays.slopes[:, others, span] - arrays.slopes[:, [predicted], span]
        ahead = found.opinions[:, :, others] - found.opinions[:, :, [predicted]]
        ahead = np.asfortranarray(ahead) - times_slopes(found.columns[:, span], slopes)
        if linear and costs:
            ahead += np.log(savings[1, 0] / -savings[0, 0])
        log_rest = found.log_firing_without(index)
        return cls(arrays, index, others, now, log_rest, ahead, slopes, savings, linear)

    @property
    def variable(self) -> Variable:
        """The input."""
        return self.arrays.variables[self.index]

    def part(self, rows: NDArray[np.intp]) -> OneInput:
        """The same in some of the rows."""
        log_rest, ahead = self.log_rest.T[:, rows].T, self.ahead.T[:, :, rows].T
        return replace(self, now=self.now[rows], log_rest=log_rest, ahead=ahead)

    def terms(self, at: Array) -> tuple[Array, Array]:
        """log mu+ of each rule at values of the input, and what these add to `ahead`."""
        added = times_slopes(self.arrays.columns_at(self.index, at), self.slopes)
        return self.arrays.log_degrees_at(self.index, at), added

    def leads_at(self, at: Array) -> Array:
        """By how much the others lead if the input is as given, up to a factor, (rows, others)."""
        log_degrees, added = self.terms(at)
        return self._leads(log_degrees, self._said(self.ahead + added))

    def _said(self, ahead: Array) -> Array:
        """What rules say, as their strengths weigh it: where they average, what they save."""
        return saved(ahead, self.savings) if self.arrays.averages and not self.linear else ahead

    def _leads(self, log_degrees: Array, said: Array) -> Array:
        """What rules say together of the others, up to a factor, (rows, others)."""
        weights = relative(with_otherwise(self.log_rest + log_degrees, self.arrays.otherwise))
        together = np.asarray((weights[:, :, None] * said).sum(axis=1))
        if self.linear or self.arrays.averages:
            return together
        return saved(together / weights.sum(axis=1, keepdims=True), self.savings)

    def differs(self, at: Array) -> Mask:
        """Whether another class is predicted then, (rows,)."""
        return np.asarray((self.leads_at(at) > 0).any(axis=1))

    def differs_on(self, grid: Array) -> Mask:
        """Whether another class is predicted at each value of a grid, (rows, grid)."""
        log_degrees, added = self.terms(grid)
        if not self.linear:
            return self._differs_by_value(log_degrees, added)
        degrees, weights = relative(log_degrees).T, relative(self.log_rest)
        differs = np.zeros((len(weights), len(grid)), dtype=bool)
        for other in range(len(self.others)):
            left = np.concatenate([weights * self.ahead[:, :, other], weights], axis=1)
            differs |= left @ np.concatenate([degrees, degrees * added[:, :, other].T]) > 0
        return differs

    def _differs_by_value(self, log_degrees: Array, added: Array) -> Mask:
        """`differs_on` value by value, given the terms of the grid, (rows, grid)."""
        moving = self.slopes.any(axis=(1, 2))  # what the other rules say is the same everywhere
        said = np.array(self._said(self.ahead))
        differs = np.empty((len(said), len(added)), dtype=bool, order="F")
        for number, (degrees, more) in enumerate(zip(log_degrees, added, strict=True)):
            if moving.any():
                said[:, moving] = self._said(self.ahead[:, moving] + more[moving])
            differs[:, number] = (self._leads(degrees, said) > 0).any(axis=1)
        return differs

    def crossings(self, grid: Array) -> Array:
        """Where the answer changes next below and above each row's value, (2, 2, rows).

        Of each side the value from which on it may change, which is the neighbour on a sorted grid
        or the row's own if that is nearer, and the value at which it has; NaN where it does not.
        """
        differs, last = self.differs_on(grid), len(grid) - 1
        below = np.where(differs & (grid < self.now[:, None]), grid, -np.inf).max(axis=1)
        above = np.where(differs & (grid > self.now[:, None]), grid, np.inf).min(axis=1)
        after = grid[np.minimum(np.searchsorted(grid, below) + 1, last)]
        before = grid[np.clip(np.searchsorted(grid, above) - 1, 0, last)]
        inside = np.minimum(self.now, after), np.maximum(self.now, before)
        sides = np.array([[inside[0], below], [inside[1], above]])
        return np.where(np.isfinite(sides[:, 1:]), sides, np.nan)

    def close_in(self, inside: Array, outside: Array) -> Array:
        """Values just across the crossings, as round as the data where that does."""
        variable = self.variable
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


def savings_of(costs: Costs, predicted: int, others: NDArray[np.intp]) -> Array:
    """What it saves to answer others in place of the predicted class, (1 + others, others)."""
    table = np.array(costs) if costs else 1.0 - np.eye(1 + len(others))
    table = table[[predicted, *others]] / table.max()
    return np.asarray(table[:, [predicted]] - table[:, others])


def saved(ahead: Array, savings: Array) -> Array:
    """sum_c q_c savings_ck of classes c, given y_c - y_0 of the others over the last axis.

    Where all errors cost the same it is q_k - q_0 of other classes k and the predicted one.
    """
    highest = np.maximum(ahead.max(axis=-1, keepdims=True), 0.0)
    others, own = np.exp(ahead - highest), np.exp(-highest)
    total = own + others.sum(axis=-1, keepdims=True)
    by_others = others @ savings[1:] if len(savings) > 2 else others * savings[1, 0]
    return np.asarray((by_others + own * savings[0]) / total)


def counterfactuals(
    arrays: RuleArrays, found: Evaluation, values: Array, costs: Costs = ()
) -> Counterfactuals:
    """For each row the smallest change of one input, in spans of it, that changes the answer.

    Numbers change within the range of the training rows; where few values occur, to one of them.
    To change a category counts as a whole span.
    """
    inputs, then = np.full(len(values), -1), np.full(len(values), np.nan)
    answers = np.full(len(values), -1)
    predicted = least_costly(softmax(found.logits), costs)
    for number in sorted(set(predicted.tolist())) if arrays.used else ():
        alike = np.flatnonzero(predicted == number)
        for rows in np.array_split(alike, np.ceil(len(alike) / ROWS_IN_CACHE)):
            part = found.part(rows)
            models = [
                OneInput.of(arrays, index, number, values[rows, j], part, costs)
                for index, j in enumerate(arrays.used)
            ]
            inputs[rows], then[rows], answers[rows] = block_counterfactuals(models)
    return Counterfactuals(inputs, then, answers)


def block_counterfactuals(models: list[OneInput]) -> Counterfactuals:
    """The smallest changes of a block of rows, from the models of each input."""
    # One candidate below each row's value and one above, for every input.
    candidates = [model for model in models for _ in range(2)]
    crossings = np.concatenate([model.crossings(grid_of(model)) for model in models])
    then = nearest_changes(candidates, *crossings.transpose(1, 0, 2))
    sizes = sizes_of(candidates, then)
    best, every = first_least(sizes.T), np.arange(sizes.shape[1])
    possible = np.isfinite(sizes[best, every])
    answers = np.full(len(best), -1)
    for number, model in enumerate(candidates):
        rows = np.flatnonzero(possible & (best == number))
        leads = model.part(rows).leads_at(then[number, rows])
        answers[rows] = model.others[leads.argmax(axis=1)]
    inputs = np.array([model.arrays.used[model.index] for model in candidates])
    changed = np.where(possible, then[best, every], np.nan)
    return Counterfactuals(np.where(possible, inputs[best], -1), changed, answers)


def nearest_changes(candidates: list[OneInput], inside: Array, outside: Array) -> Array:
    """The nearest value of each candidate with another answer, NaN where none, (candidates, rows).

    To the grid's next value only, where another candidate is sure to need less of a change.
    """
    # What is made round may go farther by one unit of the last decimal.
    units = np.array([rounding_size(model.variable) for model in candidates])
    surely = (sizes_of(candidates, outside) + units[:, None]).min(axis=0)
    worth = (sizes_of(candidates, inside) <= surely) & ~np.isnan(outside)
    nearest = outside.copy()
    for number, model in enumerate(candidates):
        rows = np.flatnonzero(worth[number])
        if len(rows) and not (model.variable.categories or model.variable.levels):
            ends = inside[number, rows], outside[number, rows]
            nearest[number, rows] = model.part(rows).close_in(*ends)
    return nearest


def rounding_size(variable: Variable) -> float:
    """By how much a change may grow where its value is made round, in spans of the input."""
    chosen = variable.categories or variable.levels
    return 0.0 if chosen else float(10.0**-variable.decimals / variable.span)


def sizes_of(candidates: list[OneInput], then: Array) -> Array:
    """How large the changes of each candidate are, (candidates, rows)."""
    parts = zip(candidates, then, strict=True)
    return np.array([change_size(model.variable, model.now, values) for model, values in parts])


def grid_of(model: OneInput) -> Array:
    """The values of an input at which other answers are looked for, in order."""
    variable = model.variable
    if variable.categories:
        return np.arange(float(len(variable.categories)))
    if variable.levels:
        return np.array(variable.levels)
    # The borders of averaged rules may lie close together, where one gives way to another.
    count = GRID if model.linear else FINE_GRID
    even = np.linspace(variable.lowest, variable.highest, count)
    sets = model.arrays.sets_of(model.index)
    inside = sets[(sets > variable.lowest) & (sets < variable.highest)]
    # With indices, since without them it imports masked arrays, a tenth of a command's start.
    return np.unique(np.concatenate([even, inside]), return_index=True)[0]


def change_size(variable: Variable, now: Array, then: Array) -> Array:
    """How large a change is, in spans of the input; inf where there is none."""
    sizes = np.abs(then - now) / variable.span
    if variable.categories:
        sizes = np.sign(sizes)
    return np.where(np.isnan(sizes), np.inf, sizes)
