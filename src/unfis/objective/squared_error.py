"""Half the squared error of a number."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.objective.base import Evaluation

LEAST_DISPERSION = 1e-10  # of targets with deviation 1: a perfect fit stays finite


class HalfSquaredError:
    """(target - z)^2 / 2."""

    outputs = 1
    link = "identity"

    def units(self, targets: Array, weights: Array) -> tuple[float, float]:
        """Mean and deviation: what is found does not hinge on the unit of the target."""
        mean = float(np.average(targets, weights=weights))
        deviation = float(np.sqrt(np.average((targets - mean) ** 2, weights=weights)))
        return mean, deviation if deviation > 1e-13 * abs(mean) else 1.0

    def start(self, targets: Array, weights: Array) -> Array:
        """The mean."""
        return np.asarray(weights @ targets / weights.sum(axis=1))[:, None]

    def evaluate(self, z: Array, targets: Array, weights: Array) -> Evaluation:
        """The loss and its derivatives."""
        residuals = targets - z[:, 0]
        gradient = (weights * residuals)[:, None]
        return Evaluation(residuals**2 / 2, gradient, weights[:, None] + 0.0 * gradient, None)

    def dispersion(self, losses: Array, weights: Array, parameters: int) -> Array:
        """The variance of the residuals, in which a gain of 1 is a nat."""
        free = np.maximum(weights.sum(axis=1) - parameters, 1.0)
        return np.asarray(np.maximum(2 * (weights * losses).sum(axis=1) / free, LEAST_DISPERSION))
