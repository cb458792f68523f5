"""Weights of inputs by how far they part the classes, one row at a time.

E. Lughofer, "On-line incremental feature weighting in evolving fuzzy classifiers", Fuzzy Sets and
Systems 163 (2011). Certain: separability by scatter matrices, J(A) = trace(Sw_A^-1 Sb_A) of the
inputs A, and leaving one input out at a time (LOFO). Chosen: the most needed input has weight 1,
the least needed 0, as w_j = 1 - (J_j - min J) / (max J - min J); all have 1 where J does not tell
them apart; 1e-6 trace(Sw) / n on the diagonal.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array

DIAGONAL_SHARE = 1e-6
# Separabilities that differ by less than this share of them are the same.
SAME_SEPARABILITY = 1e-9


class ClassScatter:
    """How rows scatter within classes and between them."""

    def __init__(self, classes: int, inputs: int) -> None:
        self.counts = np.zeros(classes)
        self.means = np.zeros((classes, inputs))
        self.within = np.zeros((inputs, inputs))

    def add(self, x: Array, code: int) -> None:
        """One more row: Sw += (x - m_before)(x - m_after)'."""
        self.counts[code] += 1
        before = x - self.means[code]
        self.means[code] += before / self.counts[code]
        self.within += np.outer(before, x - self.means[code])

    def add_rows(self, X: Array, codes: NDArray[np.intp]) -> None:
        """Several rows."""
        for x, code in zip(X, codes, strict=True):
            self.add(x, int(code))

    @property
    def between(self) -> Array:
        """Sb = sum_c N_c (m_c - m)(m_c - m)'."""
        overall = self.counts @ self.means / max(self.counts.sum(), 1.0)
        apart = np.where(self.counts[:, None] > 0, self.means - overall, 0.0)
        return np.asarray((self.counts[:, None] * apart).T @ apart)

    def weights(self) -> Array:
        """The weight of each input by leaving it out, from 0 to 1."""
        inputs = len(self.within)
        trace = float(np.trace(self.within))
        if inputs == 1 or trace <= 0:
            return np.ones(inputs)
        within = self.within + DIAGONAL_SHARE * trace / inputs * np.eye(inputs)
        others = np.array([np.delete(np.arange(inputs), j) for j in range(inputs)])
        rows, columns = others[:, :, None], others[:, None, :]
        ratios = np.linalg.solve(within[rows, columns], self.between[rows, columns])
        left = np.trace(ratios, axis1=1, axis2=2)
        low, high = left.min(), left.max()
        if high - low <= SAME_SEPARABILITY * (abs(high) + 1e-300):
            return np.ones(inputs)
        return np.asarray(1 - (left - low) / (high - low))
