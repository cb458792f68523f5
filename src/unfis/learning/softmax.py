"""Soft-max regressions: several at once on the same samples, with weights and zeros of their own.

A fold of a cross-validation is the same samples under other weights, and so all folds of a path are
one computation. Newton's steps are those of conjugate gradients whose preconditioner has a block
for each class: the cost grows linearly with the number of classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dpotri

from unfis.arrays import Array, Mask
from unfis.learning.damped import NEGLIGIBLE_LOSS
from unfis.learning.leave_one_out import LEAST_SLACK
from unfis.learning.system import factorised

# Trained to within this share of the objective, which counts as no less than a negligible loss.
CLOSE_SHARE = 1e-4
MOST_NEWTON_STEPS = 30
# Conjugate gradients end at this share of the gradient, or after so many products.
FORCING, MOST_CURVED = 0.1, 20
# Steps are halved at most so often.
MOST_HALVED = 8
# Curvature of the prior on what has none, as a share of the weight: what is common to all classes.
BIAS_RIDGE = 1e-9
# From so many columns on blocks are inverted one by one, by Cholesky factors.
LARGE_BLOCK = 80


class Evaluated(NamedTuple):
    """Regressions at some coefficients."""

    coefficients: Array  # (regressions, outputs, columns)
    probabilities: Array  # (regressions, outputs, samples)
    losses: Array  # of each sample, whatever its weight, (regressions, samples)
    values: Array  # the objectives, (regressions,)


@dataclass(frozen=True)
class SoftmaxRegressions:
    """Minimise sum_k w_k loss_k + ridge |slopes|^2 / 2 for several weights w and ridges.

    Outputs are the classes; of two classes one, the second against the first, whose ridge is half
    as large: the difference of two slopes that share it evenly.

    Attributes
    ----------
    columns : 1 and the inputs, 0 where they are missing, (1 + inputs, samples)
    targets : 1 for the class of each sample, (classes, samples)
    weights : of the samples in each regression, (regressions, samples)
    ridges : (regressions,)
    signs : of two classes the sign that coefficients must have unless they are 0; 0 for any,
        (1 + inputs,). Steps are projected Newton's (Bertsekas 1982): what would go on from 0 to the
        wrong side stays there.
    """

    columns: Array
    targets: Array
    weights: Array
    ridges: Array
    signs: Array

    @property
    def outputs(self) -> int:
        """How many outputs there are."""
        return 1 if len(self.targets) == 2 else len(self.targets)

    @property
    def own_targets(self) -> Array:
        """The targets of the outputs, (outputs, samples)."""
        return self.targets[1:] if self.outputs == 1 else self.targets

    @cached_property
    def precision(self) -> Array:
        """Of the prior on each coefficient, (regressions, 1, columns); hardly any on a bias."""
        ridges = self.ridges if self.outputs > 1 else 0.5 * self.ridges
        found = np.repeat(ridges[:, None, None], len(self.columns), axis=2)
        found[:, 0, 0] = BIAS_RIDGE * self.weights.sum(axis=1)
        return found

    def at_bound(self, coefficients: Array) -> Mask:
        """Which coefficients must have a sign and are 0, (regressions, outputs, columns)."""
        return np.asarray((self.signs != 0) & (coefficients == 0))

    def clipped(self, coefficients: Array) -> Array:
        """Coefficients with 0 for those of the wrong sign."""
        return np.where(self.signs * coefficients < 0, 0.0, coefficients)

    def evaluated(self, coefficients: Array) -> Evaluated:
        """Probabilities, losses and objectives."""
        losses, probabilities = self._losses(self._products(coefficients))
        penalties = 0.5 * (self.precision * np.square(coefficients)).sum(axis=(1, 2))
        values = np.einsum("fn,fn->f", self.weights, losses) + penalties
        return Evaluated(coefficients, probabilities, losses, values)

    def _losses(self, logits: Array) -> tuple[Array, Array]:
        """Losses (regressions, samples), and probabilities in place of the logits."""
        if self.outputs == 1:
            signed = np.where(self.targets[1] > 0, logits[:, 0], -logits[:, 0])
            small = np.exp(-np.abs(logits))
            probabilities = np.where(logits > 0, 1.0, small) / (1 + small)
            return np.logaddexp(0.0, -signed), probabilities
        logits -= logits.max(axis=1, keepdims=True)
        of_target = np.einsum("fkn,kn->fn", logits, self.targets)
        probabilities = np.exp(logits, out=logits)
        totals = probabilities.sum(axis=1)
        probabilities /= totals[:, None, :]
        return np.log(totals) - of_target, probabilities

    def trained(
        self, start: Array, inside: Mask, iterations: int = MOST_NEWTON_STEPS
    ) -> tuple[Evaluated, Array]:
        """Regressions whose coefficients are 0 but for those inside, and their class blocks.

        Both of shape (regressions, outputs, columns).
        """
        here = self.evaluated(self.clipped(np.where(inside, start, 0.0)))
        floor = NEGLIGIBLE_LOSS * self.weights.sum(axis=1)
        for _ in range(iterations):
            p = here.probabilities
            blocks = self.class_blocks(p * (1 - p))
            residuals = self.weights[:, None, :] * (self.own_targets - p)
            descent = self._sums(residuals) - self.precision * here.coefficients
            outward = self.at_bound(here.coefficients) & (self.signs * descent <= 0)
            free = inside & ~outward
            gradient = np.where(free, descent, 0.0)
            step = self._newton_step(here, gradient, free, inverses(blocks, free))
            predicted = 0.5 * (gradient * step).sum(axis=(1, 2))
            moving = predicted > CLOSE_SHARE * np.maximum(here.values, floor)
            here = self._descended(here, step)
            if not moving.any():
                break
        return here, blocks

    def left_out(self, here: Evaluated, inside: Mask) -> Array:
        """The loss of each sample by regressions that have not seen it, (regressions, samples).

        One Newton step, z_-k = z_k - h w r / (1 - w s h) with h = x' H^-1 x. Of two classes it is
        that of `leave_one_out`. Of more, H is taken class by class with s the lesser of 2 p (1 - p)
        and p, as if a sample's doubt lay between two classes or evenly among many: then each class
        moves as it would with the others (tests/learning/test_softmax.py).
        """
        p = here.probabilities
        curvature = p * (1 - p)
        if self.outputs > 1:
            curvature = np.minimum(2 * curvature, p)
        free = inside & ~self.at_bound(here.coefficients)
        inverse = inverses(self.class_blocks(curvature), free)
        weights = self.weights[:, None, :]
        leverage = np.einsum("fkin,in->fkn", inverse @ self.columns, self.columns)
        slack = np.maximum(1 - weights * curvature * leverage, LEAST_SLACK)
        moved = leverage * weights * (self.own_targets - p) / slack
        return self._losses(self._products(here.coefficients) - moved)[0]

    def class_blocks(self, curvature: Array) -> Array:
        """X' w s X and the prior, for s of each class, (regressions, outputs, samples).

        Shape (regressions, outputs, columns, columns).
        """
        count, outputs, _ = curvature.shape
        size = len(self.columns)
        found = np.empty((count, outputs, size, size))
        scaled = np.empty_like(self.columns)
        for f in range(count):
            for k in range(outputs):
                np.multiply(self.columns, self.weights[f] * curvature[f, k], out=scaled)
                np.matmul(scaled, self.columns.T, out=found[f, k])
        diagonal = np.einsum("fkii->fki", found)
        diagonal += self.precision
        return found

    def _products(self, coefficients: Array) -> Array:
        """Coefficients times columns, (regressions, outputs, samples)."""
        flat = coefficients.reshape(-1, len(self.columns)) @ self.columns
        return flat.reshape(*coefficients.shape[:2], -1)

    def _sums(self, values: Array) -> Array:
        """Values times columns, summed over the samples, (regressions, outputs, columns)."""
        flat = values.reshape(-1, values.shape[2]) @ self.columns.T
        return flat.reshape(*values.shape[:2], -1)

    def _curved(self, here: Evaluated, direction: Array) -> Array:
        """The curvature times a direction: X' w (p u - p (p'u)), u = X v."""
        probabilities = here.probabilities
        moved = self._products(direction)
        moved *= probabilities
        if self.outputs == 1:
            moved *= 1 - probabilities
        else:
            moved -= probabilities * moved.sum(axis=1, keepdims=True)
        moved *= self.weights[:, None, :]
        return self._sums(moved) + self.precision * direction

    def _newton_step(self, here: Evaluated, gradient: Array, inside: Mask, inverse: Array) -> Array:
        """Curvature^-1 gradient, nearly."""
        step = solved(inverse, gradient)
        if self.outputs == 1:  # then the block is the curvature
            return step
        found = np.zeros_like(gradient)
        residual, turned = gradient.copy(), step
        direction = turned.copy()
        before = inner(residual, turned)
        enough = FORCING**2 * before
        for _ in range(MOST_CURVED):
            curved = np.where(inside, self._curved(here, direction), 0.0)
            length = ratio(before, inner(direction, curved))
            found += length * direction
            residual -= length * curved
            turned = solved(inverse, residual)
            after = inner(residual, turned)
            if (after <= enough).all():
                break
            direction = turned + ratio(after, before) * direction
            before = after
        return found

    def _descended(self, here: Evaluated, step: Array) -> Evaluated:
        """Where the step leads, halved as long as it leads up."""
        length = np.ones((len(step), 1, 1))
        for _ in range(MOST_HALVED):
            there = self.evaluated(self.clipped(here.coefficients + length * step))
            worse = ~(there.values <= here.values)
            if not worse.any():
                return there
            length[worse] *= 0.5
        length[worse] = 0.0
        return self.evaluated(self.clipped(here.coefficients + length * step))


def inverses(blocks: Array, inside: Mask) -> Array:
    """The inverse of each block, of which only some rows and columns are there.

    The others are those of the identity.
    """
    both = inside[:, :, :, None] & inside[:, :, None, :]
    masked = np.where(both, blocks, 0.0)
    diagonal = np.einsum("fkii->fki", masked)
    diagonal += ~inside
    if masked.shape[-1] < LARGE_BLOCK:
        return np.asarray(np.linalg.inv(masked))
    found: Array = np.empty_like(masked)
    for place in np.ndindex(masked.shape[:2]):
        factor = factorised(np.asfortranarray(masked[place]))
        lower: Array = np.tril(dpotri(factor, lower=1)[0])
        found[place] = lower + np.tril(lower, -1).T
    return found


def solved(inverse: Array, values: Array) -> Array:
    """Inverse blocks times values, (regressions, outputs, columns)."""
    return np.asarray((inverse @ values[..., None])[..., 0])


def inner(left: Array, right: Array) -> Array:
    """The inner product of each regression's values, (regressions, 1, 1)."""
    return np.asarray(np.einsum("fkn,fkn->f", left, right))[:, None, None]


def ratio(numerator: Array, denominator: Array) -> Array:
    """A ratio of positive numbers, 0 where there is nothing left."""
    tiny = np.finfo(float).tiny
    with np.errstate(over="ignore"):
        found = numerator / np.maximum(denominator, tiny)
    return np.where((denominator > tiny) & np.isfinite(found), found, 0.0)
