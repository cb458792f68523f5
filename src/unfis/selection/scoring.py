"""How well a network does on samples."""

from __future__ import annotations

from unfis.data.samples import Samples
from unfis.data.weighted import mean_within
from unfis.learning import CrossEntropy
from unfis.network import Parameters, network_logits

# Samples whose loss is computed at once.
BLOCK_ROWS = 1 << 16


def mean_loss(parameters: Parameters, samples: Samples) -> float:
    """Cross-entropy of a network per unit of the samples' weight."""
    total = 0.0
    for start in range(0, len(samples.X), BLOCK_ROWS):
        X, targets, weights = samples.part(slice(start, start + BLOCK_ROWS))
        total += float(weights @ CrossEntropy().losses(network_logits(parameters, X), targets))
    return total / float(samples.weights.sum())


def accuracy(parameters: Parameters, samples: Samples) -> float:
    """The weight of the samples that a network gets right, as a share."""
    hits = network_logits(parameters, samples.X).argmax(axis=1) == samples.targets.argmax(axis=1)
    return mean_within(hits.astype(float), samples.weights)
