"""From the user's table to the network's numbers.

The network sees a matrix of floats with NaN for "missing". A number, a truth value or a category of
two kinds is one column, standardised; a category of more kinds is one 0/1 column per kind. `Input`
remembers which columns belong to which input, so that rules speak of inputs and categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from unfis.arrays import Array
from unfis.data.values import ValueReader

# A standardised value is clipped here: squares and sums of it stay finite.
LARGEST_INPUT = 1e100
# A table of more values than this is encoded block by block, whenever its rows are asked for.
MOST_ENCODED = 1 << 22


@dataclass(frozen=True)
class Input:
    """One input of the table and the columns of the network it became.

    Attributes
    ----------
    name : the column's name, or x0, x1, ... in a table without names
    kind : "number", "boolean" or "category"
    categories : the kinds of a category in order; (False, True) for a boolean; () for a number
    columns : where its columns are in the network's matrix
    offsets, scales : original value = scale * network value + offset, one per column
    """

    name: str
    kind: str
    categories: tuple[Any, ...]
    columns: slice
    offsets: Array
    scales: Array


class TableEncoder:
    """Turns the tables of known inputs into the network's matrix.

    Attributes
    ----------
    inputs : the inputs, in the order of the table's columns
    reader : reads their values
    """

    def __init__(self, inputs: Sequence[Input]) -> None:
        self.inputs = tuple(inputs)
        self.reader = ValueReader(
            [item.name for item in inputs],
            [item.kind for item in inputs],
            [item.categories for item in inputs],
        )
        self._spans = [item.columns for item in inputs]
        self._offsets = np.concatenate([item.offsets for item in inputs])
        self._scales = np.concatenate([item.scales for item in inputs])

    @property
    def width(self) -> int:
        """How many columns the matrix has."""
        return int(self._spans[-1].stop)

    def rows(self, values: Array) -> Array:
        """The network's matrix of a table's values, or of many what acts as one by its rows."""
        if values.size <= MOST_ENCODED:
            return self.matrix(values)
        return cast(Array, EncodedRows(self, values))

    def matrix(self, values: Array) -> Array:
        """The network's matrix of a table's values, shape (rows, columns), rows side by side."""
        expanded = self._expanded(values)
        matrix = np.empty(expanded.shape[::-1])
        with np.errstate(over="ignore"):
            np.subtract(expanded.T, self._offsets[:, None], out=matrix)
            matrix /= self._scales[:, None]
        return np.clip(matrix, -LARGEST_INPUT, LARGEST_INPUT, out=matrix).T

    def _expanded(self, values: Array) -> Array:
        """One column per kind for categories of three or more, shape (rows, columns)."""
        if len(self._spans) == self.width:
            return values
        matrix = np.empty((len(values), self.width))
        for codes, span in zip(values.T, self._spans, strict=True):
            count = span.stop - span.start
            kinds = codes if count == 1 else codes[:, None] == np.arange(count)
            matrix[:, span] = kinds.reshape(len(values), count)
            matrix[np.isnan(codes), span] = np.nan
        return matrix


def column_spans(categories: list[tuple[Any, ...]]) -> list[slice]:
    """Where each input's columns lie: one, or one per kind of a category of three or more."""
    widths = [len(kinds) if len(kinds) > 2 else 1 for kinds in categories]
    stops = np.cumsum(widths).tolist()
    return [slice(stop - width, stop) for stop, width in zip(stops, widths, strict=True)]


class EncodedRows:
    """The network's matrix of very many values, which is made of the rows that are asked for."""

    def __init__(self, encoder: TableEncoder, values: Array) -> None:
        self._encoder, self._values = encoder, values
        self.shape = len(values), encoder.width

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, rows: Any) -> Array:
        return self._encoder.matrix(self._values[rows])
