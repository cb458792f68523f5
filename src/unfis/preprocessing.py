"""From the user's table to the network's numbers.

The network sees a matrix of floats with NaN for "missing". A number, a truth value or a category of
two kinds is one column, standardised; a category of more kinds is one 0/1 column per kind. `Input`
remembers which columns belong to which input, so that rules speak of inputs and categories.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from unfis.arrays import Array
from unfis.values import ValueReader

# A standardised value is clipped here: squares and sums of it stay finite.
LARGEST_INPUT = 1e100


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

    def fit(self, X: Any, names: list[str], weights: Array) -> Array:
        """Learn from a table and return its values, shape (rows, inputs)."""
        self.reader = ValueReader.learn(X, names, self.categorical_features)
        values = self.reader.values(X, "error")
        self._spans = column_spans(self.reader.categories)
        matrix = self._expanded(values)
        self._offsets, self._scales = np.zeros(matrix.shape[1]), np.ones(matrix.shape[1])
        single = [span.start for span in self._spans if span.stop - span.start == 1]
        if self.scale and single:
            scaling = centre_and_scale(matrix[:, single], weights)
            self._offsets[single], self._scales[single] = scaling
        self.inputs = [
            Input(name, kind, categories, span, self._offsets[span], self._scales[span])
            for name, kind, categories, span in zip(
                names, self.reader.kinds, self.reader.categories, self._spans, strict=True
            )
        ]
        for column in self.inputs:
            if not np.isfinite([column.offsets, column.scales]).all():
                raise ValueError(f"{column.name} has values too large to standardise; rescale it.")
        return values

    def matrix(self, values: Array) -> Array:
        """The network's matrix of a table's values, shape (rows, columns)."""
        with np.errstate(over="ignore"):
            matrix = (self._expanded(values) - self._offsets) / self._scales
        return np.clip(matrix, -LARGEST_INPUT, LARGEST_INPUT, out=matrix)

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


def centre_and_scale(matrix: Array, weights: Array) -> tuple[Array, Array]:
    """Weighted mean and deviation of each column over what is known; (0, 1) where nothing is."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        scaler = StandardScaler().fit(matrix, sample_weight=weights)
    empty = np.isnan(matrix).all(axis=0)
    # Where the variance overflows the scaler gives up with a scale of 1.
    scales = np.where(np.isinf(scaler.var_), np.inf, scaler.scale_)
    return np.where(empty, 0.0, scaler.mean_), np.where(empty, 1.0, scales)
