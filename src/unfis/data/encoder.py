"""From the user's table to the network's numbers.

The network sees a matrix of floats with NaN for "missing". A number, a truth value or a category of
two kinds is one column, standardised; a category of more kinds is one 0/1 column per kind. `Input`
remembers which columns belong to which input, so that rules speak of inputs and categories.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

from unfis.arrays import Array
from unfis.data.values import ValueReader
from unfis.messages import warn_user

# A standardised value is clipped here: squares and sums of it stay finite.
LARGEST_INPUT = 1e100
# Between these, a column's slopes and the ends of its sets are finite in its own units.
SMALLEST_SCALE, LARGEST_SCALE = 1e-290, 1e290
# Between these, a deviation's square keeps all its digits.
SMALLEST_SQUARED, LARGEST_SQUARED = 1e-100, 1e100
# Up to this exponent of 2 numbers are squared as they are.
USUAL_EXPONENT = 300
# A table of more values than this is encoded block by block, whenever its rows are asked for.
MOST_ENCODED = 1 << 22
# Rows whose scale is learned at once.
BLOCK_ROWS = 1 << 16


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
    """Learns the kinds, categories and scales of a table's columns; turns tables into matrices.

    Parameters
    ----------
    categorical_features : "from_dtype", None, or names, indices or a mask of the categories
    scale : whether to standardise
    """

    inputs: list[Input]
    reader: ValueReader

    def __init__(self, categorical_features: Any, scale: bool) -> None:
        self.categorical_features = categorical_features
        self.scale = scale

    @classmethod
    def of(cls, inputs: list[Input], categorical_features: Any, scale: bool) -> TableEncoder:
        """An encoder that has learned these inputs."""
        encoder = cls(categorical_features, scale)
        kinds = [item.kind for item in inputs]
        categories = [item.categories for item in inputs]
        encoder.reader = ValueReader([item.name for item in inputs], kinds, categories)
        encoder._spans = [item.columns for item in inputs]
        encoder._offsets = np.concatenate([item.offsets for item in inputs])
        encoder._scales = np.concatenate([item.scales for item in inputs])
        encoder.inputs = inputs
        return encoder

    def fit(self, X: Any, names: list[str], weights: Array) -> Array:
        """Learn from a table and return its values, shape (rows, inputs)."""
        reader = ValueReader.learn(X, names, self.categorical_features)
        values = reader.values(X, "error")
        self.learn_scales(reader, values, weights)
        return values

    def learn_scales(self, reader: ValueReader, values: Array, weights: Array) -> None:
        """Learn from the values that a reader has read, shape (rows, inputs)."""
        self.reader = reader
        self._spans = column_spans(reader.categories)
        columns = self._spans[-1].stop
        self._offsets, self._scales = np.zeros(columns), np.ones(columns)
        single = [j for j, span in enumerate(self._spans) if span.stop - span.start == 1]
        if single:
            names = [reader.names[j] for j in single]
            places = [self._spans[j].start for j in single]
            offsets, scales = centre_and_scale(values, single, weights)
            if self.scale:
                scales = computable_scales(names, offsets, scales)
                self._offsets[places], self._scales[places] = offsets, scales
            else:
                warn_of_sizes(names, offsets, scales)
        self.inputs = [
            Input(name, kind, categories, span, self._offsets[span], self._scales[span])
            for name, kind, categories, span in zip(
                reader.names, reader.kinds, reader.categories, self._spans, strict=True
            )
        ]

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
        if len(self._spans) == self._spans[-1].stop:
            return values
        matrix = np.empty((len(values), self._spans[-1].stop))
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


def centre_and_scale(values: Array, columns: list[int], weights: Array) -> tuple[Array, Array]:
    """Weighted mean and deviation of columns over what is known; (0, 1) where nothing is.

    The deviation of a constant is 1.
    """
    means, deviations = moments(values, columns, weights, np.zeros(len(columns), dtype=int))
    # Squares of very large or very small numbers are infinite or 0: they are taken again in units
    # of the largest. The others whose deviation is no usual one are constants.
    odd = np.flatnonzero(~((deviations > SMALLEST_SQUARED) & (deviations < LARGEST_SQUARED)))
    exponents = largest_exponents(values, [columns[place] for place in odd])
    far = np.abs(exponents) > USUAL_EXPONENT
    again, exponents = odd[far], exponents[far]
    if len(again):
        found = moments(values, [columns[place] for place in again], weights, exponents)
        means[again], deviations[again] = np.ldexp(found, exponents)
    return means, np.where(deviations == 0, 1.0, deviations)


def computable_scales(names: Sequence[str], offsets: Array, scales: Array) -> Array:
    """The scales, 1 of a column that varies by so little that its slopes would not be finite."""
    for name, offset, scale in zip(names, offsets, scales, strict=True):
        if not (np.isfinite(offset) and scale <= LARGEST_SCALE):
            raise ValueError(
                f"{name} has values too large to standardise; divide it by a large number."
            )
        if scale < SMALLEST_SCALE:
            warn_user(
                f"{name} varies by about {scale:.0e}, too little to compute with, and is taken for "
                "constant; multiply it by a large number."
            )
    return np.where(scales < SMALLEST_SCALE, 1.0, scales)


def warn_of_sizes(names: Sequence[str], offsets: Array, scales: Array) -> None:
    """Warn of columns that are too small or too large to compute with as they are."""
    for name, offset, scale in zip(names, offsets, scales, strict=True):
        if scale < 1 / LARGEST_INPUT:
            warn_user(
                f"{name} varies by about {scale:.0e}, which is taken for constant without "
                "scale=True; set that, or multiply it by a large number."
            )
        if not abs(offset) + scale < LARGEST_INPUT:
            warn_user(
                f"{name} has values beyond {LARGEST_INPUT:.0e}, which count as that without "
                "scale=True; set that, or divide it by a large number."
            )


def moments(
    values: Array, columns: list[int], weights: Array, exponents: NDArray[np.intp]
) -> tuple[Array, Array]:
    """Weighted mean and deviation in units of 2^exponent; 0 where nothing is known.

    The deviation of a constant is 0.
    """
    scaler, empty = StandardScaler(), np.ones(len(columns), dtype=bool)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for start in range(0, len(values), BLOCK_ROWS):
            # In one order of memory, on which sums depend: a table is scaled alike wherever it is.
            rows = values[start : start + BLOCK_ROWS, columns]
            block = np.ascontiguousarray(rows, dtype=np.float64)
            block = np.ldexp(block, -exponents) if exponents.any() else block
            scaler.partial_fit(block, sample_weight=weights[start : start + BLOCK_ROWS])
            empty &= np.isnan(block).all(axis=0)
        deviations = np.sqrt(scaler.var_)
    # The scaler knows a constant by more than a variance of 0, and gives it the scale 1.
    constant = empty | ((scaler.scale_ != deviations) & np.isfinite(deviations))
    return np.where(empty, 0.0, scaler.mean_), np.where(constant, 0.0, deviations)


def largest_exponents(values: Array, columns: list[int]) -> NDArray[np.intp]:
    """The exponent of 2 of the largest number in each column, 0 where there is none but 0."""
    largest = np.zeros(len(columns))
    for start in range(0, len(values), BLOCK_ROWS):
        block = np.abs(values[start : start + BLOCK_ROWS, columns].astype(np.float64))
        largest = np.fmax(largest, np.fmax.reduce(block, axis=0))
    return np.frexp(largest)[1].astype(np.intp)


class EncodedRows:
    """The network's matrix of very many values, which is made of the rows that are asked for."""

    def __init__(self, encoder: TableEncoder, values: Array) -> None:
        self._encoder, self._values = encoder, values
        self.shape = len(values), encoder._spans[-1].stop

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, rows: Any) -> Array:
        return self._encoder.matrix(self._values[rows])
