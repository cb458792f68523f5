"""Centres and scales of a table's columns, of numbers of any size."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

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


def scaled_inputs(
    reader: ValueReader, values: Array, weights: Array, *, scale: bool
) -> tuple[Input, ...]:
    """The inputs of a table whose values, (rows, inputs), were read; standardised if asked for."""
    spans = column_spans(reader.categories)
    columns = spans[-1].stop
    offsets, scales = np.zeros(columns), np.ones(columns)
    single = [j for j, span in enumerate(spans) if span.stop - span.start == 1]
    if single:
        names = [reader.names[j] for j in single]
        starts = [spans[j].start for j in single]
        centres, deviations = centre_and_scale(values, single, weights)
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


def centre_and_scale(values: Array, columns: list[int], weights: Array) -> tuple[Array, Array]:
    """Weighted mean and deviation of what is known in columns; (0, 1) of none, 1 of a constant."""
    means, deviations = moments(values, columns, weights, np.zeros(len(columns), dtype=int))
    # Squares of very large or very small numbers are infinite or 0: they are taken again in units
    # of the largest. The others whose deviation is no usual one are constants.
    odd = np.flatnonzero(~((deviations > SMALLEST_SQUARED) & (deviations < LARGEST_SQUARED)))
    exponents = largest_exponents(values, [columns[i] for i in odd])
    far = np.abs(exponents) > USUAL_EXPONENT
    again, exponents = odd[far], exponents[far]
    if len(again):
        found = moments(values, [columns[i] for i in again], weights, exponents)
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
    """Weighted mean and deviation in units of 2^exponent; 0 of none, deviation 0 of a constant."""
    from sklearn.preprocessing import StandardScaler  # imported late: only learning needs it

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
