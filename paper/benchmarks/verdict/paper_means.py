"""Single numbers of the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfis_paper.reproduction.paper import ACCURACY, COMPARED

Table = Mapping[str, Sequence[tuple[float, float]]]  # acronym -> mean and deviation by system


def printed_mean(table: Table, acronym: str, system: str) -> float:
    """The printed mean of a system on a set."""
    return table[acronym][COMPARED.index(system)][0]


def best_compared(acronym: str, table: Table = ACCURACY) -> tuple[str, float]:
    """The best system that the paper compares UNFIS with, and its mean."""
    means = {
        system: printed_mean(table, acronym, system) for system in COMPARED if system != "UNFIS"
    }
    best = max(means, key=lambda system: means[system])
    return best, means[best]
