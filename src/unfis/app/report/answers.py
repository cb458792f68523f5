"""What a model predicts for the rows of a table, and what is known of these."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.data.frames import is_frame
from unfis.data.target import check_labels, encode_labels
from unfis.estimators.base import RuleEstimator
from unfis.estimators.regressor import check_numbers
from unfis.estimators.tables import check_table
from unfis.fitting import SearchedRows
from unfis.model import FittedModel
from unfis.serial.messages import quoted
from unfis.text import Names


class Training(NamedTuple):
    """Rows that a model learned from: all of them, or those that it keeps."""

    values: Array  # (rows, inputs)
    targets: Array  # codes of classes, or numbers, (rows,)
    weights: Array  # (rows,)


@dataclass(frozen=True, eq=False)
class TableAnswers:
    """A table and what a model predicts for it."""

    model: RuleEstimator
    X: Any  # the table, with the model's columns
    values: Array  # (rows, inputs)
    predictions: Array  # probabilities, (rows, classes), or numbers, (rows,)
    targets: Array | None  # codes of the true classes, or numbers; None if not known, (rows,)
    numbers: NDArray[np.intp]  # of the rows in the user's table, (rows,)
    learned: bool  # whether the model learned from these very rows
    held_out: bool  # whether they are known to have been held out when it was fitted
    training: Training | None  # what it learned from, None if that is not known
    groups: Mapping[str, NDArray[Any]]  # by the names of their attributes, (rows,) each
    shows_rows: bool  # whether rows of the table may be on the page

    @property
    def fitted(self) -> FittedModel:
        """All that the model has learned."""
        return self.model.model_

    @property
    def names(self) -> Names:
        """What inputs, categories and classes are called."""
        return self.fitted.names

    @property
    def classes(self) -> list[Any]:
        """The classes; none where a number is predicted."""
        found: list[Any] = self.fitted.columns.classes.tolist()
        return found

    @property
    def class_names(self) -> list[str]:
        """The classes in words."""
        return [self.names.titled_output(c) for c in range(len(self.classes))]

    def answered(self, predictions: Array) -> NDArray[Any]:
        """The codes of the classes that are the answers, or the numbers, (rows,)."""
        return np.asarray(self.fitted.answers(predictions) if self.classes else predictions)

    @property
    def errors(self) -> Array:
        """1 where the class is wrong, or by how much the number is too low, (rows,)."""
        assert self.targets is not None
        answered = self.answered(self.predictions)
        found = answered != self.targets if self.classes else self.targets - answered
        return np.asarray(found, dtype=np.float64)

    @property
    def used(self) -> list[int]:
        """The inputs that any rule looks at, but those of which training knew no category."""
        inputs = self.fitted.columns.inputs
        found = sorted({j for rule in self.fitted.rules.rules for j in rule.inputs})
        return [j for j in found if inputs[j].kind != "category" or inputs[j].categories]

    @cached_property
    def pictured(self) -> FittedModel:
        """The model with the rows of this table, over which its pictures are drawn."""
        if not self.shows_rows:
            return replace(self.fitted, searched=None)
        ones, none = np.ones(len(self.values)), np.zeros((0, len(self.values)))
        return replace(self.fitted, searched=SearchedRows(self.values, ones, ones, none))


def answers_of(
    model: RuleEstimator,
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
    check_is_fitted(model)
    X = own_columns(model.model_, X)
    values = table_values(model, X)
    targets = None if y is None else targets_of(model, y, len(values))
    learned = targets is not None and is_learned(model, X, y)
    return TableAnswers(
        model=model,
        X=X,
        values=values,
        predictions=model.model_.predictions(values),
        targets=targets,
        numbers=row_numbers(rows, len(values)),
        learned=learned,
        held_out=held_out and not learned,
        training=training_of(model, training),
        groups=checked_groups(groups or {}, targets),
        shows_rows=show_rows,
    )


def table_values(model: RuleEstimator, X: Any) -> Array:
    """The values of a table with the model's columns, (rows, inputs)."""
    columns = model.model_.columns
    return np.asarray(columns.values(check_table(model, X, columns)), dtype=np.float64)


def targets_of(model: RuleEstimator, y: Any, rows: int) -> Array:
    """Codes of classes, or numbers, (rows,)."""
    classes = model.model_.columns.classes
    if not len(classes):
        return check_numbers(y, rows)
    return encode_labels(check_labels(y, rows), classes).astype(np.float64)


def is_learned(model: RuleEstimator, X: Any, y: Any) -> bool:
    """Whether the model learned from these very rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of unknown categories, as when the table was read
        return model.learned_from(X, y)


def training_of(model: RuleEstimator, given: tuple[Any, Any] | None) -> Training | None:
    """The rows that a model learned from: those given, if they are, else those that it keeps."""
    if given is None:
        kept = model.model_.searched  # none where the model was read from a file
        return None if kept is None else Training(*kept[:3])
    X = own_columns(model.model_, given[0])
    values = table_values(model, X)
    targets = targets_of(model, given[1], len(values))
    if not is_learned(model, X, given[1]):
        raise ValueError(
            "training must be the rows that the model learned from, with their targets; got other "
            "ones. Leave it out if they are not at hand."
        )
    return Training(values, targets, np.ones(len(values)))


def checked_groups(groups: Mapping[str, Any], targets: Array | None) -> dict[str, NDArray[Any]]:
    """What each row has of attributes, if it is one value for each row whose target is known."""
    found = {name: np.asarray(values) for name, values in groups.items()}
    if found and targets is None:
        raise ValueError("groups needs y: rates are of right and wrong answers.")
    for name, values in found.items():
        if targets is not None and len(values) != len(targets):
            raise ValueError(
                f"groups must have a value for each of the {len(targets)} rows; got {len(values)} "
                f"of {quoted(name)}."
            )
    return found


def row_numbers(rows: Sequence[int] | None, count: int) -> NDArray[np.intp]:
    """The rows' numbers, checked; counted from 1 if none are given."""
    if rows is None:
        return np.arange(1, count + 1)
    if len(rows) != count:
        raise ValueError(f"rows must be a number for each of the {count} rows; got {len(rows)}.")
    return np.asarray(rows, dtype=np.intp)


def own_columns(fitted: FittedModel, X: Any) -> Any:
    """A table with the model's columns in their order; a list as an array."""
    names = fitted.columns.names
    if not is_frame(X):
        return X if isinstance(X, np.ndarray) else np.asarray(X, dtype=object)
    known = set(X.columns)
    return X[list(names)] if names is not None and known.issuperset(names) else X
