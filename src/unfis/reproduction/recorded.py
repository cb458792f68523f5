"""Recorded results as tables, figures and the verdict ask for them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from unfis.reproduction.paper import SETS, TEST_SHARE
from unfis.reproduction.statistics import Comparison, compare


class Summary(NamedTuple):
    """A measure over runs; NaN where there are too few of them."""

    mean: float
    deviation: float
    runs: int

    def text(self, factor: float = 1.0, digits: int = 2) -> str:
        """A mean with its deviation, "-" where there is none."""
        if math.isnan(self.mean):
            return "-"
        known = not math.isnan(self.deviation)
        spread = f" ± {factor * self.deviation:.{digits}f}" if known else ""
        return f"{factor * self.mean:.{digits}f}{spread}"


@dataclass(frozen=True)
class Recorded:
    """Results of runs, and which of the paper's sets are asked for.

    Attributes
    ----------
    frame : a line per run, of a `Results`
    acronyms : the paper's sets that are asked for
    data_home : the folder of data sets
    circumstances : what the runs were done with, of a `Circumstances`
    """

    frame: Any
    acronyms: list[str] = field(default_factory=lambda: list(SETS))
    data_home: Any = None
    circumstances: list[dict[str, Any]] = field(default_factory=list)

    @cached_property
    def _runs(self) -> dict[tuple[str, str], Any]:
        """Runs with a result, by set and system, each with its seeds as index."""
        done = self.frame[self.frame["accuracy"].notna()]
        return {key: part.set_index("seed") for key, part in done.groupby(["set", "system"])}

    def values(self, name: str, system: str, measure: str = "accuracy") -> Any:
        """A measure of a system on a set by seed, a series; empty if it was not measured."""
        runs = self._runs.get((name, system))
        return self.frame[measure].iloc[:0] if runs is None else runs[measure].dropna()

    def summary(self, name: str, system: str, measure: str = "accuracy") -> Summary:
        """Mean, deviation and number of a measure's runs."""
        values = self.values(name, system, measure)
        deviation = float(values.std(ddof=1)) if len(values) > 1 else math.nan
        return Summary(float(values.mean()) if len(values) else math.nan, deviation, len(values))

    def mean(self, name: str, system: str, measure: str = "accuracy") -> float:
        """The mean of a measure, NaN if it was not measured."""
        return self.summary(name, system, measure).mean

    def per_rule(self, name: str, system: str) -> float:
        """Conditions per rule, on average over the runs."""
        return self.mean(name, system, "conditions") / self.mean(name, system, "rules")

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
