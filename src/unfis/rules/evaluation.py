"""A rule base at work: its plain data as arrays, and what they make of a table's values.

This is the network a second time, in the units of the table and for reading: it keeps what each
condition does apart. tests/rules/test_evaluation.py holds it to the network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, log_softmax, softmax
from unfis.data.columns import LARGEST_INPUT
from unfis.network.combination import AVERAGED, COMBINATIONS
from unfis.network.layers import (
    memberships_of,
    otherwise_layer,
    rule_layer,
    selection_layer,
    within_core,
)
from unfis.rules.data import Condition, Effect, Rule, Variable

# A number so many ranges of the training rows outside of them is unlike any of theirs.
FAR = 0.5


class Evaluation(NamedTuple):
    """What the rules make of rows, which lie side by side in memory: they are many."""

    knows_something: Mask  # whether any used input is known, (rows,)
    far: Mask  # whether a used number is far outside the training rows' range, (rows,)
    columns: Array  # the values as columns, 0 where unknown, (rows, columns)
    log_degrees: Array  # log mu+, how far each input fulfils each rule, (rows, rules, inputs)
    log_firing: Array  # log f, how far all conditions of each rule hold, (rows, rules)
    log_strengths: Array  # log phi, (rows, rules)
    opinions: Array  # y, (rows, rules, classes)
    logits: Array  # z, of which soft-max is p: (rows, classes)
    otherwise: int | None  # the rule that speaks where no other does

    @property
    def strengths(self) -> Array:
        """phi, how much each rule has to say, (rows, rules)."""
        return np.exp(self.log_strengths)

    @property
    def said(self) -> Array:
        """What each rule says by itself, probabilities, (rows, rules, classes)."""
        return softmax(self.opinions)

    def log_firing_without(self, index: int) -> Array:
        """log f without one used input, summed over the others: a difference would cancel."""
        before, after = self.log_degrees[:, :, :index], self.log_degrees[:, :, index + 1 :]
        return with_otherwise(rule_layer(before) + rule_layer(after), self.otherwise)

    def part(self, rows: NDArray[np.intp]) -> Evaluation:
        """Some of the rows."""
        return Evaluation._make(
            np.asfortranarray(part[rows]) if isinstance(part, np.ndarray) else part for part in self
        )


class RuleArrays:
    """The rules' data as arrays over the inputs that any rule has in its IF or its THEN.

    A value enters as columns: a number as its distance from the reference in scales, a category as
    one 0/1 column per kind. An unknown value is 0 in all of them.
    """

    def __init__(
        self, variables: Sequence[Variable], rules: Sequence[Rule], combination: str
    ) -> None:
        self.combination = COMBINATIONS[combination]
        # The rule that speaks where no other does.
        self.otherwise = next((i for i, rule in enumerate(rules) if rule.otherwise), None)
        names = {condition.input for rule in rules for condition in rule.conditions}
        names |= {effect.input for rule in rules for effect in rule.effects}
        # Indices of the inputs that are in any rule, and these inputs.
        self.used = [j for j, variable in enumerate(variables) if variable.name in names]
        self.variables = [variables[j] for j in self.used]
        counts = [max(1, len(variable.categories)) for variable in self.variables]
        stops = np.cumsum(counts).tolist()
        # The columns of each used input.
        self.spans = [slice(stop - n, stop) for stop, n in zip(stops, counts, strict=True)]
        shape = len(rules), len(self.used)
        self.selection = np.zeros(shape)  # vs of the IF, 0 where out of it, (rules, used)
        # Of the sets of numbers, in scales from the reference, (rules, used).
        self.centres, self.widths = np.zeros(shape), np.ones(shape)
        # How far their cores reach below and above the centres, infinite without end.
        self.reaches = np.zeros((2, *shape))
        # Of each used input, log mu+ of its categories, (categories, rules).
        self.log_degrees = [np.zeros((n, len(rules))) for n in counts]
        self.biases = np.array([rule.biases for rule in rules], dtype=float)  # (rules, classes)
        self.slopes = np.zeros((*self.biases.shape, sum(counts)))  # (rules, classes, columns)
        indices = {variable.name: j for j, variable in enumerate(self.variables)}
        for i, rule in enumerate(rules):
            for condition in rule.conditions:
                self._enter_condition(i, indices[condition.input], condition)
            for effect in rule.effects:
                self._enter_effect(i, indices[effect.input], effect)

    def _enter_condition(self, i: int, j: int, condition: Condition) -> None:
        """Enter rule i's condition on used input j."""
        variable = self.variables[j]
        self.selection[i, j] = condition.selection
        if variable.categories:
            self.log_degrees[j][:, i] = np.log(condition.degrees)
        else:
            assert condition.shift is not None
            assert condition.width is not None
            self.centres[i, j] = condition.shift / variable.scale
            self.widths[i, j] = condition.width / variable.scale
            for side, reach in enumerate(condition.reach):
                self.reaches[side, i, j] = np.inf if reach is None else reach / variable.scale

    def _enter_effect(self, i: int, j: int, effect: Effect) -> None:
        """Enter what used input j adds to rule i's opinions."""
        variable, slopes = self.variables[j], np.array(effect.slopes, dtype=float)
        scale = 1.0 if variable.categories else variable.scale
        self.slopes[i, :, self.spans[j]] = scale * slopes.reshape(len(slopes), -1)

    @property
    def averages(self) -> bool:
        """Whether rules average their probabilities; otherwise they mix their outputs."""
        return self.combination.name == AVERAGED.name  # a pickled one is another object

    def sets_of(self, index: int) -> Array:
        """Centres of the sets on a used number, and the points one width beside their cores."""
        inside = self.selection[:, index] > 0
        variable = self.variables[index]
        centres = self.centres[inside, index] * variable.scale + variable.reference
        reaches = self.reaches[:, inside, index] + self.widths[inside, index]
        below, above = reaches * variable.scale
        found = np.concatenate([centres, centres - below, centres + above])
        return np.asarray(found[np.isfinite(found)])

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
        deviations -= within_core(deviations, *self.reaches[:, :, index, None])
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
        log_firing = with_otherwise(rule_layer(log_degrees), self.otherwise)
        log_strengths = log_softmax(log_firing)
        opinions = times_slopes(columns, self.slopes) + self.biases
        return Evaluation(
            np.asarray(~np.isnan(values[:, self.used]).all(axis=1) | (not self.used)),
            self._is_far(values),
            columns,
            log_degrees,
            log_firing,
            log_strengths,
            opinions,
            self.logits_of(np.exp(log_strengths), opinions),
            self.otherwise,
        )

    def logits_of(self, strengths: Array, opinions: Array) -> Array:
        """z of strengths and opinions, in which the thresholds are: (rows, classes)."""
        return self.combination.outputs(strengths, opinions, np.zeros(self.biases.shape[1]))

    def _is_far(self, values: Array) -> Mask:
        """Whether any used number is far outside the range of the training rows, (rows,)."""
        far = np.zeros(len(values), dtype=bool)
        for variable, j in zip(self.variables, self.used, strict=True):
            if not variable.categories:
                beyond = FAR * (variable.highest - variable.lowest)
                far |= values[:, j] < variable.lowest - beyond
                far |= values[:, j] > variable.highest + beyond
        return far


def with_otherwise(log_firing: Array, otherwise: int | None) -> Array:
    """log f with that of the rule that speaks where no other does, if there is one."""
    return log_firing if otherwise is None else otherwise_layer(log_firing, otherwise)


def times_slopes(columns: Array, slopes: Array) -> Array:
    """Columns times the slopes of each rule and class, (rows, rules, classes)."""
    rules, classes, count = slopes.shape
    flat = slopes.reshape(rules * classes, count) @ columns.T
    return np.asarray(flat.reshape(rules, classes, len(columns)).transpose(2, 0, 1))
