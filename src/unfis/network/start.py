"""Starting parameters from data.

All starts group the samples by Z = [X, one-hot Y] and make one rule of each group: its centre, its
deviations as widths, its class frequencies as bias. A sample of weight 2 counts as two samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.samples import fill, first_known, weighted_deviation, weighted_mean
from unfis.network.grouping import kmeans_shares
from unfis.network.parameters import Parameters
from unfis.ties import first_least

# Widths are at least this share of the input's own deviation.
NARROWEST = 0.1
# What a label weighs in k-means, in deviations of an input: groups follow the classes first.
LABEL_WEIGHT = 3.0
# Deviation of the paper's random slopes and selection logits.
NOISE = 0.01
# Samples among which the KNN start looks for its centres: it compares all with all.
MOST_CANDIDATES = 2000


class Group(NamedTuple):
    """The samples of one rule: its centre, and how far each sample belongs to it."""

    centre: Array  # (features,), NaN where unknown
    shares: Array  # (samples,)


def knn_start(
    X: Array, targets: Array, weights: Array, n_rules: int, generator: np.random.RandomState
) -> Parameters:
    """The paper's start, as its journal version describes it.

    R times: the sample with the smallest mean squared distance to its K = N / R nearest remaining
    neighbours becomes a centre, and they its group, which is then removed. Slopes and selection
    logits are normal with deviation 0.01, thresholds 0.
    """
    Z = np.hstack([fill(X, weights), targets])
    remaining = weights.astype(float)
    wanted = weights.sum() / n_rules
    groups = []
    for _ in range(n_rules):
        candidates = np.flatnonzero(remaining > 0)
        if len(candidates) > MOST_CANDIDATES:
            candidates = np.sort(generator.choice(candidates, MOST_CANDIDATES, replace=False))
        centre = densest(Z, remaining, candidates, wanted)
        distances = np.square(Z - Z[centre]).sum(axis=1)
        shares = nearest_shares(distances, remaining, wanted)
        groups.append(Group(X[centre], shares))
        remaining = np.where(remaining - shares > 1e-9 * wanted, remaining - shares, 0.0)
        if not remaining.any():
            remaining = weights.astype(float)
    start = rules_of(groups, X, targets, weights)
    rules, features, classes = start.shape
    consequents = start.consequents.copy()
    consequents[:, :, 1:] = NOISE * generator.standard_normal((rules, classes, features))
    logits = NOISE * generator.standard_normal((rules, features))
    return replace(start, logits=logits, consequents=consequents)


def densest(Z: Array, remaining: Array, candidates: NDArray[np.intp], wanted: float) -> int:
    """Which candidate has the smallest mean squared distance to its nearest `wanted` weight."""
    points, weights = Z[candidates], remaining[candidates]
    wanted = min(wanted * weights.sum() / remaining.sum(), weights.sum())
    squares = np.square(points).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares - 2 * points @ points.T, 0.0)
    order = np.argsort(distances, axis=1, kind="stable")
    sorted_weights = weights[order]
    before = np.cumsum(sorted_weights, axis=1) - sorted_weights
    used = np.clip(wanted - before, 0.0, sorted_weights)
    means = (used * np.take_along_axis(distances, order, axis=1)).sum(axis=1)
    return int(candidates[first_least(means / wanted)])


def nearest_shares(distances: Array, remaining: Array, wanted: float) -> Array:
    """The weight of each sample in the nearest `wanted` weight; ties at the edge share alike."""
    order = np.argsort(distances, kind="stable")
    reached = np.cumsum(remaining[order])
    if reached[-1] <= wanted:
        return remaining
    edge = distances[order[np.searchsorted(reached, wanted * (1 - 1e-12))]]
    tolerance = 1e-12 * (1 + edge)
    inside = distances < edge - tolerance
    at_edge = (np.abs(distances - edge) <= tolerance) & (remaining > 0)
    left = wanted - remaining[inside].sum()
    part = np.clip(left / remaining[at_edge].sum(), 0.0, 1.0)
    return np.where(inside, remaining, np.where(at_edge, part * remaining, 0.0))


def kmeans_start(X: Array, targets: Array, weights: Array, n_rules: int) -> Parameters:
    """k-means from a deterministic seeding; no random slopes, so that the start has no seed.

    Widths are the groups' deviations times sqrt(n): a product of n memberships then falls as fast
    as one, and rules overlap at the start however many inputs there are.
    """
    Z = np.hstack([fill(X, weights), LABEL_WEIGHT * targets])
    groups = [Group(np.full(X.shape[1], np.nan), s) for s in kmeans_shares(Z, weights, n_rules)]
    start = rules_of(groups, X, targets, weights)
    return replace(start, widths=start.widths * np.sqrt(X.shape[1]))


def rules_of(groups: list[Group], X: Array, targets: Array, weights: Array) -> Parameters:
    """One rule per group: centre, deviations, class frequencies; slopes, logits, thresholds 0."""
    overall = weighted_mean(X, weights)
    spread = weighted_deviation(X, weights)
    spread[spread == 0] = 1.0  # a constant input tells rules nothing; any width will do
    centres, widths, biases = [], [], []
    for group in groups:
        mean = first_known(weighted_mean(X, group.shares), overall)
        centres.append(first_known(group.centre, mean))
        deviation = first_known(weighted_deviation(X, group.shares), spread)
        widths.append(np.maximum(deviation, NARROWEST * spread))
        biases.append(weighted_mean(targets, group.shares))
    consequents = np.zeros((len(groups), targets.shape[1], X.shape[1] + 1))
    consequents[:, :, 0] = biases
    logits = np.zeros((len(groups), X.shape[1]))
    thresholds = np.zeros(targets.shape[1])
    return Parameters(np.array(centres), np.array(widths), logits, consequents, thresholds)


# The starts by name: the paper's, and the default; and those of them that draw.
STARTS: dict[str, Callable[..., Parameters]] = {"knn": knn_start, "k-means": kmeans_start}
DRAWING = ("knn",)


def start_by_name(name: str, generator: np.random.RandomState) -> Callable[..., Parameters]:
    """What makes a network's first parameters of X, targets, weights and a number of rules."""
    # Only a start that draws has the generator: copies of it take their time.
    return partial(STARTS[name], generator=generator) if name in DRAWING else STARTS[name]
