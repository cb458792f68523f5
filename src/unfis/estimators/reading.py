"""Tables with targets read for a fit: in memory, in blocks, from a Parquet file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from unfis.arrays import Array
from unfis.data.blocks import ClassUnion, ColumnUnion, gathering
from unfis.data.blocks.sources import LabelledBlock, blocks_of, comes_in_blocks
from unfis.data.columns import TableColumns
from unfis.data.frames import is_frame, take_rows
from unfis.data.scaling import LocalColumns, Moments, scaled_inputs
from unfis.data.target import check_total_weight, check_weights, classes_of, encode_labels
from unfis.data.values import ValueReader
from unfis.estimators.tables import check_table
from unfis.fitting.rows import AllRows, LocalRows, RowBlock

CheckTargets = Callable[[Any, int], NDArray[Any]]


class TrainingTable(NamedTuple):
    """A table that is learned from."""

    columns: TableColumns  # with the classes, or none of a number
    rows: AllRows
    target: str  # the name of its column, or nothing


class Reading(NamedTuple):
    """How a table is read."""

    estimator: BaseEstimator  # whose columns are learned
    categorical_features: Any
    check_targets: CheckTargets
    labels: bool  # whether targets are classes
    classes: Any = None  # all, where they are known

    def checked(self, block: LabelledBlock) -> CheckedTable:
        """A block that can be learned from, without its rows of weight 0."""
        named = not isinstance(self.categorical_features, str | None)
        table = check_table(self.estimator, block.X, None, named=named)
        targets = self.check_targets(block.y, table.shape[0])
        weights = check_weights(block.weights, len(targets))
        names = tuple(table.columns) if is_frame(table) else None
        kept, total = np.flatnonzero(weights), len(weights)
        if len(kept) < total:
            table, targets, weights = take_rows(table, kept), targets[kept], weights[kept]
        return CheckedTable(table, names, targets, weights, total)


class CheckedTable(NamedTuple):
    """A block that can be learned from."""

    table: Any
    names: tuple[Any, ...] | None  # of its columns
    targets: NDArray[Any]  # labels or numbers, (rows,)
    weights: Array  # (rows,)
    total: int  # its rows, those of weight 0 among them

    @property
    def texts(self) -> list[str]:
        """The names of the columns as text, or x0, x1, ... in a table without names."""
        return [str(n) for n in self.names or (f"x{j}" for j in range(self.table.shape[1]))]


def read_training_table(reading: Reading, X: Any, y: Any, weights: Any) -> TrainingTable:
    """A table with its targets."""
    if comes_in_blocks(X):
        return read_block_table(reading, X, y, weights)
    if y is None:
        validate_data(reading.estimator, X, y, skip_check_array=True)  # says that y is needed
    checked = reading.checked(LabelledBlock("X", X, y, weights))
    check_total_weight(float(checked.weights.sum()))
    reader = ValueReader.learn(checked.table, checked.texts, reading.categorical_features)
    values = np.asarray(reader.values(checked.table), dtype=np.float64)
    targets, classes = checked.targets, checked.targets[:0]
    if reading.labels:
        classes = classes_of(targets if reading.classes is None else reading.classes)
        targets = encode_labels(targets, classes)
    rows = LocalRows(values, targets, checked.weights)
    return table_of(checked.names, reader, classes, rows, name_of(y))


def read_block_table(reading: Reading, X: Any, y: Any, weights: Any) -> TrainingTable:
    """Blocks as one table, whose rows stay in files."""
    union, classes, names, name = ColumnUnion(reading.categorical_features), ClassUnion(), None, ""
    if reading.classes is not None:
        classes.join(classes_of(reading.classes))
    with gathering() as gathered:
        for block in blocks_of(X, y, weights):
            with block.examined():
                part = reading.checked(block)
                names, name = part.names, name or name_of(block.y)
                if not len(part.targets):
                    continue
                values = union.values(part.table, part.texts)
                targets = classes.codes(part.targets) if reading.labels else part.targets
            gathered.append(part.total, np.arange(len(targets)), values, targets, part.weights)
        check_total_weight(gathered.weight)
        found = classes_of(classes.classes) if reading.labels else targets[:0]
        reader, order = union.reader(), classes.order if reading.labels else np.empty(0, np.intp)
        gathered.put_in_order(union.changes(reader), order)
        _, *arrays = gathered.arrays()
    return table_of(names, reader, found, LocalRows(*arrays), name)


def table_of(
    names: tuple[Any, ...] | None, reader: ValueReader, classes: NDArray[Any], rows: AllRows,
    target: str,
) -> TrainingTable:  # fmt: skip
    """A table whose rows were read, with the centres and scales of its columns."""
    inputs = scaled_inputs(reader, SumsOfRows(rows), scale=True)
    return TrainingTable(TableColumns(names, inputs, classes), rows, target)


class SumsOfRows(NamedTuple):
    """Sums over columns of rows wherever they are."""

    rows: AllRows

    def moments(self, columns: list[int], exponents: NDArray[np.intp]) -> Moments:
        """Their moments in units of 2^exponent."""
        work = partial(moments_of_block, columns=columns, exponents=exponents)
        found: Moments = self.rows.joined(work, partial(reduce, Moments.joined))
        return found

    def largest(self, columns: list[int]) -> Array:
        """The largest size of a number in each, NaN for none."""
        found = self.rows.joined(partial(block_largest, columns=columns), partial(reduce, np.fmax))
        return np.asarray(found)


def moments_of_block(block: RowBlock, columns: list[int], exponents: NDArray[np.intp]) -> Moments:
    """The moments of some columns of a block."""
    parts = (LocalColumns(part.values, part.given) for part in block.slices())
    return reduce(Moments.joined, [part.moments(columns, exponents) for part in parts])


def block_largest(block: RowBlock, columns: list[int]) -> Array:
    """The largest size of a number in some columns of a block, NaN for none."""
    return LocalColumns(block.values, block.given).largest(columns)


def name_of(y: Any) -> str:
    """The name of a column of targets, if it has one."""
    return str(getattr(y, "name", None) or "")
