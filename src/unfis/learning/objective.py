"""What is minimised, as functions of the logits z: value, residual and root of the curvature.

For one sample p = softmax(z) and S = diag(p) - p p', of rank C - 1. A root B, shape
(classes - 1, classes), satisfies B' B = curvature, so that B dZ are the rows a sample adds to a
System. The residual lies in their span, B' t = residual: where t has a closed form the gradient
costs no rows of its own, it is the sum of t' B dZ.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np
from scipy.linalg import helmert

from unfis.arrays import Array, log_softmax, softmax


class Objective(Protocol):
    """A loss per sample with the two derivatives that a learner needs."""

    def losses(self, logits: Array, targets: Array) -> Array:
        """Loss of each sample, shape (samples,)."""

    def residuals(self, logits: Array, targets: Array) -> Array:
        """Minus the loss's gradient in z, shape (samples, classes)."""

    def roots(self, logits: Array, targets: Array) -> tuple[Array, Array | None]:
        """B with B' B the curvature in z, and t with B' t the residual where it is easily had.

        Shapes (samples, classes - 1, classes) and (samples, classes - 1).
        """


class CrossEntropy:
    """-sum_c P*_c log p_c with the Fisher matrix S as curvature (dZ' S dZ)."""

    def losses(self, logits: Array, targets: Array) -> Array:
        """-log p of the true class, shape (samples,)."""
        return np.asarray(-np.einsum("kc,kc->k", targets, log_softmax(logits)))

    def residuals(self, logits: Array, targets: Array) -> Array:
        """P* - p, shape (samples, classes)."""
        return np.asarray(targets - softmax(logits))

    def roots(self, logits: Array, targets: Array) -> tuple[Array, Array | None]:
        """Cholesky factor of S, in closed form: with tails r_c = sum_{g >= c} p_g,

        B_cc = sqrt(p_c r_{c+1} / r_c) and B_cg = -p_g sqrt(p_c / (r_c r_{c+1})) for g > c;
        t = B (P* / p), since S (P* / p) = P* - p: with tails R_c of P* likewise,
        t_c = sqrt(p_c / (r_c r_{c+1})) (P*_c r_{c+1} / p_c - R_{c+1}).
        """
        probabilities = np.maximum(softmax(logits), np.finfo(float).tiny)
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


class QuasiCrossEntropy(CrossEntropy):
    """Cross-entropy with the curvature of GqLM, sum_c J_c' J_c = dZ' S^2 dZ, eq. (lm8)."""

    def roots(self, logits: Array, targets: Array) -> tuple[Array, Array | None]:
        """U S with U an orthonormal basis of the vectors that sum to 0, as S 1 = 0.

        t = U (P* / p) would cancel where p is small.
        """
        return probability_rows(logits), None


class SquaredError:
    """|P* - p|^2 / 2 with the Gauss-Newton curvature S^2, the objective of LM."""

    def losses(self, logits: Array, targets: Array) -> Array:
        """Half the squared distance of the probabilities to the targets, shape (samples,)."""
        return np.asarray(0.5 * ((targets - softmax(logits)) ** 2).sum(axis=1))

    def residuals(self, logits: Array, targets: Array) -> Array:
        """S (P* - p), shape (samples, classes)."""
        probabilities = softmax(logits)
        errors = probabilities * (targets - probabilities)
        return np.asarray(errors - probabilities * errors.sum(axis=1, keepdims=True))

    def roots(self, logits: Array, targets: Array) -> tuple[Array, Array | None]:
        """U S, as for GqLM: both linearise the probabilities; t = U (P* - p)."""
        return probability_rows(logits), (targets - softmax(logits)) @ helmert(logits.shape[1]).T


def tails_of(values: Array) -> Array:
    """sum_{g >= c} of each row's values, in the same shape."""
    # As a product, which of a few classes costs a third of a cumulative sum.
    return np.asarray((triangle(values.shape[1]) @ values.T).T)


@cache
def triangle(size: int) -> Array:
    """Ones on the diagonal and above it, shape (size, size)."""
    return np.triu(np.ones((size, size)))


def probability_rows(logits: Array) -> Array:
    """U S with U the Helmert basis, so that (U S)' (U S) = S^2. (samples, classes - 1, classes)."""
    probabilities = softmax(logits)
    basis = helmert(probabilities.shape[1]) * probabilities[:, None, :]
    return np.asarray(basis - basis.sum(axis=2, keepdims=True) * probabilities[:, None, :])
