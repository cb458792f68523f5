"""The paper's figures again, and ranks of all systems over the sets."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unfis.datasets import load_dataset
from unfis.estimators.classifier import UNFISClassifier
from unfis.plots.canvas import colour, matplotlib_module
from unfis.reproduction.paper import SETS
from unfis.reproduction.ranks import critical_difference_figure, ranks_of, score_matrix
from unfis.reproduction.results import Recorded
from unfis.reproduction.systems.own import TUNED, TUNED_LEARNERS
from unfis.serial.files import replacing


def save(figure: Any, path: Path) -> None:
    """Write a figure as SVG, the same bytes for the same picture."""
    matplotlib = matplotlib_module("pyplot").matplotlib
    with matplotlib.rc_context({"svg.hashsalt": "unfis"}), replacing(path, binary=True) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    matplotlib_module("pyplot").close(figure)


def selection(recorded: Recorded, path: Path) -> str:
    """The effect of the selection on a membership, mu+ for several vs: the paper's first."""
    from unfis.plots import SelectionEffectDisplay

    save(SelectionEffectDisplay().plot().figure_, path)
    return "Effect of the selection on a Gaussian membership."


def iris(recorded: Recorded, path: Path) -> str:
    """Fuzzy sets of two rules over the samples of iris, as printed (the paper's Iris figure)."""
    from unfis.plots import RulesDisplay

    data = load_dataset("iris")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the paper stops after 100 epochs
        clf = UNFISClassifier.paper(random_state=0).fit(data.frame, data.target)
    save(RulesDisplay.from_estimator(clf, data.frame, data.target).figure_, path)
    accuracy = clf.score(data.frame, data.target)
    return f"Fuzzy sets of two rules on iris, as printed: {accuracy:.1%} of its rows are right."


def learners(recorded: Recorded, path: Path) -> str:
    """Accuracy by learner and set, step sizes tuned on the training part with the same budget."""
    found = {
        name: [recorded.summary(SETS[acronym], name) for acronym in recorded.acronyms]
        for name in TUNED_LEARNERS
    }
    figure, ax = matplotlib_module("pyplot").subplots(figsize=(7.5, 3.6), layout="constrained")
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


def ranks(recorded: Recorded, path: Path) -> str:
    """Mean ranks of all systems over the sets, with the critical difference (Demsar's picture)."""
    scores = score_matrix(recorded)
    found = ranks_of(scores)
    if found is None:
        return "Ranks need at least two systems with results on all sets."
    count = len(scores.sets)
    title = f"Mean ranks by accuracy over {count} sets; a bar joins what is not told apart"
    save(critical_difference_figure(scores.systems, found, title), path)
    order = np.argsort(found.means)
    lines = [f"{scores.systems[i]:24s} {found.means[i]:5.2f}" for i in order]
    tests = f"Friedman p = {found.p_value:.2g}, critical difference {found.critical_difference:.2f}"
    return "\n".join([f"Mean ranks over {count} sets ({tests}).", "", *lines])


FIGURES: dict[str, Callable[[Recorded, Path], str]] = {
    "figure-selection": selection,
    "figure-iris": iris,
    "figure-learners": learners,
    "figure-ranks": ranks,
}
