"""A rule base at work: its plain data as arrays, and what they make of a table's values.

This is the network a second time, in the units of the table and for reading: it keeps what each
condition does apart. tests/rules/test_evaluation.py holds it to the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, log_softmax
from unfis.data.columns import LARGEST_INPUT
from unfis.network.layers import memberships_of, selection_layer, weighed
from unfis.rules.data import Condition, Rule, Variable


class Evaluation(NamedTuple):
    """What the rules make of rows, which lie side by side in memory: they are many."""

    knows_something: Mask  # whether any used input is known, (rows,)
    columns: Array  # the values as columns, 0 where unknown, (rows, columns)
    log_degrees: Array  # log mu+, how far each input fulfils each rule, (rows, rules, inputs)
    log_firing: Array  # log f, how far all conditions of each rule hold, (rows, rules)
    log_strengths: Array  # log phi, (rows, rules)
    opinions: Array  # y, (rows, rules, classes)
    logits: Array  # z, (rows, classes)

    @property
    def strengths(self) -> Array:
        """phi, how much each rule has to say, (rows, rules)."""
        return np.exp(self.log_strengths)

    def log_firing_without(self, index: int) -> Array:
        """log f without one used input, summed over the others: a difference would cancel."""
        before, after = self.log_degrees[:, :, :index], self.log_degrees[:, :, index + 1 :]
        return np.asarray(before.sum(axis=2) + after.sum(axis=2))

    def part(self, rows: NDArray[np.intp]) -> Evaluation:
        """Some of the rows."""
        return Evaluation._make(np.asfortranarray(array[rows]) for array in self)


class RuleArrays:
    """The rules' data as arrays over the inputs that any rule looks at.

    A value enters as columns: a number as its distance from the reference in scales, a category as
    one 0/1 column per kind. An unknown value is 0 in all of them.
    """

    def __init__(self, variables: Sequence[Variable], rules: Sequence[Rule]) -> None:
        names = {condition.input for rule in rules for condition in rule.conditions}
        # Indices of the inputs that are in any rule, and these inputs.
        self.used = [j for j, variable in enumerate(variables) if variable.name in names]
        self.variables = [variables[j] for j in self.used]
        counts = [max(1, len(variable.categories)) for variable in self.variables]
        stops = np.cumsum(counts).tolist()
        # The columns of each used input.
        self.spans = [slice(stop - n, stop) for stop, n in zip(stops, counts, strict=True)]
        shape = len(rules), len(self.used)
        self.selection = np.zeros(shape)  # vs, 0 where an input is out, (rules, used)
        # Of the sets of numbers, in scales from the reference, (rules, used).
        self.centres, self.widths = np.zeros(shape), np.ones(shape)
        # Of each used input, log mu+ of its categories, (categories, rules).
        self.log_degrees = [np.zeros((n, len(rules))) for n in counts]
        self.biases = np.array([[c.bias for c in rule.consequents] for rule in rules])
        self.slopes = np.zeros((*self.biases.shape, sum(counts)))  # (rules, classes, columns)
        indices = {variable.name: j for j, variable in enumerate(self.variables)}
        for i, rule in enumerate(rules):
            for k, condition in enumerate(rule.conditions):
                slopes = np.array([np.atleast_1d(c.slopes[k]) for c in rule.consequents])
                self._enter(i, indices[condition.input], condition, slopes)

    def _enter(self, i: int, j: int, condition: Condition, slopes: Array) -> None:
        """Enter rule i's condition on used input j, and what it adds, (classes, columns)."""
        variable = self.variables[j]
        self.selection[i, j] = condition.selection
        if variable.categories:
            self.log_degrees[j][:, i] = np.log(condition.degrees)
        else:
            assert condition.shift is not None
            assert condition.width is not None
            self.centres[i, j] = condition.shift / variable.scale
            self.widths[i, j] = condition.width / variable.scale
            slopes = slopes * variable.scale
        self.slopes[i, :, self.spans[j]] = slopes

    def sets_of(self, index: int) -> Array:
        """Centres of the sets on a used number, and the points one width beside them."""
        inside = self.selection[:, index] > 0
        variable = self.variables[index]
        centres = self.centres[inside, index] * variable.scale + variable.reference
        widths = self.widths[inside, index] * variable.scale
        return np.concatenate([centres, centres - widths, centres + widths])

    def is_below(self, values: Array) -> Mask:
        """Whether a number lies below the centre of its set, shape (rows, rules, used)."""
        below = np.zeros((len(values), *self.selection.shape), dtype=bool, order="F")
        for index, (variable, j) in enumerate(zip(self.variables, self.used, strict=True)):
            if not variable.categories:
                scaled = self._scaled(index, values[:, j])
                below[:, :, index] = (scaled < self.centres[:, index, None]).T
        return below

    def columns_at(self, index: int, at: Array) -> Array:
        """The columns of values of one input, 0 where unknown, shape (rows, its columns)."""
        variable = self.variables[index]
        if variable.categories:
            return np.asarray(at[:, None] == np.arange(len(variable.categories)), dtype=float)
        scaled = self._scaled(index, at)
        scaled[np.isnan(at)] = 0.0
        return scaled[:, None]

    def log_degrees_at(self, index: int, at: Array) -> Array:
        """log mu+ of each rule at values of one input, shape (rows, rules)."""
        if self.variables[index].categories:
            table = np.vstack([self.log_degrees[index], np.zeros(len(self.biases))])
            return table.T[:, np.where(np.isnan(at), -1, at).astype(int)].T
        deviations = self._scaled(index, at) - self.centres[:, index, None]
        deviations /= self.widths[:, index, None]
        deviations[:, np.isnan(at)] = 0.0
        log_memberships = -0.5 * deviations**2
        selection = self.selection[:, index, None]
        memberships = memberships_of(log_memberships, selection)
        return selection_layer(log_memberships, memberships, selection).T

    def _scaled(self, index: int, at: Array) -> Array:
        """A number's distance from its reference in scales, clipped as the network's inputs."""
        variable = self.variables[index]
        with np.errstate(over="ignore"):
            scaled = (at - variable.reference) / variable.scale
        return np.clip(scaled, -LARGEST_INPUT, LARGEST_INPUT, out=scaled)

    def evaluate(self, values: Array) -> Evaluation:
        """What the rules make of rows of values, shape (rows, inputs)."""
        log_degrees = np.empty((len(values), *self.selection.shape), order="F")
        columns = np.empty((len(values), self.slopes.shape[2]), order="F")
        for index, (j, span) in enumerate(zip(self.used, self.spans, strict=True)):
            log_degrees[:, :, index] = self.log_degrees_at(index, values[:, j])
            columns[:, span] = self.columns_at(index, values[:, j])
        log_firing = log_degrees.sum(axis=2)
        log_strengths = log_softmax(log_firing)
        opinions = times_slopes(columns, self.slopes) + self.biases
        logits = weighed(np.exp(log_strengths), opinions)
        known = np.asarray(~np.isnan(values[:, self.used]).all(axis=1) | (not self.used))
        return Evaluation(known, columns, log_degrees, log_firing, log_strengths, opinions, logits)


def times_slopes(columns: Array, slopes: Array) -> Array:
    """Columns times the slopes of each rule and class, (rows, rules, classes)."""
    rules, classes, count = slopes.shape
    flat = slopes.reshape(rules * classes, count) @ columns.T
    return np.asarray(flat.reshape(rules, classes, len(columns)).transpose(2, 0, 1))
