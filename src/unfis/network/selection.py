"""Which inputs are in which rules: the one place that knows how "in" and "out" are coded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask

# Selection logits of inputs that are decided for good.
IN, OUT = np.inf, -np.inf
# Whether an input is in a rule's IF and in its THEN, by the words for it.
HALVES = {"in": (True, True), "if": (True, False), "then": (False, True), "out": (False, False)}


class Degrees(NamedTuple):
    """vs, how far inputs are in rules, (rules, features); the same twice where it is soft."""

    condition: Array  # in the IF
    consequent: Array  # in the THEN


@dataclass(frozen=True)
class Selection:
    """Which inputs are in a rule's IF and in its THEN.

    An input is in for good (vs = 1: mu+ = mu in the IF, alpha+ = alpha in the THEN), out (vs = 0:
    mu+ = 1, alpha+ = 0, exactly), or as far in as its logit says, which is learned. Decided inputs
    may be in one part alone, and in a THEN for some classes alone; the paper's neuron is one for
    all of it.

    Attributes
    ----------
    logits : s, shape (rules, features)
    slopes : which inputs are in which rules' THEN for which classes, shape (rules, classes or 1 for
        all alike, features); None where the logits say that too
    """

    logits: Array
    slopes: Mask | None = None

    @classmethod
    def decided(cls, condition: Mask, consequent: Mask | None = None) -> Selection:
        """Inputs that are in where masks say so, in both parts of a rule if there is one mask.

        Of a THEN by classes, (rules, classes or 1, features).
        """
        return cls(np.where(condition, IN, OUT), consequent)

    @classmethod
    def from_plain(cls, rows: Sequence[Sequence[Any]], consequents: Array) -> Selection:
        """The selection that `plain` gave, of consequents (rules, classes, 1 + features).

        What is in a THEN for some of several classes is what adds something there; what is in it
        and adds nothing is in for all.
        """
        logits = [[HALVES[s][0] if isinstance(s, str) else s for s in row] for row in rows]
        words = [[isinstance(s, str) for s in row] for row in rows]
        decided = np.where(np.array(logits) > 0, IN, OUT)
        found = np.where(words, decided, np.array(logits, dtype=float))
        inside = [[not isinstance(s, str) or HALVES[s][1] for s in row] for row in rows]
        slopes = np.array(inside)[:, None, :]
        if consequents.shape[1] > 2 and np.all(words):
            added = consequents[:, :, 1:] != 0
            slopes = slopes & (added | ~added.any(axis=1, keepdims=True))
        return cls(found, None if (slopes == (found != OUT)[:, None, :]).all() else slopes)

    def plain(self) -> list[list[Any]]:
        """Each rule's logits as numbers, or words: "in", "out", in the "if" or the "then" alone."""
        words = {halves: word for word, halves in HALVES.items()}
        inside = np.stack([self.in_condition, self.in_consequent], axis=-1).tolist()
        return [
            [s if np.isfinite(s) else words[tuple(halves)] for s, halves in zip(*row, strict=True)]
            for row in zip(self.logits.tolist(), inside, strict=True)
        ]

    @property
    def in_condition(self) -> Mask:
        """Which inputs are not out of which rules' IF, shape (rules, features)."""
        return np.asarray(self.logits != OUT)

    @property
    def in_consequent(self) -> Mask:
        """Which inputs are not out of which rules' THEN, shape (rules, features)."""
        return self.in_condition if self.slopes is None else np.asarray(self.slopes.any(axis=1))

    @property
    def in_classes(self) -> Mask:
        """Which are in which rules' THEN for which classes, (rules, classes or 1, features)."""
        return self.in_condition[:, None, :] if self.slopes is None else self.slopes

    @property
    def learned(self) -> Mask:
        """Which inputs are decided neither way, shape (rules, features)."""
        return ~np.isinf(self.logits)

    @property
    def used(self) -> Mask:
        """Which features are not out of every rule, shape (features,)."""
        return np.asarray((self.in_condition | self.in_consequent).any(axis=0))

    @property
    def degrees(self) -> Degrees:
        """vs = 1 / (1 + exp(-s)), eq. (varsigma)."""
        if self.learned.any():
            from scipy.special import expit  # imported late: decided rules do without scipy

            condition = np.asarray(expit(self.logits))
        else:
            condition = (self.logits > 0).astype(float)
        if self.slopes is None:
            return Degrees(condition, condition)
        return Degrees(condition, self.in_consequent.astype(float))

    def all_in(self) -> Selection:
        """Every input in for good that is not out."""
        return Selection.decided(self.in_condition, self.slopes)

    def without(self, rule: int, features: slice | NDArray[np.intp]) -> Selection:
        """The same with some features out of a rule."""
        logits, slopes = self.logits.copy(), self.slopes
        logits[rule, features] = OUT
        if slopes is not None:
            slopes = slopes.copy()
            slopes[rule][:, features] = False
        return Selection(logits, slopes)

    def without_slopes(self, gone: Mask) -> Selection:
        """The same with some features out of rules' THEN, (rules, features)."""
        return Selection(self.logits, self.in_classes & ~gone[:, None, :])
