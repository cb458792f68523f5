"""The linear system of a second-order step without its matrix: products and a preconditioner.

A product with dZ' S dZ costs as much as a gradient, whatever the number of parameters, so a solve
is linear in the outputs of the model where its matrix would be cubic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.system import StepEquations

# Conjugate gradients end at this residual, relative to the first; far from a minimum the linear
# model is not worth a closer solve, near it the last digits of a step are what is left to gain.
ROUGH, CLOSE = 0.1, 0.01
# Or after so many products.
MOST_PRODUCTS = 50


class CurvatureBlocks(NamedTuple):
    """Blocks of the matrix, of one size each group, whose inverses precondition the whole.

    Attributes
    ----------
    positions : of their parameters, (blocks, size) each; -1 for what is no parameter
    matrices : shape (blocks, size, size) each
    """

    positions: Sequence[NDArray[np.intp]]
    matrices: Sequence[Array]

    def diagonal(self, parameters: int) -> Array:
        """Of the matrix, shape (parameters,)."""
        found = np.zeros(parameters + 1)  # the last is what is no parameter
        for places, blocks in zip(self.positions, self.matrices, strict=True):
            found[places] = np.diagonal(blocks, axis1=1, axis2=2)
        return found[:-1]

    def inverse(self, ridge: Array) -> Callable[[Array], Array]:
        """(blocks + diag(ridge))^-1 as a map of vectors."""
        padded = np.append(ridge, 1.0)
        inverses = []
        for places, blocks in zip(self.positions, self.matrices, strict=True):
            known = places >= 0
            matrices = np.where(known[:, :, None] & known[:, None, :], blocks, 0.0)
            own = np.arange(places.shape[1])
            matrices[:, own, own] += padded[places]
            np.linalg.cholesky(matrices)  # refuses what is not positive definite
            inverses.append(np.linalg.inv(matrices))

        def solve(vector: Array) -> Array:
            padded, found = np.append(vector, 0.0), np.empty(len(vector) + 1)
            for places, matrices in zip(self.positions, inverses, strict=True):
                found[places] = (matrices @ padded[places][:, :, None])[:, :, 0]
            return found[:-1]

        return solve


class ImplicitEquations(StepEquations):
    """(gram + diag(diagonal) + damping I) step = rhs, given products with gram alone."""

    def __init__(
        self,
        rhs: Array,
        diagonal: Array,
        product: Callable[[Array], Array],
        blocks: CurvatureBlocks,
        weight: float,
    ) -> None:
        """`weight` is that of all samples, which says what decrease is a large one."""
        super().__init__(rhs, diagonal)
        self.product = product
        self._blocks = blocks
        self._weight = weight
        self._known: tuple[Array, Array] | None = None  # the last step, and what it is multiplied

    def solve(self, damping: float) -> Array:
        """The damped step, nearly, by conjugate gradients: shape (parameters,).

        Raises LinAlgError where it is not defined.
        """
        precondition = self._blocks.inverse(self.diagonal + damping)
        limit = self.tolerance**2
        step, residual = np.zeros_like(self.rhs), self.rhs.copy()
        found = precondition(residual)
        direction = found
        size = first = float(residual @ found)
        for _ in range(MOST_PRODUCTS):
            if not size > limit * first:
                break
            curved = self.times(direction) + damping * direction
            length = size / float(direction @ curved)
            step += length * direction
            residual -= length * curved
            found = precondition(residual)
            before, size = size, float(residual @ found)
            direction = found + (size / before) * direction
        if not np.isfinite(size):
            raise np.linalg.LinAlgError("The curvature is not finite.")
        self._known = step, self.rhs - residual - damping * step
        return step

    @property
    def tolerance(self) -> float:
        """The residual at which a solve ends: the smaller, the less there is to gain."""
        gain = self.uncoupled_decrease() / self._weight
        return float(np.clip(np.sqrt(gain), CLOSE, ROUGH))

    def times(self, vector: Array) -> Array:
        """(gram + diag(diagonal)) vector, shape (parameters,)."""
        return np.asarray(self.product(vector) + self.diagonal * vector)

    def curvature_diagonal(self) -> Array:
        """The diagonal of gram + diag(diagonal), as far as the blocks know it: (parameters,)."""
        return np.asarray(self.diagonal + self._blocks.diagonal(len(self.rhs)))

    def curvature_along(self, step: Array) -> float:
        """step' (gram + diag(diagonal)) step; of the last solution without another product."""
        if self._known is None or self._known[0] is not step:
            self._known = step, self.times(step)
        return float(step @ self._known[1])
