"""What the removal of a condition costs, once all other parameters have responded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.learning import CrossEntropy, Problem, System
from unfis.learning.problem import flat
from unfis.network import Activations, Parameters, Trainable, forward
from unfis.network.layers import squared_widths
from unfis.network.trainable import BLOCK_ELEMENTS


def removal_costs(
    network: Trainable, problem: Problem, selected: Mask, inputs: Sequence[slice]
) -> Array:
    """Increase of the objective by the loss of each condition, in the order of argwhere(selected).

    The optimal brain surgeon's, for a condition instead of a weight: its removal changes the logits
    by d, exactly; to second order the objective then rises by

        d'S d / 2 - r'd - (its share of the prior) - u' H^-1 u / 2,    u = dZ' S d,

    where the last term is the best response of the other parameters: u and H are theirs alone
    (tests/selection/test_removal.py).
    """
    vector, objective = network.start, CrossEntropy()
    parameters = network.parameters(vector)
    activations = forward(parameters, problem.X)
    residuals = problem.weights[:, None] * objective.residuals(activations.logits, problem.targets)
    roots, _ = objective.roots(activations.logits, problem.targets)
    roots *= np.sqrt(problem.weights)[:, None, None]
    rows = flat(network.linearise(vector, problem.X).rows(roots)).T
    inverse = inverse_curvature(rows, problem.prior.precision)
    penalties = 0.5 * problem.prior.precision * np.square(vector - problem.prior.mean)
    owners = owners_of(network, selected, inputs)
    costs = np.empty(int(selected.sum()))
    block = max(1, BLOCK_ELEMENTS // (roots.size + rows.shape[1]))
    pairs = np.argwhere(selected)
    for start in range(0, len(pairs), block):
        numbers = np.arange(start, min(start + block, len(pairs)))
        changes = removal_changes(parameters, activations, pairs[numbers], inputs)
        turned = (roots @ changes[..., None])[..., 0].transpose(0, 2, 1).reshape(len(numbers), -1)
        own = owners[:, None] == numbers
        direct = 0.5 * np.square(turned).sum(axis=1) - np.einsum("kc,akc->a", residuals, changes)
        relief = responses_to(rows.T @ turned.T, inverse, own)
        costs[numbers] = direct - penalties @ own - relief
    return costs


def removal_changes(
    parameters: Parameters,
    activations: Activations,
    pairs: NDArray[np.intp],
    inputs: Sequence[slice],
) -> Array:
    """How the logits change when mu+ = 1 and alpha+ = 0 for one input of one rule.

    Shape (pairs, samples, classes).
    """
    log_firing = np.repeat(activations.log_firing[None], len(pairs), axis=0)
    lost = np.empty((len(pairs), *activations.logits.shape))
    for number, (rule, item) in enumerate(pairs):
        columns = inputs[item]
        lost[number] = (
            activations.inputs[:, columns] @ parameters.consequents[rule, :, 1:][:, columns].T
        )
        deviations = activations.deviations[:, rule, columns]
        squares = 2 * squared_widths(parameters.widths[rule, columns])
        log_firing[number, :, rule] += (deviations**2 / squares).sum(axis=1)
    strengths = softmax(log_firing)
    without = np.einsum("akr,krc->akc", strengths, activations.rule_outputs, optimize=True)
    own = np.take_along_axis(strengths, pairs[:, :1, None], axis=2)
    return np.asarray(without - own * lost - parameters.thresholds - activations.logits)


def inverse_curvature(rows: Array, precision: Array) -> Array:
    """(rows' rows + prior)^-1, shape (parameters, parameters)."""
    system = System(np.zeros_like(precision), precision)
    system.add_rows(rows)
    return system.solver(system.least_damping())(np.eye(len(precision)))


def responses_to(pulls: Array, inverse: Array, held: Mask) -> Array:
    """By how much parameters lower the objective when they answer to pulls, while some are held.

    u' H^-1 u / 2 with u and H without the held ones, from the inverse of the whole curvature. One
    column of `pulls` and of `held`, both (parameters, pulls), for each pull.
    """
    pulls = np.where(held, 0.0, pulls)
    steps = inverse @ pulls
    gains = np.einsum("pa,pa->a", pulls, steps)
    counts = held.sum(axis=0)
    for count in np.unique(counts[counts > 0]):  # as many systems at once as are of one size
        which = np.flatnonzero(counts == count)
        own = np.nonzero(held[:, which].T)[1].reshape(len(which), count)
        back = np.take_along_axis(steps[:, which].T, own, axis=1)[:, :, None]
        blocks = inverse[own[:, :, None], own[:, None, :]]
        gains[which] -= (back * np.linalg.solve(blocks, back)).sum(axis=(1, 2))
    return np.asarray(0.5 * gains)


def owners_of(network: Trainable, selected: Mask, inputs: Sequence[slice]) -> NDArray[np.intp]:
    """The number of the condition that each free parameter belongs to, -1 where to none."""
    shape = network.fixed.shape
    owners = Parameters.from_vector(np.full(shape.size, -1.0), shape)
    for number, (rule, item) in enumerate(np.argwhere(selected)):
        columns = inputs[item]
        owners.centres[rule, columns] = number
        owners.widths[rule, columns] = number
        owners.consequents[rule, :, 1:][:, columns] = number
    return network.values_of(owners).astype(np.intp)
