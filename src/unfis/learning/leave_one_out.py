"""What a trained model would predict for each sample without having seen it, in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning.local_problem import LinearisedBlock, LocalProblem, SampleBlock, flat
from unfis.learning.model import LinearisedModel
from unfis.learning.objective import TrainingObjective
from unfis.learning.system import NormalEquations

# Keeps a sample that alone decides a parameter, with no prior on it, from a division by 0.
LEAST_SLACK = 1e-9


class LeftOut(NamedTuple):
    """Predictions of samples left out, one at a time."""

    losses: Array  # the loss of each sample by a model that has not seen it, (samples,)
    effective_parameters: float  # trace of (curvature of the samples) (curvature)^-1


def leave_one_out(problem: LocalProblem, vector: Array) -> LeftOut:
    """One Newton step from the minimum of all samples to that of all but one, for each of them.

    z_-k = z_k - K (I - w S K)^-1 w r with K = dZ_k H^-1 dZ_k', r the residual, S the curvature in z
    and H that of the objective at the minimum, prior included. With the sample's rows
    A = sqrt(w) B dZ_k, where B' B = S and B' t = r, that is B (z_k - z_-k) = M (I - M)^-1 t,
    M = A H^-1 A'. Exact for a quadratic objective (tests/learning/test_gaussian.py).
    """
    objective, blocks = problem.objective, problem.linearised(vector)
    identity = np.eye(problem.contrasts)
    losses: list[Array] = []
    effective = 0.0
    for (block, near), (curved, influence) in zip(
        blocks, influences(problem, vector, blocks), strict=True
    ):
        moved = influence @ np.linalg.solve(
            (1 + LEAST_SLACK) * identity - influence, curved.whitened[:, :, None]
        )
        left_out = near.outputs - objective.unrooted(curved.roots, moved[:, :, 0])
        losses.append(objective.losses(left_out, block.targets))
        effective += float(np.trace(influence, axis1=1, axis2=2).sum())
    return LeftOut(np.concatenate(losses), effective)


class SampleCurvature(NamedTuple):
    """What samples add to the curvature: their roots B, whitened residuals t, and sqrt(w) B."""

    roots: Array
    whitened: Array
    weights: Array


def sample_curvature(
    objective: TrainingObjective, block: SampleBlock, near: LinearisedModel
) -> SampleCurvature:
    """What a block of samples adds to the curvature."""
    roots, whitened = objective.roots(near.outputs, block.targets)
    assert whitened is not None
    return SampleCurvature(roots, whitened, np.sqrt(block.weights)[:, None, None] * roots)


def influences(
    problem: LocalProblem, vector: Array, blocks: Sequence[LinearisedBlock]
) -> Iterator[tuple[SampleCurvature, Array]]:
    """M of each block's samples, shape (samples, contrasts, contrasts)."""
    first = sample_curvature(problem.objective, *blocks[0])
    rows = flat(blocks[0][1].rows(first.weights))
    if len(blocks) == 1:  # then they are the normal equations
        system = NormalEquations(np.zeros_like(vector), problem.prior.precision)
        system.add_rows(rows.T)
    else:
        system = problem.system_of(vector, blocks)
    halves = system.halves(system.least_damping())
    for number, (block, near) in enumerate(blocks):
        curved = sample_curvature(problem.objective, block, near) if number else first
        rows = flat(near.rows(curved.weights)) if number else rows
        shape = (len(vector), first.roots.shape[1], -1)
        left, right = (half.reshape(shape) for half in halves(rows))
        yield curved, np.einsum("pqk,pgk->kqg", left, right)
