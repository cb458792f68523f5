"""Recorded results as tables and figures ask for them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from unfis.reproduction.paper import SETS


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
    """

    frame: Any
    acronyms: list[str] = field(default_factory=lambda: list(SETS))
    data_home: Any = None

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
