"""Rules of the compared systems: AND or OR as a neuron is, in the words of `unfis.rules`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.rules.data import Condition
from unfis.rules.extract import half_reach, plain
from unfis.rules.text.numbers import numbered, percent, resolved_decimals
from unfis.rules.text.render import rule_lines, wrapped
from unfis.rules.text.sentences import ConditionWords, RuleWords
from unfis.rules.text.terms import interval_words, worded_list
from unfis.rules.text.words import class_name, visible
from unfis.ties import first_greatest
from unfis_paper.compared.neurons import neuron_outputs
from unfis_paper.compared.operators import conjunctive_shares

# Inputs of less weight are not printed.
LEAST_PRINTED = 0.05


@dataclass(frozen=True)
class LogicRule:
    """A neuron as a rule.

    Attributes
    ----------
    connective : "AND" or "OR", by which it combines most degrees
    conjunction : for what share of degrees that is AND
    conditions : the fuzzy set of each input that counts; `selection` is its weight
    certainties : what the rule adds to the score of each class where it holds
    label : the class that it adds most to
    least : how far it holds at least, wherever in the ranges of the inputs a row is
    rows : how many rows its cloud holds; 0 where it has none
    """

    connective: str
    conjunction: float
    conditions: tuple[Condition, ...]
    certainties: tuple[float, ...]
    label: Any
    least: float
    rows: int = 0


@dataclass(frozen=True)
class LogicRules:
    """The rules of a network of logic neurons.

    Attributes
    ----------
    classes : labels of the classes
    rules : the rules
    constant : the score of each class to begin with, before any rule adds to it
    rows : how many rows were learned from
    decimals : how many decimals each input is told with, by its name
    """

    classes: tuple[Any, ...]
    rules: tuple[LogicRule, ...]
    constant: tuple[float, ...]
    rows: int
    decimals: dict[str, int]

    @classmethod
    def of_neurons(
        cls,
        names: Sequence[str],
        classes: Sequence[Any],
        ends: tuple[Array, Array],
        rows: int,
        centres: Array,
        widths: Array,
        weights: Array,
        elements: Array,
        coefficients: Array,
        sizes: Any = None,
    ) -> LogicRules:
        """Rules of neurons; arrays have a row for each, the ends are of the inputs' ranges.

        The first row of the coefficients is the constant, shape (1 + neurons, classes).
        """
        constant, certainties = coefficients[0], coefficients[1:]
        labels = tuple(plain(label) for label in classes)
        shares = conjunctive_shares(elements)
        least = least_outputs(ends, centres, widths, weights, elements)
        rules = []
        for i, (centre, width, weight) in enumerate(zip(centres, widths, weights, strict=True)):
            conditions = [
                Condition(
                    str(name), "number", min(1.0, float(weight[j])), float(centre[j]),
                    float(width[j]), interval=interval_of(centre[j], width[j], ends, j),
                )
                for j, name in enumerate(names)
                if weight[j] >= LEAST_PRINTED
            ]  # fmt: skip
            rules.append(
                LogicRule(
                    "AND" if shares[i] >= 0.5 else "OR",
                    float(shares[i]),
                    tuple(conditions),
                    tuple(certainties[i].tolist()),
                    labels[int(first_greatest(certainties[i]))],
                    float(least[i]),
                    0 if sizes is None else int(sizes[i]),
                )
            )
        spreads = ends[1] - ends[0]
        digits = {
            str(name): resolved_decimals(centres[:, j], float(spreads[j]))
            for j, name in enumerate(names)
        }
        return cls(labels, tuple(rules), tuple(constant.tolist()), rows, digits)

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[LogicRule]:
        return iter(self.rules)

    def __getitem__(self, number: int) -> LogicRule:
        return self.rules[number]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The rules in words."""
        told = worded_list([class_name(label) for label in self.classes])
        count = numbered(len(self), "rule")
        head = f"{count} for {told}, learned from {numbered(self.rows, 'row')}"
        start = f"To begin with: {self._scores(self.constant)}."
        blocks = [
            "\n".join(rule_lines(self._words(rule, number)))
            for number, rule in enumerate(self.rules, 1)
        ]
        note = (
            "To what there is to begin with, each rule's certainties are added, times how far it "
            "holds; the class with the highest sum is the answer."
        )
        opening, closing = ("\n".join(wrapped(text)) for text in (start, note))
        return "\n\n".join([head, opening, *blocks, closing])

    def _scores(self, values: tuple[float, ...]) -> str:
        """A number for each class."""
        return ", ".join(
            f"{class_name(label)} {value:+.2f}"
            for label, value in zip(self.classes, values, strict=True)
        )

    def _words(self, rule: LogicRule, number: int) -> RuleWords:
        """One rule in words."""
        always = rule.least >= 0.5
        # A condition that always holds adds nothing to an AND, but an OR holds with it alone.
        if rule.connective == "AND":
            printed = [c for c in rule.conditions if c.interval != (None, None)]
        else:
            printed = [] if always else list(rule.conditions)
        combined = max(rule.conjunction, 1 - rule.conjunction)
        remarks = [f"certainties: {self._scores(rule.certainties)}"]
        if combined < 1 and len(printed) > 1:
            remarks.append(f"combined by {rule.connective} for {percent(combined)} of the degrees")
        if always:
            remarks.append(
                f"holds on all rows that were learned from, to {least_words(rule.least)}"
            )
        return RuleWords(
            title=f"Rule {number}",
            support=f"a cloud of {numbered(rule.rows, 'row')}" if rule.rows else "",
            conditions=[self._condition_words(condition) for condition in printed],
            opening="" if printed else "in every case",
            conclusion=class_name(rule.label),
            points=None,
            remarks=remarks,
            classes=[],
            connective=rule.connective,
        )

    def _condition_words(self, condition: Condition) -> ConditionWords:
        """One condition in words, with its weight where that is not 1."""
        digits = self.decimals[condition.input]
        low, high = (None if end is None else round(end, digits) for end in condition.interval)
        is_open = low is None and high is None
        term = "any of its values" if is_open else interval_words((low, high), digits, "")
        weight = "" if condition.selection > 0.995 else f"weight {condition.selection:.2f}"
        return ConditionWords(visible(condition.input), visible(term), weight)


