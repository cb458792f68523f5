"""What is minimised, as functions of a model's outputs z: one objective per task.

An objective knows the loss and its derivatives, what the outputs predict, how targets are encoded,
and which changes of the outputs it minds at all: their contrasts.

A root B, shape (contrasts, outputs), satisfies B' B = curvature, so that B dZ are the rows a sample
adds to the normal equations. The residual lies in their span, B' t = residual: where t, the
whitened residual, has a closed form, the gradient costs no rows of its own, it is the sum of
t' B dZ.

Of classes p = softmax(z) and S = diag(p) - p p', of rank C - 1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, log_softmax, softmax

# One-hot targets of more values than this are made block by block, whenever they are asked for.
MOST_TARGETS = 1 << 20


class TrainingObjective(ABC):
    """A loss per sample, the derivatives that a learner needs, and what its numbers mean.

    All but the first three methods are those of one-hot targets and soft-max.
    """

    @abstractmethod
    def losses(self, outputs: Array, targets: Array) -> Array:
        """Loss of each sample, shape (samples,)."""

    @abstractmethod
    def residuals(self, outputs: Array, targets: Array) -> Array:
        """Minus the loss's gradient in z, shape (samples, outputs)."""

    @abstractmethod
    def roots(self, outputs: Array, targets: Array) -> tuple[Array, Array | None]:
        """B with B' B the curvature in z, and t with B' t the residual where it is easily had.

        Shapes (samples, contrasts, outputs) and (samples, contrasts).
        """

    def contrasts(self, outputs: int) -> Array:
        """An orthonormal basis of the changes of z that change the loss, (contrasts, outputs).

        Soft-max minds no constant: of what sums to 0 over the classes.
        """
        return contrast_basis(outputs)

    def encode(self, values: NDArray[np.intp], outputs: int) -> Array:
        """One-hot targets P* of class numbers, or of many what acts as such by its rows."""
        if len(values) * outputs <= MOST_TARGETS:
            return one_hot_targets(values, outputs)
        return cast(Array, OneHotRows(values, outputs))

    def unrooted(self, roots: Array, rooted: Array) -> Array:
        """A change of z with B change = rooted, (samples, contrasts): shape (samples, outputs)."""
        return np.asarray((np.linalg.pinv(roots) @ rooted[:, :, None])[:, :, 0])


class CrossEntropy(TrainingObjective):
    """-sum_c P*_c log p_c with the Fisher matrix S as curvature (dZ' S dZ)."""

    def losses(self, outputs: Array, targets: Array) -> Array:
        """-log p of the true class, shape (samples,)."""
        return np.asarray(-np.einsum("kc,kc->k", targets, log_softmax(outputs)))

    def residuals(self, outputs: Array, targets: Array) -> Array:
        """P* - p, shape (samples, classes)."""
        return np.asarray(targets - softmax(outputs))

    def roots(self, outputs: Array, targets: Array) -> tuple[Array, Array | None]:
        """Cholesky factor of S, in closed form: with tails r_c = sum_{g >= c} p_g,

        B_cc = sqrt(p_c r_{c+1} / r_c) and B_cg = -p_g sqrt(p_c / (r_c r_{c+1})) for g > c;
        t = B (P* / p), since S (P* / p) = P* - p: with tails R_c of P* likewise,
        t_c = sqrt(p_c / (r_c r_{c+1})) (P*_c r_{c+1} / p_c - R_{c+1}).
        """
        probabilities = np.maximum(softmax(outputs), np.finfo(float).tiny)
        samples, classes = probabilities.shape
        tails = tails_of(probabilities)
        # Not the root of p / (r r'): the product of two tiny tails is 0.
        scale = np.sqrt(probabilities[:, :-1] / tails[:, :-1]) / np.sqrt(tails[:, 1:])
        roots = np.zeros((classes - 1, classes, samples)).transpose(2, 0, 1)
        for c in range(classes - 1):
            roots[:, c, c] = scale[:, c] * tails[:, c + 1]
            roots[:, c, c + 1 :] = -scale[:, c, None] * probabilities[:, c + 1 :]
        own = targets[:, :-1] * tails[:, 1:] / probabilities[:, :-1]
        return roots, scale * (own - tails_of(targets)[:, 1:])

    def unrooted(self, roots: Array, rooted: Array) -> Array:
        """The change of which nothing is for the last class: B is triangular but for its column."""
        change = np.zeros((len(roots), roots.shape[2]))
        for c in range(roots.shape[1] - 1, -1, -1):
            rest = np.einsum("kg,kg->k", roots[:, c, c + 1 : -1], change[:, c + 1 : -1])
            change[:, c] = (rooted[:, c] - rest) / roots[:, c, c]
        return change


