"""What a trained model would have said of each sample without having seen it, in closed form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Block, Linear, Problem, flat
from unfis.learning.system import System

# Keeps a sample that alone decides a parameter, with no prior on it, from a division by 0.
LEAST_SLACK = 1e-9


class LeftOut(NamedTuple):
    """Predictions of samples left out, one at a time."""

    losses: Array  # cross-entropy of each sample by a model that has not seen it, (samples,)
    effective_parameters: float  # trace of (curvature of the samples) (curvature)^-1


def leave_one_out(problem: Problem, vector: Array) -> LeftOut:
    """One Newton step from the minimum of all samples to that of all but one, for each of them.

    z_-k = z_k - K (I - w S K)^-1 w (P* - p) with K = dZ_k H^-1 dZ_k', S = diag(p) - p p' and H the
    curvature at the minimum, prior included. With the sample's rows A = sqrt(w) B dZ_k, where
    B' B = S and B' t = P* - p, that is B (z_k - z_-k) = M (I - M)^-1 t, M = A H^-1 A'. Exact for a
    quadratic objective (tests/learning/test_leave_one_out.py).
    """
    objective = CrossEntropy()
    linears = problem.linearised(vector)
    curved: Iterable[Curved] = (curved_samples(*linear) for linear in linears)
    if len(linears) == 1:  # then the rows are few, and made once
        curved = list(curved)
        system = System(np.zeros_like(vector), problem.prior.precision)
        system.add_rows(curved[0].rows.T)
    else:
        system = problem.system_of(objective, vector, linears)
    halves = system.halves(system.least_damping())
    identity = np.eye(problem.targets.shape[1] - 1)
    losses: list[Array] = []
    effective = 0.0
    for (block, linear), (roots, pulls, rows) in zip(linears, curved, strict=True):
        shape = (len(vector), len(identity), -1)
        left, right = (half.reshape(shape) for half in halves(rows))
        influence = np.einsum("pqk,pgk->kqg", left, right)
        moved = influence @ np.linalg.solve(
            (1 + LEAST_SLACK) * identity - influence, pulls[:, :, None]
        )
        left_out = linear.logits - unrooted(roots, moved)
        losses.append(objective.losses(left_out, block.targets))
        effective += float(np.trace(influence, axis1=1, axis2=2).sum())
    return LeftOut(np.concatenate(losses), effective)


class Curved(NamedTuple):
    """Samples' roots and pulls, and their rows, (parameters, rows of all samples)."""

    roots: Array
    pulls: Array
    rows: Array


def curved_samples(block: Block, linear: Linear) -> Curved:
    """What a block of samples adds to the curvature."""
    roots, pulls = CrossEntropy().roots(linear.logits, block.targets)
    assert pulls is not None
    return Curved(roots, pulls, flat(linear.rows(np.sqrt(block.weights)[:, None, None] * roots)))


def unrooted(roots: Array, moved: Array) -> Array:
    """A change of z with B change = moved, of which nothing is for the last class, (samples, C).

    B is triangular but for its last column, and soft-max minds no constant.
    """
    change = np.zeros((len(roots), roots.shape[2]))
    for c in range(roots.shape[1] - 1, -1, -1):
        rest = np.einsum("kg,kg->k", roots[:, c, c + 1 : -1], change[:, c + 1 : -1])
        change[:, c] = (moved[:, c, 0] - rest) / roots[:, c, c]
    return change
