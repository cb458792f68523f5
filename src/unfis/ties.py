"""Comparisons that do not hinge on last digits, which are other ones on other processors.

Numbers that differ by rounding alone are tied, and a rule decides between them: the first one is
taken, so what is compared stands in the order of preference.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Far more than the last digits of a number of size 1, or of its own size, come to after a training;
# far less than any difference that means something.
ROUNDING = 1e-9
# Likelihoods are kept, and compared, to so many digits: more are other ones on every processor.
SIGNIFICANT_DIGITS = 6
# What is less than this is kept to no more decimals.
LEAST_LIKELIHOOD = 1e-12


def rounding(values: ArrayLike) -> NDArray[np.float64]:
    """By how much values may differ from others that are the same."""
    return ROUNDING * (1 + np.abs(values))


def is_less(value: float, other: float) -> bool:
    """Whether a number is less than another by more than rounding."""
    return bool(value + rounding(value) < other)


def first_least(values: ArrayLike) -> NDArray[np.intp]:
    """The index of the least value along the last axis, the first of several that are tied."""
    values = np.asarray(values)
    least = values.min(axis=-1, keepdims=True)
    return np.asarray((values <= least + rounding(least)).argmax(axis=-1))


def first_nearest(distances: ArrayLike) -> NDArray[np.intp]:
    """The index of the least distance along the last axis; in any unit the same are tied."""
    distances = np.asarray(distances)
    least = distances.min(axis=-1, keepdims=True)
    return np.asarray((distances <= least * (1 + ROUNDING)).argmax(axis=-1))


def first_greatest(values: ArrayLike) -> NDArray[np.intp]:
    """The index of the greatest value along the last axis, the first of several that are tied."""
    return first_least(-np.asarray(values))


def ranked(values: ArrayLike) -> NDArray[np.intp]:
    """The indices of values in rising order, those that are tied in the order they come in."""
    values = np.asarray(values)
    order = np.argsort(values, kind="stable")
    rising = values[order]
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[order] = np.cumsum(np.append(False, np.diff(rising) > rounding(rising[:-1])))
    return np.argsort(ranks, kind="stable")


def rounded_likelihoods(
    values: NDArray[np.float64], digits: int = SIGNIFICANT_DIGITS
) -> NDArray[np.float64]:
    """Probabilities to so many digits, as many as are kept if nothing is said."""
    exponents = np.floor(np.log10(np.maximum(values, LEAST_LIKELIHOOD)))
    scales = 10.0 ** (digits - 1 - exponents)
    return np.asarray(np.round(values * scales) / scales)
