"""What a model says of the rows of a table, and what is known of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
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
from unfis.serial.messages import quoted

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

# Rows that are evaluated together, so that long rules on many rows stay small in memory.
ROWS_AT_A_TIME = 4096


class Training(NamedTuple):
    """Rows that a model learned from: all of them, or those that it keeps."""

    values: Array  # (rows, inputs)
    codes: NDArray[np.intp]  # of their classes, (rows,)
    weights: Array  # (rows,)


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
    training: Training | None  # what it learned from, None if that is not known
    groups: Mapping[str, NDArray[Any]]  # by the names of their attributes, (rows,) each
    shows_rows: bool  # whether rows of the table may be on the page

    @property
    def base(self) -> RuleBase:
        """The model's rules."""
        return self.model.rules_

    @property
    def class_names(self) -> list[str]:
        """The classes in words."""
        return [class_name(label) for label in self.base.classes]

    @property
    def answered(self) -> NDArray[np.intp]:
        """The codes of the classes that are the model's answers, (rows,)."""
        return self.base.answers(self.probabilities)

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Whether the model is right, (rows,)."""
        assert self.codes is not None
        return np.asarray(self.answered == self.codes)

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
    model: UNFISClassifier,
    X: Any,
    y: Any = None,
    *,
    rows: Sequence[int] | None = None,
    held_out: bool = False,
    training: tuple[Any, Any] | None = None,
    groups: Mapping[str, Any] | None = None,
    show_rows: bool = True,
) -> TableAnswers:
    """Ask a model about a table; see `report_html`."""
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
    return TableAnswers(
        model=model,
        X=X,
        values=values,
        probabilities=np.concatenate(blocks),
        codes=codes,
        numbers=row_numbers(rows, len(values)),
        learned=learned,
        held_out=held_out and not learned,
        training=training_of(model, training),
        groups=checked_groups(groups or {}, codes),
        shows_rows=show_rows,
    )


def training_of(model: UNFISClassifier, given: tuple[Any, Any] | None) -> Training | None:
    """The rows that a model learned from: those given, if they are, else those that it keeps."""
    if given is None:
        kept = model.model_.sample  # none where the model was read from a file
        return Training(kept.values, kept.codes, kept.weights) if len(kept.rows) else None
    base, (X, y) = model.rules_, given
    values = base.read(X)
    labels = check_labels(y, len(values))
    if not model.learned_from(own_columns(base, X), labels):
        raise ValueError(
            "training must be the rows that the model learned from, with their classes, got other "
            "ones. Leave it out if they are not at hand."
        )
    return Training(values, encode_labels(labels, model.classes_), np.ones(len(values)))


def checked_groups(
    groups: Mapping[str, Any], codes: NDArray[np.intp] | None
) -> dict[str, NDArray[Any]]:
    """What each row has of attributes, if it is one value for each row whose class is known."""
    found = {name: np.asarray(values) for name, values in groups.items()}
    if found and codes is None:
        raise ValueError("groups needs the rows' classes: rates are of right and wrong answers.")
    for name, values in found.items():
        if codes is not None and len(values) != len(codes):
            raise ValueError(
                f"groups must have a value for each of the {len(codes)} rows, got {len(values)} of "
                f"{quoted(name)}."
            )
    return found


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
