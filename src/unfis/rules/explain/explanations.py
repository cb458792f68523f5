"""Predictions taken apart, many rows at once: arrays first, words for the row that is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.samples import TrainingSample
from unfis.rules.data import Variable
from unfis.rules.evaluation import Evaluation, RuleArrays, times_slopes
from unfis.rules.explain.attribution import Shares, share_out
from unfis.rules.explain.counterfactuals import Counterfactuals, counterfactuals
from unfis.rules.rule_base import RuleBase
from unfis.rules.text.explanation import (
    Change,
    Explanation,
    HeldCondition,
    InputPart,
    Neighbour,
    RulePart,
)
from unfis.rules.text.operating_point import reason_words
from unfis.rules.text.words import value_words
from unfis.ties import is_less, ranked

# Training rows that are shown beside a row, and decimals of the coordinates they are found by.
NEIGHBOURS = 3
DIGITS = 9
# Rows that are shown when many explanations are printed.
MOST_SHOWN = 5
# The value of each input in a row, None where unknown, and input and value in words.
Known = Mapping[str, tuple[Any, str]]


@dataclass(frozen=True)
class Explanations:
    """Why rows got their answers; index it for one row's `Explanation`, or slice it."""

    base: RuleBase
    values: Array  # of the rows, (rows, inputs)
    found: Evaluation  # what the rules make of them
    shares: Shares  # what adds up to the predictions
    changes: Counterfactuals  # the smallest ones that would change the answers
    coverage: Array  # the share of training rows that are covered no better, (rows,)
    sample: TrainingSample  # the training rows to compare with
    intervals: Array | None  # of each class's probability, (rows, classes, 2); None if unknown
    n_jobs: int | None = None  # how many threads look for the most alike of them, None for one

    @cached_property
    def neighbours(self) -> tuple[NDArray[np.intp], Array]:
        """Indices of the most alike training rows in the sample, and distances, (rows, 3) each.

        Only looked for when asked: among ten thousand rows that takes as long as all the rest.
        """
        arrays = self.base.arrays
        if not len(self.sample.rows):  # of a model that was read from a file
            return np.empty((len(self), 0), dtype=np.intp), np.empty((len(self), 0))
        known = points_of(arrays, arrays.evaluate(self.sample.values), self.sample.values)
        points = points_of(arrays, self.found, self.values)
        return nearest_points(known, points, NEIGHBOURS, self.n_jobs)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Explanation]:
        return (self[row] for row in range(len(self)))

    @overload
    def __getitem__(self, row: int) -> Explanation: ...
    @overload
    def __getitem__(self, row: slice) -> Explanations: ...
    def __getitem__(self, row: int | slice) -> Explanation | Explanations:
        if isinstance(row, slice):
            return self._part(np.arange(len(self))[row])
        if not -len(self) <= row < len(self):
            raise IndexError(f"There are {len(self)} explained rows, got row {row}.")
        return one_row(self, row % len(self))

    def _part(self, rows: NDArray[np.intp]) -> Explanations:
        """The explanations of some of the rows."""
        return replace(
            self,
            values=self.values[rows],
            found=self.found.part(rows),
            shares=self.shares.part(rows),
            changes=self.changes.part(rows),
            coverage=self.coverage[rows],
            intervals=None if self.intervals is None else self.intervals[rows],
        )

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self) -> str:
        """The explanations of the first rows in words."""
        return "\n\n\n".join([*map(str, islice(self, MOST_SHOWN)), *self._left_out()])

    def to_html(self) -> str:
        """The explanations of the first rows as HTML."""
        left_out = [f"<p>{words}</p>" for words in self._left_out()]
        return "\n".join([*(one.to_html() for one in islice(self, MOST_SHOWN)), *left_out])

    def to_dict(self) -> list[dict[str, Any]]:
        """The explanations of all rows as dicts."""
        return [explanation.to_dict() for explanation in self]

    def _left_out(self) -> list[str]:
        more = len(self) - MOST_SHOWN
        return [f"... and {more:,} more rows; index the explanations to see one."] * (more > 0)


def explain_rows(
    base: RuleBase,
    values: Array,
    sample: TrainingSample,
    n_jobs: int | None = None,
    intervals: Array | None = None,
) -> Explanations:
    """Take the predictions of rows apart; `intervals` are those of their probabilities."""
    values = values.copy()  # what the user does with the table must not change what is explained
    found = base.arrays.evaluate(values)
    return Explanations(
        base,
        values,
        found,
        share_out(base.arrays, found, base.costs),
        counterfactuals(base.arrays, found, values, base.costs),
        base.covered(found),
        sample,
        intervals,
        n_jobs,
    )


