"""Training rows: as a network sees them, and as a model keeps them; means over them by weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

# A model keeps at most so many rows, and so many values, of what it learned from.
MOST_KEPT = 10_000
MOST_KEPT_VALUES = 2_000_000
# A column that deviates from its mean by no more than this share of it is constant.
CONSTANT = 1e-13


class Samples(NamedTuple):
    """Training samples as the network sees them."""

    X: Array  # (samples, columns), NaN where missing
    targets: Array  # as an objective encodes them, (samples, outputs)
    weights: Array  # (samples,)

    def part(self, rows: NDArray[np.intp] | slice) -> Samples:
        """Some of the samples."""
        return Samples(self.X[rows], self.targets[rows], self.weights[rows])


class TrainingSample(NamedTuple):
    """Training rows as values, in the units of the table."""

    rows: NDArray[np.intp]  # their numbers in the table, or in the stream of tables, (rows,)
    values: Array  # (rows, inputs), as of a ValueReader
    codes: NDArray[np.intp]  # numbers of their classes, (rows,)
    weights: Array  # those of all rows there were, shared out among these, (rows,)
    total: int  # how many rows there were to learn from
    ends: Array  # least and greatest value of each input in all of them, NaN for none, (2, inputs)

    @classmethod
    def of(
        cls, rows: NDArray[np.intp], values: Array, codes: NDArray[np.intp], weights: Array
    ) -> TrainingSample:
        """All rows of a table."""
        ends = np.array([np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)])
        return cls(rows, values, codes, weights, len(rows), ends)

    @classmethod
    def forgotten(cls, ends: Array, total: int) -> TrainingSample:
        """No rows, where there were some: of a model that was read from a file."""
        none = np.empty(0, dtype=np.intp)
        return cls(none, np.empty((0, ends.shape[1])), none, np.empty(0), total, ends)

    def kept(self) -> TrainingSample:
        """All rows, or evenly spaced ones of very many, as a copy."""
        found = self.part(kept_positions(*self.values.shape))
        return found.standing_for(float(self.weights.sum()))

    def part(self, chosen: NDArray[np.intp]) -> TrainingSample:
        """Some of the rows, as a copy."""
        return self._replace(
            rows=self.rows[chosen],
            values=self.values[chosen].astype(np.float64),
            codes=self.codes[chosen].astype(np.intp),
            weights=self.weights[chosen],
        )

    def standing_for(self, weight: float) -> TrainingSample:
        """These rows with the weight of all there were shared out among them."""
        return self._replace(weights=self.weights * (weight / self.weights.sum()))

    @property
    def shares(self) -> Array:
        """The weights as shares of their sum, shape (rows,)."""
        return np.asarray(self.weights / self.weights.sum())


def kept_positions(count: int, inputs: int) -> NDArray[np.intp]:
    """Which of so many rows a model keeps: all, or evenly spaced ones of very many."""
    return evenly_spaced(count, max(1, min(MOST_KEPT, MOST_KEPT_VALUES // max(1, inputs))))


def evenly_spaced(count: int, most: int) -> NDArray[np.intp]:
    """All positions of so many, or at most so many of them, evenly spaced."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(np.intp)


def weighted_mean(X: Array, weights: Array) -> Array:
    """Mean of each column over what is known, NaN where nothing is."""
    missing = np.isnan(X)
    if missing.any():
        total, X = weights @ ~missing, np.where(missing, 0.0, X)
    else:
        total = weights.sum()
    with np.errstate(invalid="ignore"):
        return np.asarray(weights @ X / total)


def weighted_deviation(X: Array, weights: Array) -> Array:
    """Deviation of each column over what is known; 0 of none, and of a constant up to rounding."""
    mean = weighted_mean(X, weights)
    deviation = np.sqrt(np.nan_to_num(weighted_mean(np.square(X - mean), weights)))
    return np.where(deviation <= CONSTANT * np.abs(mean), 0.0, deviation)


def mean_within(values: Array, weights: Array) -> float:
    """Mean of values, all of them known, which rounding does not lead beyond the values."""
    mean = weights / weights.sum() @ values
    return float(np.clip(mean, values.min(), values.max()))


def fill(X: Array, weights: Array) -> Array:
    """X with its columns' means where values are missing, for distances only."""
    return first_known(X, weighted_mean(X, weights))


def first_known(values: Array, otherwise: Array) -> Array:
    """`values`, where NaN `otherwise`, where that is NaN too 0."""
    return np.nan_to_num(np.where(np.isnan(values), otherwise, values))