def least_outputs(
    ends: tuple[Array, Array], centres: Array, widths: Array, weights: Array, elements: Array
) -> Array:
    """What each neuron gives at least within the ranges, shape (neurons,).

    Neurons increase with all memberships, which are least at the ends that are farther away.
    """
    low, high = ends
    corners = np.where(np.abs(low - centres) > np.abs(high - centres), low, high)
    return np.asarray(np.diag(neuron_outputs(corners, centres, widths, weights, elements)))


def least_words(least: float) -> str:
    """At least how far a rule holds, rounded down."""
    whole = int(100 * least + 1e-9)
    return "the full" if whole == 100 else f"at least {whole} %"


def interval_of(
    centre: float, width: float, ends: tuple[Array, Array], j: int
) -> tuple[float | None, float | None]:
    """Where a membership is above one half; None at an end that no row goes beyond."""
    reach = half_reach(1.0, float(width))
    low, high = float(centre) - reach, float(centre) + reach
    return low if low > ends[0][j] else None, high if high < ends[1][j] else None


@dataclass(frozen=True)
class PrototypeRule:
    """A class with the prototypes that stand for it.

    Attributes
    ----------
    label : the class
    prototypes : their coordinates, shape (prototypes, inputs)
    rows : how many rows each stands for
    """

    label: Any
    prototypes: Array
    rows: tuple[int, ...]


@dataclass(frozen=True)
class PrototypeRules:
    """A rule for each class: IF a row is nearest to one of its prototypes.

    Attributes
    ----------
    names : of the inputs
    rules : the rules
    """

    names: tuple[str, ...]
    rules: tuple[PrototypeRule, ...]
    most_printed: int = 4

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[PrototypeRule]:
        return iter(self.rules)

    def __getitem__(self, number: int) -> PrototypeRule:
        return self.rules[number]

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The rules in words, each with the prototypes that stand for most rows."""
        told = worded_list([class_name(rule.label) for rule in self.rules])
        rows = sum(sum(rule.rows) for rule in self.rules)
        head = f"{numbered(len(self), 'rule')} for {told}, learned from {numbered(rows, 'row')}"
        blocks = [
            "\n".join(rule_lines(self._words(rule, number)))
            for number, rule in enumerate(self.rules, 1)
        ]
        note = "The nearest prototype decides; rows and prototypes have length 1."
        return "\n\n".join([head, *blocks, note])

    def _words(self, rule: PrototypeRule, number: int) -> RuleWords:
        """One rule in words."""
        order = np.argsort(-np.array(rule.rows), kind="stable")
        left_out = len(order) - self.most_printed
        return RuleWords(
            title=f"Rule {number}",
            support=f"{numbered(len(order), 'prototype')} of {numbered(sum(rule.rows), 'row')}",
            conditions=[
                ConditionWords("the row", f"near {self._point(rule.prototypes[i])}",
                               numbered(rule.rows[i], "row"))
                for i in order[: self.most_printed]
            ],
            opening="",
            conclusion=class_name(rule.label),
            points=None,
            remarks=[f"{left_out} more prototypes are not printed"] if left_out > 0 else [],
            classes=[],
            connective="OR",
        )  # fmt: skip

    def _point(self, prototype: Array) -> str:
        """A prototype by its coordinates."""
        return ", ".join(
            f"{visible(name)} {value:.2f}"
            for name, value in zip(self.names, prototype, strict=True)
        )
