"""The linear system of a second-order step, additive over samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from unfis.arrays import Array

# In units of the curvature. Damping below this only keeps the solve well conditioned along
# directions that nothing determines.
SMALLEST_DAMPING = 1e-6


class System:
    """(gram + diag(diagonal) + damping I) step = rhs, where gram = rows' rows over the samples.

    While there are fewer rows than parameters the rows themselves are kept and the solve happens in
    sample space (Woodbury); from then on only their gram matrix is. Systems of disjoint samples
    add up to the system of their union.

    Attributes
    ----------
    rhs : shape (parameters,), minus the gradient
    diagonal : shape (parameters,), curvature of a prior
    rows : shape (rows, parameters), empty once they are in the gram matrix
    gram : shape (parameters, parameters), or None while the rows are kept
    """

    def __init__(self, rhs: Array, diagonal: Array) -> None:
        self.rhs = rhs
        self.diagonal = diagonal
        self.rows: Array = np.empty((0, len(rhs)))
        self.gram: Array | None = None

    def add_rows(self, rows: Array) -> None:
        """Add samples by their rows, shape (rows, parameters)."""
        if self.gram is not None:
            self.gram += rows.T @ rows
            return
        self.rows = np.concatenate([self.rows, rows]) if len(self.rows) else rows
        if len(self.rows) >= len(self.rhs):
            self.add_gram(np.zeros((len(self.rhs), len(self.rhs))))

    def add_gram(self, gram: Array) -> None:
        """Add samples by their gram matrix, shape (parameters, parameters)."""
        self.gram = gram + (self.rows.T @ self.rows if self.gram is None else self.gram)
        self.rows = self.rows[:0]

    def __iadd__(self, other: System) -> System:
        self.rhs = self.rhs + other.rhs
        self.diagonal = self.diagonal + other.diagonal
        if other.gram is None:
            self.add_rows(other.rows)
        else:
            self.add_gram(other.gram)
        return self

    def solve(self, damping: float) -> Array:
        """The damped step, shape (parameters,). Raises LinAlgError where it is not defined."""
        return self.solver(damping)(self.rhs)

    def solver(self, damping: float) -> Callable[[Array], Array]:
        """The inverse of the damped matrix, as a map of right-hand sides (parameters, ...)."""
        ridge = self.diagonal + damping
        if self.gram is not None:
            matrix = self.gram.copy()
            matrix[np.diag_indices_from(matrix)] += ridge
            return positive_solver(matrix)
        # (D + A'A)^-1 b = D^-1 b - D^-1 A' (I + A D^-1 A')^-1 A D^-1 b
        rows = self.rows
        scaled = rows / np.sqrt(ridge)
        matrix = scaled @ scaled.T
        matrix[np.diag_indices_from(matrix)] += 1.0
        inner = positive_solver(matrix)

        def solve(rhs: Array) -> Array:
            plain = (rhs.T / ridge).T
            return np.asarray(plain - ((rows.T @ inner(rows @ plain)).T / ridge).T)

        return solve

    def curvature_diagonal(self) -> Array:
        """The diagonal of gram + diag(diagonal), shape (parameters,)."""
        if self.gram is None:
            return np.asarray(self.diagonal + np.square(self.rows).sum(axis=0))
        return np.asarray(self.diagonal + np.diagonal(self.gram))

    def least_damping(self) -> float:
        """The damping of a solve that is hardly damped, above 0 even without any curvature."""
        mean = float(self.curvature_diagonal().mean())
        return SMALLEST_DAMPING * mean + float(np.finfo(float).tiny)

    def uncoupled_decrease(self) -> float:
        """By how much the model would fall if no parameter minded the others: a measure of the
        gradient that does not depend on the parameters' units.
        """
        curvature = np.maximum(self.curvature_diagonal(), np.finfo(float).tiny)
        return 0.5 * float(np.square(self.rhs) @ (1 / curvature))

    def decrease_along(self, step: Array) -> float:
        """By how much the quadratic model falls: rhs' step - step' (gram + diagonal) step / 2."""
        return float(step @ self.rhs) - 0.5 * self.curvature_along(step)

    def curvature_along(self, step: Array) -> float:
        """step' (gram + diag(diagonal)) step, the undamped curvature."""
        if self.gram is None:
            data = float(np.square(self.rows @ step).sum())
        else:
            data = float(step @ self.gram @ step)
        return data + float(step @ (self.diagonal * step))


def positive_solver(matrix: Array) -> Callable[[Array], Array]:
    """The inverse of a symmetric positive definite matrix, which is overwritten."""
    if not np.isfinite(matrix).all():
        raise np.linalg.LinAlgError("The curvature is not finite.")
    factor = cho_factor(matrix, overwrite_a=True, check_finite=False)
    return lambda rhs: np.asarray(cho_solve(factor, rhs, check_finite=False))
