"""What the removal of a condition costs, once all other parameters have responded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.learning.leave_one_out import sample_curvature
from unfis.learning.local_problem import LocalProblem, flat
from unfis.learning.system import NormalEquations
from unfis.network import Parameters, Trainable
from unfis.network.forward import BLOCK_ELEMENTS
from unfis.network.removal import removal_changes
from unfis.network.trainable import LinearisedNetwork

Scalar = TypeVar("Scalar", bound=np.generic)


def removal_costs(
    network: Trainable,
    problem: LocalProblem,
    vector: Array,
    selected: Mask,
    inputs: Sequence[slice],
) -> Array:
    """Increase of the objective by the loss of each condition, in the order of argwhere(selected).

    The optimal brain surgeon's, for a condition instead of a weight: its removal changes the
    outputs by d, exactly; to second order the objective then rises by

        d'S d / 2 - r'd - (its share of the prior) - u' H^-1 u / 2,    u = dZ' S d,

    where the last term is the best response of the other parameters: u and H are theirs alone
    (tests/selection/test_removal.py).
    """
    block, prepared = problem.prepared
    linearised = network.linearise(vector, prepared)
    curved = sample_curvature(problem.objective, block, linearised)
    by_contrast = linearised.of_contrasts(curved.weights).transpose(1, 2, 0)
    residuals = np.sqrt(problem.weights) * curved.whitened.T  # r'd = t'B d, since r = B't
    system, gradients_of = curvature_and_gradients(problem, vector, linearised, curved.weights)
    inverse = system.inverse(system.least_damping())
    penalties = 0.5 * problem.prior.precision * np.square(vector - problem.prior.mean)
    owners = owners_of(network, selected, inputs)
    spans = network.among_used(inputs)
    pairs = np.argwhere(selected)
    costs = np.empty(len(pairs))
    length = max(1, BLOCK_ELEMENTS // curved.roots.size)
    for start in range(0, len(pairs), length):
        numbers = np.arange(start, min(start + length, len(pairs)))
        changes = removal_changes(
            linearised.parameters, linearised.activations, pairs[numbers], spans
        )
        turned = np.einsum("qck,akc->aqk", by_contrast, changes)
        own = owners[:, None] == numbers
        direct = (turned * (0.5 * turned - residuals)).sum(axis=(1, 2))
        costs[numbers] = direct - penalties @ own - responses_to(gradients_of(turned), inverse, own)
    return costs


def curvature_and_gradients(
    problem: LocalProblem, vector: Array, linearised: LinearisedNetwork, weights: Array
) -> tuple[NormalEquations, Callable[[Array], Array]]:
    """The curvature, and the map of changes of the outputs to the gradients that they cause.

    Changes are turned by B, of shape (changes, rows, samples), gradients dZ' B' of them, of shape
    (parameters, changes). From the samples' rows, or of many outputs without them.
    """
    if not problem.model.has_many_outputs:
        rows = flat(linearised.rows(weights))
        system = NormalEquations(np.zeros(len(rows)), problem.prior.precision)
        system.add_rows(rows.T)
        return system, lambda turned: rows @ turned.reshape(len(turned), -1).T

    def gradients_of(turned: Array) -> Array:
        back = (np.einsum("kqc,qk->kc", weights, change) for change in turned)
        return np.column_stack([linearised.sums(residuals) for residuals in back])

    return problem.system_of(vector, problem.linearised(vector)), gradients_of


def responses_to(gradients: Array, inverse: Array, held: Mask) -> Array:
    """By how much parameters lower the objective that has a gradient, while some are held.

    u' H^-1 u / 2 with u and H without the held ones, from the inverse of the whole curvature. One
    column of `gradients` and of `held`, both (parameters, gradients), for each gradient.
    """
    gradients = np.where(held, 0.0, gradients)
    steps = inverse @ gradients
    gains = np.einsum("pa,pa->a", gradients, steps)
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
    numbers = np.where(selected, np.cumsum(selected).reshape(selected.shape) - 1.0, -1.0)
    numbers = by_column(numbers, inputs)
    rules, features, classes = network.fixed.shape
    slopes = np.broadcast_to(numbers[:, None, :], (rules, classes, features))
    consequents = np.concatenate([np.full((rules, classes, 1), -1.0), slopes], axis=2)
    nobody = np.full_like(numbers, -1.0)
    owners = Parameters(numbers, numbers, nobody, consequents, np.full(classes, -1.0))
    return network.values_of(owners).astype(np.intp)


def by_column(values: NDArray[Scalar], inputs: Sequence[slice]) -> NDArray[Scalar]:
    """What is known of inputs, shape (rules, inputs), for each of their columns."""
    return np.repeat(values, [columns.stop - columns.start for columns in inputs], axis=1)
