"""Recursive weighted least squares: one row at a time what all rows at once would give.

Certain: the recursion (Ljung's books have it). With forgetting psi = 1 it is ridge regression of
all rows so far, with the ridge that it began with. Chosen: omega = 1000 where nothing was learned
before (the publications are silent, a later program has 1); and that the trace of the inverse never
goes beyond omega for each coefficient, nor beyond what it began with, to which it is scaled back:
with forgetting it would otherwise grow without end along whatever does not occur.
"""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array

FIRST_SPREAD = 1000.0
LEAST_RIDGE = 1e-6


class RecursiveLeastSquares:
    """Coefficients V, shape (inputs, outputs), and Q, the inverse of the summed squares."""

    def __init__(
        self,
        inputs: int,
        outputs: int,
        spread: float = FIRST_SPREAD,
        forgetting: float = 1.0,
    ) -> None:
        self.coefficients = np.zeros((inputs, outputs))
        self.inverse = spread * np.eye(inputs)
        self.spread, self.forgetting = spread, forgetting
        self._highest = spread

    @classmethod
    def from_rows(
        cls,
        Z: Array,
        targets: Array,
        ridge: float = LEAST_RIDGE,
        spread: float = FIRST_SPREAD,
        forgetting: float = 1.0,
    ) -> RecursiveLeastSquares:
        """V = Q Z'Y and Q = (Z'Z + ridge I)^-1 of all rows at once."""
        made = cls(Z.shape[1], targets.shape[1], spread, forgetting)
        values, vectors = np.linalg.eigh(Z.T @ Z)
        made.inverse = (vectors / (np.maximum(values, 0.0) + ridge)) @ vectors.T
        made.coefficients = made.inverse @ (Z.T @ targets)
        made._highest = max(spread, float(np.trace(made.inverse)) / len(made.inverse))
        return made

    def update(self, z: Array, target: Array, weight: float = 1.0) -> None:
        """gain = Q z / (psi / weight + z'Q z); V += gain (y - z'V); Q := (Q - gain z'Q) / psi."""
        direction = self.inverse @ z
        scale = self.forgetting / weight + z @ direction
        self.coefficients += np.outer(direction / scale, target - z @ self.coefficients)
        self.inverse -= np.outer(direction / scale, direction)
        if self.forgetting < 1:
            self.inverse /= self.forgetting
            most = self._highest * len(self.inverse)
            self.inverse *= min(1.0, most / np.trace(self.inverse))

    def extend(self) -> None:
        """One more input, the last: its coefficients are 0, its entry of Q is omega."""
        count = len(self.inverse)
        self.coefficients = np.vstack(
            [self.coefficients, np.zeros((1, self.coefficients.shape[1]))]
        )
        inverse = np.zeros((count + 1, count + 1))
        inverse[:count, :count], inverse[count, count] = self.inverse, self.spread
        self.inverse = inverse

    def remove(self, index: int) -> None:
        """One input less."""
        self.coefficients = np.delete(self.coefficients, index, axis=0)
        self.inverse = np.delete(np.delete(self.inverse, index, axis=0), index, axis=1)

    def predict(self, Z: Array) -> Array:
        """Z V, shape (rows, outputs)."""
        return np.asarray(Z @ self.coefficients)
