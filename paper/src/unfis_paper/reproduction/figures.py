"""The paper's figures again, and ranks of all systems over the sets (Demsar, 2006)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib import pyplot
from scipy import stats
from sklearn.exceptions import ConvergenceWarning

from unfis import UNFISNetworkClassifier
from unfis.arrays import Array
from unfis.plots import NetworkDisplay, SelectionEffectDisplay, colour
from unfis.serial.files import replacing
from unfis.ties import ranked
from unfis_paper.datasets import load_dataset
from unfis_paper.reproduction.paper import SETS, WITHOUT_LEAK
from unfis_paper.reproduction.results import Recorded
from unfis_paper.reproduction.systems.compared import AS_STREAM, RAW
from unfis_paper.reproduction.systems.own import TUNED, TUNED_LEARNERS

LEVEL = 0.05  # of significance
MOST_NUMBERED_RANKS = 20  # of more ranks every other one has its number, so that none touch


def save(figure: Any, path: Path) -> None:
    """Write a figure as SVG, the same bytes for the same picture."""
    with pyplot.rc_context({"svg.hashsalt": "unfis"}), replacing(path, binary=True) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    pyplot.close(figure)


def selection(recorded: Recorded, path: Path) -> str:
    """The effect of the selection on a membership, mu+ for several vs: the paper's first."""
    save(SelectionEffectDisplay().plot().figure_, path)
    return "Effect of the selection on a Gaussian membership."


def iris(recorded: Recorded, path: Path) -> str:
    """Fuzzy sets of two rules over the samples of iris, as printed (the paper's Iris figure)."""
    data = load_dataset("iris")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops after 100 epochs
        clf = UNFISNetworkClassifier.paper(random_state=0).fit(data.frame, data.target)
    save(NetworkDisplay.from_estimator(clf, data.frame, data.target).figure_, path)
    accuracy = clf.score(data.frame, data.target)
    return f"Fuzzy sets of two rules on iris, as printed: {accuracy:.1%} of its rows are right."


def learners(recorded: Recorded, path: Path) -> str:
    """Accuracy by learner and set, step sizes tuned on the training part with the same budget."""
    found = {
        name: [recorded.summary(SETS[acronym], name) for acronym in recorded.acronyms]
        for name in TUNED_LEARNERS
    }
    figure, ax = pyplot.subplots(figsize=(7.5, 3.6), layout="constrained")
    width, highest = 0.8 / len(TUNED_LEARNERS), 100.0
    for number, (name, cells) in enumerate(found.items()):
        positions = np.arange(len(cells)) + (number - (len(TUNED_LEARNERS) - 1) / 2) * width
        means = [100 * cell.mean for cell in cells]
        errors = [0 if math.isnan(cell.deviation) else 100 * cell.deviation for cell in cells]
        label = name.removesuffix(TUNED)
        ax.bar(positions, means, width, yerr=errors, color=colour(number), label=label, capsize=1.5)
        tops = [mean + error for mean, error in zip(means, errors, strict=True)]
        highest = max(highest, *(top for top in tops if not math.isnan(top)), 0)
    ax.set_xticks(range(len(recorded.acronyms)), recorded.acronyms)
    ax.set_ylabel("accuracy, per cent")
    ax.set_ylim(0, 1.03 * highest)
    figure.legend(loc="outside upper center", ncols=len(TUNED_LEARNERS), frameon=False)
    save(figure, path)
    lines = [
        f"{name.removesuffix(TUNED):12s}" + "".join(f"{cell.text(100.0):>16s}" for cell in cells)
        for name, cells in found.items()
    ]
    head = " " * 12 + "".join(f"{acronym:>16s}" for acronym in recorded.acronyms)
    return "\n".join(["Accuracy by learner in per cent, step sizes tuned.", "", head, *lines])


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


def rank(scores: Array) -> Ranks | None:
    """Mean ranks of systems by scores of shape (sets, systems), higher is better; None of one."""
    sets, systems = scores.shape
    if systems < 2:
        return None
    ranks = stats.rankdata(-np.round(scores, 9), axis=1)  # a last digit makes no rank
    enough = systems > 2 and sets > 1 and bool((ranks != ranks.mean()).any())
    p_value = float(stats.friedmanchisquare(*scores.T).pvalue) if enough else math.nan
    quantile = stats.studentized_range.ppf(1 - LEVEL, systems, np.inf) / np.sqrt(2)
    critical = float(quantile * np.sqrt(systems * (systems + 1) / (6 * sets)))
    return Ranks(ranks.mean(axis=0), p_value, critical)


def mean_accuracies(recorded: Recorded) -> Any:
    """A data frame of the systems that have results on every set, AUT without its leak.

    Of the systems that the paper compares with only those on scaled inputs that never learn from
    test rows. A row for each of the sets asked for that any system has run on, a column for each
    system.
    """
    names = [WITHOUT_LEAK[acronym] for acronym in recorded.acronyms]
    table = recorded.frame
    left_out = table["system"].isin(TUNED_LEARNERS) | table["system"].str.endswith((RAW, AS_STREAM))
    table = table[table["accuracy"].notna() & ~left_out]
    sets = [name for name in names if name in set(table["set"])]
    means = table[table["set"].isin(sets)].pivot_table("accuracy", "set", "system", sort=False)
    return means.reindex(sets).dropna(axis=1)


def critical_difference_figure(systems: list[str], found: Ranks, title: str) -> Any:
    """Mean ranks on a line, best at the left; a bar joins systems that are not told apart."""
    order = ranked(found.means)
    half = (len(systems) + 1) // 2
    groups = found.groups()
    below = 0.6 + 0.35 * len(groups)
    height = 1.0 + 0.28 * (half + below)
    figure, ax = pyplot.subplots(figsize=(7.5, height), layout="constrained")
    low, high = 1.0, float(len(systems))
    ax.hlines(0, low, high, color="black", linewidth=1)
    for tick in range(1, len(systems) + 1):
        ax.vlines(tick, -0.12, 0, color="black", linewidth=0.8)
        if tick % 2 or len(systems) <= MOST_NUMBERED_RANKS:
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


def ranks(recorded: Recorded, path: Path) -> str:
    """Mean ranks of all systems over the sets, with the critical difference (Demsar's picture)."""
    means = mean_accuracies(recorded)
    count, systems = len(means), list(means.columns)
    found = rank(means.to_numpy())
    if found is None:
        return "Ranks need at least two systems with results on all sets."
    title = f"Mean ranks by accuracy over {count} sets; a bar joins what is not told apart"
    save(critical_difference_figure(systems, found, title), path)
    order = ranked(found.means)
    lines = [f"{systems[i]:24s} {found.means[i]:5.2f}" for i in order]
    tests = f"Friedman p = {found.p_value:.2g}, critical difference {found.critical_difference:.2f}"
    return "\n".join([f"Mean ranks over {count} sets ({tests}).", "", *lines])


FIGURES: dict[str, Callable[[Recorded, Path], str]] = {
    "figure-selection": selection,
    "figure-iris": iris,
    "figure-learners": learners,
    "figure-ranks": ranks,
}
