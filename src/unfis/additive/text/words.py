"""Conditions and rules in words, in the units of the table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

from unfis.additive.rules import Condition, Kinds, Rule, RuleModel, Trapezoid, Unknown

SHOWN_KINDS = 6  # of a set; the others are counted


@dataclass(frozen=True)
class Names:
    """What the inputs, their categories and the outputs of a model are called."""

    inputs: tuple[str, ...]
    categories: tuple[tuple[Any, ...], ...]  # of each input; () of a number
    outputs: tuple[str, ...]  # both classes of two, each of several, the number


@dataclass(frozen=True)
class Wording:
    """The words of one model: an input with one range has a word for it, such as "high"."""

    model: RuleModel
    names: Names

    @cached_property
    def ranges(self) -> dict[int, set[tuple[float, ...]]]:
        """The different ranges of each number."""
        found: dict[int, set[tuple[float, ...]]] = defaultdict(set)
        for rule in self.model.rules:
            for one in rule.conditions:
                if isinstance(one, Trapezoid):
                    found[one.input].add((one.a, one.b, one.c, one.d))
        return found

    def of(self, condition: Condition) -> str:
        """A condition in words."""
        name = self.names.inputs[condition.input]
        if isinstance(condition, Unknown):
            return f"{name} is unknown"
        if isinstance(condition, Kinds):
            return f"{name} is {self._kinds(condition)}"
        words = range_words(condition)
        if len(self.ranges[condition.input]) == 1 and not is_two_valued(condition):
            words = f"{range_name(condition)} ({words})"
        return f"{name} is {words}{or_unknown(condition.unknown)}"

    def _kinds(self, condition: Kinds) -> str:
        """The categories of a set."""
        every = self.names.categories[condition.input]
        found = [str(every[code]) for code in condition.kinds]
        shown = found[:SHOWN_KINDS]
        more = len(found) - len(shown)
        listed = [*shown, f"{more} others"] if more else [*shown]
        listed += ["unknown"] if condition.unknown == 1 else []
        return " or ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)


def condition_words(condition: Condition, model: RuleModel, names: Names) -> str:
    """A condition of a model in words."""
    return Wording(model, names).of(condition)


def rule_words(rule: Rule, model: RuleModel, names: Names) -> str:
    """The IF of a rule of a model in words."""
    wording = Wording(model, names)
    return "IF " + " AND ".join(wording.of(condition) for condition in rule.conditions)


def or_unknown(degree: float) -> str:
    """What is said of missing values, of which there were some in training."""
    return " or unknown" if degree == 1 else ""


def is_two_valued(condition: Trapezoid) -> bool:
    """Whether the range has one sharp edge: then its words say all."""
    return sum(edge[0] == edge[1] for edge in condition.edges) == len(condition.edges) == 1


def range_name(condition: Trapezoid) -> str:
    """High, low or medium."""
    if condition.d == inf:
        return "high"
    return "low" if condition.a == -inf else "medium"


def range_words(condition: Trapezoid) -> str:
    """The borders of a range as people say them."""
    a, b, c, d = (number_words(x) for x in (condition.a, condition.b, condition.c, condition.d))
    low = f"{b} or more" if condition.a == condition.b else f"above {a}, fully from {b}"
    high = f"below {d}" if condition.c == condition.d else f"below {d}, fully up to {c}"
    if condition.d == inf:
        return low
    if condition.a == -inf:
        return high
    inside = f"{b} to {c}" if condition.c != condition.d else f"{b} to below {c}"
    sharp = condition.a == condition.b and condition.c == condition.d
    return inside if sharp else f"{inside}, fading out at {a} and {d}"


def number_words(number: float) -> str:
    """A number in as many digits as it has, up to six."""
    return f"{number:.6g}"
