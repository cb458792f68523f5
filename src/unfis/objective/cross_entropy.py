"""Cross-entropy of two classes, by the log odds of the second, and of several."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.objective.base import Evaluation

LEAST_SHARE = 1e-6  # of a class: its log odds stay finite
LEAST_CURVATURE = 1e-12


class CrossEntropyOfTwo:
    """-log p of the true class of two; targets are 0 or 1."""

    outputs = 1
    link = "logistic"

    def units(self, targets: Array, weights: Array) -> tuple[float, float]:
        """Targets are taken as they are."""
        return 0.0, 1.0

    def start(self, targets: Array, weights: Array) -> Array:
        """The log odds of the second class."""
        share = weights @ targets / weights.sum(axis=1)
        share = np.clip(share, LEAST_SHARE, 1 - LEAST_SHARE)
        return np.asarray(np.log(share / (1 - share)))[:, None]

    def evaluate(self, z: Array, targets: Array, weights: Array) -> Evaluation:
        """The loss log(1 + e^z) - target * z, and its derivatives."""
        logits = z[:, 0]
        # One exponential serves the loss and the shares.
        falling = np.exp(-np.abs(logits))
        losses = np.maximum(logits, 0.0) - targets * logits + np.log1p(falling)
        shares = np.where(logits >= 0, 1.0, falling) / (1 + falling)
        gradient = weights * (targets - shares)
        curvature = weights * np.maximum(shares * (1 - shares), LEAST_CURVATURE)
        return Evaluation(losses, gradient[:, None], curvature[:, None], None)

    def dispersion(self, losses: Array, weights: Array, parameters: int) -> Array:
        """1: the loss is in nats."""
        return np.ones(len(losses))


class CrossEntropyOfClasses:
    """-log p of the true class of several; targets are their numbers."""

    link = "softmax"

    def __init__(self, classes: int) -> None:
        self.outputs = classes

    def units(self, targets: Array, weights: Array) -> tuple[float, float]:
        """Targets are taken as they are."""
        return 0.0, 1.0

    def start(self, targets: Array, weights: Array) -> Array:
        """The logarithm of each class's share, 0 for the commonest."""
        members = targets[:, None] == np.arange(self.outputs)
        shares = weights @ members / weights.sum(axis=1, keepdims=True)
        logs = np.log(np.maximum(shares, LEAST_SHARE))
        return np.asarray(logs - logs.max(axis=1, keepdims=True))

    def evaluate(self, z: Array, targets: Array, weights: Array) -> Evaluation:
        """The loss log(sum e^z) - z of the true class, and its derivatives."""
        codes = targets.astype(np.intp)
        shifted = z - z.max(axis=1, keepdims=True)
        exponentials = np.exp(shifted)
        sums = exponentials.sum(axis=1, keepdims=True)
        shares = exponentials / sums
        rows = np.arange(len(codes))
        losses = np.log(sums[:, 0]) - shifted[:, codes, rows]
        gradient = -shares
        gradient[:, codes, rows] += 1.0
        weight = weights[:, None]
        curvature = weight * np.maximum(shares * (1 - shares), LEAST_CURVATURE)
        return Evaluation(losses, weight * gradient, curvature, shares)

    def dispersion(self, losses: Array, weights: Array, parameters: int) -> Array:
        """1: the loss is in nats."""
        return np.ones(len(losses))
