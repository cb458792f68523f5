"""Explanations: the predictions of rows, taken apart where they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.explain import parts
from unfis.explain.contributions import contributions, rules_by_inputs
from unfis.explain.counterfactual import NO_INPUT, Changes, ChangeSearch
from unfis.explain.goal import ANOTHER, Goal
from unfis.explain.neighbours import TrainingRows
from unfis.model import FittedModel
from unfis.text import Wording
from unfis.text.explanation import (
    Prediction,
    alike_words,
    change_words,
    inputs_words,
    is_of_classes,
    no_change_words,
)

EXPLAINED_AT_ONCE = 1024
EXAMPLES = 3  # training rows that are shown
PRINTED = 3  # explanations of many that are printed


@dataclass(frozen=True, eq=False)
class Explanations:
    """The explanations of rows: index them, or go through them."""

    model: FittedModel
    table: Array  # the values of the rows, (rows, inputs)
    goal: Goal | None = ANOTHER  # what counterfactuals are to reach; None for none

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[parts.Explanation]:
        for first in range(0, len(self), EXPLAINED_AT_ONCE):
            yield from self._of_rows(self.table[first : first + EXPLAINED_AT_ONCE])

    @overload
    def __getitem__(self, row: int) -> parts.Explanation: ...
    @overload
    def __getitem__(self, row: slice) -> Explanations: ...
    def __getitem__(self, row: int | slice) -> parts.Explanation | Explanations:
        if isinstance(row, slice):
            return replace(self, table=self.table[row])
        if not -len(self) <= row < len(self):
            raise IndexError(f"There are {len(self)} explained rows; got row {row}.")
        return next(self._of_rows(self.table[[row]]))

    def __str__(self) -> str:
        return "\n\n\n".join([*map(str, self[:PRINTED]), *self._left_out()])

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self) -> str:
        """The explanations of the first rows in HTML."""
        left_out = (f"<p>{words}</p>" for words in self._left_out())
        return "\n".join([*(one.to_html() for one in self[:PRINTED]), *left_out])

    def to_dict(self) -> list[dict[str, Any]]:
        """The explanations of all rows as plain data."""
        return [one.to_dict() for one in self]

    def _left_out(self) -> list[str]:
        more = len(self) - PRINTED
        return [f"... and {more:,} more rows. Index the explanations for one."] * (more > 0)

    @cached_property
    def _search(self) -> ChangeSearch | None:
        return None if self.goal is None else ChangeSearch(self.model, self.goal)

    @cached_property
    def _training(self) -> TrainingRows | None:
        return TrainingRows.of(self.model)

    @cached_property
    def _texts(self) -> list[str]:
        wording = Wording(self.model.rules, self.model.names)
        return [wording.rule(rule) for rule in self.model.rules.rules]

    @cached_property
    def _groups(self) -> list[dict[tuple[int, ...], list[int]]]:
        rules = self.model.rules
        return [rules_by_inputs(rules.rules, c) for c in range(len(rules.start))]

    def _of_rows(self, values: Array) -> Iterator[parts.Explanation]:
        """The explanations of rows, (rows, inputs)."""
        model, rows = self.model, len(values)
        added, degrees = contributions(model.rules, values), model.rules.degrees(values).T
        totals, changes = model.points(values), Changes.none(rows)
        if self._search is not None:
            changes = self._search.changes(values)
        answers, changed = self._predictions(values), changes.applied(values)
        near = [None] * rows if self._training is None else self._training.nearest(added)
        for n, (alike, now, then) in enumerate(
            zip(near, answers, self._predictions(changed), strict=True)
        ):
            inputs = [j for j in changes.inputs[n].tolist() if j != NO_INPUT]
            counterfactual, change = self._counterfactual(now, then, inputs, changes.sizes[n])
            neighbours, rows_alike = self._neighbours(alike)
            by_input = self._by_input(added[n], now.best if model.rules.link == "softmax" else 0)
            yield parts.Explanation(
                *self._answer(now),
                self._known(now.row),
                tuple(self._sums(*(part[n].tolist() for part in (added, degrees, totals)))),
                counterfactual,
                neighbours,
                tuple(note for note in (by_input, change, rows_alike) if note),
                now,
            )

    def _predictions(self, values: Array) -> Iterator[Prediction]:
        """The predictions of rows."""
        model = self.model
        found = model.predictions(values).reshape(len(values), -1)
        best = model.answers(found) if is_of_classes(model.rules) else [0] * len(values)
        for row, answer, c in zip(values, found, best, strict=True):
            yield Prediction(model.rules, model.names, row, int(c), answer)

    def _answer(self, found: Prediction) -> tuple[Any, Any, tuple[tuple[Any, float], ...]]:
        """The answer, the most probable other class, and the probability of each."""
        if not is_of_classes(self.model.rules):
            return float(found.answer[0]), None, ()
        labels = self.model.columns.classes.tolist()
        second = np.where(np.arange(len(labels)) == found.best, -1.0, found.answer).argmax()
        pairs = tuple(zip(labels, found.answer.tolist(), strict=True))
        return labels[found.best], labels[int(second)], pairs

    def _sums(
        self, added: list[float], degrees: list[float], totals: list[float]
    ) -> Iterator[parts.Sum]:
        """How each output comes about."""
        model = self.model.rules
        outputs = self.model.columns.classes.tolist() or [*self.model.names.outputs]
        for c, output in enumerate(outputs[-len(model.start) :]):
            inputs = [
                parts.InputPart(self._names(key), sum(added[n] for n in places))
                for key, places in self._groups[c].items()
            ]
            rules = tuple(
                parts.RulePart(n, self._texts[n], rule.points, degrees[n], added[n])
                for n, rule in enumerate(model.rules)
                if rule.output == c
            )
            inputs.sort(key=lambda part: -abs(part.contribution))
            yield parts.Sum(output, model.start[c], rules, tuple(inputs), totals[c])

    def _by_input(self, added: Array, output: int) -> str:
        """What the rules of each input add to an output, where those of one are several."""
        held = {key: added[places] for key, places in self._groups[output].items()}
        if all(np.count_nonzero(ones) < 2 for ones in held.values()):
            return ""
        sums = [(key, float(ones.sum())) for key, ones in held.items() if ones.any()]
        return inputs_words(self.model.names, sorted(sums, key=lambda part: -abs(part[1])))

    def _counterfactual(
        self, now: Prediction, then: Prediction, inputs: list[int], size: float
    ) -> tuple[parts.Counterfactual | None, str]:
        """The smallest change of a row, as data and in words."""
        search = self._search
        if search is None:
            return None, ""
        if size == inf:
            old = search.goal.answers(self.model, now.row[None])
            is_met = bool(search.goal.is_reached(self.model, now.row[None], old)[0])
            return None, no_change_words(self.model.names, search.goal.words, is_met)
        beyond = search.beyond(now.row, then.row, inputs[0]) if len(inputs) == 1 else ""
        answer, _, probabilities = self._answer(then)
        changes = tuple(
            parts.ValueChange(name, self._value(now.row, j), self._value(then.row, j), beyond)
            for j, name in zip(inputs, self._names(inputs), strict=True)
        )
        probability = probabilities[then.best][1] if probabilities else None
        words = change_words(then, now.row, inputs, beyond)
        return parts.Counterfactual(changes, answer, probability, float(size)), words

    def _neighbours(
        self, alike: tuple[NDArray[np.intp], float] | None
    ) -> tuple[parts.Neighbours | None, str]:
        """The training rows that are alike, as data and in words."""
        if alike is None or self._training is None:
            return None, ""
        (near, distance), rows = alike, self.model.training_rows()
        labels = self.model.columns.classes.tolist()
        weights = rows.weights[near]
        total = float(weights.sum())
        right = float(weights @ self._training.right[near]) / total
        examples = tuple(
            parts.Example(self._known(rows.values[n]), labels[int(target)] if labels else target)
            for n, target in zip(near, rows.targets[near[:EXAMPLES]].tolist(), strict=False)
        )
        share, error = (right, None) if labels else (None, right)
        words = alike_words(self.model.rules, total, distance == 0, right)
        return parts.Neighbours(total, distance, share, error, examples), words

    def _names(self, inputs: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.model.names.inputs[j] for j in inputs)

    def _known(self, row: Array) -> dict[str, Any]:
        """The values of the inputs that the rules look at."""
        used = sorted({j for keys in self._groups for key in keys for j in key})
        return {self.model.names.inputs[j]: self._value(row, j) for j in used}

    def _value(self, row: Array, j: int) -> Any:
        """A value as the table has it, None where it is unknown."""
        value, categories = float(row[j]), self.model.columns.inputs[j].categories
        if np.isnan(value):
            return None
        return categories[int(value)] if categories else value
