"""What an estimator does with a table: check it, learn its columns, read its rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from unfis.arrays import Array
from unfis.data.blocks import ClassUnion, ColumnUnion, gathering
from unfis.data.blocks.sources import LabelledBlock, blocks_of, comes_in_blocks
from unfis.data.columns import TableColumns
from unfis.data.frames import check_frame, has_text, is_frame, refuse_dates, take_rows
from unfis.data.samples import TrainingSample
from unfis.data.scaling import LocalColumns, scaled_inputs
from unfis.data.target import (
    check_labels,
    check_same_classes,
    check_total_weight,
    check_weights,
    classes_of,
    encode_labels,
)
from unfis.data.values import ValueReader


class TableSettings(Protocol):
    """An estimator's parameters that say how tables are read."""

    @property
    def categorical_features(self) -> Any: ...

    @property
    def scale(self) -> bool: ...


class Checked(NamedTuple):
    """A table with labels that can be learned from, without its rows of weight 0."""

    total: int  # its rows, those among them
    rows: NDArray[np.intp]  # the numbers of the others, (rows,)
    table: Any
    names: tuple[Any, ...] | None  # of its columns
    labels: NDArray[Any]  # (rows,)
    weights: Array  # (rows,)

    @property
    def texts(self) -> list[str]:
        """The names of the columns as text, or x0, x1, ... in a table without names."""
        return [str(n) for n in self.names or (f"x{j}" for j in range(self.table.shape[1]))]


def check_table(
    estimator: BaseEstimator, X: Any, known: TableColumns | None, *, named: bool = False
) -> Any:
    """Check names, shape and numbers of a table, which may have to have the columns of a model.

    Data frames stay what they are. An array holds categories if the user has `named` some.
    """
    if comes_in_blocks(X):
        raise ValueError(
            f"X must be a table, got {type(X).__name__}: only fit and edit take blocks and files. "
            "Give one block after the other, or read the file into a data frame."
        )
    reset = known is None
    mixed = named if known is None else any(item.kind == "category" for item in known.inputs)
    if is_frame(X):
        names = None if known is None or known.names is None else list(known.names)
        check_frame(X, names)
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    refuse_dates(X)
    if not mixed and not has_text(X):
        kinds = [np.float64, np.float32]
        return validate_data(estimator, X, reset=reset, dtype=kinds, ensure_all_finite=False)
    # Categories are read from an array's objects; other text will be named by its column.
    objects = np.asarray(X, dtype=object)
    return validate_data(estimator, objects, reset=reset, dtype=None, ensure_all_finite=False)


def describe_columns(estimator: BaseEstimator, columns: TableColumns) -> None:
    """Have an estimator know the columns of a table as scikit-learn's checks leave it."""
    estimator.n_features_in_ = len(columns.inputs)
    names = columns.names
    if names is not None and all(isinstance(name, str) for name in names):
        estimator.feature_names_in_ = np.array(names, dtype=object)
    else:
        vars(estimator).pop("feature_names_in_", None)  # of another table before


def check_labelled(
    estimator: BaseEstimator,
    given: LabelledBlock,
    settings: TableSettings,
    known: TableColumns | None,
) -> Checked:
    """Check a table with labels; a weight of 0 is no row."""
    named = not isinstance(settings.categorical_features, str | None)
    table = check_table(estimator, given.X, known, named=named)
    labels = check_labels(given.y, table.shape[0])
    weights = check_weights(given.weights, len(labels))
    names = tuple(table.columns) if is_frame(table) else None
    kept = np.flatnonzero(weights)
    if len(kept) == len(labels):
        return Checked(len(labels), kept, table, names, labels, weights)
    rows = take_rows(table, kept)
    return Checked(len(labels), kept, rows, names, labels[kept], weights[kept])


class Read(NamedTuple):
    """A table with labels that was read."""

    columns: TableColumns
    rows: TrainingSample


def read_labelled(
    estimator: BaseEstimator,
    X: Any,
    y: Any,
    weights: Any,
    settings: TableSettings,
    known: TableColumns | None = None,
    classes: Any = None,
) -> Read:
    """Read a table with labels, in blocks or as a file too; learn its columns if none are known."""
    if comes_in_blocks(X):
        return read_blocks(estimator, blocks_of(X, y, weights), settings, known)
    if y is None:
        validate_data(estimator, X, y, skip_check_array=True)  # says that y is needed
    checked = check_labelled(estimator, LabelledBlock("X", X, y, weights), settings, known)
    check_total_weight(float(checked.weights.sum()))
    if known is None:
        labels = classes_of(checked.labels if classes is None else classes)
        reader = ValueReader.learn(checked.table, checked.texts, settings.categorical_features)
        values = reader.values(checked.table)
        inputs = scaled_inputs(reader, LocalColumns(values, checked.weights), scale=settings.scale)
        known = TableColumns(checked.names, inputs, labels)
    else:
        check_same_classes(classes, known.classes)
        values = known.values(checked.table)
    codes = encode_labels(checked.labels, known.classes)
    return Read(known, TrainingSample.of(checked.rows, values, codes, checked.weights))


def read_blocks(
    estimator: BaseEstimator,
    blocks: Iterable[LabelledBlock],
    settings: TableSettings,
    known: TableColumns | None,
) -> Read:
    """Read blocks as one table, whose rows stay in files; learn its columns if none are known."""
    columns, classes, names = ColumnUnion(settings.categorical_features), ClassUnion(), None
    with gathering() as gathered:
        for block in blocks:
            with block.examined():
                part = check_labelled(estimator, block, settings, known)
                names = part.names
                if not len(part.rows):
                    gathered.total += part.total
                    continue
                if known is None:
                    values = columns.values(part.table, part.texts)
                    codes = classes.codes(part.labels)
                else:
                    values = known.values(part.table)
                    codes = encode_labels(part.labels, known.classes)
            gathered.append(part.total, part.rows, values, codes, part.weights)
        check_total_weight(gathered.weight)
        if known is not None:
            return Read(known, TrainingSample.of(*gathered.arrays()))
        labels = classes_of(classes.classes)
        reader = columns.reader()
        gathered.put_in_order(columns.changes(reader), classes.order)
        arrays = gathered.arrays()
    inputs = scaled_inputs(reader, LocalColumns(arrays[1], arrays[3]), scale=settings.scale)
    return Read(TableColumns(names, inputs, labels), TrainingSample.of(*arrays))
