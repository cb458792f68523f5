"""Rows that are not learned from, and which rows a model may be evaluated on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.tables.table import Table
from unfis.arrays import Mask

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

HeldOutRecord = dict[str, float | int | str | None]


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


class EvaluationRows(NamedTuple):
    """The rows of a table that a model may be evaluated on, and what a reader must know of them."""

    rows: Mask  # (rows,)
    note: str
    held_out: bool = False  # whether they are known to be those held out


def evaluation_rows(
    model: UNFISClassifier, table: Table, X: Any, labels: NDArray[Any]
) -> EvaluationRows:
    """Which of a table's rows a model may be evaluated on: of its own table, only those held out.

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
            count = int(rows.sum())
            which = "this is the row" if count == 1 else f"these are the {count:,} rows"
            were = "was" if count == 1 else "were"
            note = f"The model was fitted on {table.name}; {which} of it that {were} held out."
            return EvaluationRows(rows, note, held_out=True)
    everything: Mask = np.ones(len(labels), dtype=bool)
    if model.learned_from(X, labels):
        note = "The model learned from these very rows; it will do worse on others."
        return EvaluationRows(everything, note)
    # A checksum can tell that rows are the same, never that none of them is.
    note = "Whether the model learned from some of these rows is not known."
    return EvaluationRows(everything, note)
