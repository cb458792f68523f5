"""How good a model's answers to a table are, as plain data and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from unfis.app.request import RequestError, check_known
from unfis.app.tables.inputs import input_columns, model_frame, model_values
from unfis.app.tables.split import evaluation_rows
from unfis.app.tables.table import Table
from unfis.app.tables.target import codes_of
from unfis.arrays import Array
from unfis.data.files import TableError
from unfis.model.measures import reliability, wilson
from unfis.rules.numbers import numbered, percent
from unfis.rules.render_explanation import RARE
from unfis.rules.words import visible
from unfis.serial.messages import listed, quoted

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

SMALLEST = 1e-15


class Asked(NamedTuple):
    """The rows of a table that a model is asked of."""

    X: Any  # a pandas data frame
    codes: NDArray[np.intp] | None  # places of their classes, None if the table has none, (rows,)
    target: str | None
    rows: NDArray[np.intp]  # their places in the table, counted from 1, (rows,)
    note: str = ""  # what a reader must know of them
    held_out: bool = False  # whether they are known to be those held out of the fit


def asked_of(model: UNFISClassifier, table: Table, target: str | None) -> Asked:
    """The rows of a table that a model may be evaluated on; all rows if it has no classes."""
    input_columns(model.rules_, table.names, table.name)
    X = model_frame(model.model_, model_values(model.model_, table, table.notation))
    name = target or model.origin_.target
    if target is not None:
        check_known([target], table.names, table.name)
    if name is None or name not in table.names:
        return Asked(X, None, None, np.arange(1, len(X) + 1))
    codes = codes_of(table.frame[name], model.classes_, table.notation)
    other = np.flatnonzero(codes == -2)
    known = np.flatnonzero(codes >= 0)
    if not len(known):
        raise TableError(
            f"{quoted(name)} in {table.name} holds none of the classes the model knows: "
            f"{listed(model.classes_.tolist())}."
        )
    X, codes = X.iloc[known], codes[known]
    found = evaluation_rows(model, table, X, model.classes_[codes])
    notes = [found.note]
    if len(other):
        cell = table.frame[name].iloc[other[0]]
        notes.append(
            f"{numbered(len(other), 'row')} of classes that the model does not know, such as "
            f"{quoted(cell)}, left out."
        )
    rows = known[found.rows] + 1
    note = " ".join(notes)
    return Asked(X[found.rows], codes[found.rows], name, rows, note, found.held_out)


def evaluate(model: UNFISClassifier, asked: Asked) -> dict[str, Any]:
    """Accuracy, confusion, each class, calibration and coverage, as plain data."""
    if asked.codes is None:
        raise RequestError("The table has no column of classes to judge by; give it as --target.")
    probabilities = np.asarray(model.predict_proba(asked.X))
    predicted, codes = probabilities.argmax(axis=1), asked.codes
    hits = predicted == codes
    counts = confusion_matrix(codes, predicted, labels=range(len(model.classes_)))
    low, high = wilson(float(hits.mean()), len(hits))
    coverage = model.coverage(asked.X)
    likelihoods = probabilities[np.arange(len(codes)), codes]
    return {
        "target": asked.target,
        "note": asked.note,
        "rows": len(codes),
        "accuracy": float(hits.mean()),
        "low": low,
        "high": high,
        "log_loss": float(-np.log(np.maximum(likelihoods, SMALLEST)).mean()),
        "classes": model.classes_.tolist(),
        "confusion": counts.tolist(),
        "per_class": per_class(model.classes_.tolist(), counts),
        "calibration": calibration(hits, probabilities.max(axis=1)),
        "coverage": {
            "hardly": float((coverage <= RARE).mean()),
            "not": float((coverage == 0).mean()),
        },
    }


def per_class(classes: list[Any], counts: NDArray[Any]) -> list[dict[str, Any]]:
    """How each class fared; None where there was nothing to count."""
    found = []
    for code, label in enumerate(classes):
        right, rows, predicted = counts[code, code], counts[code].sum(), counts[:, code].sum()
        found.append(
            {
                "class": label,
                "rows": int(rows),
                "found": float(right / rows) if rows else None,
                "right_when_said": float(right / predicted) if predicted else None,
            }
        )
    return found


def calibration(hits: NDArray[np.bool_], confidence: Array) -> dict[str, Any]:
    """How sure the answers were against how often they were right."""
    bins = reliability(hits, confidence)
    return {
        "error": bins.error,
        "bins": [
            {"rows": int(n), "confidence": float(sure), "accuracy": float(right)}
            for n, sure, right in zip(*bins, strict=True)
            if n
        ],
    }


def evaluation_text(found: dict[str, Any]) -> str:
    """An evaluation in words."""
    right = round(found["accuracy"] * found["rows"])
    blocks = [found["note"]] if found["note"] else []
    blocks.append(
        f"Right on {right:,} of {numbered(found['rows'], 'row')}: "
        f"{accuracy_words(found)}. Log loss {found['log_loss']:.3f} per row."
    )
    names = [visible(str(label)) for label in found["classes"]]
    head = ["class", "rows", *(f"as {name}" for name in names), "found", "right when said"]
    rows = [
        [name, f"{one['rows']:,}", *(f"{n:,}" for n in line), *shares(one)]
        for name, one, line in zip(names, found["per_class"], found["confusion"], strict=True)
    ]
    blocks.append(aligned([head, *rows]))
    bins = [
        [f"{one['rows']:,}", percent(one["confidence"]), percent(one["accuracy"])]
        for one in found["calibration"]["bins"]
    ]
    blocks.append(
        f"How sure it was, and how often right (off by {percent(found['calibration']['error'])} "
        "on average):\n" + aligned([["rows", "sure", "right"], *bins])
    )
    cover = found["coverage"]
    blocks.append(
        f"Unlike anything learned from (coverage 0): {percent(cover['not'])} of the rows; hardly "
        f"covered (at most {RARE:g}): {percent(cover['hardly'])}."
    )
    return "\n\n".join(blocks)


def accuracy_words(found: Any) -> str:
    """An accuracy with its interval, in words."""
    low, high = 100 * found["low"], 100 * found["high"]
    return f"{100 * found['accuracy']:.1f} % (95 % interval {low:.1f} to {high:.1f} %)"


def shares(one: dict[str, Any]) -> list[str]:
    """How much of a class was found, and how often it was right where it was predicted."""
    return [
        "-" if one[name] is None else percent(one[name]) for name in ("found", "right_when_said")
    ]


def aligned(rows: list[list[str]]) -> str:
    """Rows of cells in columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join(f"  {line}".rstrip() for line in lines)
