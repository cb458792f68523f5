"""Ranks of all systems over the sets, and their critical-difference picture (Demsar, 2006)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from unfis.arrays import Array
from unfis.plots.canvas import colour, matplotlib_module
from unfis.reproduction.paper import WITHOUT_LEAK
from unfis.reproduction.results import Recorded
from unfis.reproduction.systems.own import TUNED_LEARNERS

LEVEL = 0.05  # of significance


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


def rank(scores: Array) -> Ranks:
    """Mean ranks of systems by scores of shape (sets, systems), higher is better."""
    sets, systems = scores.shape
    ranks = stats.rankdata(-scores, axis=1)
    enough = systems > 2 and sets > 1 and bool((ranks != ranks.mean()).any())
    p_value = float(stats.friedmanchisquare(*scores.T).pvalue) if enough else math.nan
    quantile = stats.studentized_range.ppf(1 - LEVEL, systems, np.inf) / np.sqrt(2)
    critical = float(quantile * np.sqrt(systems * (systems + 1) / (6 * sets)))
    return Ranks(ranks.mean(axis=0), p_value, critical)


class Scores(NamedTuple):
    """Mean accuracies of the systems that have results on every set."""

    systems: list[str]
    sets: list[str]
    accuracy: Array  # (sets, systems)


def score_matrix(recorded: Recorded) -> Scores:
    """All systems on the sets asked for that any of them has run on, AUT without its leak."""
    names = [WITHOUT_LEAK[acronym] for acronym in recorded.acronyms]
    table = recorded.frame
    table = table[table["accuracy"].notna() & ~table["system"].isin(TUNED_LEARNERS)]
    sets = [name for name in names if name in set(table["set"])]
    means = table[table["set"].isin(sets)].pivot_table("accuracy", "set", "system", sort=False)
    means = means.reindex(sets).dropna(axis=1)
    return Scores(list(means.columns), sets, means.to_numpy())


def critical_difference_figure(systems: list[str], found: Ranks, title: str) -> Any:
    """Mean ranks on a line, best at the left; a bar joins systems that are not told apart."""
    order = np.argsort(found.means)
    half = (len(systems) + 1) // 2
    groups = found.groups()
    below = 0.6 + 0.35 * len(groups)
    height = 1.0 + 0.28 * (half + below)
    figure, ax = matplotlib_module("pyplot").subplots(figsize=(7.5, height), layout="constrained")
    low, high = 1.0, float(len(systems))
    ax.hlines(0, low, high, color="black", linewidth=1)
    for tick in range(1, len(systems) + 1):
        ax.vlines(tick, -0.12, 0, color="black", linewidth=0.8)
        ax.text(tick, -0.3, str(tick), ha="center", va="bottom", fontsize=8)
    ax.plot([low, low + found.critical_difference], [-1.3, -1.3], color="black", linewidth=2)
    ax.text(low, -1.45, f"critical difference {found.critical_difference:.2f}", fontsize=8)
    for number, (start, end) in enumerate(groups):
        depth = 0.4 + 0.35 * number
        ax.hlines(depth, start - 0.05, end + 0.05, color=colour(1), linewidth=3)
    for number, index in enumerate(order):
        is_left = number < half
        depth = below + (number if is_left else len(systems) - 1 - number)
        edge, side = (low - 0.4, "right") if is_left else (high + 0.4, "left")
        mean = float(found.means[index])
        ax.plot([mean, mean, edge], [0, depth, depth], color=colour(0), linewidth=0.8)
        text = f"{systems[index]}  {mean:.2f}" if is_left else f"{mean:.2f}  {systems[index]}"
        ax.text(edge, depth, f" {text} ", ha=side, va="center", fontsize=8)
    reach = 0.42 * (high - low) + 2
    ax.set(xlim=(low - reach, high + reach), ylim=(below + half - 0.4, -2.0))
    ax.set_axis_off()
    ax.set_title(title, fontsize=9)
    return figure


def ranks_of(scores: Scores) -> Ranks | None:
    """The ranks of the systems, None where there are not two of them."""
    return rank(scores.accuracy) if len(scores.systems) > 1 else None
