"""How well a network does on samples."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.data.samples import Samples, mean_within
from unfis.learning.objective import Objective
from unfis.network import Parameters, network_logits

# Samples whose loss is computed at once.
SCORED_AT_ONCE = 1 << 16


def network_loss(objective: Objective, parameters: Parameters, samples: Samples) -> float:
    """Loss of a network per unit of the samples' weight."""
    return total_loss(objective, parameters, samples) / float(samples.weights.sum())


def total_loss(objective: Objective, parameters: Parameters, samples: Samples) -> float:
    """Loss of a network, summed over samples by their weight."""
    total = 0.0
    for start in range(0, len(samples.X), SCORED_AT_ONCE):
        X, targets, weights = samples.part(slice(start, start + SCORED_AT_ONCE))
        total += float(weights @ objective.losses(network_logits(parameters, X), targets))
    return total


def frequency_loss(objective: Objective, samples: Samples) -> float:
    """Loss of who knows no more than how frequent the strata are, their entropy."""
    shares = samples.weights @ objective.strata(samples.targets) / samples.weights.sum()
    there = shares[shares > 0]
    return float(-(there * np.log(there)).sum())


def hit_rate(objective: Objective, parameters: Parameters, samples: Samples) -> float:
    """The weight of the samples that a network gets right, as a share."""
    hits = objective.hits(network_logits(parameters, samples.X), samples.targets)
    return mean_within(hits, samples.weights)


def mean_and_error(values: Array, weights: Array) -> tuple[float, float]:
    """Mean of what is known and its standard error."""
    known = ~np.isnan(values)
    if not known.any():
        return np.nan, np.nan
    values, weights = values[known], weights[known]
    mean = mean_within(values, weights)
    shares = weights / weights.sum()
    variance = float(shares @ np.square(values - mean))
    return mean, float(np.sqrt(variance * np.square(shares).sum()))
