"""Statistical tests for results of repeated splits, and ranks over data sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from unfis.arrays import Array

LEVEL = 0.05


class Comparison(NamedTuple):
    """One system against another on the same splits; NaN where nothing can be said."""

    difference: float  # mean of first minus second
    effect: float  # the mean difference in deviations of the differences (Cohen's d, paired)
    p_value: float

    @property
    def is_better(self) -> bool:
        """Whether the first is significantly higher."""
        return self.difference > 0 and self.p_value < LEVEL

    @property
    def is_worse(self) -> bool:
        """Whether the first is significantly lower."""
        return self.difference < 0 and self.p_value < LEVEL


def compare(first: Array, second: Array, test_share: float) -> Comparison:
    """Paired t-test over splits, corrected for their overlap (Nadeau and Bengio, 2003).

    t = mean / sqrt((1 / n + n_test / n_train) var): the training parts of random splits share most
    of their rows, so that the plain test takes chance for certainty. Differences that are all the
    same, but not 0, tell nothing of how they vary.
    """
    differences = np.asarray(first) - np.asarray(second)
    count = len(differences)
    if not count:
        return Comparison(math.nan, math.nan, math.nan)
    mean = float(np.mean(differences))
    if not differences.any() and count > 1:
        return Comparison(0.0, 0.0, 1.0)
    deviation = float(np.std(differences, ddof=1)) if count > 1 else 0.0
    if deviation <= 1e-12 * abs(mean):
        return Comparison(mean, math.nan, math.nan)
    variance = (1 / count + test_share / (1 - test_share)) * deviation**2
    p_value = 2 * stats.t.sf(abs(mean) / np.sqrt(variance), count - 1)
    return Comparison(mean, mean / deviation, float(p_value))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of several tests, corrected so that all of them together hold (Holm, 1979).

    NaN, of tests that could not be made, stays and does not count.
    """
    corrected, largest = np.full(len(p_values), math.nan), 0.0
    order = [place for place in np.argsort(p_values) if not math.isnan(p_values[place])]
    for rank_, place in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank_) * p_values[place]))
        corrected[place] = largest
    return [float(value) for value in corrected]


def together(found: dict[str, Comparison]) -> dict[str, Comparison]:
    """Comparisons that are made together, with corrected p-values."""
    p_values = holm([one.p_value for one in found.values()])
    return {
        key: one._replace(p_value=p_value)
        for (key, one), p_value in zip(found.items(), p_values, strict=True)
    }


class Tally(NamedTuple):
    """On how many sets one system is significantly better or worse than another."""

    better: int
    worse: int


def tally(found: dict[str, Comparison]) -> Tally:
    """Count comparisons."""
    better = sum(one.is_better for one in found.values())
    return Tally(better, sum(one.is_worse for one in found.values()))


class Ranks(NamedTuple):
    """Systems ranked over data sets (Demsar, 2006)."""

    means: Array  # mean rank of each system, 1 is best, (systems,)
    p_value: float  # of Friedman's test that all are alike
    critical_difference: float  # of two mean ranks by Nemenyi's test

    def groups(self) -> list[tuple[float, float]]:
        """Lowest and highest mean rank of each largest group whose members are not told apart."""
        ordered = np.sort(self.means)
        ends = [float(ordered[ordered <= low + self.critical_difference][-1]) for low in ordered]
        groups: list[tuple[float, float]] = []
        for low, high in zip(ordered.tolist(), ends, strict=True):
            if high > low and (not groups or high > groups[-1][1]):
                groups.append((low, high))
        return groups


def rank(scores: Array, level: float = LEVEL) -> Ranks:
    """Mean ranks of systems by scores of shape (sets, systems), higher is better."""
    sets, systems = scores.shape
    ranks = np.apply_along_axis(stats.rankdata, 1, -scores)
    enough = systems > 2 and sets > 1 and bool((ranks != ranks.mean()).any())
    p_value = float(stats.friedmanchisquare(*scores.T).pvalue) if enough else math.nan
    quantile = stats.studentized_range.ppf(1 - level, systems, np.inf) / np.sqrt(2)
    critical = float(quantile * np.sqrt(systems * (systems + 1) / (6 * sets)))
    return Ranks(ranks.mean(axis=0), p_value, critical)
