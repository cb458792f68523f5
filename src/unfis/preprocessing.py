"""From the user's table to the network's numbers: kinds of columns, categories, missing, scale.

The network sees a matrix of floats with NaN for "missing". A number, a truth value or a category of
two kinds is one column, standardised; a category of more kinds is one 0/1 column per kind. `Input`
remembers which columns belong to which input, so that rules speak of inputs and categories.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

from unfis.arrays import Array
from unfis.columns import column_kinds, column_values, number_matrix

# A standardised value is clipped here: squares and sums of it stay finite.
LARGEST_INPUT = 1e100
# A column of text with more kinds than this, that hardly repeat, is taken for an identifier.
MOST_UNREPEATED = 20


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

    def __init__(self, categorical_features: Any, scale: bool) -> None:
        self.categorical_features = categorical_features
        self.scale = scale
        self._warned: set[tuple[str, Any]] = set()

    def fit_transform(self, X: Any, names: list[str], weights: Array) -> Array:
        """Learn from a table and return its matrix, shape (rows, columns)."""
        kinds = column_kinds(X, names, self.categorical_features)
        self._encoders = {
            j: category_encoder(X, j, names[j], found=isinstance(self.categorical_features, str))
            for j in range(len(names))
            if kinds[j] == "category"
        }
        self._names, self._kinds = names, kinds
        matrix = self._raw_matrix(X, "error")
        spans = self._spans()
        self._offsets, self._scales = np.zeros(matrix.shape[1]), np.ones(matrix.shape[1])
        single = [span.start for span in spans if span.stop - span.start == 1]
        if self.scale and single:
            scaling = centre_and_scale(matrix[:, single], weights)
            self._offsets[single], self._scales[single] = scaling
        self.inputs = [
            Input(name, kind, self._categories(j), span, self._offsets[span], self._scales[span])
            for j, (name, kind, span) in enumerate(zip(names, kinds, spans, strict=True))
        ]
        for column in self.inputs:
            if not np.isfinite([column.offsets, column.scales]).all():
                raise ValueError(f"{column.name} has values too large to standardise; rescale it.")
        return self._scaled(matrix)

    def transform(self, X: Any, unseen: str = "missing") -> Array:
        """The matrix of a table with the same columns, shape (rows, columns).

        `unseen` says what a category is that training did not see: "missing" or an "error".
        """
        return self._scaled(self._raw_matrix(X, unseen))

    def _scaled(self, matrix: Array) -> Array:
        with np.errstate(over="ignore"):
            matrix = (matrix - self._offsets) / self._scales
        return np.clip(matrix, -LARGEST_INPUT, LARGEST_INPUT, out=matrix)

    def _categories(self, j: int) -> tuple[Any, ...]:
        if self._kinds[j] == "boolean":
            return (False, True)
        if j not in self._encoders:
            return ()
        encoder = self._encoders[j]
        return () if encoder is None else tuple(encoder.categories_[0].tolist())

    def _spans(self) -> list[slice]:
        """Where each input's columns lie: one, or one per kind of a category of three or more."""
        kinds = [len(self._categories(j)) for j in range(len(self._names))]
        widths = [count if count > 2 else 1 for count in kinds]
        stops = np.cumsum(widths).tolist()
        return [slice(stop - width, stop) for stop, width in zip(stops, widths, strict=True)]

    def _raw_matrix(self, X: Any, unseen: str) -> Array:
        """The unscaled columns of all inputs, NaN where missing."""
        numeric = [j for j, kind in enumerate(self._kinds) if kind != "category"]
        numbers = number_matrix(X, numeric, self._names)
        if not self._encoders:
            return numbers
        columns = dict(zip(numeric, numbers.T[:, :, None], strict=True))
        for j in self._encoders:
            columns[j] = self._category_columns(X, j, unseen)
        return np.hstack([columns[j] for j in range(len(self._names))])

    def _category_columns(self, X: Any, j: int, unseen: str) -> Array:
        values, known = column_values(X, j)
        codes = np.full(len(values), np.nan)
        encoder = self._encoders[j]
        if encoder is not None and known.any():
            codes[known] = encoder.transform(values[known])[:, 0]
        new = np.isnan(codes) & known
        if new.any():
            self._tell_unseen(self._names[j], set(values[new, 0].astype(str)), unseen)
        count = len(self._categories(j))
        if count <= 2:
            return np.asarray(codes[:, None])
        return np.where(np.isnan(codes)[:, None], np.nan, codes[:, None] == np.arange(count))

    def _tell_unseen(self, name: str, categories: set[str], unseen: str) -> None:
        """Refuse categories that training did not see, or say once that they count as missing."""
        told = set() if unseen == "error" else self._warned
        new = sorted(c for c in categories if (name, c) not in told)
        shown = ", ".join(new[:5]) + (f" and {len(new) - 5} more" if len(new) > 5 else "")
        text = f"{name} has categories that were not seen in training: {shown}"
        if unseen == "error":
            raise ValueError(f"{text}. Use unseen_categories='missing' to treat them as missing.")
        if new:
            self._warned |= {(name, category) for category in new}
            # Six calls lead here from the line that asked for a prediction.
            warnings.warn(f"{text}. They are treated as missing.", UserWarning, stacklevel=7)


def centre_and_scale(matrix: Array, weights: Array) -> tuple[Array, Array]:
    """Weighted mean and deviation of each column over what is known; (0, 1) where nothing is."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        scaler = StandardScaler().fit(matrix, sample_weight=weights)
    empty = np.isnan(matrix).all(axis=0)
    # Where the variance overflows the scaler gives up with a scale of 1.
    scales = np.where(np.isinf(scaler.var_), np.inf, scaler.scale_)
    return np.where(empty, 0.0, scaler.mean_), np.where(empty, 1.0, scales)


def category_encoder(X: Any, j: int, name: str, *, found: bool) -> OrdinalEncoder | None:
    """Learn the categories of a column; None if not one value of it is known."""
    values, known = column_values(X, j)
    if not known.any():
        return None
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    try:
        encoder.fit(values[known])
    except TypeError as error:
        raise ValueError(
            f"{name} mixes kinds of values, such as text and numbers; make all of them text."
        ) from error
    rows, kinds = int(known.sum()), len(encoder.categories_[0])
    if found and kinds > MOST_UNREPEATED and kinds > rows / 2:
        raise ValueError(
            f"{name} holds text with {kinds} kinds in {rows} rows; categories that hardly "
            "repeat cannot be learned from. Drop it, or name it in categorical_features."
        )
    return encoder
