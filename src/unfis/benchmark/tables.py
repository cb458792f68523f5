"""The paper's tables, each cell as printed, as reproduced, and as this project does by default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unfis.benchmark.ours import DEFAULT, PRINTED
from unfis.benchmark.paper import (
    ACCURACY,
    ACTIVE,
    BALANCED,
    CHARACTERISTICS,
    COMPARED,
    HYPERPARAMETERS,
    SETS,
)
from unfis.benchmark.protocol import TEST_SHARE
from unfis.datasets import load_dataset
from unfis.estimator import UNFISClassifier

Rows = list[list[str]]


def summary(results: Any, set_name: str, system: str, measure: str) -> tuple[float, float, int]:
    """Mean, deviation and number of a measure's runs; NaN and 0 where there are none."""
    chosen = (results["set"] == set_name) & (results["system"] == system)
    values = results.loc[chosen, measure].dropna()
    deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return float(values.mean()) if len(values) else float("nan"), deviation, len(values)


def cell(mean: float, deviation: float, factor: float = 1.0, digits: int = 2) -> str:
    """A mean with its deviation, "-" where there is none."""
    if np.isnan(mean):
        return "-"
    spread = "" if np.isnan(deviation) else f" ± {factor * deviation:.{digits}f}"
    return f"{factor * mean:.{digits}f}{spread}"


def hyperparameters(results: Any, only: list[str]) -> Rows:
    """Table I: the paper's hyperparameters; by default most are left to the data."""
    paper, default = UNFISClassifier.paper(), UNFISClassifier()
    learner: Any = paper.learner
    ours = {
        "minibatch size (M)": (learner.batch_size, "all rows"),
        "damping (lambda)": (learner.damping, "adapted in every step"),
        "eta": (learner.eta, "none: cross-entropy as it is"),
        "smoothing (beta)": (learner.smoothing, "none"),
        "epochs": (learner.max_iter, "until it has converged, 200 at most"),
        "rules (R)": (paper.n_rules, f"{default.n_rules}, up to {default.max_rules}"),
    }
    rows = [["", "printed", "reproduced", "default"]]
    for name, value in HYPERPARAMETERS.items():
        rows.append([name, f"{value:g}", f"{ours[name][0]:g}", str(ours[name][1])])
    return rows


def characteristics(results: Any, only: list[str]) -> Rows:
    """Table II: the data sets; features, rows to learn from and to test on, classes."""
    rows = [["set", "printed", "reproduced", "default"]]
    for acronym in chosen(SETS, only):
        found = []
        for name in (SETS[acronym], SETS[acronym].removesuffix("-18")):
            data = load_dataset(name)
            test = int(np.ceil(TEST_SHARE * len(data.frame)))
            classes = data.target.nunique()
            sizes = f"{data.frame.shape[1]} x {len(data.frame) - test} + {test}"
            found.append(f"{sizes}, {classes} classes")
        features, train, test, classes = CHARACTERISTICS[acronym]
        rows.append([acronym, f"{features} x {train} + {test}, {classes} classes", *found])
    return rows


def active_features(results: Any, only: list[str]) -> Rows:
    """Table III: the sum of selections of a rule; by default conditions per rule, counted."""
    rows = [["set", "printed", "reproduced", "default"]]
    for acronym in chosen(SETS, only):
        mean, deviation, _ = summary(results, SETS[acronym], PRINTED[0], "active")
        default = SETS[acronym].removesuffix("-18")
        conditions = summary(results, default, DEFAULT, "conditions")[0]
        per_rule = conditions / summary(results, default, DEFAULT, "rules")[0]
        printed = " and ".join(f"{value:.2f}" for value in ACTIVE[acronym])
        rows.append([acronym, printed, cell(mean, deviation), cell(per_rule, float("nan"))])
    return rows


def compared(
    results: Any,
    only: list[str],
    table: dict[str, Any],
    measure: str,
    factor: float,
    digits: int,
) -> Rows:
    """Printed, reproduced and default values of UNFIS and FNN, and the other printed systems."""
    rows = [["set", "system", "printed", "reproduced", "default"]]
    for acronym in chosen(table, only):
        name = SETS[acronym]
        for place, system in enumerate(COMPARED):
            mean, deviation = table[acronym][place]
            printed = cell(mean, deviation, digits=digits)
            found, default = "-", "-"
            if system in ("UNFIS", "FNN"):
                own = PRINTED[0 if system == "UNFIS" else 1]
                found = cell(*summary(results, name, own, measure)[:2], factor, digits)
            if system == "UNFIS":
                default = cell(*summary(results, name, DEFAULT, measure)[:2], factor, digits)
            rows.append([acronym, system, printed, found, default])
        if acronym == "AUT":
            rows += autism_without_leak(results, measure, factor, digits)
    return rows


def autism_without_leak(results: Any, measure: str, factor: float, digits: int) -> Rows:
    """AUT without the case number, and without the score that gives the class away too."""
    rows = []
    for name in ("autism-17", "autism"):
        label = f"AUT ({'17' if name.endswith('17') else '16'} columns)"
        for system, own in zip(("UNFIS", "FNN"), PRINTED, strict=True):
            found = cell(*summary(results, name, own, measure)[:2], factor, digits)
            default = cell(*summary(results, name, DEFAULT, measure)[:2], factor, digits)
            rows.append([label, system, "-", found, default if system == "UNFIS" else "-"])
    return rows


def accuracy(results: Any, only: list[str]) -> Rows:
    """Table IV: accuracy in per cent."""
    return compared(results, only, ACCURACY, "accuracy", 100.0, 2)


def balanced_accuracy(results: Any, only: list[str]) -> Rows:
    """Table V: what the paper calls AUC, balanced accuracy by its formula."""
    return compared(results, only, BALANCED, "balanced_accuracy", 1.0, 4)


TABLES: dict[str, Callable[[Any, list[str]], Rows]] = {
    "table-1": hyperparameters,
    "table-2": characteristics,
    "table-3": active_features,
    "table-4": accuracy,
    "table-5": balanced_accuracy,
}


def chosen(table: dict[str, Any], only: list[str]) -> list[str]:
    """The acronyms of a table whose sets are wanted; all if none is named."""
    wanted = {name.removesuffix("-17").removesuffix("-18") for name in only}
    return [a for a in table if not wanted or SETS[a].removesuffix("-18") in wanted]


def as_text(rows: Rows) -> str:
    """A table in columns."""
    widths = [max(len(row[j]) for row in rows) for j in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def as_markdown(rows: Rows) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])
