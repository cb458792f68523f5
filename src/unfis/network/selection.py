"""Which inputs are in which rules: the one place that knows how "in" and "out" are coded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask

# Selection logits of inputs that are decided for good, by the words for them.
DECIDED = {"in": np.inf, "out": -np.inf}


@dataclass(frozen=True)
class Selection:
    """Which inputs are in a rule's IF and in its THEN; both are the same for now.

    An input is in for good (vs = 1, mu+ = mu), out (vs = 0, mu+ = 1 and alpha+ = 0, exactly), or as
    far in as its logit says, which is learned.

    Attributes
    ----------
    logits : s, shape (rules, features)
    """

    logits: Array

    @classmethod
    def decided(cls, inside: Mask) -> Selection:
        """Inputs that are in where a mask says so, and out elsewhere."""
        return cls(np.where(inside, DECIDED["in"], DECIDED["out"]))

    @classmethod
    def from_plain(cls, rows: Sequence[Sequence[Any]]) -> Selection:
        """The selection that `plain` gave."""
        return cls(np.array([[DECIDED.get(s, s) for s in row] for row in rows], dtype=float))

    def plain(self) -> list[list[Any]]:
        """Each rule's logits as numbers, or the words "in" and "out"."""
        words = {value: word for word, value in DECIDED.items()}
        return [[words.get(s, s) for s in row] for row in self.logits.tolist()]

    @property
    def in_condition(self) -> Mask:
        """Which inputs are not out of which rules' IF, shape (rules, features)."""
        return np.asarray(self.logits != DECIDED["out"])

    @property
    def in_consequent(self) -> Mask:
        """Which inputs are not out of which rules' THEN, shape (rules, features)."""
        return self.in_condition

    @property
    def learned(self) -> Mask:
        """Which inputs are decided neither way, shape (rules, features)."""
        return ~np.isinf(self.logits)

    @property
    def used(self) -> Mask:
        """Which features are not out of every rule, shape (features,)."""
        return np.asarray((self.in_condition | self.in_consequent).any(axis=0))

    @property
    def degrees(self) -> Array:
        """vs = 1 / (1 + exp(-s)), eq. (varsigma), shape (rules, features)."""
        if not self.learned.any():
            return (self.logits > 0).astype(float)
        from scipy.special import expit  # imported late: decided rules do without scipy

        return np.asarray(expit(self.logits))

    def all_in(self) -> Selection:
        """Every input in for good that is not out."""
        return Selection.decided(self.in_condition)

    def without(self, rule: int, features: slice | NDArray[np.intp]) -> Selection:
        """The same with some features out of a rule."""
        logits = self.logits.copy()
        logits[rule, features] = DECIDED["out"]
        return Selection(logits)
