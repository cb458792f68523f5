"""Groups of samples by k-means, from a seeding that has no seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.samples import weighted_mean
from unfis.ties import ROUNDING, first_greatest, first_least

# Rounds of k-means at most; a dozen is usual.
MOST_ROUNDS = 300


def kmeans_shares(Z: Array, weights: Array, n_groups: int) -> list[Array]:
    """Weights of the samples in each of the k-means groups."""
    Z = Z - weighted_mean(Z, weights)
    labels = nearest_means(Z, weights, principal_splits(Z, weights, n_groups))
    found = [np.where(labels == i, weights, 0.0) for i in np.unique(labels)]
    # Fewer distinct samples than groups: some groups are alike.
    return [found[i % len(found)] for i in range(n_groups)]


def nearest_means(Z: Array, weights: Array, labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Lloyd's k-means from given groups of points around 0: to the nearest mean, until all stay.

    By itself, since scikit-learn's takes milliseconds before it begins, which of a small table is a
    quarter of a fit (tests/network/test_grouping.py).
    """
    numbers = np.arange(labels.max() + 1)
    squares = np.square(Z).sum(axis=1, keepdims=True)
    means = np.zeros((len(numbers), Z.shape[1]))
    for _ in range(MOST_ROUNDS):
        members = np.where(labels == numbers[:, None], weights, 0.0)
        total = members.sum(axis=1, keepdims=True)
        np.divide(members @ Z, total, out=means, where=total > 0)  # an empty group keeps its mean
        distances = squares + np.square(means).sum(axis=1) - 2 * (Z @ means.T)
        nearest = first_least(distances)
        if (nearest == labels).all():
            break
        labels = nearest
    return labels


def principal_splits(Z: Array, weights: Array, parts: int) -> NDArray[np.intp]:
    """Split the group of largest squared error at its mean along its main axis, parts - 1 times.

    A seeding that depends neither on a seed nor on the order of samples, inputs or classes.
    """
    labels = np.zeros(len(Z), dtype=np.intp)
    for new in range(1, parts):
        groups = [np.flatnonzero(labels == i) for i in range(new)]
        errors = [squared_error(Z[group], weights[group]) for group in groups]
        widest = groups[first_greatest(np.array(errors) / weights.sum())]
        scores = main_axis_scores(Z[widest], weights[widest])
        beyond = scores > 1e-9 * np.abs(scores).max()
        if beyond.all() or not beyond.any():  # one point, up to rounding
            break
        labels[widest[beyond]] = new
    return labels


def squared_error(Z: Array, weights: Array) -> float:
    """Weighted squared distance of points to their mean."""
    return float(weights @ np.square(Z - weighted_mean(Z, weights)).sum(axis=1))


def main_axis_scores(Z: Array, weights: Array) -> Array:
    """Coordinates of points along the axis of their largest variance, from their mean.

    From the smaller of the two Gram matrices, so that neither many samples nor many inputs cost
    more than they must. Of several such axes, and of the two directions of each, it is the one
    along which the column that takes the largest part in them falls: the first such column, so
    that of two classes the first one's points lie behind the mean.
    """
    centred = (Z - weighted_mean(Z, weights)) * np.sqrt(weights)[:, None]
    samples, columns = centred.shape
    if columns <= samples:
        axes = main_axes(centred.T @ centred)
        scores = centred @ axes
    else:
        scores = main_axes(centred @ centred.T)
        axes = centred.T @ scores
    parts = np.square(axes).sum(axis=1)
    falls = -axes[first_greatest(parts / max(parts.max(), np.finfo(float).tiny))]
    return np.asarray(scores @ falls / np.sqrt(weights))


def main_axes(gram: Array) -> Array:
    """Eigenvectors of the greatest eigenvalue, shape (size, axes): more than one if it is tied."""
    from scipy.linalg import eigh  # imported late: the names of starts are known without

    size, count = len(gram), 1
    while True:
        count = min(2 * count, size)
        values, vectors = eigh(gram, subset_by_index=[size - count, size - 1])
        tied = values >= values[-1] * (1 - ROUNDING)
        if not tied.all() or count == size:
            return np.asarray(vectors[:, tied])
