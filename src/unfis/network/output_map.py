"""How changes of log f and of y change a network's outputs at one point, and the transposed map.

A product with dZ is made many times at one point, so what it takes of the activations is kept.
Arrays have the samples last, side by side in memory: (rules, samples), (rules, outputs, samples).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from unfis.arrays import Array


class OutputMap(ABC):
    """dz = sum_i g_i d log f_i + sum_i (dz/dy^i) dy^i.

    Attributes
    ----------
    firing : g = dz / d log f, shape (rules, outputs of z, samples)
    basis : of the contrasts that y is given as, where dy is wanted of all classes; None otherwise
    """

    def __init__(self, firing_rows: Array, strengths: Array) -> None:
        self.firing = np.ascontiguousarray(firing_rows.transpose(2, 1, 0))
        self.strengths = np.ascontiguousarray(strengths.T)
        self.basis: Array | None = None

    def forward(self, firing: Array, outputs: Array) -> Array:
        """dz, given d log f and dy, which is overwritten: shape (outputs of z, samples)."""
        found = self.of_outputs(outputs)
        for own, change in zip(self.firing, firing, strict=True):
            found += own * change
        return found

    def backward(self, residuals: Array) -> tuple[Array, Array]:
        """r' dz/d log f, (rules, samples), and r' dz/dy, (rules, outputs, samples)."""
        firing = np.empty((len(self.firing), residuals.shape[1]))
        for i, own in enumerate(self.firing):
            (own * residuals).sum(axis=0, out=firing[i])
        return firing, self.to_outputs(residuals)

    @abstractmethod
    def of_outputs(self, outputs: Array) -> Array:
        """sum_i (dz/dy^i) dy^i, shape (outputs of z, samples); dy is overwritten."""

    @abstractmethod
    def to_outputs(self, residuals: Array) -> Array:
        """r' dz/dy, shape (rules, outputs, samples)."""

    @abstractmethod
    def output_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        """(dz/dy_a)' S (dz/dy_a) of each contrast a, S = diag(d) - a a': (rules, a, samples)."""

    @abstractmethod
    def firing_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        """g' S g of each rule, shape (rules, samples)."""


class MixedMap(OutputMap):
    """Of mixed outputs: dz_c / dy_c^i = phi_i."""

    def of_outputs(self, outputs: Array) -> Array:
        outputs *= self.strengths[:, None]
        return np.asarray(outputs.sum(axis=0))

    def to_outputs(self, residuals: Array) -> Array:
        return self.strengths[:, None] * residuals

    def output_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        return np.square(self.strengths)[:, None] * contrast_weights(diagonal, rank_one, basis)

    def firing_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        return np.stack([along(basis.T @ g, diagonal, rank_one) for g in self.firing])


class AveragedMap(OutputMap):
    """Of averaged probabilities: with r_c^i = phi_i q_c^i / p_c,

        dz_c / dy_g^i = r_c^i ((c = g) - q_g^i).

    For y of all classes, since contrasts of a rule's few coefficients cost less than its samples'.
    """

    def __init__(
        self, firing_rows: Array, strengths: Array, said: Array, ratios: Array, basis: Array | None
    ) -> None:
        super().__init__(firing_rows, strengths)
        self.basis = basis
        self.said = np.exp(np.ascontiguousarray(said.transpose(1, 2, 0)))
        self.parts = ratios.transpose(1, 2, 0) * self.strengths[:, None]

    def of_outputs(self, outputs: Array) -> Array:
        outputs -= (self.said * outputs).sum(axis=1, keepdims=True)
        outputs *= self.parts
        return np.asarray(outputs.sum(axis=0))

    def to_outputs(self, residuals: Array) -> Array:
        found = self.parts * residuals
        found -= self.said * found.sum(axis=1, keepdims=True)
        return found

    def output_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        """sum_c d_c r_c^2 (U_ac - (U q)_a)^2, as a' (dz/dy) = 0: probabilities sum to 1."""
        weights = diagonal * np.square(self.parts)
        mean = basis @ self.said
        found = np.square(basis) @ weights - 2 * mean * (basis @ weights)
        found += np.square(mean) * weights.sum(axis=1, keepdims=True)
        return np.maximum(found, 0.0)

    def firing_weights(self, diagonal: Array, rank_one: Array, basis: Array) -> Array:
        return np.stack([along(g, diagonal, rank_one) for g in self.firing])


def along(change: Array, diagonal: Array, rank_one: Array) -> Array:
    """u' S u of each sample, for u of shape (outputs, samples)."""
    squares = (diagonal * np.square(change)).sum(axis=0)
    return np.asarray(np.maximum(squares - np.square((rank_one * change).sum(axis=0)), 0.0))


def contrast_weights(diagonal: Array, rank_one: Array, basis: Array) -> Array:
    """The diagonal of U S U' for a basis U of contrasts, shape (contrasts, samples)."""
    return np.maximum(np.square(basis) @ diagonal - np.square(basis @ rank_one), 0.0)
