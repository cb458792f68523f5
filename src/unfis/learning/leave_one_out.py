"""What a trained model would have said of each sample without having seen it, in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Block, Linear, Linearised, Problem, flat
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
    objective, linears = CrossEntropy(), problem.linearised(vector)
    ways = influences_by_class if problem.model.has_many_classes else influences_by_rows
    identity = np.eye(problem.targets.shape[1] - 1)
    losses: list[Array] = []
    effective = 0.0
    for (block, linear), (curved, influence) in zip(
        linears, ways(problem, vector, linears), strict=True
    ):
        moved = influence @ np.linalg.solve(
            (1 + LEAST_SLACK) * identity - influence, curved.pulls[:, :, None]
        )
        left_out = linear.logits - unrooted(curved.roots, moved)
        losses.append(objective.losses(left_out, block.targets))
        effective += float(np.trace(influence, axis1=1, axis2=2).sum())
    return LeftOut(np.concatenate(losses), effective)


class Curved(NamedTuple):
    """What samples add to the curvature: their roots B, pulls t, and sqrt(w) B."""

    roots: Array
    pulls: Array
    weights: Array


def curved_samples(block: Block, linear: Linear) -> Curved:
    """What a block of samples adds to the curvature."""
    roots, pulls = CrossEntropy().roots(linear.logits, block.targets)
    assert pulls is not None
    return Curved(roots, pulls, np.sqrt(block.weights)[:, None, None] * roots)


def influences_by_rows(
    problem: Problem, vector: Array, linears: Sequence[Linearised]
) -> Iterator[tuple[Curved, Array]]:
    """M of each block's samples, shape (samples, C - 1, C - 1)."""
    first = curved_samples(*linears[0])
    rows = flat(linears[0][1].rows(first.weights))
    if len(linears) == 1:  # then they are the System
        system = System(np.zeros_like(vector), problem.prior.precision)
        system.add_rows(rows.T)
    else:
        system = problem.system_of(CrossEntropy(), vector, linears)
    halves = system.halves(system.least_damping())
    for number, (block, linear) in enumerate(linears):
        curved = curved_samples(block, linear) if number else first
        rows = flat(linear.rows(curved.weights)) if number else rows
        shape = (len(vector), first.roots.shape[1], -1)
        left, right = (half.reshape(shape) for half in halves(rows))
        yield curved, np.einsum("pqk,pgk->kqg", left, right)


def influences_by_class(
    problem: Problem, vector: Array, linears: Sequence[Linearised]
) -> Iterator[tuple[Curved, Array]]:
    """The same without the rows of many classes."""
    system = problem.system_of(CrossEntropy(), vector, linears)
    inverse = system.inverse(system.least_damping())
    for block, linear in linears:
        curved = curved_samples(block, linear)
        yield curved, linear.class_influences(curved.weights, inverse)


def unrooted(roots: Array, moved: Array) -> Array:
    """A change of z with B change = moved, of which nothing is for the last class, (samples, C).

    B is triangular but for its last column, and soft-max minds no constant.
    """
    change = np.zeros((len(roots), roots.shape[2]))
    for c in range(roots.shape[1] - 1, -1, -1):
        rest = np.einsum("kg,kg->k", roots[:, c, c + 1 : -1], change[:, c + 1 : -1])
        change[:, c] = (moved[:, c, 0] - rest) / roots[:, c, c]
    return change
