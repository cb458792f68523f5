"""Groups of samples by k-means, from a seeding that has no seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from unfis.arrays import Array
from unfis.weighted import weighted_mean

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
    quarter of a fit (tests/test_grouping.py holds it to the other).
    """
    numbers = np.arange(labels.max() + 1)
    means = np.zeros((len(numbers), Z.shape[1]))
    for _ in range(MOST_ROUNDS):
        members = np.where(labels == numbers[:, None], weights, 0.0)
        total = members.sum(axis=1, keepdims=True)
        np.divide(members @ Z, total, out=means, where=total > 0)  # an empty group keeps its mean
        distances = np.square(means).sum(axis=1) - 2 * (Z @ means.T)
        nearest = distances.argmin(axis=1)
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
        widest = groups[int(np.argmax(errors))]
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
    more than they must.
    """
    centred = (Z - weighted_mean(Z, weights)) * np.sqrt(weights)[:, None]
    samples, columns = centred.shape
    smaller = centred.T @ centred if columns <= samples else centred @ centred.T
    last = len(smaller) - 1
    axis = eigh(smaller, subset_by_index=[last, last])[1][:, 0]
    scores = centred @ axis if columns <= samples else axis
    return np.asarray(scores / np.sqrt(weights))
