"""Statistical tests for results of repeated splits, and ranks over data sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from unfis.arrays import Array


class Comparison(NamedTuple):
    """One system against another on the same splits."""

    difference: float  # mean of first minus second
    effect: float  # the mean difference in deviations of the differences (Cohen's d, paired)
    p_value: float


def compare(first: Array, second: Array, test_share: float) -> Comparison:
    """Paired t-test over splits, corrected for their overlap (Nadeau and Bengio, 2003).

    t = mean / sqrt((1 / n + n_test / n_train) var): the training parts of random splits share most
    of their rows, so that the plain test takes chance for certainty.
    """
    differences = np.asarray(first) - np.asarray(second)
    count = len(differences)
    if count < 2:
        return Comparison(*[float("nan")] * 3)
    mean = float(np.mean(differences))
    deviation = float(np.std(differences, ddof=1))
    if deviation == 0:
        return Comparison(mean, 0.0 if mean == 0 else float("inf"), 1.0 if mean == 0 else 0.0)
    variance = (1 / count + test_share / (1 - test_share)) * deviation**2
    p_value = 2 * stats.t.sf(abs(mean) / np.sqrt(variance), count - 1)
    return Comparison(mean, mean / deviation, float(p_value))


def holm(p_values: list[float]) -> list[float]:
    """P-values of several tests, corrected so that all of them together hold (Holm, 1979)."""
    order = np.argsort(p_values)
    corrected, largest = np.empty(len(p_values)), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return [float(value) for value in corrected]


class Ranks(NamedTuple):
    """Systems ranked over data sets (Demsar, 2006)."""

    means: Array  # mean rank of each system, 1 is best, (systems,)
    p_value: float  # of Friedman's test that all are alike
    critical_difference: float  # of two mean ranks by Nemenyi's test


def rank(scores: Array, level: float = 0.05) -> Ranks:
    """Mean ranks of systems by scores of shape (sets, systems), higher is better."""
    sets, systems = scores.shape
    ranks = np.apply_along_axis(stats.rankdata, 1, -scores)
    enough = systems > 2 and sets > 1
    p_value = float(stats.friedmanchisquare(*scores.T).pvalue) if enough else float("nan")
    quantile = stats.studentized_range.ppf(1 - level, systems, np.inf) / np.sqrt(2)
    critical = float(quantile * np.sqrt(systems * (systems + 1) / (6 * sets)))
    return Ranks(ranks.mean(axis=0), p_value, critical)
