"""Rule and RuleModel: rules that add up, as a frozen value that predicts with numpy alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from unfis.arrays import Array
from unfis.rules.condition import Condition
from unfis.rules.link import LINKS

# Rows are evaluated so many at a time: what is computed of them stays in the processor's cache.
BLOCK_ROWS = 1 << 14


@dataclass(frozen=True)
class Rule:
    """One to three conditions, and the points that they add to one output where they hold."""

    conditions: tuple[Condition, ...]
    output: int
    points: float

    @property
    def inputs(self) -> tuple[int, ...]:
        """The inputs that the rule looks at."""
        return tuple(condition.input for condition in self.conditions)

    def degrees(self, values: Array) -> Array:
        """The product of its conditions' degrees for rows of values, (rows,)."""
        found = np.ones(len(values))
        for condition in self.conditions:
            found *= condition.degrees(values[:, condition.input])
        return found


@dataclass(frozen=True)
class RuleModel:
    """z_c = start_c + sum of points_i * degree_i(x) over the rules of output c.

    A prediction is link(unit * z). The outputs are log odds of the second of two classes, one for
    each of several classes, or a number.
    """

    rules: tuple[Rule, ...]
    start: tuple[float, ...]  # of each output
    unit: float = 1.0  # what one point is worth
    link: str = "identity"

    def degrees(self, values: Array) -> Array:
        """How far each rule holds for rows of values, (rules, rows)."""
        found = [rule.degrees(values) for rule in self.rules]
        return np.array(found).reshape(len(found), len(values))

    def points(self, values: Array) -> Array:
        """The sum of the points of each output, (rows, outputs)."""
        found = np.tile(np.array(self.start), (len(values), 1))
        for block in _blocks(len(values)):
            for rule in self.rules:
                found[block, rule.output] += rule.points * rule.degrees(values[block])
        return found

    def predictions(self, values: Array) -> Array:
        """The probability of each class, (rows, classes), or the number, (rows,)."""
        return LINKS[self.link](self.unit * self.points(values))

    def with_points(self, start: Array, points: Array, unit: float = 1.0) -> RuleModel:
        """The same rules with other numbers."""
        rules = zip(self.rules, points.tolist(), strict=True)
        return replace(
            self,
            rules=tuple(replace(rule, points=number) for rule, number in rules),
            start=tuple(start.tolist()),
            unit=unit,
        )

    @property
    def conditions(self) -> int:
        """How many conditions there are to read."""
        return sum(len(rule.conditions) for rule in self.rules)


def _blocks(rows: int) -> Iterator[slice]:
    return (slice(first, first + BLOCK_ROWS) for first in range(0, rows, BLOCK_ROWS))
