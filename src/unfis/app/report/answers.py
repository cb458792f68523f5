"""What a model says of the rows of a table, and what is known of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.frames import is_frame, take_rows
from unfis.data.target import check_labels, encode_labels
from unfis.rules import Explanation, RuleBase
from unfis.rules.text.explanation import Neighbour
from unfis.rules.text.words import class_name

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

# Rows that are evaluated together, so that long rules on many rows stay small in memory.
ROWS_AT_A_TIME = 4096


class TableAnswers(NamedTuple):
    """A table and what a model says of it."""

    model: UNFISClassifier
    X: Any  # the table, with the model's columns
    values: Array  # (rows, inputs)
    probabilities: Array  # (rows, classes)
    codes: NDArray[np.intp] | None  # of the true classes, None where they are not given, (rows,)
    numbers: NDArray[np.intp]  # of the rows in the user's table, (rows,)
    learned: bool  # whether the model learned from these very rows
    held_out: bool  # whether they are known to have been held out when it was fitted

    @property
    def base(self) -> RuleBase:
        """The model's rules."""
        return self.model.rules_

    @property
    def class_names(self) -> list[str]:
        """The classes in words."""
        return [class_name(label) for label in self.base.classes]

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Whether the model is right, (rows,)."""
        assert self.codes is not None
        return np.asarray(self.base.answers(self.probabilities) == self.codes)

    @property
    def by_hand(self) -> bool:
        """Whether the rules are edited, or a point of the path that the user took."""
        return hasattr(self.model, "edits_") or self.model.choices_.get("by") == "user"

    def explained(self, rows: NDArray[np.intp]) -> list[Explanation]:
        """The predictions of some rows, taken apart."""
        if not len(rows):
            return []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of categories not seen, as when the table was read
            found = self.model.explain(take_rows(self.X, rows))
        return [replace(one, neighbours=self.known_neighbours(one)) for one in found]

    def known_neighbours(self, explanation: Explanation) -> tuple[Neighbour, ...]:
        """The training rows most alike by their numbers; none if these are other rows."""
        alike = explanation.neighbours if self.learned else ()
        return tuple(replace(one, row=int(self.numbers[one.row])) for one in alike)


def answers_of(
    model: UNFISClassifier, X: Any, y: Any, rows: Sequence[int] | None, *, held_out: bool
) -> TableAnswers:
    """Ask a model about a table."""
    base = model.rules_
    values = base.read(X)
    X = own_columns(base, X)
    blocks = [
        softmax(base.arrays.evaluate(values[start : start + ROWS_AT_A_TIME]).logits)
        for start in range(0, len(values), ROWS_AT_A_TIME)
    ]
    codes, learned = None, False
    if y is not None:
        codes = encode_labels(check_labels(y, len(values)), model.classes_)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learned = model.learned_from(X, model.classes_[codes])
    numbers = row_numbers(rows, len(values))
    probabilities = np.concatenate(blocks)
    held_out = held_out and not learned
    return TableAnswers(model, X, values, probabilities, codes, numbers, learned, held_out)


def row_numbers(rows: Sequence[int] | None, count: int) -> NDArray[np.intp]:
    """The rows' numbers, checked; counted from 1 if none are given."""
    if rows is None:
        return np.arange(1, count + 1)
    if len(rows) != count:
        raise ValueError(f"rows must be a number for each of the {count} rows, got {len(rows)}.")
    return np.asarray(rows, dtype=np.intp)


def own_columns(base: RuleBase, X: Any) -> Any:
    """A table with the model's columns in their order; a list as an array."""
    if not is_frame(X):
        return X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
    columns = {str(column): column for column in X.columns}
    return X[[columns[variable.name] for variable in base.variables]]
