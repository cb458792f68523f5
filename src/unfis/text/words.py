"""Conditions and rules in words, in the units of the table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, inf
from typing import NamedTuple

import numpy as np

from unfis.rules import Condition, Kinds, Rule, RuleModel, Trapezoid, Unknown
from unfis.text.names import Names
from unfis.text.numbers import enumerated, number_words

SHOWN_KINDS = 6  # a larger set gets a list of its own below the rules


class Ends(NamedTuple):
    """The borders of a range: it rises from a to b and falls from c to d."""

    a: float
    b: float
    c: float
    d: float

    @property
    def rises(self) -> bool:
        """Whether it has a lower border."""
        return self.a > -inf

    @property
    def falls(self) -> bool:
        """Whether it has an upper border."""
        return self.d < inf

    @property
    def gradual(self) -> tuple[bool, bool]:
        """Whether the lower and the upper edge are wider than one value."""
        return self.rises and self.a < self.b, self.falls and self.c < self.d


@dataclass(frozen=True)
class Wording:
    """The words of one model: an input with one range has a word for it, such as "high"."""

    model: RuleModel
    names: Names

    def rule(self, rule: Rule) -> str:
        """The IF of a rule."""
        return "IF " + " AND ".join(self.condition(one) for one in rule.conditions)

    def condition(self, condition: Condition) -> str:
        """A condition in words."""
        name = self.names.input(condition.input)
        if isinstance(condition, Unknown):
            return f"{name} is unknown"
        words = self._kinds(condition) if isinstance(condition, Kinds) else self._range(condition)
        return f"{name} is {words}" + (" or unknown" if condition.unknown == 1 else "")

    @property
    def conditions(self) -> list[Condition]:
        """The different conditions, in the order of the rules."""
        return list(dict.fromkeys(one for rule in self.model.rules for one in rule.conditions))

    @cached_property
    def lists(self) -> dict[tuple[int, tuple[int, ...]], int]:
        """The number of each set of categories that is too large for a line."""
        found: dict[tuple[int, tuple[int, ...]], int] = {}
        for one in self.conditions:
            if isinstance(one, Kinds) and min(len(one.kinds), len(self._others(one))) > SHOWN_KINDS:
                found.setdefault((one.input, one.kinds), len(found) + 1)
        return found

    @cached_property
    def ranges(self) -> dict[int, set[Ends]]:
        """The different ranges of each number."""
        found: dict[int, set[Ends]] = defaultdict(set)
        for one in self.conditions:
            if isinstance(one, Trapezoid):
                found[one.input].add(Ends(one.a, one.b, one.c, one.d))
        return found

    def _range(self, condition: Trapezoid) -> str:
        """A range, or the one of two values that it holds for."""
        j = condition.input
        ends = Ends(condition.a, condition.b, condition.c, condition.d)
        pair = self.names.pair(j)
        if pair:
            degrees = condition.degrees(np.array(pair)).tolist()
            if sorted(degrees) == [0.0, 1.0]:
                at = degrees.index(1.0)
                every = self.names.categories[j]
                return self.names.category(j, at) if every else number_words(pair[at])
        if self.names.is_whole(j):
            ends = whole_ends(ends)
        words = range_words(ends, self.names.is_whole(j))
        if len(self.ranges[j]) == 1 and any(ends.gradual):
            return f"{range_name(ends)} ({words})"
        return words

    def _kinds(self, condition: Kinds) -> str:
        """A set of categories, or those that it has not."""
        number = self.lists.get((condition.input, condition.kinds))
        if number:
            return f"in list {number}"
        others = self._others(condition)
        short = len(condition.kinds) <= max(len(others), 1)
        codes = condition.kinds if short else others
        words = enumerated([self.names.category(condition.input, code) for code in codes])
        return words if short else f"not {words}"

    def _others(self, condition: Kinds) -> tuple[int, ...]:
        codes = range(len(self.names.categories[condition.input]))
        return tuple(code for code in codes if code not in condition.kinds)


def range_name(ends: Ends) -> str:
    """High, low or medium."""
    if not ends.falls:
        return "high"
    return "medium" if ends.rises else "low"


def range_words(ends: Ends, whole: bool = False) -> str:
    """The borders of a range as people say them: "above 5.1, fully from 6.3"."""
    rising, falling = ends.gradual
    a, b, c, d = map(number_words, ends)
    if whole and ends.falls and not (rising or falling):
        last = number_words(ends.d - 1)
        if not ends.rises:
            return f"{last} or less"
        return last if last == b else f"{b} to {last}"
    bounds = [f"above {a}" if rising else f"{b} or more"] if ends.rises else []
    bounds += [f"below {d}"] if ends.falls else []
    full = [f"from {b}"] if rising else []
    full += [f"{'' if full else 'up '}to {c}"] if falling else []
    if rising and falling and b == c:
        full = [f"at {b}"]
    words = " and ".join(bounds) or "known"
    return f"{words}, fully {' '.join(full)}" if full else words


def whole_ends(ends: Ends) -> Ends:
    """The same range of whole numbers, with a sharp edge where no whole number is on the edge."""
    a, b, c, d = ends
    if ends.rises and (a == b or floor(a) + 1 >= b):
        a = b = float(ceil(a) if a == b else floor(a) + 1)
    if ends.falls and (c == d or floor(c) + 1 >= d):
        c = d = float(ceil(d) if c == d else floor(c) + 1)
    same = b <= c and (a < b or c < d or b < d)
    return Ends(a, b, c, d) if same else ends
