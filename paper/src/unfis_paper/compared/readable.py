"""Rules of the compared systems in words: AND or OR as a neuron is, or prototypes."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.ties import first_greatest
from unfis_paper.compared.neurons import Neurons, neuron_outputs
from unfis_paper.compared.operators import conjunctive_shares

# Inputs of less weight are not printed.
LEAST_PRINTED = 0.05
# A rounded number is exact to this share of the spread of its input.
FINENESS = 0.02
# The width of the column of titles, and of the text beside it.
INDENT, WIDTH = 8, 92
MOST_PROTOTYPES = 4


class FuzzySet(NamedTuple):
    """The Gaussian set of one input in one rule, exp(-(x - centre)^2 / (2 width^2))."""

    input: str
    selection: float  # the weight of the input
    centre: float
    width: float
    # Where a membership is above one half; None at an end that no row goes beyond.
    interval: tuple[float | None, float | None]
    decimals: int  # that the ends are told with

    def __str__(self) -> str:
        low, high = self.interval
        ends = (round(end, self.decimals) + 0.0 for end in (low, high) if end is not None)
        told = " to ".join(f"{end:.{self.decimals}f}" for end in ends)
        side = "below " if low is None else "above " if high is None else ""
        weight = "" if self.selection > 0.995 else f" (weight {self.selection:.2f})"
        term = f"{side}about {told}" if told else "any of its values"
        return f"{visible(self.input)} is {term}{weight}"


class LogicRule(NamedTuple):
    """A neuron as a rule."""

    connective: str  # AND or OR, by which it combines most degrees
    conjunction: float  # for what share of degrees that is AND
    conditions: tuple[FuzzySet, ...]  # of the inputs that count
    certainties: tuple[float, ...]  # what it adds to the score of each class where it holds
    label: Any  # the class that it adds most to
    least: float  # how far it holds at least, wherever in the ranges of the inputs a row is
    rows: int = 0  # how many its cloud holds, 0 where it has none


class PrototypeRule(NamedTuple):
    """A class with the prototypes that stand for it."""

    label: Any
    prototypes: Array  # (prototypes, inputs)
    rows: tuple[int, ...]  # how many each stands for


class PrintedRules(Sequence[Any]):
    """Rules that print themselves."""

    rules: tuple[Any, ...]
    note: str

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, number: Any) -> Any:
        return self.rules[number]

    def __str__(self) -> str:
        blocks = [self._block(number, rule) for number, rule in enumerate(self.rules, 1)]
        return "\n\n".join([*self._opening(), *blocks, wrapped(self.note)])

    def _opening(self) -> list[str]:
        """What stands before the rules."""
        raise NotImplementedError

    def _block(self, number: int, rule: Any) -> str:
        """One rule in words."""
        raise NotImplementedError


@dataclass(frozen=True)
class LogicRules(PrintedRules):
    """The rules of a network of logic neurons."""

    classes: tuple[Any, ...]
    rules: tuple[LogicRule, ...]
    constant: tuple[float, ...]  # the score of each class, before any rule adds to it
    rows: int  # that were learned from
    note = (
        "To what there is to begin with, each rule's certainties are added, times how far it "
        "holds; the class with the highest sum is the answer."
    )

    @classmethod
    def of_neurons(
        cls,
        names: Sequence[str],
        classes: Sequence[Any],
        ends: tuple[Array, Array],
        rows: int,
        neurons: Neurons,
        coefficients: Array,
        sizes: Any = None,
    ) -> LogicRules:
        """Rules of neurons; the ends are of the inputs' ranges.

        The first row of the coefficients is the constant, shape (1 + neurons, classes).
        """
        shares = conjunctive_shares(neurons[-1]).tolist()
        least = least_outputs(ends, neurons).tolist()
        constant, *certainties = coefficients.tolist()
        rules = (
            LogicRule(
                "AND" if shares[i] >= 0.5 else "OR",
                shares[i],
                conditions,
                tuple(certainties[i]),
                classes[int(first_greatest(certainties[i]))],
                least[i],
                0 if sizes is None else int(sizes[i]),
            )
            for i, conditions in enumerate(fuzzy_sets(names, ends, neurons))
        )
        return cls(tuple(classes), tuple(rules), tuple(constant), rows)

    def _opening(self) -> list[str]:
        head = headline(len(self), self.classes, self.rows)
        return [head, wrapped(f"To begin with: {self._scores(self.constant)}.")]

    def _scores(self, values: tuple[float, ...]) -> str:
        """A number for each class."""
        told = zip(self.classes, values, strict=True)
        return ", ".join(f"{class_name(label)} {value:+.2f}" for label, value in told)

    def _block(self, number: int, rule: LogicRule) -> str:
        always = rule.least >= 0.5
        # A condition that always holds adds nothing to an AND, but an OR holds with it alone.
        if rule.connective == "AND":
            printed = [c for c in rule.conditions if c.interval != (None, None)]
        else:
            printed = [] if always else list(rule.conditions)
        combined = max(rule.conjunction, 1 - rule.conjunction)
        remarks = [f"a cloud of {counted(rule.rows, 'row')}"] if rule.rows else []
        remarks.append(f"certainties: {self._scores(rule.certainties)}")
        if combined < 1 and len(printed) > 1:
            share = f"{min(99, round(100 * combined))} % of the degrees"
            remarks.append(f"combined by {rule.connective} for {share}")
        if always:
            least = int(100 * rule.least + 1e-9)  # rounded down
            told = "the full" if least == 100 else f"at least {least} %"
            remarks.append(f"holds on all rows that were learned from, to {told}")
        return block_of(number, rule.label, list(map(str, printed)), rule.connective, remarks)


@dataclass(frozen=True)
class PrototypeRules(PrintedRules):
    """A rule for each class: IF a row is nearest to one of its prototypes."""

    names: tuple[str, ...]  # of the inputs
    rules: tuple[PrototypeRule, ...]
    note = "The nearest prototype decides; rows and prototypes have length 1."

    def _opening(self) -> list[str]:
        rows = sum(sum(rule.rows) for rule in self.rules)
        return [headline(len(self), [rule.label for rule in self.rules], rows)]

    def _block(self, number: int, rule: PrototypeRule) -> str:
        """One rule, with the prototypes that stand for most rows."""
        order = np.argsort(-np.array(rule.rows), kind="stable")
        conditions = []
        for i in order[:MOST_PROTOTYPES]:
            told = zip(self.names, rule.prototypes[i], strict=True)
            point = ", ".join(f"{visible(name)} {value:.2f}" for name, value in told)
            conditions.append(f"the row is near {point} ({counted(rule.rows[i], 'row')})")
        remarks = [f"{counted(len(order), 'prototype')} of {counted(sum(rule.rows), 'row')}"]
        if len(order) > MOST_PROTOTYPES:
            remarks.append(f"{len(order) - MOST_PROTOTYPES} more prototypes are not printed")
        return block_of(number, rule.label, conditions, "OR", remarks)


class NeuronRules:
    """Gives a classifier around a `NeuronSystem` its rules."""

    @property
    def rules_(self: Any) -> LogicRules:
        """The neurons as rules."""
        check_is_fitted(self)
        ends = self.lowest_, self.highest_
        known = self._names, self.classes_.tolist(), ends, self.n_rows_
        system = self.system_
        learned = system.neurons, system.output.coefficients, system.sizes
        return LogicRules.of_neurons(*known, *learned)


def fuzzy_sets(
    names: Sequence[str], ends: tuple[Array, Array], neurons: Neurons
) -> list[tuple[FuzzySet, ...]]:
    """The sets of each neuron on the inputs that count."""
    low, high = ends
    decimals = [decimals_of(spread) for spread in high - low]
    found = []
    for centres, widths, weights in zip(*np.broadcast_arrays(*neurons[:3]), strict=True):
        reaches = widths * math.sqrt(2 * math.log(2))  # mu = 1/2
        sets = []
        for j in np.flatnonzero(weights >= LEAST_PRINTED).tolist():
            start, end = float(centres[j] - reaches[j]), float(centres[j] + reaches[j])
            interval = start if start > low[j] else None, end if end < high[j] else None
            told = min(1.0, float(weights[j])), float(centres[j]), float(widths[j])
            sets.append(FuzzySet(names[j], *told, interval, decimals[j]))
        found.append(tuple(sets))
    return found


def least_outputs(ends: tuple[Array, Array], neurons: Neurons) -> Array:
    """What each neuron gives at least within the ranges, shape (neurons,).

    Neurons increase with all memberships, which are least at the ends that are farther away.
    """
    low, high = ends
    corners = np.where(np.abs(low - neurons[0]) > np.abs(high - neurons[0]), low, high)
    return np.asarray(np.diag(neuron_outputs(corners, *neurons)))


def decimals_of(spread: float) -> int:
    """How many decimals tell values of such a spread apart."""
    return min(max(0, math.ceil(-math.log10(FINENESS * spread))), 17) if spread > 0 else 0


def block_of(
    number: int, label: Any, conditions: list[str], connective: str, remarks: list[str]
) -> str:
    """A rule, its title beside its first condition, in lines below each other."""
    words = ["IF", *[connective] * len(conditions)]
    told = [f"{word} {each}" for word, each in zip(words, conditions, strict=False)]
    lines = [*(told or ["in every case"]), f"THEN {class_name(label)}", *remarks]
    text = textwrap.indent("\n".join(map(wrapped, lines)), " " * INDENT)
    return f"{f'Rule {number}':{INDENT}s}{text[INDENT:]}"


def wrapped(text: str) -> str:
    """A sentence in lines, the later ones set in; words and percentages stay whole."""
    lines = textwrap.wrap(
        text.replace(" %", "\xa0%"),
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\xa0%", " %")


def headline(rules: int, labels: Sequence[Any], rows: int) -> str:
    """What rules are for, and how many rows they are of."""
    *others, last = map(class_name, labels)
    classes = f"{', '.join(others)} or {last}" if others else last
    return f"{counted(rules, 'rule')} for {classes}, learned from {counted(rows, 'row')}"


def counted(count: int, name: str) -> str:
    """So many of something."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def class_name(label: Any) -> str:
    """How a class is called: by its name, or by the number or truth value it has for one."""
    return visible(label) if isinstance(label, str) else f"class {label}"


def visible(text: str) -> str:
    """Text in one line, with what cannot be seen written out."""
    return text if text.strip() and text.isprintable() else repr(text)
