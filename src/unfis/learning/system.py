"""The linear system of a second-order step, additive over samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg.blas import dsymv, dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs

from unfis.arrays import Array

# In units of the curvature. Damping below this only keeps the solve well conditioned along
# directions that nothing determines.
SMALLEST_DAMPING = 1e-6


class NormalEquations:
    """(gram + diag(diagonal) + damping I) step = rhs, where gram = rows' rows over the samples.

    While there are fewer rows than parameters the rows themselves are kept and the solve happens in
    sample space (Woodbury); from then on only their gram matrix is. Those of
    disjoint samples add up to those of their union.

    Attributes
    ----------
    rhs : shape (parameters,), minus the gradient
    diagonal : shape (parameters,), curvature of a prior
    rows : shape (rows, parameters), none once they are in the gram matrix
    gram : shape (parameters, parameters), its lower triangle alone; None while the rows are kept
    """

    def __init__(self, rhs: Array, diagonal: Array) -> None:
        self.rhs = rhs
        self.diagonal = diagonal
        self._kept: list[Array] = []
        self._squares: Array | None = None  # summed over the rows, once they were asked for
        self.gram: Array | None = None

    @property
    def rows(self) -> Array:
        """The rows that are kept, joined when they are first asked for."""
        if len(self._kept) != 1:
            self._kept = [np.concatenate([np.empty((0, len(self.rhs))), *self._kept])]
        return self._kept[0]

    def add_rows(self, rows: Array) -> None:
        """Add samples by their rows, shape (rows, parameters)."""
        if self.gram is not None:
            self.gram = added_products(self.gram, rows)
            return
        self._kept.append(rows)
        self._squares = None
        if sum(len(block) for block in self._kept) >= len(self.rhs):
            self._sum_kept(None)

    def add_gram(self, gram: Array) -> None:
        """Add samples by the lower triangle of their gram matrix, (parameters, parameters)."""
        if self.gram is None:
            self._sum_kept(np.array(gram, order="F"))
        else:
            self.gram += gram

    def _sum_kept(self, gram: Array | None) -> None:
        """Keep the gram matrix from now on, begun with another one."""
        kept, self._kept = self._kept, []
        for rows in kept:
            gram = added_products(gram, rows)
        self.gram = gram

    def __iadd__(self, other: NormalEquations) -> NormalEquations:
        self.rhs = self.rhs + other.rhs
        self.diagonal = self.diagonal + other.diagonal
        if other.gram is None:
            for rows in other._kept:
                self.add_rows(rows)
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
            return positive_solver(self._factor(ridge))
        if not len(self.rows):
            return lambda rhs: np.asarray((rhs.T / ridge).T)
        # (D + A'A)^-1 b = D^-1 b - D^-1 A' (I + A D^-1 A')^-1 A D^-1 b
        rows = self.rows
        scaled = (rows / np.sqrt(ridge)).T
        matrix = np.eye(len(rows), order="F")
        matrix = added_products(matrix, scaled)
        inner = positive_solver(factorised(matrix))

        def solve(rhs: Array) -> Array:
            plain = (rhs.T / ridge).T
            return np.asarray(plain - ((rows.T @ inner(rows @ plain)).T / ridge).T)

        return solve

    def inverse(self, damping: float) -> Array:
        """The inverse of the damped matrix, shape (parameters, parameters)."""
        if self.gram is None:
            return self.solver(damping)(np.eye(len(self.rhs)))
        lower = dpotri(self._factor(self.diagonal + damping), lower=1, overwrite_c=1)[0]
        return np.asarray(np.tril(lower) + np.tril(lower, -1).T)

    def halves(self, damping: float) -> Callable[[Array], tuple[Array, Array]]:
        """A map of A, shape (parameters, ...), to U and V of the same shape: U'V = A' (inverse) A.

        L^-1 A twice, where L L' is the damped matrix: one triangle to solve in place of two.
        """
        if self.gram is None:
            solve = self.solver(damping)
            return lambda rows: (rows, solve(rows))
        factor = self._factor(self.diagonal + damping)

        def half_solve(rows: Array) -> tuple[Array, Array]:
            half: Array = dtrsm(1.0, factor, rows.T, side=1, lower=1, trans_a=1).T
            return half, half

        return half_solve

    def _factor(self, ridge: Array) -> Array:
        """The lower Cholesky factor of gram + diag(ridge); above it is something else."""
        assert self.gram is not None
        matrix = self.gram.copy(order="F")
        matrix.ravel("K")[:: len(matrix) + 1] += ridge
        return factorised(matrix)

    def curvature_diagonal(self) -> Array:
        """The diagonal of gram + diag(diagonal), shape (parameters,)."""
        if self.gram is None:
            if self._squares is None:
                self._squares = np.einsum("kp,kp->p", self.rows, self.rows)
            return np.asarray(self.diagonal + self._squares)
        return np.asarray(self.diagonal + np.diagonal(self.gram))

    def curvature_along(self, step: Array) -> float:
        """step' (gram + diag(diagonal)) step, the undamped curvature."""
        if self.gram is None:
            data = float(np.square(self.rows @ step).sum())
        else:
            data = float(step @ dsymv(1.0, self.gram, step, lower=1))
        return data + float(step @ (self.diagonal * step))

    def least_damping(self) -> float:
        """The damping of a solve that is hardly damped, above 0 even without any curvature."""
        return least_damping(self.curvature_diagonal())

    def uncoupled_decrease(self) -> float:
        """By how much the model would fall if no parameter minded the others: a measure of the
        gradient that does not depend on the parameters' units.
        """
        curvature = np.maximum(self.curvature_diagonal(), np.finfo(float).tiny)
        return 0.5 * float(np.square(self.rhs) @ (1 / curvature))

    def decrease_along(self, step: Array) -> float:
        """By how much the quadratic model falls: rhs' step - step' (gram + diagonal) step / 2."""
        return float(step @ self.rhs) - 0.5 * self.curvature_along(step)


def least_damping(curvature: Array) -> float:
    """A damping that hardly counts beside a curvature of this diagonal, above 0 even of zeros."""
    mean = float(curvature.sum()) / max(1, len(curvature))
    return SMALLEST_DAMPING * mean + float(np.finfo(float).tiny)


def added_products(gram: Array | None, rows: Array) -> Array:
    """gram + rows' rows in its lower triangle; gram, in Fortran's order, is overwritten."""
    # A row's entries may lie side by side or apart: BLAS reads both without a copy.
    beside = rows.flags.c_contiguous
    factor, trans = (rows.T, 0) if beside else (rows, 1)
    found: Array
    if gram is None:
        found = dsyrk(1.0, factor, trans=trans, lower=1)
    else:
        found = dsyrk(1.0, factor, beta=1.0, c=gram, trans=trans, lower=1, overwrite_c=1)
    return found


def factorised(matrix: Array) -> Array:
    """The lower Cholesky factor of a matrix, given by its lower triangle and overwritten."""
    factor: Array
    factor, failed = dpotrf(matrix, lower=1, overwrite_a=1, clean=0)
    if failed or not np.isfinite(factor.ravel("K")[:: len(matrix) + 1]).all():
        raise np.linalg.LinAlgError("The curvature is not positive definite.")
    return factor


def positive_solver(factor: Array) -> Callable[[Array], Array]:
    """The inverse of a positive definite matrix, given by its lower Cholesky factor."""

    def solve(rhs: Array) -> Array:
        found: Array = dpotrs(factor, rhs, lower=1)[0]
        return found

    return solve
