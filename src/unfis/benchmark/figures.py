"""The paper's figures again, and ranks of all systems over the sets."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unfis.benchmark.ours import LEARNERS
from unfis.benchmark.paper import SETS
from unfis.benchmark.statistics import rank
from unfis.benchmark.tables import chosen, summary
from unfis.datasets import load_dataset
from unfis.estimator import UNFISClassifier
from unfis.plots.canvas import colour, matplotlib_module


def save(figure: Any, path: Path) -> None:
    """Write a figure as SVG, the same bytes for the same picture."""
    matplotlib = matplotlib_module("pyplot").matplotlib
    with matplotlib.rc_context({"svg.hashsalt": "unfis"}):
        figure.savefig(path, metadata={"Date": None})
    matplotlib_module("pyplot").close(figure)


def selection(results: Any, only: list[str], path: Path) -> str:
    """The effect of the selection on a membership, mu+ for several vs: the paper's first."""
    from unfis.plots import SelectionEffectDisplay

    save(SelectionEffectDisplay().plot().figure_, path)
    return "Effect of the selection on a Gaussian membership."


def iris(results: Any, only: list[str], path: Path) -> str:
    """Fuzzy sets of two rules over the samples of iris, as printed (the paper's Iris figure)."""
    from unfis.plots import RulesDisplay

    data = load_dataset("iris")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops after 100 epochs
        clf = UNFISClassifier.paper(random_state=0).fit(data.frame, data.target)
    save(RulesDisplay.from_estimator(clf, data.frame, data.target).figure_, path)
    accuracy = clf.score(data.frame, data.target)
    return f"Fuzzy sets of two rules on iris, as printed: {accuracy:.1%} of its rows are right."


def learners(results: Any, only: list[str], path: Path) -> str:
    """Accuracy by learner and set, step sizes tuned on the training part with the same budget."""
    acronyms = chosen(SETS, only)
    found = {
        name: [summary(results, SETS[a], name, "accuracy")[:2] for a in acronyms]
        for name in LEARNERS
    }
    figure, ax = matplotlib_module("pyplot").subplots(figsize=(7.5, 3.6), layout="constrained")
    width = 0.8 / len(LEARNERS)
    for number, (name, cells) in enumerate(found.items()):
        places = np.arange(len(acronyms)) + (number - (len(LEARNERS) - 1) / 2) * width
        means = [100 * mean for mean, _ in cells]
        errors = [100 * deviation for _, deviation in cells]
        label = name.removesuffix(", tuned")
        ax.bar(places, means, width, yerr=errors, color=colour(number), label=label, capsize=1.5)
    ax.set_xticks(range(len(acronyms)), acronyms)
    ax.set_ylabel("accuracy, per cent")
    ax.set_ylim(0, 105)
    figure.legend(loc="outside upper center", ncols=len(LEARNERS), frameon=False)
    save(figure, path)
    lines = [
        f"{name.removesuffix(', tuned'):12s}" + "".join(f"{100 * m:8.2f}" for m, _ in cells)
        for name, cells in found.items()
    ]
    head = " " * 12 + "".join(f"{acronym:>8s}" for acronym in acronyms)
    return "\n".join(["Mean accuracy by learner, step sizes tuned.", "", head, *lines])


def score_matrix(results: Any, only: list[str]) -> tuple[list[str], list[str], Any]:
    """Systems with results on every set, the sets, and mean accuracies (sets, systems)."""
    sets = [SETS[acronym].removesuffix("-18") for acronym in chosen(SETS, only)]
    table = results[results["set"].isin(sets) & results["accuracy"].notna()]
    table = table[~table["system"].isin(LEARNERS)]
    means = table.pivot_table("accuracy", "set", "system", sort=False).reindex(sets)
    means = means.dropna(axis=1)
    return list(means.columns), sets, means.to_numpy()


def ranks(results: Any, only: list[str], path: Path) -> str:
    """Mean ranks of all systems over the sets, with the critical difference (Demsar's picture)."""
    systems, sets, scores = score_matrix(results, only)
    if len(systems) < 2:
        return "Ranks need at least two systems with results on all sets."
    found = rank(scores)
    order = np.argsort(found.means)
    height = 1.2 + 0.24 * len(systems)
    figure, ax = matplotlib_module("pyplot").subplots(figsize=(6.5, height), layout="constrained")
    places = np.arange(len(systems))
    ax.plot(found.means[order], places, "o", color=colour(0))
    best = float(found.means[order[0]])
    ax.axvspan(best, best + found.critical_difference, color=colour(0), alpha=0.12)
    ax.set_yticks(places, [systems[place] for place in order])
    ax.invert_yaxis()
    ax.set_xlabel(f"mean rank by accuracy over {len(sets)} sets; shaded: not told from the best")
    save(figure, path)
    lines = [f"{systems[place]:24s} {found.means[place]:5.2f}" for place in order]
    tests = f"Friedman p = {found.p_value:.2g}, critical difference {found.critical_difference:.2f}"
    return "\n".join([f"Mean ranks over {len(sets)} sets ({tests}).", "", *lines])


FIGURES: dict[str, Callable[[Any, list[str], Path], str]] = {
    "figure-selection": selection,
    "figure-iris": iris,
    "figure-learners": learners,
    "figure-ranks": ranks,
}
