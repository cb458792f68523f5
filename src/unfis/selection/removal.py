"""What the removal of a condition costs, once all other parameters have responded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, log_softmax
from unfis.learning import CrossEntropy, Problem, System
from unfis.learning.leave_one_out import curved_samples
from unfis.learning.problem import Block, flat
from unfis.network import Activations, Parameters, Trainable
from unfis.network.layers import squared_widths
from unfis.network.trainable import BLOCK_ELEMENTS, LinearNetwork

# Beyond it an exponential is infinite.
LARGEST_EXPONENT = 700.0

Kind = TypeVar("Kind", bound=np.generic)


def removal_costs(
    network: Trainable,
    problem: Problem,
    vector: Array,
    selected: Mask,
    inputs: Sequence[slice],
) -> Array:
    """Increase of the objective by the loss of each condition, in the order of argwhere(selected).

    The optimal brain surgeon's, for a condition instead of a weight: its removal changes the logits
    by d, exactly; to second order the objective then rises by

        d'S d / 2 - r'd - (its share of the prior) - u' H^-1 u / 2,    u = dZ' S d,

    where the last term is the best response of the other parameters: u and H are theirs alone
    (tests/selection/test_removal.py).
    """
    linear = network.linearise(vector, problem.prepared)
    curved = curved_samples(Block(problem.X, problem.targets, problem.weights), linear)
    by_contrast = linear.of_contrasts(curved.weights).transpose(1, 2, 0)
    residuals = np.sqrt(problem.weights) * curved.pulls.T  # r'd = t'B d, since r = B't
    system, pulls_of = curvature_and_pulls(problem, vector, linear, curved.weights)
    inverse = system.inverse(system.least_damping())
    penalties = 0.5 * problem.prior.precision * np.square(vector - problem.prior.mean)
    owners = owners_of(network, selected, inputs)
    places = network.among_used(inputs)
    pairs = np.argwhere(selected)
    costs = np.empty(len(pairs))
    length = max(1, BLOCK_ELEMENTS // curved.roots.size)
    for start in range(0, len(pairs), length):
        numbers = np.arange(start, min(start + length, len(pairs)))
        changes = removal_changes(linear.parameters, linear.activations, pairs[numbers], places)
        turned = np.einsum("qck,akc->aqk", by_contrast, changes)
        own = owners[:, None] == numbers
        direct = (turned * (0.5 * turned - residuals)).sum(axis=(1, 2))
        costs[numbers] = direct - penalties @ own - responses_to(pulls_of(turned), inverse, own)
    return costs


def curvature_and_pulls(
    problem: Problem, vector: Array, linear: LinearNetwork, weights: Array
) -> tuple[System, Callable[[Array], Array]]:
    """The curvature, and the map of changes to how they pull at the parameters.

    Changes are turned by B, of shape (changes, rows, samples), their pulls dZ' B' of them, of shape
    (parameters, changes). From the samples' rows, or of many classes without them.
    """
    if not problem.model.has_many_classes:
        rows = flat(linear.rows(weights))
        system = System(np.zeros(len(rows)), problem.prior.precision)
        system.add_rows(rows.T)
        return system, lambda turned: rows @ turned.reshape(len(turned), -1).T

    def pulls_of(turned: Array) -> Array:
        back = (np.einsum("kqc,qk->kc", weights, change) for change in turned)
        return np.column_stack([linear.sums(residuals) for residuals in back])

    linears = problem.linearised(vector)
    return problem.system_of(CrossEntropy(), vector, linears), pulls_of


def removal_changes(
    parameters: Parameters,
    activations: Activations,
    pairs: NDArray[np.intp],
    inputs: Sequence[slice],
) -> Array:
    """How the logits change when mu+ = 1 and alpha+ = 0 for one input of one rule.

    Its log f then rises by e, so that it fires with phi' = phi e^e / t of all, and the others with
    1 / t of what they did, t = 1 - phi + phi e^e; it no longer says what the input's slopes said:

        d = (1 - 1 / t) (y - sum_r phi_r y^r) - phi' (what they said).

    Shape (pairs, samples, classes), samples side by side in memory.
    """
    chosen = [inputs[item] for item in pairs[:, 1]]
    lengths = [columns.stop - columns.start for columns in chosen]
    columns = np.concatenate([np.arange(own.start, own.stop) for own in chosen])
    rules = np.repeat(pairs[:, 0], lengths)
    firsts = np.cumsum([0, *lengths[:-1]])
    eases = np.square(activations.deviations.transpose(1, 2, 0)[rules, columns])
    eases *= (0.5 / squared_widths(parameters.widths[rules, columns]))[:, None]
    slopes = parameters.consequents[rules, :, 1 + columns][:, :, None]
    said = slopes * activations.inputs.T[columns, None, :]
    rules = pairs[:, 0]
    if len(columns) > len(pairs):  # some inputs have several columns
        eases, said = np.add.reduceat(eases, firsts), np.add.reduceat(said, firsts)
    raised = log_softmax(activations.log_firing).T[rules] + eases
    raised = np.exp(np.minimum(raised, LARGEST_EXPONENT))
    total = 1 - activations.strengths.T[rules] + raised
    outputs = activations.rule_outputs.transpose(1, 2, 0)[rules]
    outputs -= (activations.logits + parameters.thresholds).T
    outputs *= (1 - 1 / total)[:, None, :]
    outputs -= (raised / total)[:, None, :] * said
    return outputs.transpose(0, 2, 1)


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
    numbers = np.where(selected, np.cumsum(selected).reshape(selected.shape) - 1.0, -1.0)
    numbers = by_column(numbers, inputs)
    rules, features, classes = network.fixed.shape
    said = np.broadcast_to(numbers[:, None, :], (rules, classes, features))
    consequents = np.concatenate([np.full((rules, classes, 1), -1.0), said], axis=2)
    nobody = np.full_like(numbers, -1.0)
    owners = Parameters(numbers, numbers, nobody, consequents, np.full(classes, -1.0))
    return network.values_of(owners).astype(np.intp)


def by_column(values: NDArray[Kind], inputs: Sequence[slice]) -> NDArray[Kind]:
    """What is known of inputs, shape (rules, inputs), for each of their columns."""
    return np.repeat(values, [columns.stop - columns.start for columns in inputs], axis=1)
