"""Recursive weighted least squares: one row at a time what all rows at once would give.

With gain = Q z / (psi / weight + z'Q z) the recursion is V += gain (y - z'V),
Q := (Q - gain z'Q) / psi. Certain: that, which Ljung's books have; with psi = 1 it is ridge
regression of all rows so far. It is kept here as the sums that Q is the inverse of, since Q itself
grows without end, and in the end is no inverse of anything, along whatever does not occur while
the past is forgotten. Chosen: that the ridge is not forgotten, which bounds it; and a ridge of
1 / omega with omega = 1000 where nothing was learned before (the publications are silent, a later
program has 1).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import linalg

from unfis.arrays import Array

FIRST_SPREAD = 1000.0
LEAST_RIDGE = 1e-6


class RecursiveLeastSquares:
    """V = argmin sum_t psi^(age of t) weight_t |y_t - z_t'V|^2 + ridge |V|^2, (inputs, outputs)."""

    def __init__(self, inputs: int, outputs: int, forgetting: float = 1.0) -> None:
        self.squares = np.zeros((inputs, inputs))
        self.products = np.zeros((inputs, outputs))
        self.ridges = np.full(inputs, 1 / FIRST_SPREAD)
        self.forgetting = forgetting

    @classmethod
    def from_rows(
        cls, Z: Array, targets: Array, ridge: float = LEAST_RIDGE, forgetting: float = 1.0
    ) -> RecursiveLeastSquares:
        """What is learned from all rows at once."""
        made = cls(Z.shape[1], targets.shape[1], forgetting)
        made.squares, made.products = Z.T @ Z, Z.T @ targets
        made.ridges = np.full(Z.shape[1], ridge)
        return made

    @cached_property
    def coefficients(self) -> Array:
        """V, shape (inputs, outputs)."""
        system = self.squares + np.diag(self.ridges)
        return np.asarray(linalg.solve(system, self.products, assume_a="pos"))

    def _changed(self) -> None:
        self.__dict__.pop("coefficients", None)

    def update(self, z: Array, target: Array, weight: float = 1.0) -> None:
        """Learn from one more row."""
        weighted = weight * z
        self.squares *= self.forgetting
        self.squares += np.outer(weighted, z)
        self.products *= self.forgetting
        self.products += np.outer(weighted, target)
        self._changed()

    def extend(self) -> None:
        """One more input, the last, of which nothing is known: its coefficients are 0."""
        count, outputs = self.products.shape
        squares = np.zeros((count + 1, count + 1))
        squares[:count, :count] = self.squares
        self.squares = squares
        self.products = np.vstack([self.products, np.zeros((1, outputs))])
        self.ridges = np.append(self.ridges, 1 / FIRST_SPREAD)
        self._changed()

    def remove(self, index: int) -> None:
        """One input less."""
        self.squares = np.delete(np.delete(self.squares, index, axis=0), index, axis=1)
        self.products = np.delete(self.products, index, axis=0)
        self.ridges = np.delete(self.ridges, index)
        self._changed()

    def predict(self, Z: Array) -> Array:
        """Z V, shape (rows, outputs)."""
        return np.asarray(Z @ self.coefficients)
