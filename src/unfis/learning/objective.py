"""What is minimised, as functions of the logits z: value, residual and root of the curvature.

For one sample p = softmax(z) and S = diag(p) - p p', of rank C - 1. A root B, shape
(classes - 1, classes), satisfies B' B = curvature, so that B dZ are the rows a sample adds to a
System.
"""

from __future__ import annotations

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

    def roots(self, logits: Array, targets: Array) -> Array:
        """B with B' B the curvature in z, shape (samples, classes - 1, classes)."""


class CrossEntropy:
    """-sum_c P*_c log p_c with the Fisher matrix S as curvature (dZ' S dZ)."""

    def losses(self, logits: Array, targets: Array) -> Array:
        """-log p of the true class, shape (samples,)."""
        return np.asarray(-np.einsum("kc,kc->k", targets, log_softmax(logits)))

    def residuals(self, logits: Array, targets: Array) -> Array:
        """P* - p, shape (samples, classes)."""
        return np.asarray(targets - softmax(logits))

    def roots(self, logits: Array, targets: Array) -> Array:
        """Cholesky factor of S, in closed form: with tails r_c = sum_{g >= c} p_g,

        B_cc = sqrt(p_c r_{c+1} / r_c) and B_cg = -p_g sqrt(p_c / (r_c r_{c+1})) for g > c.
        """
        probabilities = np.maximum(softmax(logits), np.finfo(float).tiny)
        tails = np.cumsum(probabilities[:, ::-1], axis=1)[:, ::-1]
        # Not the root of p / (r r'): the product of two tiny tails is 0.
        scale = np.sqrt(probabilities[:, :-1] / tails[:, :-1]) / np.sqrt(tails[:, 1:])
        roots = np.triu(-scale[:, :, None] * probabilities[:, None, :], k=1)
        index = np.arange(roots.shape[1])
        roots[:, index, index] = scale * tails[:, 1:]
        return np.asarray(roots)


class QuasiCrossEntropy(CrossEntropy):
    """Cross-entropy with the curvature of GqLM, sum_c J_c' J_c = dZ' S^2 dZ, eq. (lm8)."""

    def roots(self, logits: Array, targets: Array) -> Array:
        """U S with U an orthonormal basis of the vectors that sum to 0, as S 1 = 0."""
        return probability_rows(logits)


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

    def roots(self, logits: Array, targets: Array) -> Array:
        """U S, as for GqLM: both linearise the probabilities."""
        return probability_rows(logits)


def probability_rows(logits: Array) -> Array:
    """U S with U the Helmert basis, so that (U S)' (U S) = S^2. (samples, classes - 1, classes)."""
    probabilities = softmax(logits)
    basis = helmert(probabilities.shape[1]) * probabilities[:, None, :]
    return np.asarray(basis - basis.sum(axis=2, keepdims=True) * probabilities[:, None, :])
