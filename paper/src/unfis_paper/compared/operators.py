"""Logic that is AND in one place and OR in another: uninorms, nullnorms, and what is made of both.

All are products T(a, b) = ab and probabilistic sums S(a, b) = a + b - ab, each on an interval of
its own. A 2-uninorm (an n-uninorm of two) with e1 <= z <= e2 has them in this order:

    T on [0, e1], S on [e1, z], T on [z, e2], S on [e2, 1]

Where one value is below e1 and the other between e1 and z it is the larger; where one is between z
and e2 and the other above e2 the smaller; and where z is between them, z, which absorbs. That needs
e1 < z < e2, or z at an end, 0 or 1. The others are special cases: a null-uninorm (u, g) is that of
e1 = 0, z = u, e2 = g; a nullnorm u has g = 1 too; a uninorm g is that of z = 0, e2 = g where it
takes the smaller of values on both sides of g, and that of e1 = g, z = 1 where it takes the larger.

Certain: the operators. A null-uninorm that takes the larger value where one is between u and g and
the other above g is not associative (paper/tests/compared/test_operators.py); nor is a 2-uninorm
increasing that takes the smaller or the larger where z is between. Chosen: T and S, which the
authors' programs have too, and that a uninorm takes the smaller value for g > 0.5.

The neutral element of a 2-uninorm is e1 below z and e2 above, and a weight of 0 is to leave an
input out. The programs take z for it, which absorbs: one weight of 0 makes such a neuron constant.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from unfis.arrays import Array

SMALLEST_INTERVAL = np.finfo(float).tiny


def two_uninorm(
    a: ArrayLike, b: ArrayLike, first: ArrayLike, absorbing: ArrayLike, second: ArrayLike
) -> Array:
    """W(a, b; e1, z, e2), element by element; first <= absorbing <= second."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    below = high <= absorbing  # the lower block: AND up to e1, OR above it
    neutral = np.where(below, first, second)
    conjunctive, disjunctive = high <= neutral, low >= neutral
    start = np.where(conjunctive, np.where(below, 0.0, absorbing), neutral)
    end = np.where(conjunctive, neutral, np.where(below, absorbing, 1.0))
    both = (low - start) * (high - start) / np.maximum(end - start, SMALLEST_INTERVAL)
    apart = np.where(below, high, low)
    either_one = np.where(disjunctive, low + high - start - both, apart)
    found = np.where(conjunctive, start + both, either_one)
    return np.asarray(np.where((low < absorbing) & (high > absorbing), absorbing, found))


def uninorm_elements(neutral: ArrayLike) -> Array:
    """Uninorms as 2-uninorms: e1, z and e2 in the last axis."""
    g = np.asarray(neutral, dtype=float)
    smaller = np.stack([np.zeros_like(g), np.zeros_like(g), g], axis=-1)
    larger = np.stack([g, np.ones_like(g), np.ones_like(g)], axis=-1)
    return np.where((g > 0.5)[..., None], smaller, larger)


def weighted_degrees(degrees: Array, weights: ArrayLike, elements: Array) -> Array:
    """h = w a + (1 - w) e with e the neutral element of the side of z that a is on."""
    first, absorbing, second = elements.T
    # Above z = 1 there is no side.
    neutral = np.where((degrees < absorbing) | (absorbing >= 1), first, second)
    return np.asarray(neutral + weights * (degrees - neutral))


def conjunctive_shares(elements: Array) -> Array:
    """The share of degrees from 0 to 1 where two alike are combined by AND, e1 + e2 - z."""
    first, absorbing, second = elements.T
    return np.asarray(first + second - absorbing)
