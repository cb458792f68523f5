"""How good a model's answers to a table are, as plain data and in words."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import RequestError, check_known
from unfis.app.tables.figures import performance_sentences, verdict
from unfis.app.tables.inputs import input_columns, model_frame
from unfis.app.tables.table import Table, codes_of
from unfis.arrays import Array, Mask
from unfis.data.files import TableError
from unfis.estimators.classifier import UNFISClassifier
from unfis.evaluation.calibration import calibration_error, equal_bins
from unfis.evaluation.measures import Rate
from unfis.evaluation.performance import Performance, performance
from unfis.model.operating_point import given_costs
from unfis.rules.text.explanation import RARE
from unfis.rules.text.numbers import numbered, percent
from unfis.rules.text.operating_point import operating_words
from unfis.rules.text.words import visible
from unfis.serial.messages import listed, quoted


class Asked(NamedTuple):
    """The rows of a table that a model is asked of."""

    X: Any  # a pandas data frame
    codes: NDArray[np.intp] | None  # positions of their classes, None if there are none, (rows,)
    target: str | None
    rows: NDArray[np.intp]  # their numbers in the table, from 1, (rows,)
    note: str = ""  # what a reader must know of them
    held_out: bool = False  # whether they are known to be those held out of the fit
    training: tuple[Any, Any] | None = None  # the other rows and classes, if the fit had those


def asked_of(model: UNFISClassifier, table: Table, target: str | None) -> Asked:
    """The rows of a table that a model may be evaluated on; all rows if it has no classes."""
    input_columns(model.rules_, table.names, table.name)
    X = model_frame(model.model_, table)
    name = target or model.origin_.target
    if target is not None:
        check_known("target", [target], table.names, table.name)
    if name is None or name not in table.names:
        column = "a column" if name is None else f"the column {quoted(name)}"
        note = f"{table.name} lacks {column} of classes, so nothing can be measured on it."
        return Asked(X, None, None, np.arange(1, len(X) + 1), note)
    codes = codes_of(table.frame[name], model.classes_, table.notation)
    other = np.flatnonzero(codes == -2)
    known = np.flatnonzero(codes >= 0)
    if not len(known):
        raise TableError(
            f"{quoted(name)} in {table.name} holds none of the classes the model knows: "
            f"{listed(model.classes_.tolist())}."
        )
    X, codes = X.iloc[known], codes[known]
    chosen, note, held_out = evaluation_rows(model, table, X, model.classes_[codes])
    if len(other):
        cell = table.frame[name].iloc[other[0]]
        note += (
            f" {numbered(len(other), 'row')} of classes that the model does not know, such as "
            f"{quoted(cell)}, left out."
        )
    others = (X[~chosen], model.classes_[codes[~chosen]]) if held_out else None
    training = others if others is not None and model.learned_from(*others) else None
    return Asked(X[chosen], codes[chosen], name, known[chosen] + 1, note, held_out, training)


def evaluation_rows(
    model: UNFISClassifier, table: Table, X: Any, labels: NDArray[Any]
) -> tuple[Mask, str, bool]:
    """Which rows a model may be evaluated on, what a reader must know, whether they were held out.

    X and labels are the table's rows whose class is known, as the model reads them. Of its own
    table only those held out count.
    """
    held_out = model.origin_.held_out
    if held_out and held_out.get("table") == table.fingerprint:
        rows = held_out_rows(labels, float(held_out["fraction"]), int(held_out["seed"]))
        if (count := int(rows.sum())) == held_out["rows"]:
            which = "this is the row" if count == 1 else f"these are the {count:,} rows"
            were = "was" if count == 1 else "were"
            note = f"The model was fitted on {table.name}; {which} of it that {were} held out."
            return rows, note, True
    # A checksum can tell that rows are the same, never that none of them is.
    note = "Whether the model learned from some of these rows is not known."
    if model.learned_from(X, labels):
        note = "The model learned from these very rows; it will do worse on others."
    return np.ones(len(labels), dtype=bool), note, False


def held_out_rows(labels: NDArray[Any], fraction: float, seed: int) -> Mask:
    """The same part of each class at random, always the same for a seed; shape (rows,).

    At least one row of each class is left to learn from.
    """
    generator = np.random.RandomState(seed)
    held: Mask = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        rows = generator.permutation(np.flatnonzero(labels == label))
        held[rows[: min(round(fraction * len(rows)), len(rows) - 1)]] = True
    return held


def no_classes() -> RequestError:
    """What to say where something is to be judged, and the table has no classes."""
    return RequestError("The table has no column of classes to judge by; give it as `target`.")


def evaluate(model: UNFISClassifier, asked: Asked) -> dict[str, Any]:
    """How good the answers are, confusion, each class, calibration, coverage and reading."""
    if asked.codes is None:
        raise no_classes()
    probabilities, codes = np.asarray(model.predict_proba(asked.X)), asked.codes
    predicted = model.model_.answers(probabilities)
    classes, found = model.classes_.tolist(), measured_on(model, probabilities, codes)
    sure = probabilities[np.arange(len(codes)), predicted]
    coverage = model.coverage(asked.X)
    reading = model.reading(asked.X, model.classes_[codes])
    return {
        "target": asked.target,
        "note": asked.note,
        "operating_point": operating_words(model.rules_),
        **found.to_dict(),
        "words": performance_sentences(found) + verdict(found),
        "classes": classes,
        "confusion": found.confusion.tolist(),
        "per_class": per_class(classes, found.confusion),
        "calibration": calibration(predicted == codes, sure),
        "coverage": {
            "hardly": float((coverage <= RARE).mean()),
            "not": float((coverage == 0).mean()),
        },
        "reading": {**reading.to_dict(), "words": reading.sentences()},
    }


def measured_on(
    model: UNFISClassifier, probabilities: Array, codes: NDArray[np.intp]
) -> Performance:
    """How good a model's answers are to rows of such classes, by the costs that it was given."""
    # Not by those of the model: a threshold is held as costs that nobody has named.
    classes = model.classes_.tolist()
    costs = given_costs(model.costs, None, classes)
    return performance(classes, codes, probabilities, model.model_.answers(probabilities), costs)


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
    blocks = [found["note"]] if found["note"] else []
    blocks += found["operating_point"]
    loss = f"Log loss {found['log_loss']:.3f} per row; {found['log_loss_baseline']:.3f} where "
    words = [*found["words"], loss + "every row gets the classes' shares."]
    blocks.append("\n".join(words))
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
    lines = [f"  {sentence}" for sentence in found["reading"]["words"]]
    blocks.append("\n".join(["How the rules read:", *lines]))
    return "\n\n".join(blocks)


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
