"""What is to be learned: a model, samples and a prior, joined to values and Systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.objective import Objective
from unfis.learning.system import System

Rows = NDArray[np.intp] | slice
ALL = slice(None)


class Model(Protocol):
    """Anything with logits, derivatives and a vector of parameters can be learned."""

    def logits(self, vector: Array, X: Array) -> Array:
        """z, shape (samples, classes)."""

    def linearise(self, vector: Array, X: Array) -> tuple[Array, Callable[[Array], Array]]:
        """z and the map from weights B, (samples, rows, classes), to B dZ."""

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples to linearise at once."""


@dataclass(frozen=True)
class Prior:
    """precision / 2 (v - mean)^2, summed over the parameters."""

    mean: Array
    precision: Array


@dataclass(frozen=True)
class Problem:
    """Minimise sum_k weight_k loss_k(v) + prior(v) over the parameter vector v.

    A part of the samples carries the same part of the prior, so that the parts of an epoch add up
    to the whole objective.

    Attributes
    ----------
    model : Model
    X : shape (samples, features)
    targets : one-hot, shape (samples, classes)
    weights : shape (samples,)
    prior : Prior
    """

    model: Model
    X: Array
    targets: Array
    weights: Array
    prior: Prior

    @property
    def total_weight(self) -> float:
        """Sum of the samples' weights."""
        return float(self.weights.sum())

    def share(self, rows: Rows) -> float:
        """Which part of the whole objective some rows are."""
        return 1.0 if rows is ALL else float(self.weights[rows].sum()) / self.total_weight

    def value(self, objective: Objective, vector: Array, rows: Rows = ALL) -> float:
        """The objective over some rows."""
        losses = objective.losses(self.model.logits(vector, self.X[rows]), self.targets[rows])
        deviation = vector - self.prior.mean
        penalty = 0.5 * float(self.prior.precision @ deviation**2)
        return float(self.weights[rows] @ losses) + self.share(rows) * penalty

    def gradient(self, objective: Objective, vector: Array, rows: Rows = ALL) -> Array:
        """The objective's gradient over some rows, shape (parameters,)."""
        return -self._accumulate(objective, vector, rows, with_curvature=False).rhs

    def system(self, objective: Objective, vector: Array, rows: Rows = ALL) -> System:
        """The System of the objective at a vector over some rows."""
        return self._accumulate(objective, vector, rows, with_curvature=True)

    def _accumulate(
        self, objective: Objective, vector: Array, rows: Rows, with_curvature: bool
    ) -> System:
        """Sum the System over blocks of samples, so that memory does not grow with N x P."""
        share = self.share(rows)
        precision = share * self.prior.precision
        system = System(-precision * (vector - self.prior.mean), precision)
        X, targets, weights = self.X[rows], self.targets[rows], self.weights[rows]
        length = self.model.block_length(targets.shape[1] if with_curvature else 1)
        for start in range(0, len(X), length):
            block = slice(start, start + length)
            logits, linear = self.model.linearise(vector, X[block])
            weight = weights[block, None, None]
            row_weights = weight * objective.residuals(logits, targets[block])[:, None, :]
            if with_curvature:
                roots = np.sqrt(weight) * objective.roots(logits, targets[block])
                row_weights = np.concatenate([row_weights, roots], axis=1)
            derivatives = linear(row_weights)
            system.rhs = system.rhs + derivatives[:, 0].sum(axis=0)
            if with_curvature:
                system.add_rows(derivatives[:, 1:].reshape(-1, len(vector)))
        return system
