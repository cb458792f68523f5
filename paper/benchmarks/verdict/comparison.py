"""Systems compared on the same splits, with tests that are corrected for overlap and number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from unfis.arrays import Array
from unfis_paper.reproduction.figures import LEVEL
from unfis_paper.reproduction.paper import TEST_SHARE
from unfis_paper.reproduction.results import Recorded


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


@dataclass(frozen=True)
class ComparedRuns(Recorded):
    """Recorded results, and systems compared by them.

    Attributes
    ----------
    circumstances : what the runs were done with, of a `Circumstances`
    """

    circumstances: list[dict[str, Any]] = field(default_factory=list)

    def has(self, name: str, systems: Iterable[str], count: int = 1) -> bool:
        """Whether all systems have so many results on a set."""
        return all(len(self.values(name, system)) >= count for system in systems)

    def sets(self, forms: dict[str, str]) -> dict[str, str]:
        """The sets asked for, by acronym."""
        return {acronym: forms[acronym] for acronym in self.acronyms}

    def where(
        self, forms: dict[str, str], systems: Iterable[str], count: int = 1
    ) -> dict[str, str]:
        """The sets asked for on which all systems have so many results, by acronym."""
        names = tuple(systems)
        return {a: name for a, name in self.sets(forms).items() if self.has(name, names, count)}

    def paired(self, name: str, first: str, second: str, measure: str = "accuracy") -> Comparison:
        """Two systems on the same splits of a set."""
        one, other = (self.values(name, system, measure) for system in (first, second))
        seeds = one.index.intersection(other.index)
        return compare(one.loc[seeds].to_numpy(), other.loc[seeds].to_numpy(), TEST_SHARE)

    def against(
        self, name: str, system: str, printed: float, measure: str = "accuracy"
    ) -> Comparison:
        """A system on the splits of a set against a printed mean, taken as it is."""
        values = self.values(name, system, measure).to_numpy()
        return compare(values, np.full(len(values), printed), TEST_SHARE)
