"""Ranges: what values training had, and words for those that it had not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, reduce
from typing import Self

import numpy as np

from unfis.additive.fitting.rows import AllRows, RowBlock
from unfis.additive.rules import RuleModel
from unfis.additive.text import Names
from unfis.additive.text.numbers import number_words
from unfis.arrays import Array, Mask


@dataclass(frozen=True, eq=False)
class Ranges:
    """The least and the greatest value of each input in training, and where it had missing ones."""

    low: Array  # (inputs,); infinite where no value was known
    high: Array  # (inputs,)
    missing: Mask  # (inputs,)

    @classmethod
    def of(cls, values: Array) -> Self:
        """Those of the rows of a table."""
        low = np.fmin.reduce(values, axis=0, initial=np.inf)
        high = np.fmax.reduce(values, axis=0, initial=-np.inf)
        return cls(low, high, np.asarray(np.isnan(values).any(axis=0)))

    @classmethod
    def of_rows(cls, rows: AllRows) -> Ranges:
        """Those of all rows, wherever they are."""
        found: Ranges = rows.joined(block_ranges, partial(reduce, cls.joined))
        return found

    def with_rows(self, values: Array) -> Ranges:
        """Those of more rows too."""
        return self.joined(Ranges.of(values))

    def joined(self, other: Ranges) -> Ranges:
        """Those of both."""
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return Ranges(low, high, self.missing | other.missing)

    def known(self, values: Array) -> Mask:
        """Which values are like any that training had, (rows, inputs)."""
        inside = (values >= self.low) & (values <= self.high)
        return np.asarray(np.where(np.isnan(values), self.missing, inside))

    def coverage(self, model: RuleModel, values: Array) -> Array:
        """The share of the model's inputs whose value is known, (rows,); 1 without inputs."""
        inputs = inputs_of_rules(model)
        known = self.known(values)[:, inputs]
        return known.mean(axis=1) if inputs else np.ones(len(values))

    def caveats(self, model: RuleModel, names: Names, values: Array) -> list[list[str]]:
        """For each row, what its values have that training had not, in words."""
        found: list[list[str]] = [[] for _ in values]
        inputs, known = inputs_of_rules(model), self.known(values)
        for row in np.flatnonzero(~known[:, inputs].all(axis=1)):
            found[row] = [
                self._words(names, j, float(values[row, j])) for j in inputs if not known[row, j]
            ]
        return found

    def _words(self, names: Names, j: int, value: float) -> str:
        name = names.input(j)
        if np.isnan(value):
            new = " or of a new kind" if names.categories[j] else ""
            return f"{name} is unknown{new}, as in no row of training"
        if not self.low[j] <= self.high[j]:
            return f"{name} is known, as in no row of training"
        is_named = bool(names.categories[j])
        low, high, own = (
            names.category(j, int(one)) if is_named else number_words(one)
            for one in (float(self.low[j]), float(self.high[j]), value)
        )
        had = f"only {low}" if low == high else f"{low} to {high}"
        return f"{name} is {own}; training had {had}"


def block_ranges(block: RowBlock) -> Ranges:
    """Those of a block."""
    return reduce(Ranges.joined, [Ranges.of(part.values) for part in block.slices()])


def inputs_of_rules(model: RuleModel) -> list[int]:
    """The inputs that any rule looks at, rising."""
    return sorted({j for rule in model.rules for j in rule.inputs})
