"""Whether probabilities mean what they say, measured on rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from unfis.arrays import Array, Mask
from unfis.evaluation.measures import NORMAL_95, Estimate, Rate

BINS = 10
# Probabilities of 0 and 1 count as so close to them: their log-odds would be infinite.
CLOSEST = 1e-9
MOST_STEPS, CLOSE_ENOUGH = 50, 1e-9


class Bin(NamedTuple):
    """Rows of about the same probability, counted, as `calibration_curve` does not."""

    number: int
    probability: float  # mean
    rate: Rate  # of rows where it came true


def equal_bins(outcomes: Mask, probabilities: Array) -> list[Bin]:
    """Rows in ten bins of equal width, without the empty ones."""
    return binned(outcomes, probabilities, np.minimum((probabilities * BINS).astype(int), BINS - 1))


def tenths(outcomes: Mask, probabilities: Array) -> list[Bin]:
    """Rows in ten parts from the least to the most probable; rows alike stay together."""
    starts = np.sort(probabilities)[np.linspace(0, len(outcomes), BINS, endpoint=False).astype(int)]
    numbers = np.searchsorted(np.unique(starts), probabilities, side="right") - 1
    return binned(outcomes, probabilities, numbers)


def binned(outcomes: Mask, probabilities: Array, numbers: NDArray[np.intp]) -> list[Bin]:
    """The bins that rows are in, by the number of each row's, (rows,)."""
    rows, parts = np.bincount(numbers), np.bincount(numbers, weights=outcomes)
    sums = np.bincount(numbers, weights=probabilities)
    return [
        Bin(b, float(sums[b] / rows[b]), Rate(int(parts[b]), int(rows[b])))
        for b in np.flatnonzero(rows).tolist()
    ]


def calibration_error(bins: list[Bin]) -> float:
    """Mean distance of probabilities from what came true over the bins, by their rows (ECE)."""
    distances = [abs(one.probability * one.rate.rows - one.rate.part) for one in bins]
    return sum(distances) / sum(one.rate.rows for one in bins)


def recalibration(outcomes: Mask, probabilities: Array) -> tuple[Estimate, Estimate] | None:
    """Intercept and slope of logit(p') = intercept + slope logit(p), which fits the outcomes best.

    0 and 1 change nothing. A slope below 1 tells that probabilities are too near 0 and 1. The
    intercept is the one beside a slope of 1: above 0 it tells that the class is more frequent than
    its probabilities say. None where all rows are alike in either, or told apart without an error.
    """
    log_odds = logit(np.clip(probabilities, CLOSEST, 1 - CLOSEST))
    ones, zeros = np.ones((len(log_odds), 1)), np.zeros(len(log_odds))
    intercept = last_coefficient(ones, log_odds, outcomes, 0.0)
    slope = last_coefficient(np.column_stack([ones, log_odds]), zeros, outcomes, 1.0)
    return (intercept, slope) if intercept and slope else None


def last_coefficient(
    regressors: Array, offset: Array, outcomes: Mask, baseline: float
) -> Estimate | None:
    """The last coefficient of a logistic regression by Newton's method; None where it has none.

    scikit-learn's takes no offset, and tells no standard errors.
    """
    found = np.zeros(regressors.shape[1])
    for _ in range(MOST_STEPS):
        p = expit(offset + regressors @ found)
        curvature = regressors.T * (p * (1 - p)) @ regressors
        if np.linalg.matrix_rank(curvature, hermitian=True) < len(found):
            return None
        step = np.linalg.solve(curvature, regressors.T @ (outcomes - p))
        found = found + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() <= CLOSE_ENOUGH:
            value = float(found[-1])
            reach = NORMAL_95 * float(np.sqrt(np.linalg.inv(curvature)[-1, -1]))
            return Estimate(value, value - reach, value + reach, baseline)
    return None
