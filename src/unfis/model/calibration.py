"""Calibration: how far answers were off on rows that were held out, for sets and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from numbers import Real
from typing import Any, Self

import numpy as np

from unfis.arrays import Array, Mask
from unfis.fitting import SearchedRows
from unfis.rules import RuleModel
from unfis.search.bins import weight_sums
from unfis.serial.messages import quoted
from unfis.ties import first_least, rounded_likelihoods, rounding

# Errors are kept apart by thirds of the predictions. At 90 %, as against one width for all, that
# took 1 % from the interval score of diabetes, 12 % of medical_cost, 2 % of concrete and 3 % of
# forestfires (cpu_performance has too few rows, and 2 % more by two tails); of their largest third
# 85 to 90 % were covered, not 53 to 88 %.
RANGES = 3
LEAST_ROWS = 100  # of a range: both ends at 95 % need 39


def check_confidence(confidence: Any) -> None:
    """Raise ValueError unless it is a share between none and all."""
    is_number = isinstance(confidence, Real) and not isinstance(confidence, bool)
    if not (is_number and 0 < float(confidence) < 1):
        raise ValueError(
            "confidence must be a number above 0 and below 1, such as 0.95; got "
            f"{quoted(confidence)}."
        )


@dataclass(frozen=True, eq=False)
class Calibration:
    """The answers of the folds' models to rows that they had not seen.

    For each class the probabilities that its rows had; or, for ranges of the prediction, what the
    number was less what was predicted.
    """

    scores: tuple[Array, ...]  # of each class or range, rising
    weights: tuple[Array, ...]  # how many rows each score stands for
    borders: Array  # between ranges of the prediction; none of classes

    @classmethod
    def of(
        cls, model: RuleModel, folds: Sequence[RuleModel], rows: SearchedRows, *, class_weight: bool
    ) -> Self | None:
        """That of a model by the folds' models of its length; None without folds."""
        if not folds:
            return None
        answers, weights = held_out_answers(folds, rows), rows.weights
        if answers.ndim == 1:
            # By the model's own prediction: those of folds differ by chance too.
            return cls.of_errors(rows.targets - answers, weights, model.predictions(rows.values))
        answers, codes = rounded_likelihoods(answers), rows.targets.astype(np.intp)
        parts = []
        for c in range(answers.shape[1]):
            own = codes == c
            parts.append(merged(answers[own, c], as_rows(weights[own], class_weight=class_weight)))
        return cls(*_columns(parts), np.zeros(0))

    @classmethod
    def of_errors(cls, errors: Array, weights: Array, predictions: Array) -> Self:
        """That of errors, apart by ranges of the prediction."""
        ranges = RANGES if len(errors) >= RANGES * LEAST_ROWS else 1
        borders = borders_between(predictions, weights, ranges)
        place = np.searchsorted(borders, predictions, side="right")
        parts = [merged(errors[place == n], weights[place == n]) for n in range(len(borders) + 1)]
        return cls(*_columns(parts), borders)

    def thresholds(self, confidence: float) -> Array:
        """How probable each class must be to be in a set, (classes,); -inf where it always is."""
        check_confidence(confidence)
        pairs = zip(self.scores, self.weights, strict=True)
        return np.array([lower_end(*pair, 1 - confidence) for pair in pairs])

    def sets(self, probabilities: Array, confidence: float) -> Mask:
        """Which classes a row may be of, (rows, classes)."""
        return np.asarray(rounded_likelihoods(probabilities) >= self.thresholds(confidence))

    def intervals(self, predictions: Array, confidence: float) -> Array:
        """Between which numbers each row is, (rows, 2), a range of few rows by the errors of all.

        An end is infinite where there are too few rows for it: 38 at 95 %.
        """
        check_confidence(confidence)
        missed = (1 - confidence) / 2
        every = merged(np.concatenate(self.scores), np.concatenate(self.weights))
        ends = []
        for own in zip(self.scores, self.weights, strict=True):
            pair = [-inf, inf]
            for scores, weights in (every, own):
                low = lower_end(scores, weights, missed)
                high = -lower_end(-scores[::-1], weights[::-1], missed)
                pair = [low if low > -inf else pair[0], high if high < inf else pair[1]]
            ends.append(pair)
        place = np.searchsorted(self.borders, predictions, side="right")
        return np.asarray(predictions[:, None] + np.array(ends)[place])


def held_out_answers(folds: Sequence[RuleModel], rows: SearchedRows) -> Array:
    """What the folds' models predict for the rows that each had not seen, (rows, ...).

    A row that stands for several may be held out in parts; then it is the mean by these.
    """
    found = np.zeros_like(folds[0].predictions(rows.values[:1]).repeat(len(rows.values), axis=0))
    for fold, held in zip(folds, rows.held, strict=True):
        kept = np.flatnonzero(held)
        answers = fold.predictions(rows.values[kept])
        found[kept] += (held[kept] * answers.T).T
    return found


def as_rows(weights: Array, *, class_weight: bool) -> Array:
    """Weights that count rows: where classes are weighted, so many as tell as much by chance."""
    total = float(np.square(weights).sum())
    return weights * (weights.sum() / total) if class_weight and total > 0 else weights


def merged(scores: Array, weights: Array) -> tuple[Array, Array]:
    """Scores in rising order, each once, and their weights."""
    rising, place = np.unique(scores, return_inverse=True)
    return rising, weight_sums(place.ravel(), weights, len(rising))


def borders_between(predictions: Array, weights: Array, ranges: int) -> Array:
    """Borders between different predictions, so that ranges have about the same weight."""
    rising, held = merged(predictions, weights)
    shares = np.append(0.0, np.cumsum(held) / held.sum())
    aims = np.arange(1, ranges)[:, None] / ranges
    after = np.unique(first_least(np.abs(shares - aims)))
    after = after[(after > 0) & (after < len(rising))]
    return np.asarray((rising[after - 1] + rising[after]) / 2)


def lower_end(scores: Array, weights: Array, missed: float) -> float:
    """The score below which a new row is left out; -inf where it never is.

    It is if (1 + sum_i w_i [s_i <= s]) / (1 + sum_i w_i) <= missed, with s_i the scores of rows
    held out, rising, and w_i the rows they stand for: the row in question counts as one of them.
    So of rows like them at most that share is left out.
    """
    enough = missed * (1 + weights.sum())
    enough += rounding(enough)
    if enough < 1 or not len(scores):
        return -inf
    first = np.searchsorted(1 + np.cumsum(weights), enough, side="right")
    return float(scores[min(first, len(scores) - 1)])


def _columns(parts: Sequence[tuple[Array, Array]]) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    return tuple(part[0] for part in parts), tuple(part[1] for part in parts)
