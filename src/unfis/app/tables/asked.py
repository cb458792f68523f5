"""The rows of a table that a model is asked of, and which of them it has not learned from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.additive.text.numbers import numbered
from unfis.app.requests import RequestError, check_known
from unfis.app.tables.cells import numbers
from unfis.app.tables.inputs import input_columns, model_frame
from unfis.app.tables.table import Table, codes_of
from unfis.arrays import Mask
from unfis.data.files import TableError
from unfis.serial.messages import listed, quoted


class Asked(NamedTuple):
    """The rows of a table that a model is asked of."""

    X: Any  # a pandas data frame
    y: NDArray[Any] | None  # their classes or numbers, None if there are none, (rows,)
    target: str | None
    rows: NDArray[np.intp]  # their numbers in the table, from 1, (rows,)
    note: str = ""  # what a reader must know of them
    held_out: bool = False  # whether they are known to be those held out of the fit
    training: tuple[Any, Any] | None = None  # the other rows and answers, if the fit had those


def asked_of(model: Any, table: Table, target: str | None) -> Asked:
    """The rows of a table that an estimator may be measured on; all if it has no true answers."""
    fitted = model.model_
    input_columns(fitted, table.names, table.name)
    X = model_frame(fitted, table)
    name = target or fitted.origin.target
    if target is not None:
        check_known("target", [target], table.names, table.name)
    if name is None or name not in table.names:
        column = "a column" if name is None else f"the column {quoted(name)}"
        what = "classes" if hasattr(model, "classes_") else "numbers"
        note = f"{table.name} lacks {column} of {what}, so nothing can be measured on it."
        return Asked(X, None, None, np.arange(1, len(X) + 1), note)
    known, y, left_out = true_answers(model, table, name)
    chosen, note, held_out = evaluation_rows(model, table, X.iloc[known], y)
    others = (X.iloc[known][~chosen], y[~chosen]) if held_out else None
    training = others if others is not None and model.learned_from(*others) else None
    rows = known[chosen]
    return Asked(X.iloc[rows], y[chosen], name, rows + 1, note + left_out, held_out, training)


def true_answers(model: Any, table: Table, name: str) -> tuple[NDArray[np.intp], NDArray[Any], str]:
    """The rows whose class or number is known, these, and which other rows are left out."""
    column = table.frame[name]
    if hasattr(model, "classes_"):
        codes = codes_of(column, model.classes_, table.notation)
        known, other = np.flatnonzero(codes >= 0), np.flatnonzero(codes == -2)
        what, expected = "of classes that the model does not know", model.classes_.tolist()
        y = model.classes_[codes[known]]
        expected = f"none of the classes the model knows: {listed(expected)}"
    else:
        values, other = numbers(column, table.notation)
        values[other] = np.nan
        known = np.flatnonzero(np.isfinite(values))
        y, what, expected = values[known], "without a number", "no number"
    if not len(known):
        raise TableError(f"{quoted(name)} in {table.name} holds {expected}.")
    if not len(other):
        return known, y, ""
    cell = quoted(column.iloc[other[0]])
    return known, y, f" {numbered(len(other), 'row')} {what}, such as {cell}, left out."


def evaluation_rows(model: Any, table: Table, X: Any, y: NDArray[Any]) -> tuple[Mask, str, bool]:
    """Which rows a model may be measured on, what a reader must know, whether they were held out.

    X and y are the table's rows whose answer is known, as the model reads them. Of its own table
    only those held out count.
    """
    held_out = model.model_.origin.held_out
    if held_out and held_out.get("table") == table.fingerprint:
        labels = y if hasattr(model, "classes_") else None
        fraction, seed = float(held_out["fraction"]), int(held_out["seed"])
        rows = held_out_rows(len(y), labels, fraction, seed)
        if (count := int(rows.sum())) == held_out["rows"]:
            which = "this is the row" if count == 1 else f"these are the {count:,} rows"
            were = "was" if count == 1 else "were"
            note = f"The model was fitted on {table.name}; {which} of it that {were} held out."
            return rows, note, True
    # A checksum can tell that rows are the same, never that none of them is.
    note = "Whether the model learned from some of these rows is not known."
    if model.learned_from(X, y):
        note = "The model learned from these very rows; it will do worse on others."
    return np.ones(len(y), dtype=bool), note, False


def held_out_rows(count: int, labels: NDArray[Any] | None, fraction: float, seed: int) -> Mask:
    """The same part of each class, or of all rows, at random, always the same for a seed; (rows,).

    At least one row of each class is left to learn from.
    """
    generator = np.random.RandomState(seed)
    held: Mask = np.zeros(count, dtype=bool)
    groups = np.zeros(count) if labels is None else labels
    for label in np.unique(groups):
        rows = generator.permutation(np.flatnonzero(groups == label))
        held[rows[: min(round(fraction * len(rows)), len(rows) - 1)]] = True
    return held


def no_answers() -> RequestError:
    """What to say where something is to be measured, and the table has no true answers."""
    return RequestError(
        "The table has no column of true answers to measure by; give it as `target`."
    )
