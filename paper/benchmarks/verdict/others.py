"""All systems on the same splits: accuracy, other measures, ranks, and what did not run."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.ties import ranked
from unfis_paper.reproduction.figures import Ranks, mean_accuracies, rank
from unfis_paper.reproduction.paper import WITHOUT_LEAK
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED, SCALED
from unfis_paper.reproduction.tables import TextTable
from verdict.comparison import ComparedRuns
from verdict.wording import against, as_markdown, mean, number

LIGHT = (
    'Systems named "(light)" run with lighter settings than their own, so that all runs fit into '
    "an hour. These were found by looking at a few splits of these sets: what such a system loses "
    "against others may be the settings'. Rules x conditions of one-hot inputs count columns."
)
MEASURES = {
    "balanced_accuracy": "balanced accuracy",
    "roc_auc": "ROC AUC",
    "log_loss": "log-loss",
    "calibration_error": "calibration error",
    "predict_seconds": "predict, seconds",
}


def others(recorded: ComparedRuns) -> list[str]:
    """Systems by rank, the default against each, and errors."""
    scores = mean_accuracies(recorded)
    found = rank(scores.to_numpy())
    lines = []
    if found is not None:
        order = ranked(found.means).tolist()
        lines = [
            "Accuracy in per cent, AUT with 16 columns; fit in seconds of one core, median over "
            "all runs:",
            "",
            as_markdown(by_rank(recorded, scores, found, order)),
            "",
            f"Friedman's test: p = {number(found.p_value, '.2g')}; mean ranks that differ by less "
            f"than {found.critical_difference:.2f} are not told apart (Nemenyi, 5 %).",
            "",
            "Means over the sets of other measures:",
            "",
            as_markdown(other_measures(recorded, scores, order)),
            "",
            *default_against(recorded, [scores.columns[place] for place in order]),
        ]
        if any("(light)" in system for system in scores.columns):
            lines += ["", LIGHT]
    errors = failures(recorded)
    return [*lines, *([""] if lines and errors else []), *errors]


def by_rank(recorded: ComparedRuns, scores: Any, found: Ranks, order: list[int]) -> TextTable:
    """Accuracies, mean rank, size and time of every system."""
    rows = [["system", *scores.index, "mean", "rank", "rules x conditions", "fit, seconds"]]
    table = recorded.frame[recorded.frame["set"].isin(scores.index)]
    for place in order:
        system = scores.columns[place]
        runs = table[table["system"] == system]
        rules, conditions = runs["rules"].mean(), runs["conditions"].mean()
        size = "-" if np.isnan(rules) else f"{rules:.0f} x {conditions / rules:.1f}"
        accuracies = 100 * scores[system].to_numpy()
        cells = [f"{value:.1f}" for value in (*accuracies, accuracies.mean())]
        seconds = number(float(runs["fit_seconds"].median()))
        rows.append([system, *cells, f"{found.means[place]:.2f}", size, seconds])
    return rows


def other_measures(recorded: ComparedRuns, scores: Any, order: list[int]) -> TextTable:
    """Means over the sets of what is measured beside accuracy."""
    rows = [["system", *MEASURES.values()]]
    for place in order:
        system = scores.columns[place]
        means = [
            mean(recorded.mean(name, system, measure) for name in scores.index)
            for measure in MEASURES
        ]
        digits = [".4f" if "seconds" in measure else ".3f" for measure in MEASURES]
        rows.append([system, *map(number, means, digits)])
    return rows


def default_against(recorded: ComparedRuns, systems: list[str]) -> list[str]:
    """On how many sets the default is significantly better or worse than each other system."""
    compared = [system for system in systems if system not in (DEFAULT, *PRINTED, *SCALED)]
    rows = against(recorded, recorded.sets(WITHOUT_LEAK), DEFAULT, compared)
    if len(rows) == 1:
        return []
    return [
        "The default (`selection='decisive'`) minus each other system, points and d as means over "
        "the sets, and on how many of them it is significantly better or worse:",
        "",
        as_markdown(rows),
    ]


def failures(recorded: ComparedRuns) -> list[str]:
    """Systems with runs that have no result, and why."""
    failed = recorded.frame[recorded.frame["error"] != ""].groupby("system")["error"]
    return [
        f"- {system}: {errors.count()} runs without result, {errors.iloc[0].rstrip('.')}."
        for system, errors in failed
    ]
