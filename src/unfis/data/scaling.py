"""Centres and scales of a table's columns, of numbers of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.columns import LARGEST_INPUT, Input, column_spans
from unfis.data.values import ValueReader
from unfis.serial.messages import warn_user

# Between these, a column's slopes and the ends of its sets are finite in its own units.
SMALLEST_SCALE, LARGEST_SCALE = 1e-290, 1e290
# Between these, a deviation's square keeps all its digits.
SMALLEST_SQUARED, LARGEST_SQUARED = 1e-100, 1e100
USUAL_EXPONENT = 300  # up to this exponent of 2 numbers are squared as they are
BLOCK_ROWS = 1 << 16  # rows whose scale is learned at once


class Moments(NamedTuple):
    """Sums by weight over what is known in columns; those of disjoint rows can be joined."""

    weight: Array  # (columns,)
    total: Array  # of the values, (columns,)
    squares: Array  # of their deviations from the mean, (columns,)

    def joined(self, other: Moments) -> Moments:
        """Those of both (Chan, Golub and LeVeque)."""
        weight, total = self.weight + other.weight, self.total + other.total
        with np.errstate(all="ignore"):
            apart = np.square(self.total / self.weight - other.total / other.weight)
            apart *= self.weight * other.weight / weight
        both = (self.weight > 0) & (other.weight > 0)
        return Moments(weight, total, self.squares + other.squares + np.where(both, apart, 0.0))

    def centres_and_deviations(self) -> tuple[Array, Array]:
        """Mean and deviation; 0 of none, deviation 0 of a constant up to rounding, (columns,)."""
        weight = np.where(self.weight > 0, self.weight, 1.0)
        with np.errstate(all="ignore"):
            mean, variance = self.total / weight, self.squares / weight
            # By the error bound of sums of two passes, as scikit-learn's scaler tells constants.
            rounding = weight * np.finfo(float).eps
            constant = variance <= rounding * variance + np.square(rounding * mean)
            return mean, np.where(constant, 0.0, np.sqrt(np.maximum(variance, 0.0)))


class ColumnSums(Protocol):
    """What scales are learned from: sums over the rows of columns, wherever they are."""

    def moments(self, columns: list[int], exponents: NDArray[np.intp]) -> Moments:
        """Their moments in units of 2^exponent."""

    def largest(self, columns: list[int]) -> Array:
        """The largest size of a number in each, NaN for none."""


@dataclass(frozen=True)
class LocalColumns:
    """Columns of values that are in memory, or in a file."""

    values: Array  # (rows, inputs)
    weights: Array  # (rows,)

    def moments(self, columns: list[int], exponents: NDArray[np.intp]) -> Moments:
        """Their moments in units of 2^exponent."""
        zero = np.zeros(len(columns))
        found = Moments(zero, zero, zero)
        with np.errstate(all="ignore"):
            for part in self._parts():
                # In one order of memory, on which sums depend: a table is scaled alike wherever.
                rows = np.ascontiguousarray(self.values[part, columns], dtype=np.float64)
                rows = np.ldexp(rows, -exponents) if exponents.any() else rows
                found = found.joined(block_moments(rows, self.weights[part]))
        return found

    def largest(self, columns: list[int]) -> Array:
        """The largest size of a number in each, NaN for none."""
        found = np.full(len(columns), np.nan)
        for part in self._parts():
            block = np.abs(self.values[part, columns].astype(np.float64))
            found = np.fmax(found, np.fmax.reduce(block, axis=0))
        return found

    def _parts(self) -> Iterator[slice]:
        starts = range(0, len(self.values), BLOCK_ROWS)
        return (slice(start, start + BLOCK_ROWS) for start in starts)


def scaled_inputs(reader: ValueReader, sums: ColumnSums, *, scale: bool) -> tuple[Input, ...]:
    """The inputs of a table whose values were read; standardised if asked for."""
    spans = column_spans(reader.categories)
    columns = spans[-1].stop
    offsets, scales = np.zeros(columns), np.ones(columns)
    single = [j for j, span in enumerate(spans) if span.stop - span.start == 1]
    if single:
        names = [reader.names[j] for j in single]
        starts = [spans[j].start for j in single]
        centres, deviations = centre_and_scale(sums, single)
        if scale:
            offsets[starts] = centres
            scales[starts] = computable_scales(names, centres, deviations)
        else:
            warn_of_sizes(names, centres, deviations)
    return tuple(
        Input(name, kind, categories, span, offsets[span], scales[span])
        for name, kind, categories, span in zip(
            reader.names, reader.kinds, reader.categories, spans, strict=True
        )
    )


def centre_and_scale(sums: ColumnSums, columns: list[int]) -> tuple[Array, Array]:
    """Weighted mean and deviation of what is known in columns; (0, 1) of none, 1 of a constant."""
    usual = np.zeros(len(columns), dtype=np.intp)
    means, deviations = sums.moments(columns, usual).centres_and_deviations()
    # Squares of very large or very small numbers are infinite or 0: they are taken again in units
    # of the largest. The others whose deviation is no usual one are constants.
    odd = np.flatnonzero(~((deviations > SMALLEST_SQUARED) & (deviations < LARGEST_SQUARED)))
    if len(odd):
        exponents = largest_exponents(sums, [columns[i] for i in odd])
        far = np.abs(exponents) > USUAL_EXPONENT
        again, exponents = odd[far], exponents[far]
        if len(again):
            found = sums.moments([columns[i] for i in again], exponents)
            means[again], deviations[again] = np.ldexp(found.centres_and_deviations(), exponents)
    return means, np.where(deviations == 0, 1.0, deviations)


def largest_exponents(sums: ColumnSums, columns: list[int]) -> NDArray[np.intp]:
    """The exponent of 2 of the largest number in each column, 0 where there is none but 0."""
    return np.frexp(np.nan_to_num(sums.largest(columns)))[1].astype(np.intp)


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


def block_moments(block: Array, weights: Array) -> Moments:
    """The moments of some rows, (rows, columns): of two passes, the second around their mean."""
    missing = np.isnan(block)
    known = np.where(missing, 0.0, block)
    weight = (weights[:, None] * ~missing).sum(axis=0)
    total = weights @ known
    deviations = np.where(missing, 0.0, block - total / weight)
    squares = weights @ np.square(deviations) - np.square(weights @ deviations) / weight
    return Moments(weight, total, np.where(weight > 0, squares, 0.0))
