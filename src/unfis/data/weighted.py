"""Means and deviations of columns whose samples have weights and whose values may be missing."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array

# A column that deviates from its mean by no more than this share of it is constant.
CONSTANT = 1e-13


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
