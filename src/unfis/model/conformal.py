"""Doubt: conformal sets of classes, by class, and why an answer is none to rely on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.held_out import HeldOutAnswers
from unfis.rules.text.explanation import RARE
from unfis.rules.text.words import class_name
from unfis.serial.messages import quoted
from unfis.ties import rounded_likelihoods, rounding

Told = TypeVar("Told")
NOTHING_HELD_OUT = (
    "There are no answers to rows held out, by which sets of classes are calibrated: the model was "
    "chosen without holding any out, as of fewer than 10 different rows. Fit anew, with more rows."
)


def check_confidence(confidence: Any) -> None:
    """Raise ValueError unless it is a share between none and all."""
    is_number = isinstance(confidence, Real) and not isinstance(confidence, bool)
    if not (is_number and 0 < float(confidence) < 1):
        raise ValueError(
            f"confidence must be a number above 0 and below 1, such as 0.95; got "
            f"{quoted(confidence)}."
        )


@dataclass(frozen=True)
class ConformalSets:
    """Which classes rows may be of at some confidence, by how probable a model holds them."""

    classes: NDArray[Any]  # their labels
    thresholds: Array  # how probable each must be to be in a set, (classes,); 0 if it always is

    @classmethod
    def of(
        cls, classes: NDArray[Any], held_out: HeldOutAnswers, confidence: float
    ) -> ConformalSets:
        """Calibrated by answers to rows that were held out."""
        codes = range(len(classes))
        found = [conformal_threshold(*held_out.of_class(code), confidence) for code in codes]
        return cls(classes, np.array(found))

    def sets(self, probabilities: Array) -> Mask:
        """Which classes are as probable as they must be, (rows, classes)."""
        return np.asarray(rounded_likelihoods(probabilities) >= self.thresholds)

    def labels(self, probabilities: Array) -> list[tuple[Any, ...]]:
        """The labels of the classes in each row's set."""
        sets = self.sets(probabilities)
        return once_for_each(sets, lambda inside: tuple(self.classes[inside].tolist()))

    def doubts(self, probabilities: Array, answers: NDArray[np.intp], coverage: Array) -> list[str]:
        """Why an answer is none to rely on, for each row; "" where nothing is against it."""
        answered = answers[:, None] == np.arange(len(self.classes))
        both = np.hstack([self.sets(probabilities), answered])
        found = once_for_each(both, lambda row: self._doubt(*np.split(row, 2)))
        for row in np.flatnonzero(coverage <= RARE):
            hardly = "hardly like" if coverage[row] > 0 else "unlike"
            found[row] = f"{hardly} anything learned from"
        return found

    def _doubt(self, inside: Mask, answered: Mask) -> str:
        """What a set of classes says against an answer, "" if it has that class alone."""
        if (inside == answered).all():
            return ""
        if not inside.any():
            return "like no class"
        if inside.sum() == 1:  # of a rare class, say, or where errors cost
            return f"unusual for {self._names(answered)[0]}, usual for {self._names(inside)[0]}"
        never_out = self.thresholds == 0
        if (inside & ~never_out).sum() <= 1:
            return f"too few rows of {' and '.join(self._names(never_out))} to rule it out"
        *others, last = self._names(inside)
        if len(others) == 1:
            return f"cannot tell {others[0]} from {last}"
        return f"cannot tell {', '.join(others)} and {last} apart"

    def _names(self, some: Mask) -> list[str]:
        return [class_name(label) for label in self.classes[some].tolist()]


def once_for_each(rows: Mask, told: Callable[[Mask], Told]) -> list[Told]:
    """What is told of each row, found out once for all that are the same."""
    keys, known = [row.tobytes() for row in rows], dict[bytes, Told]()
    for row in dict(zip(keys, range(len(keys)), strict=True)).values():
        known[keys[row]] = told(rows[row])
    return [known[key] for key in keys]


def conformal_threshold(likelihoods: Array, weights: Array, confidence: float) -> float:
    """How probable a class must be not to be left out; 0 where it never is.

    It is left out if (1 + sum_i w_i [l_i <= p]) / (1 + sum_i w_i) <= 1 - confidence, with l_i the
    likelihoods of its rows held out, rising, and w_i the rows they stand for: the row in question
    counts as one of them. So of rows like them at most a share of 1 - confidence miss their class.
    """
    missed = (1 - confidence) * (1 + weights.sum())
    missed += rounding(missed)
    if missed < 1:
        return 0.0
    first = np.searchsorted(1 + np.cumsum(weights), missed)
    return float(likelihoods[min(first, len(likelihoods) - 1)])