def points_of(arrays: RuleArrays, found: Evaluation, values: Array) -> Array:
    """Rows as points: how strong each rule is, and where each of its conditions finds them.

    Coordinates are sqrt(phi_i) and sqrt(phi_i) t_ij, with t = +-sqrt(-2 log mu+) the distance from
    a set's centre in widths: where a rule finds a row matters by how strong the rule is there.
    Rules that average their probabilities may have inputs in their THEN alone: what each input
    adds to their outputs, beside its mean over the classes, counts alike. To so many digits as
    every machine has alike, or rows that are as near would be other ones on each. Shape (rows,
    coordinates).
    """
    roots = np.exp(0.5 * found.log_strengths)[:, :, None]
    distances = np.sqrt(np.maximum(-2 * found.log_degrees, 0.0))
    distances *= np.where(arrays.is_below(values), -roots, roots)
    parts = [roots, distances]
    if arrays.averages:
        slopes = arrays.slopes - arrays.slopes.mean(axis=1, keepdims=True)
        adding = [span for span in arrays.spans if slopes[:, :, span].any()]
        parts += [
            roots * times_slopes(found.columns[:, span], slopes[:, :, span]) for span in adding
        ]
    points = np.concatenate(parts, axis=2).reshape(len(roots), -1)
    return np.round(points, DIGITS, out=points)


def nearest_points(
    known: Array, points: Array, count: int, n_jobs: int | None = None
) -> tuple[NDArray[np.intp], Array]:
    """Indices of the nearest known points and their distances, (rows, count) each."""
    from joblib import effective_n_jobs  # imported late: rules are read without
    from scipy.spatial import cKDTree

    numbers, workers = np.arange(1, min(count, len(known)) + 1), effective_n_jobs(n_jobs)
    distances, indices = cKDTree(known).query(points, k=numbers, workers=workers)
    return np.asarray(indices), np.asarray(distances)


def one_row(explained: Explanations, row: int) -> Explanation:
    """The explanation of one row as plain data."""
    base = explained.base
    found = explained.found.part(np.array([row]))
    shares = explained.shares.part(np.array([row]))
    known = {}
    for variable, at in zip(base.variables, explained.values[row], strict=True):
        value = original(variable, at)
        known[variable.name] = value, f"{base.labels[variable.name]} {value_words(variable, value)}"
    first, second = int(shares.predicted[0]), int(shares.runner_up[0])
    probabilities, interval = softmax(found.logits[0]).tolist(), None
    if explained.intervals is not None:
        low, high = explained.intervals[row, first].tolist()
        interval = low, high
    return Explanation(
        prediction=base.classes[first],
        runner_up=base.classes[second],
        probabilities=tuple(probabilities),
        classes=base.classes,
        interval=interval,
        quantity="probability" if base.arrays.averages else "log-odds",
        total=float(shares.total[0]),
        start=float(shares.start[0]),
        rules=tuple(rule_parts(base, found, shares, known)),
        inputs=tuple(input_parts(base, shares, known)),
        unknown=tuple(name for name, (value, _) in known.items() if value is None),
        coverage=float(explained.coverage[row]),
        neighbours=tuple(neighbours_of(explained, row)),
        change=change_of(explained, row, known),
        reason=reason_words(base) if is_less(probabilities[first], probabilities[second]) else "",
    )


def original(variable: Variable, value: float) -> Any:
    """A value as it was in the table, None where unknown."""
    if np.isnan(value):
        return None
    return variable.categories[int(value)] if variable.categories else float(value)


def rule_parts(
    base: RuleBase, found: Evaluation, shares: Shares, known: Known
) -> Iterator[RulePart]:
    """What each rule has to say on one row."""
    names = [variable.name for variable in base.arrays.variables]
    for i, rule in enumerate(base.rules):
        logs = dict(zip(names, found.log_degrees[0, i].tolist(), strict=True))
        least = min((logs[condition.input] for condition in rule.conditions), default=0.0)
        conditions = tuple(
            HeldCondition(name, *known[name], condition.term, math.exp(log), log == least < 0)
            for condition in rule.conditions
            for name, log in [(condition.input, logs[condition.input])]
        )
        strength, share = float(found.strengths[0, i]), float(shares.of_rules[0, i])
        other = float(shares.for_runner_up[0, i]) if base.arrays.averages else None
        yield RulePart(i + 1, strength, share, other, conditions, rule.otherwise)


def input_parts(base: RuleBase, shares: Shares, known: Known) -> Iterator[InputPart]:
    """What each used input adds on one row, the strongest first."""
    added = shares.of_inputs[0]
    for index in ranked(-np.abs(added)):
        name = base.arrays.variables[index].name
        yield InputPart(name, *known[name], float(added[index]))


def neighbours_of(explained: Explanations, row: int) -> Iterator[Neighbour]:
    """The training rows most like a row."""
    sample = explained.sample
    indices, distances = explained.neighbours
    for index, distance in zip(indices[row], distances[row], strict=True):
        label = explained.base.classes[sample.codes[index]]
        yield Neighbour(int(sample.rows[index]), label, float(distance))


def change_of(explained: Explanations, row: int, known: Known) -> Change | None:
    """The smallest change that would change the answer of a row, in words."""
    found, base = explained.changes, explained.base
    j = int(found.inputs[row])
    if j < 0:
        return None
    variable = base.variables[j]
    now, then = known[variable.name][0], original(variable, float(found.values[row]))
    words = f"{value_words(variable, then)} instead of {value_words(variable, now)}"
    label = f"{base.labels[variable.name]} {words}"
    return Change(variable.name, now, then, label, base.classes[found.predicted[row]])
