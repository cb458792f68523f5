"""What a model knows of its table: the columns, how they become the network's numbers, the classes.

The network sees a matrix of floats with NaN for "missing". A number, a truth value or a category of
two kinds is one column, standardised; a category of more kinds is one 0/1 column per kind. `Input`
remembers which columns belong to which input, so that rules speak of inputs and categories.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.notation import Notation
from unfis.data.samples import Samples, TrainingSample
from unfis.data.values import ValueReader

# A standardised value is clipped here: squares and sums of it stay finite.
LARGEST_INPUT = 1e100
# A table of more values than this is encoded block by block, whenever its rows are asked for.
MOST_ENCODED = 1 << 22


@dataclass(frozen=True)
class Input:
    """One input of the table and the columns of the network it became."""

    name: str  # the column's name, or x0, x1, ... in a table without names
    kind: str  # "number", "boolean" or "category"
    categories: tuple[Any, ...]  # in order; (False, True) of a boolean; () of a number
    columns: slice  # where its columns are in the network's matrix
    offsets: Array  # original value = scale * network value + offset, (columns,)
    scales: Array  # (columns,)


def column_spans(categories: list[tuple[Any, ...]]) -> list[slice]:
    """Where each input's columns lie: one, or one per kind of a category of three or more."""
    widths = [len(kinds) if len(kinds) > 2 else 1 for kinds in categories]
    stops = np.cumsum(widths).tolist()
    return [slice(stop - width, stop) for stop, width in zip(stops, widths, strict=True)]


@dataclass(frozen=True)
class TableColumns:
    """The columns of a table that a model was learned from."""

    names: tuple[Any, ...] | None  # the columns' names as they were given, None of a table without
    inputs: tuple[Input, ...]  # each column's kind, categories and scale
    classes: NDArray[Any]  # labels in order, (classes,)
    notation: Notation = field(default_factory=Notation)  # how text is read

    @cached_property
    def reader(self) -> ValueReader:
        """What reads the values of tables."""
        parts = ("name", "kind", "categories")
        return ValueReader(*([getattr(item, part) for item in self.inputs] for part in parts))

    def values(self, table: Any) -> Array:
        """The values of a table with these columns, (rows, inputs)."""
        return self.reader.values(table, self.notation)

    def matrix(self, values: Array) -> Array:
        """The network's matrix of a table's values, or of many what acts as one by its rows."""
        if values.size <= MOST_ENCODED:
            return self.encoded(values)
        return cast(Array, EncodedRows(self, values))

    def encoded(self, values: Array) -> Array:
        """The network's matrix itself, shape (rows, columns), rows side by side."""
        offsets, scales = self._scaling
        if len(self.inputs) < len(offsets):
            values = self._expanded(values)
        matrix = np.empty(values.shape[::-1])
        with np.errstate(over="ignore"):
            np.subtract(values.T, offsets, out=matrix)
            matrix /= scales
        return np.clip(matrix, -LARGEST_INPUT, LARGEST_INPUT, out=matrix).T

    @cached_property
    def _scaling(self) -> tuple[Array, Array]:
        """Offsets and scales of the network's columns, shape (columns, 1) each."""
        offsets = np.concatenate([item.offsets for item in self.inputs])
        return offsets[:, None], np.concatenate([item.scales for item in self.inputs])[:, None]

    def _expanded(self, values: Array) -> Array:
        """One column per kind for categories of three or more, shape (rows, columns)."""
        matrix = np.empty((len(values), self.width))
        for codes, item in zip(values.T, self.inputs, strict=True):
            count = len(item.offsets)
            kinds = codes if count == 1 else codes[:, None] == np.arange(count)
            matrix[:, item.columns] = kinds.reshape(len(values), count)
            matrix[np.isnan(codes), item.columns] = np.nan
        return matrix

    @property
    def width(self) -> int:
        """How many columns the network's matrix has."""
        return int(self.inputs[-1].columns.stop)

    def samples(
        self, read: TrainingSample, encode: Callable[[NDArray[np.intp], int], Array]
    ) -> Samples:
        """Rows that were read, as the network sees them, with the weights they were given."""
        targets = encode(read.codes, len(self.classes))
        return Samples(self.matrix(read.values), targets, read.weights)

    def starts(self) -> list[int]:
        """The first column of each input."""
        return [item.columns.start for item in self.inputs]

    def knows(self, labels: Any) -> bool:
        """Whether all labels are among the classes."""
        return bool(np.isin(np.asarray(labels), self.classes).all())


class EncodedRows:
    """The network's matrix of very many values, which is made of the rows that are asked for."""

    def __init__(self, columns: TableColumns, values: Array) -> None:
        self._columns, self._values = columns, values
        self.shape = len(values), columns.width

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, rows: Any) -> Array:
        return self._columns.encoded(self._values[rows])
