"""Layers of logic neurons: Gaussian memberships, weighted, combined one by one by 2-uninorms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from unfis.arrays import Array
from unfis_paper.compared.operators import two_uninorm, uninorm_elements, weighted_degrees


def neuron_outputs(
    X: Array, centres: Array, widths: ArrayLike, weights: ArrayLike, elements: Array
) -> Array:
    """z_l = W(h_l1, ..., h_ln) from left to right, shape (rows, neurons).

    mu_lj = exp(-(x_j - c_lj)^2 / (2 s_lj^2)); widths and weights may be the same for all neurons or
    inputs; elements are e1, z and e2 of each neuron, shape (neurons, 3).
    """
    halves = -0.5 / np.broadcast_to(np.asarray(widths, dtype=float), centres.shape) ** 2
    shares = np.broadcast_to(np.asarray(weights, dtype=float), centres.shape)
    found = np.zeros((len(X), len(centres)))
    for j in range(X.shape[1]):
        degrees = np.exp(halves[:, j] * (X[:, j, None] - centres[:, j]) ** 2)
        part = weighted_degrees(degrees, shares[:, j], elements)
        found = part if j == 0 else two_uninorm(found, part, *elements.T)
    return found


def with_constant(outputs: Array) -> Array:
    """Outputs of neurons behind a column of ones."""
    return np.hstack([np.ones((len(outputs), 1)), outputs])


def draw_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """Uninorms with a neutral element drawn from [0, 1], as 2-uninorms."""
    return uninorm_elements(generator.uniform(size=count))


def draw_null_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """Null-uninorms with u <= g drawn from [0, 1], as 2-uninorms."""
    pairs = np.sort(generator.uniform(size=(count, 2)), axis=1)
    return np.hstack([np.zeros((count, 1)), pairs])


def draw_two_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """2-uninorms with e1 <= z <= e2 drawn from [0, 1]."""
    return np.sort(generator.uniform(size=(count, 3)), axis=1)


def draw_halved_uninorms(generator: np.random.RandomState, count: int) -> Array:
    """2-uninorms with e1 drawn from [0, 0.5], e2 from [0.5, 1] and z from between them."""
    first, share, second = generator.uniform(size=(count, 3)).T
    first, second = first / 2, 0.5 + second / 2
    return np.stack([first, first + share * (second - first), second], axis=1)
