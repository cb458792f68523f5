"""What an estimator does with a table: check it, learn its columns, make samples of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from unfis.arrays import Array, Mask
from unfis.data import Notation
from unfis.data.blocks import (
    ClassUnion,
    ColumnUnion,
    blocks_of,
    comes_in_blocks,
    gathering,
)
from unfis.data.encoder import Input, TableEncoder
from unfis.data.frames import check_frame, has_text, is_frame, refuse_dates, take_rows
from unfis.data.samples import Samples, targets_of
from unfis.data.target import (
    check_classes,
    check_labels,
    check_same_classes,
    check_total_weight,
    check_weights,
    class_weights,
    encode_labels,
)
from unfis.data.training_sample import TrainingSample
from unfis.estimators.settings import check_unchanged
from unfis.network import Parameters


class Checked(NamedTuple):
    """A table with labels that can be learned from, without its rows of weight 0."""

    total: int  # its rows, those among them
    rows: NDArray[np.intp]  # the numbers of the others, (rows,)
    table: Any
    labels: NDArray[Any]  # (rows,)
    weights: Array  # (rows,)


class TableReader:
    """An estimator's part that turns tables and labels into the network's numbers.

    It learns `classes_`, `inputs_` and what `transform` needs of the columns. Text that comes
    later is read in `notation_`, the usual one unless the training table was read in another.
    """

    classes_: NDArray[Any]
    inputs_: list[Input]
    notation_: Notation
    n_features_in_: int
    scale: bool
    class_weight: Any
    categorical_features: Any
    unseen_categories: str
    early_stopping: bool
    _columns: list[Any] | None
    _encoder: TableEncoder
    _training_sample: TrainingSample

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """Check names, shape and numbers of a table; data frames stay what they are."""
        if comes_in_blocks(X):
            raise ValueError(
                f"X must be a table, got {type(X).__name__}: only fit and edit take blocks and "
                "files. Give one block after the other, or read the file into a data frame."
            )
        if is_frame(X):
            check_frame(X, None if reset else self._columns)
            validate_data(self, X, reset=reset, skip_check_array=True)
            if reset:
                self._columns = list(X.columns)
            return X
        if reset:
            self._columns = None
        refuse_dates(X)
        mixed = not isinstance(self.categorical_features, str | None)
        if not reset:
            mixed = any(column.kind == "category" for column in self.inputs_)
        if not mixed and not has_text(X):
            kinds = [np.float64, np.float32]
            return validate_data(self, X, reset=reset, dtype=kinds, ensure_all_finite=False)
        # Categories are read from an array's objects; other text will be named by its column.
        objects = np.asarray(X, dtype=object)
        return validate_data(self, objects, reset=reset, dtype=None, ensure_all_finite=False)

    def _values(self, X: Any) -> Array:
        """The values of a table to predict, checked, shape (rows, inputs)."""
        table = self._check_table(X, reset=False)
        return self._encoded_values(table)

    def _encoded_values(self, table: Any) -> Array:
        """The values of a checked table by what was learned of its columns, (rows, inputs)."""
        return self._encoder.reader.values(table, self.unseen_categories, self.notation_)

    def _check_learnable(self, X: Any, *, goes_on: bool) -> None:
        """Raise ValueError, before X is read, where these settings cannot learn from it."""
        if goes_on:
            check_unchanged(self)
        if self.early_stopping and comes_in_blocks(X):
            raise ValueError(
                "early_stopping=True needs the whole table in memory, got one that comes in "
                "blocks. Give it as a table, or set early_stopping=False."
            )

    def _samples(self, read: TrainingSample, *, follows: bool = False) -> Samples:
        """Rows that were read as samples to learn from.

        The model keeps some of them as evidence, beside those of the rows that they follow in a
        stream.
        """
        self._training_sample = (
            self._training_sample.followed_by(read) if follows else read
        ).kept()
        weights = class_weights(self.class_weight, self.classes_, read.codes, read.weights)
        return self._samples_of(read)._replace(weights=weights)

    def _samples_of(self, read: TrainingSample) -> Samples:
        """Rows that were read, as the network sees them, with the weights they were given."""
        targets = targets_of(read.codes, len(self.classes_))
        return Samples(self._encoder.rows(read.values), targets, read.weights)

    def _read_all(self, X: Any, y: Any, weights: Any, *, goes_on: bool) -> TrainingSample:
        """Read a table with labels that is given as such, in blocks or as a file, once."""
        read = self._read_blocks if comes_in_blocks(X) else self._read
        return read(X, y, weights, goes_on=goes_on)

    def _read(
        self, X: Any, y: Any, weights: Any, *, goes_on: bool, classes: Any = None
    ) -> TrainingSample:
        """Check a table with labels and read its values; learn what is new of it."""
        if y is None:
            validate_data(self, X, y, skip_check_array=True)  # says that y is needed
        checked = self._checked(X, y, weights, reset=not goes_on)
        check_total_weight(float(checked.weights.sum()))
        if goes_on:
            check_same_classes(classes, self.classes_)
            values = self._encoded_values(checked.table)
        else:
            self.classes_ = check_classes(checked.labels if classes is None else classes)
            self._encoder = TableEncoder(self.categorical_features, self.scale)
            values = self._encoder.fit(checked.table, self._names, checked.weights)
            self.inputs_, self.notation_ = self._encoder.inputs, Notation()
        codes = encode_labels(checked.labels, self.classes_)
        return TrainingSample.of(checked.rows, values, codes, checked.weights)

    def _checked(self, X: Any, y: Any, weights: Any, *, reset: bool) -> Checked:
        """Check a table with labels; a weight of 0 is no row."""
        table = self._check_table(X, reset=reset)
        labels = check_labels(y, table.shape[0])
        weights = check_weights(weights, len(labels))
        kept = np.flatnonzero(weights)
        if len(kept) == len(labels):
            return Checked(len(labels), kept, table, labels, weights)
        return Checked(len(labels), kept, take_rows(table, kept), labels[kept], weights[kept])

    def _read_blocks(self, X: Any, y: Any, weights: Any, *, goes_on: bool) -> TrainingSample:
        """Read blocks as one table, whose rows stay in files; learn what is new of it."""
        columns, classes = ColumnUnion(self.categorical_features), ClassUnion()
        with gathering() as gathered:
            for block in blocks_of(X, y, weights):
                with block.examined():
                    part = self._checked(block.X, block.y, block.weights, reset=not goes_on)
                    if not len(part.rows):
                        gathered.total += part.total
                        continue
                    if goes_on:
                        values = self._encoded_values(part.table)
                        codes = encode_labels(part.labels, self.classes_)
                    else:
                        values = columns.values(part.table, self._names)
                        codes = classes.codes(part.labels)
                gathered.append(part.total, part.rows, values, codes, part.weights)
            check_total_weight(gathered.weight)
            if goes_on:
                return TrainingSample.of(*gathered.arrays())
            self.classes_ = check_classes(classes.classes)
            reader = columns.reader()
            gathered.put_in_order(columns.changes(reader), classes.order)
            rows, values, codes, weights = gathered.arrays()
        self._encoder = TableEncoder(self.categorical_features, self.scale)
        self._encoder.learn_scales(reader, values, weights)
        self.inputs_, self.notation_ = self._encoder.inputs, Notation()
        return TrainingSample.of(rows, values, codes, weights)

    @property
    def _names(self) -> list[str]:
        """The names of the columns, or x0, x1, ... in a table without names."""
        return [str(n) for n in self._columns or (f"x{j}" for j in range(self.n_features_in_))]

    def _selected(self, parameters: Parameters) -> Mask:
        """Which inputs are not out of which rules, shape (rules, inputs)."""
        starts = [column.columns.start for column in self.inputs_]
        return np.asarray(~np.isneginf(parameters.logits[:, starts]))
