"""What can be taken out of a network, and what it costs once all other parameters respond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.learning.leave_one_out import sample_curvature
from unfis.learning.local_problem import flat
from unfis.learning.system import NormalEquations
from unfis.network import Parameters
from unfis.network.layers import log_rests, squared_widths
from unfis.network.trainable import LinearisedNetwork
from unfis.selection.stage import Stage, Task, Trained


class Removal(NamedTuple):
    """One thing that can be taken out of a network."""

    rule: int
    item: int  # the input, -1 for the whole rule
    half: str  # "condition", "consequent" or "rule"
    saved: int  # parts that need not be read then


def removals(task: Task, stage: Stage, keeps_rules: bool) -> list[Removal]:
    """All that can be taken out one at a time: slopes, conditions, whole rules.

    A rule's last condition can go only if no other rule speaks otherwise: it then does.
    """
    found = [
        Removal(i, j, "consequent", int(task.numbers[j])) for i, j in np.argwhere(stage.consequent)
    ]
    lengths = stage.condition.sum(axis=1)
    may_be_otherwise = task.combination.has_otherwise and stage.otherwise is None
    found += [
        Removal(i, j, "condition", 1)
        for i, j in np.argwhere(stage.condition)
        if lengths[i] > 1 or may_be_otherwise
    ]
    if stage.rules == 1 or keeps_rules:
        return found
    for i in range(stage.rules):
        fewer = stage.only_rules(np.arange(stage.rules) != i)
        if stage.rules == 2 or i != stage.otherwise:
            found.append(Removal(i, -1, "rule", task.parts(stage) - task.parts(fewer)))
    return found


def without(task: Task, stage: Stage, gone: Sequence[Removal]) -> Stage:
    """The network after removals, not yet trained.

    Widths follow the root of the number of a rule's columns in its IF, as at the start: a product
    of fewer memberships falls as fast if each of them is narrower.
    """
    condition, consequent = stage.condition.copy(), stage.consequent.copy()
    kept = np.ones(stage.rules, dtype=bool)
    for removal in gone:
        if removal.half == "rule":
            kept[removal.rule] = False
        else:
            half = condition if removal.half == "condition" else consequent
            half[removal.rule, removal.item] = False
    before, after = (task.columns(mask).sum(axis=1) for mask in (stage.condition, condition))
    factor = np.sqrt(np.maximum(after, 1) / np.maximum(before, 1))[:, None]
    parameters, start = stage.parameters, stage.start
    parameters = replace(parameters, widths=parameters.widths * factor)
    start = replace(start, widths=start.widths * factor)
    fewer = Stage(parameters, start, condition, consequent).only_rules(kept)
    return task.stage(*fewer)


def removal_costs(task: Task, trained: Trained, options: Sequence[Removal]) -> Array:
    """Increase of the objective by each removal, (options,).

    The optimal brain surgeon's, for parts of rules instead of weights: a removal changes the
    outputs by d, exactly; to second order the objective then rises by

        d'S d / 2 - r'd - (its share of the prior) - u' H^-1 u / 2,    u = dZ' S d,

    where the last term is the best response of the other parameters: u and H are theirs alone
    (tests/selection/test_removal.py).
    """
    _, network, problem, vector = trained
    block, prepared = problem.prepared
    linearised = network.linearise(vector, prepared)
    curved = sample_curvature(problem.objective, block, linearised)
    rows = flat(linearised.rows(curved.weights))
    system = NormalEquations(np.zeros(len(rows)), problem.prior.precision)
    system.add_rows(rows.T)
    inverse = system.inverse(system.least_damping())
    penalties = 0.5 * problem.prior.precision * np.square(vector - problem.prior.mean)
    held = owned(task, trained, options)
    changes = output_changes(task, trained, linearised, options)
    turned = np.einsum("kqc,akc->aqk", curved.weights, changes, optimize=False)
    residuals = np.sqrt(problem.weights) * curved.whitened.T  # r'd = t'B d, since r = B't
    direct = (turned * (0.5 * turned - residuals)).sum(axis=(1, 2))
    gradients = rows @ turned.reshape(len(options), -1).T
    return np.asarray(direct - penalties @ held - responses_to(gradients, inverse, held))


def output_changes(
    task: Task, trained: Trained, linearised: LinearisedNetwork, options: Sequence[Removal]
) -> Array:
    """How each removal changes the outputs, shape (options, samples, outputs)."""
    stage, parameters, activations = trained.stage, linearised.parameters, linearised.activations
    spans = trained.network.among_used(task.inputs)
    rules = np.array([removal.rule for removal in options])
    log_firing = activations.log_firing.T[rules].copy()
    lost = np.zeros((len(options), *activations.rule_outputs[:, 0].shape))
    rests = log_rests(activations.log_firing)
    for k, (rule, item, half, _) in enumerate(options):
        if half == "rule":
            log_firing[k] = -np.inf
            continue
        columns = spans[item]
        if half == "consequent":
            slopes = parameters.consequents[rule, :, 1:][:, columns]
            lost[k] = activations.inputs[:, columns] @ slopes.T
        elif stage.condition[rule].sum() == 1:  # it then speaks otherwise
            log_firing[k] = rests.sum(axis=1) - rests[:, rule]
        else:
            deviations = activations.deviations[:, rule, columns]
            precision = 0.5 / squared_widths(parameters.widths[rule, columns])
            log_firing[k] += np.square(deviations) @ precision
    changes = activations.combination.changes(activations, rules, log_firing, lost)
    flat_changes = changes.reshape(-1, changes.shape[2])
    found = activations.combination.of_classes(flat_changes, linearised.basis)
    return found.reshape(*changes.shape[:2], -1)


def owned(task: Task, trained: Trained, options: Sequence[Removal]) -> Mask:
    """Which of the free parameters go with each removal, shape (parameters, options)."""
    shape = trained.network.fixed.shape
    owners = Parameters.from_vector(np.zeros(shape.size), shape)
    # Each parameter's rule and half: conditions are even, consequents odd, from 1 on.
    numbers = 2.0 * np.arange(shape.rules)[:, None]
    owners.centres[:] = owners.widths[:] = numbers + 1
    owners.consequents[:] = numbers[:, :, None] + 2
    halves = trained.network.values_of(owners)
    items = np.repeat(
        np.arange(1.0, 1 + len(task.inputs)), [one.stop - one.start for one in task.inputs]
    )
    owners.centres[:] = owners.widths[:] = items
    owners.consequents[:, :, 0] = 0.0
    owners.consequents[:, :, 1:] = items
    owners.thresholds[:] = 0.0
    of_items = trained.network.values_of(owners)
    found = np.empty((len(halves), len(options)), dtype=bool)
    for k, (rule, item, half, _) in enumerate(options):
        if half == "rule":
            found[:, k] = (halves == 2 * rule + 1) | (halves == 2 * rule + 2)
        else:
            own = 2 * rule + (1 if half == "condition" else 2)
            found[:, k] = (halves == own) & (of_items == item + 1)
    return found


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
