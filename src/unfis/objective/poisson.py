"""The Poisson loss of a count, by the logarithm of what is expected."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.objective.base import Evaluation

LEAST_MEAN = 1e-6
LARGEST_OUTPUT = 50.0  # its exponential is finite, and so are sums of it


class PoissonDeviance:
    """e^z - target * z: minus the log likelihood of a count, up to a constant."""

    outputs = 1
    link = "exp"

    def units(self, targets: Array, weights: Array) -> tuple[float, float]:
        """Targets are taken as they are."""
        return 0.0, 1.0

    def start(self, targets: Array, weights: Array) -> Array:
        """The logarithm of the mean."""
        mean = weights @ targets / weights.sum(axis=1)
        return np.asarray(np.log(np.maximum(mean, LEAST_MEAN)))[:, None]

    def evaluate(self, z: Array, targets: Array, weights: Array) -> Evaluation:
        """The loss and its derivatives."""
        logs = np.minimum(z[:, 0], LARGEST_OUTPUT)
        expected = np.exp(logs)
        gradient = (weights * (targets - expected))[:, None]
        curvature = (weights * expected)[:, None]
        return Evaluation(expected - targets * logs, gradient, curvature, None)

    def dispersion(self, losses: Array, weights: Array, parameters: int) -> Array:
        """1: the loss is in nats."""
        return np.ones(len(losses))
