"""How good a model's answers to a table are, as plain data and in words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.additive.text.decision import decision_lines
from unfis.additive.text.names import visible
from unfis.additive.text.numbers import percent
from unfis.app.tables.asked import Asked, no_answers
from unfis.app.tables.figures import figure_sentences
from unfis.arrays import Array, Mask
from unfis.data.costs import Costs, decision_threshold, threshold_costs
from unfis.evaluation.calibration import calibration_error, equal_bins
from unfis.evaluation.errors import Errors, errors_of
from unfis.evaluation.measures import Rate
from unfis.evaluation.performance import Performance, performance


def evaluate(model: Any, asked: Asked) -> dict[str, Any]:
    """How good the answers are, rows unlike training, and whether the rules are what they say.

    Of classes also confusion, each class and calibration; of a number how many intervals hold.
    """
    if asked.y is None:
        raise no_answers()
    answers, fitted = predictions(model, asked.X), model.model_
    found = measured(model, asked.y, answers)
    unlike = float((model.coverage(asked.X) < 1).mean())
    audit = model.audit(asked.X, asked.y)
    decision = decision_lines(fitted.rules, fitted.names, fitted.costs)
    if isinstance(found, Performance):
        parts = of_classes(model, asked.y, answers, found)
    else:
        parts = of_numbers(model, asked.X, asked.y)
    return {
        "target": asked.target,
        "note": asked.note,
        "decision": " ".join(decision).strip(),
        **found.to_dict(),
        "words": figure_sentences(found),
        **parts,
        "unlike_training": unlike,
        "audit": {**audit.to_dict(), "words": str(audit).splitlines()},
    }


def predictions(model: Any, X: Any) -> Array:
    """The probabilities of classes, (rows, classes), or the numbers, (rows,)."""
    found = model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)
    return np.asarray(found)


def measured(model: Any, y: NDArray[Any], answers: Array) -> Performance | Errors:
    """How good an estimator's predictions are for rows whose answers are known."""
    if not hasattr(model, "classes_"):
        return errors_of(y, answers)
    return measured_on(model, answers, np.searchsorted(model.classes_, y))


def measured_on(model: Any, probabilities: Array, codes: NDArray[np.intp]) -> Performance:
    """How good a classifier's answers are to rows of such classes, by the costs it was given."""
    fitted, classes = model.model_, model.classes_.tolist()
    costs = named_costs(fitted.costs)
    return performance(classes, codes, probabilities, fitted.answers(probabilities), costs)


def named_costs(costs: Costs) -> Costs:
    """The costs that a user has named; none where they only stand for a threshold."""
    is_threshold = len(costs) == 2 and np.allclose(
        costs, threshold_costs(decision_threshold(costs, 1)), rtol=0, atol=1e-12
    )
    return () if is_threshold else costs


def of_classes(
    model: Any, y: NDArray[Any], probabilities: Array, found: Performance
) -> dict[str, Any]:
    """Confusion, each class and calibration."""
    classes, codes = model.classes_.tolist(), np.searchsorted(model.classes_, y)
    predicted = model.model_.answers(probabilities)
    sure = probabilities[np.arange(len(codes)), predicted]
    return {
        "classes": classes,
        "confusion": found.confusion.tolist(),
        "per_class": per_class(classes, found.confusion),
        "calibration": calibration(predicted == codes, sure),
    }


def of_numbers(model: Any, X: Any, y: NDArray[Any]) -> dict[str, Any]:
    """How many 95 % intervals hold the true number, None where no intervals are known."""
    if model.model_.calibration is None:
        return {"in_interval": None}
    low, high = model.predict_interval(X, 0.95).T
    inside = Rate(int(((low <= y) & (y <= high)).sum()), len(low))
    return rate_fields("in_interval", inside)


def per_class(classes: list[Any], confusion: NDArray[Any]) -> list[dict[str, Any]]:
    """How each class fared; None where there was nothing to count."""
    totals = confusion.diagonal(), confusion.sum(axis=1), confusion.sum(axis=0)
    return [
        {
            "class": label,
            "rows": rows,
            **rate_fields("found", Rate(right, rows)),
            **rate_fields("right_when_said", Rate(right, predicted)),
        }
        for label, right, rows, predicted in zip(classes, *np.array(totals).tolist(), strict=True)
    ]


def rate_fields(name: str, rate: Rate) -> dict[str, float | None]:
    """A share of rows and its 95 % interval, None where there are no rows."""
    values = (rate.value, *rate.interval) if rate.rows else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def calibration(hits: Mask, confidence: Array) -> dict[str, Any]:
    """How sure the answers were against how often they were right."""
    bins = equal_bins(hits, confidence)
    return {
        "error": calibration_error(bins),
        "bins": [
            {"rows": one.rate.rows, "confidence": one.probability, "accuracy": one.rate.value}
            for one in bins
        ],
    }


def evaluation_text(found: dict[str, Any]) -> str:
    """An evaluation in words."""
    parts = classes_text(found) if "classes" in found else [covered_words(found)]
    unlike = f"Rows with a value unlike training's: {percent(found['unlike_training'])}."
    audit = "\n".join(["The rules:", *(f"  {words}" for words in found["audit"]["words"])])
    figures = "\n".join(found["words"])
    blocks = [found["note"], found["decision"], figures, *parts, unlike, audit]
    return "\n\n".join(filter(None, blocks))


def classes_text(found: dict[str, Any]) -> list[str]:
    """Log loss, each class and calibration in words."""
    loss = f"Log loss {found['log_loss']:.3f} per row; {found['log_loss_baseline']:.3f} where "
    names = [visible(str(label)) for label in found["classes"]]
    head = ["class", "rows", *(f"as {name}" for name in names), "found", "right when said"]
    rows = [
        [name, f"{one['rows']:,}", *(f"{n:,}" for n in line)]
        + [
            interval_cell(one[key], (one[f"{key}_low"], one[f"{key}_high"]))
            for key in ("found", "right_when_said")
        ]
        for name, one, line in zip(names, found["per_class"], found["confusion"], strict=True)
    ]
    bins = [
        [f"{one['rows']:,}", percent(one["confidence"]), percent(one["accuracy"])]
        for one in found["calibration"]["bins"]
    ]
    return [
        loss + "every row gets the classes' shares.",
        aligned([head, *rows]),
        f"How sure it was, and how often right (off by {percent(found['calibration']['error'])} "
        "on average):\n" + aligned([["rows", "sure", "right"], *bins]),
    ]


def covered_words(found: dict[str, Any]) -> str:
    """How many 95 % intervals hold the true number, in words."""
    if found["in_interval"] is None:
        return ""
    ends = found["in_interval_low"], found["in_interval_high"]
    share = interval_cell(found["in_interval"], ends)
    return f"The 95 % interval of a prediction holds the true number in {share} of the rows."


def interval_cell(share: float | None, interval: tuple[float, float] | None) -> str:
    """A share with its interval, for a table."""
    if share is None or interval is None:
        return "-"
    # Outwards, and a last digit is no reason for a whole per cent.
    low, high = math.floor(100 * interval[0] + 1e-6), math.ceil(100 * interval[1] - 1e-6)
    return f"{percent(share)} ({low} to {high})"


def aligned(rows: list[list[str]]) -> str:
    """Rows of cells in columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join(f"  {line}".rstrip() for line in lines)
