"""Whether probabilities of a class mean what they say, measured on rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.model.measures import NORMAL_95
from unfis.model.performance import in_quotes

# Probabilities of 0 and 1 count as so close to them: their log-odds would be infinite.
CLOSEST = 1e-9
MOST_STEPS, CLOSE_ENOUGH = 50, 1e-9


class Coefficient(NamedTuple):
    """A number that was fitted, and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def words(self) -> str:
        """It and its interval in words."""
        return f"{self.value:.2f}, 95 % interval {self.low:.2f} to {self.high:.2f}"


class Recalibration(NamedTuple):
    """logit(p') = intercept + slope logit(p), which fits the outcomes best; 0 and 1 change nothing.

    A slope below 1 tells that probabilities are too near 0 and 1. The intercept is the one beside a
    slope of 1: above 0 it tells that the class is more frequent than its probabilities say.
    """

    intercept: Coefficient
    slope: Coefficient

    def sentences(self, label: Any) -> list[str]:
        """Whether the probabilities of a class are too bold, and too high or too low, in words."""
        name, slope, start = in_quotes(label), self.slope, self.intercept
        bold = "neither too near 0 and 1 nor too far from them, as far as these rows tell"
        if slope.high < 1 or slope.low > 1:
            bold = "too near 0 and 1" if slope.high < 1 else "not near enough to 0 and 1"
        often = "as frequent as its probabilities say, as far as these rows tell"
        if start.low > 0 or start.high < 0:
            often = f"{'more' if start.low > 0 else 'less'} frequent than its probabilities say"
        return [
            f"The probabilities of {name} are {bold} (slope {slope.words}; 1 would be true).",
            f"On average {name} is {often} (intercept {start.words}; 0 would be true).",
        ]


def brier_score(outcomes: Mask, probabilities: Array) -> float:
    """Mean squared distance of the probabilities of a class from what came true."""
    return float(np.mean(np.square(probabilities - outcomes)))


def calibration_sentences(label: Any, outcomes: Mask, probabilities: Array) -> list[str]:
    """How far the probabilities of a class can be believed, in words."""
    score, share = brier_score(outcomes, probabilities), float(outcomes.mean())
    guess = f"where its share, said of every row, has {share * (1 - share):.4f}"
    told = [f"Brier score of {in_quotes(label)} {score:.4f}, {guess}."]
    found = recalibration(outcomes, probabilities)
    if found is None:
        why = "rows are all alike, or told apart without an error"
        return [*told, f"There is no slope and no intercept to tell: {why}."]
    return told + found.sentences(label)


def recalibration(outcomes: Mask, probabilities: Array) -> Recalibration | None:
    """The logistic recalibration of a class's probabilities on rows where it came true, or not.

    None where there is none: all rows alike in either, or told apart without an error.
    """
    within = np.clip(probabilities, CLOSEST, 1 - CLOSEST)
    log_odds = np.log(within) - np.log1p(-within)
    ones, zeros = np.ones((len(log_odds), 1)), np.zeros(len(log_odds))
    both = logistic_fit(np.column_stack([ones, log_odds]), zeros, outcomes)
    alone = logistic_fit(ones, log_odds, outcomes)
    return Recalibration(alone[0], both[1]) if both and alone else None


def logistic_fit(regressors: Array, offset: Array, outcomes: Mask) -> list[Coefficient] | None:
    """The coefficients of a logistic regression by Newton's method; None where it has none."""
    found = np.zeros(regressors.shape[1])
    for _ in range(MOST_STEPS):
        p = np.exp(-np.logaddexp(0.0, -(offset + regressors @ found)))
        curvature = regressors.T * (p * (1 - p)) @ regressors
        if np.linalg.matrix_rank(curvature, hermitian=True) < len(found):
            return None
        step = np.linalg.solve(curvature, regressors.T @ (outcomes - p))
        found = found + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() <= CLOSE_ENOUGH:
            errors = np.sqrt(np.diagonal(np.linalg.inv(curvature)))
            bounds = NORMAL_95 * errors
            triples = zip(found, found - bounds, found + bounds, strict=True)
            return [Coefficient(*map(float, three)) for three in triples]
    return None