class QuasiCrossEntropy(CrossEntropy):
    """Cross-entropy with the curvature of GqLM, sum_c J_c' J_c = dZ' S^2 dZ, eq. (lm8)."""

    unrooted = TrainingObjective.unrooted

    def roots(self, outputs: Array, targets: Array) -> tuple[Array, Array | None]:
        """U S with U an orthonormal basis of the vectors that sum to 0, as S 1 = 0.

        t = U (P* / p) would cancel where p is small.
        """
        return probability_rows(outputs), None


class SquaredError(TrainingObjective):
    """|P* - p|^2 / 2 with the Gauss-Newton curvature S^2, the objective of LM."""

    def losses(self, outputs: Array, targets: Array) -> Array:
        """Half the squared distance of the probabilities to the targets, shape (samples,)."""
        return np.asarray(0.5 * ((targets - softmax(outputs)) ** 2).sum(axis=1))

    def residuals(self, outputs: Array, targets: Array) -> Array:
        """S (P* - p), shape (samples, classes)."""
        probabilities = softmax(outputs)
        errors = probabilities * (targets - probabilities)
        return np.asarray(errors - probabilities * errors.sum(axis=1, keepdims=True))

    def roots(self, outputs: Array, targets: Array) -> tuple[Array, Array | None]:
        """U S, as for GqLM: both linearise the probabilities; t = U (P* - p)."""
        basis = contrast_basis(outputs.shape[1])
        return probability_rows(outputs), (targets - softmax(outputs)) @ basis.T


@cache
def contrast_basis(classes: int) -> Array:
    """An orthonormal basis of what sums to 0 over the classes, shape (classes - 1, classes)."""
    from scipy.linalg import helmert  # imported late: what is learned already predicts without

    return np.asarray(helmert(classes))


def tails_of(values: Array) -> Array:
    """sum_{g >= c} of each row's values, in the same shape."""
    # As a product, which of a few classes costs a third of a cumulative sum.
    return np.asarray((triangle(values.shape[1]) @ values.T).T)


@cache
def triangle(size: int) -> Array:
    """Ones on the diagonal and above it, shape (size, size)."""
    return np.triu(np.ones((size, size)))


def probability_rows(outputs: Array) -> Array:
    """U S with U the basis of contrasts, so that (U S)' (U S) = S^2: (samples, C - 1, C)."""
    probabilities = softmax(outputs)
    basis = contrast_basis(probabilities.shape[1]) * probabilities[:, None, :]
    return np.asarray(basis - basis.sum(axis=2, keepdims=True) * probabilities[:, None, :])


def one_hot_targets(codes: NDArray[np.intp], classes: int) -> Array:
    """1 where a sample is of a class, shape (samples, classes), samples side by side in memory."""
    return np.equal(codes, np.arange(classes)[:, None]).astype(float).T


class OneHotRows:
    """Targets of very many samples, which are made of the rows that are asked for."""

    def __init__(self, codes: NDArray[np.intp], classes: int) -> None:
        self._codes = codes
        self.shape = len(codes), classes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, rows: Any) -> Array:
        return one_hot_targets(self._codes[rows], self.shape[1])

    def argmax(self, axis: int) -> NDArray[np.intp]:
        """The class of each sample, shape (samples,)."""
        return self._codes
