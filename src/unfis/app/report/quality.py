"""How good the model is beside plain models, by class and by group, as tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_FOLDS, OWN_MODEL, Comparison
from unfis.app.report.charts import Frame
from unfis.app.report.headline import (
    FIGURE_NAMES,
    IN_PERCENT,
    Judged,
    estimate_words,
    performance_of,
)
from unfis.app.tables.grouping import error_row, group_row, plain_errors, plain_rates
from unfis.evaluation.errors import Errors
from unfis.text.names import visible
from unfis.text.numbers import percent

INTERVAL_WIDTH = 200.0  # of the picture of an interval
SHADES = 8  # of a matrix's cells
MOST_NAMED = 4  # classes whose names stand above their columns


def baseline_table(
    answers: TableAnswers, comparison: Comparison | None, leading: str
) -> dict[str, Any] | None:
    """All models by the figure that suits the table, with intervals as pictures, and another."""
    if comparison is None or answers.targets is None:
        return None
    targets = answers.targets[comparison.rows]
    found = {
        name: performance_of(answers, targets, predictions)
        for name, predictions in comparison.predictions.items()
    }
    own = [getattr(one, leading) for one in found.values()]
    low = min(one.low for one in own) if leading in IN_PERCENT else 0.0
    high = max(one.high for one in own) or 1.0
    scale = Frame(low, high, 4, INTERVAL_WIDTH - 4)
    rows = []
    for name, one in found.items():
        estimate = getattr(one, leading)
        more = one.r2 if isinstance(one, Errors) else one.roc_auc
        places = [scale.at(part) for part in estimate[:3]]
        other = f"{more.value:.3f}" if more is not None else "–"
        is_own = name in (OWN_MODEL, OWN_FOLDS)
        rows.append((name, is_own, *estimate_words(leading, estimate), places, other))
    figure = FIGURE_NAMES[leading]
    return {
        "folds": comparison.folds,
        "learned": comparison.learned,
        "rows": len(targets),
        "figure": figure[0].upper() + figure[1:],
        "other": "ROC AUC" if answers.classes else "R²",
        "models": rows,
    }


def confusion_table(names: list[str], counts: NDArray[np.intp]) -> dict[str, Any]:
    """The classes that rows have against those they were taken for, (classes, classes)."""
    with np.errstate(invalid="ignore"):
        found, trusted = (counts.diagonal() / counts.sum(axis=axis) for axis in (1, 0))
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    shades = np.where(counts, np.maximum(1, np.rint(SHADES * shares)), 0).astype(int)
    words = ([recall_words(one) for one in part.tolist()] for part in (found, trusted))
    return {
        "is_numbered": len(names) > MOST_NAMED,
        "names": names,
        "rows": list(zip(names, counts.tolist(), shades.tolist(), *words, strict=True)),
    }


def recall_words(share: float) -> str:
    """A share in per cent, a dash where it is not known."""
    return "–" if math.isnan(share) else percent(share)


def group_tables(answers: TableAnswers, judged: Judged) -> list[dict[str, Any]]:
    """For each attribute its groups with their rates, or errors, and what differs in words."""
    found = []
    for name, values in answers.groups.items():
        own = values[judged.rows]
        if answers.classes:
            one = class_groups(answers, judged, own)
        else:
            rates = plain_errors(judged.targets, judged.predictions, own)
            heads = ["Rows", "Mean error (predicted less true)", "Mean absolute error"]
            tables = [(heads, [error_row(group) for group in rates["groups"]])]
            one = {"tables": tables, "sentences": rates["words"]}
        found.append({"name": visible(name), **one})
    return found


def class_groups(answers: TableAnswers, judged: Judged, values: NDArray[Any]) -> dict[str, Any]:
    """The rates of groups, a table for each class."""
    labels = answers.fitted.columns.classes
    true, answered = labels[judged.codes], labels[answers.answered(judged.predictions)]
    rates = plain_rates(true, answered, values)
    tables = []
    for one in rates["classes"]:
        name = answers.class_names[answers.classes.index(one["class"])]
        heads = ["Rows", "Right", f"Answered {name}", f"Found of {name}", "False alarms"]
        tables.append((heads, [group_row(group) for group in one["groups"]]))
    return {"tables": tables, "sentences": rates["words"]}
