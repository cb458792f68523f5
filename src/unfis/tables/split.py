"""Rows that are not learned from, and which rows may judge a model."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Mask
from unfis.measures import wilson
from unfis.tables.errors import RequestError
from unfis.tables.inputs import Prepared
from unfis.tables.table import Table

Record = dict[str, float | int | str | None]


def held_out_rows(labels: NDArray[Any], fraction: float, seed: int) -> Mask:
    """The same part of each class at random, always the same for a seed; shape (rows,).

    At least one row of each class is left to learn from.
    """
    if not 0 <= fraction < 1:
        raise RequestError(f"--test must be at least 0 and below 1, got {fraction:g}.")
    generator = np.random.RandomState(seed)
    held: Mask = np.zeros(len(labels), dtype=bool)
    for label in np.unique(labels):
        rows = generator.permutation(np.flatnonzero(labels == label))
        held[rows[: min(round(fraction * len(rows)), len(rows) - 1)]] = True
    return held


def fit_and_measure(
    model: Any, table: Table, prepared: Prepared, fraction: float, seed: int
) -> Record | None:
    """Fit a model on all rows but those held out, on which it is then measured.

    Returns what a model file keeps of that: the accuracy with its 95 % interval (Wilson's), and how
    to find the same rows again. None where no row was held out.
    """
    held = held_out_rows(prepared.y, fraction, seed)
    weights = None if prepared.weights is None else prepared.weights[~held]
    model.fit(prepared.X[~held], prepared.y[~held], sample_weight=weights)
    rows = int(held.sum())
    if not rows:
        return None
    accuracy = float((model.predict(prepared.X[held]) == prepared.y[held]).mean())
    low, high = wilson(accuracy, rows)
    return {
        "rows": rows,
        "accuracy": accuracy,
        "low": low,
        "high": high,
        "fraction": fraction,
        "seed": seed,
        "table": table.fingerprint,
    }


class Judges(NamedTuple):
    """The rows of a table that may judge a model, and what is to be said of them."""

    rows: Mask  # (rows,)
    note: str


def judges(model: Any, table: Table, X: Any, labels: NDArray[Any]) -> Judges:
    """Which of a table's rows may judge a model: of its own table, only those held out.

    Parameters
    ----------
    model : the loaded model
    table : the table
    X, labels : its rows whose class is known, as the model reads them, and their classes
    """
    held_out = model.origin_.held_out
    if held_out and held_out.get("table") == table.fingerprint:
        rows = held_out_rows(labels, float(held_out["fraction"]), int(held_out["seed"]))
        if rows.sum() == held_out["rows"]:
            note = (
                f"The model was fitted on {table.name}; these are the {rows.sum():,} rows of it "
                "that were held out."
            )
            return Judges(rows, note)
    everything: Mask = np.ones(len(labels), dtype=bool)
    if model.learned_from(X, labels):
        note = "The model learned from these very rows; it will do worse on others."
        return Judges(everything, note)
    return Judges(everything, "")
