"""What a trained model would have said of each sample without having seen it, in closed form."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, softmax
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Problem

# Keeps a sample that alone decides a parameter, with no prior on it, from a division by 0.
LEAST_SLACK = 1e-9


class LeftOut(NamedTuple):
    """Predictions of samples left out, one at a time."""

    losses: Array  # cross-entropy of each sample by a model that has not seen it, (samples,)
    effective_parameters: float  # trace of (curvature of the samples) (curvature)^-1


def leave_one_out(problem: Problem, vector: Array) -> LeftOut:
    """One Newton step from the minimum of all samples to that of all but one, for each of them.

    z_-k = z_k - K (I - w S K)^-1 w (P* - p) with K = dZ_k H^-1 dZ_k', S = diag(p) - p p' and H the
    curvature at the minimum, prior included. Exact for a quadratic objective
    (tests/learning/test_leave_one_out.py).
    """
    objective = CrossEntropy()
    system = problem.system(objective, vector)
    solve = system.solver(system.least_damping())
    classes = problem.targets.shape[1]
    identity = np.eye(classes)
    losses, effective = [], 0.0
    length = problem.model.block_length(classes)
    for start in range(0, len(problem.X), length):
        block = slice(start, start + length)
        targets, weights = problem.targets[block], problem.weights[block, None, None]
        logits, linear = problem.model.linearise(vector, problem.X[block])
        jacobian = linear(np.broadcast_to(identity, (len(logits), classes, classes)))
        response = solve(jacobian.reshape(-1, len(vector)).T).T.reshape(jacobian.shape)
        spread = jacobian @ response.transpose(0, 2, 1)
        p = softmax(logits)[:, :, None]
        influence = weights * (p * identity - p * p.transpose(0, 2, 1)) @ spread
        residuals = weights * objective.residuals(logits, targets)[:, :, None]
        change = spread @ np.linalg.solve((1 + LEAST_SLACK) * identity - influence, residuals)
        losses.append(objective.losses(logits - change[:, :, 0], targets))
        effective += float(np.trace(influence, axis1=1, axis2=2).sum())
    return LeftOut(np.concatenate(losses), effective)
