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
    output: int = 0  # for which it is in a consequent


def removals(task: Task, stage: Stage, keeps_rules: bool) -> list[Removal]:
    """All that can be taken out one at a time: slopes, conditions, whole rules.

    A rule's last condition can go only if no other rule speaks otherwise: it then does.
    """
    # The first of an input that is in a THEN for all classes saves nothing by itself, but it has to
    # go for others to do so.
    # Of a category some kinds may be in, and not the first.
    kinds = np.add.reduceat(stage.consequent, task.starts, axis=2, dtype=np.intp)
    found = [
        Removal(i, j, "consequent", int(min(kinds[i, output, j], task.numbers[j])), output)
        for i, output, j in np.argwhere(kinds)
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
        rest = stage.only_rules(np.arange(stage.rules) != i)
        if stage.rules == 2 or i != stage.otherwise:
            found.append(Removal(i, -1, "rule", task.parts(stage) - task.parts(rest)))
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
        elif removal.half == "condition":
            condition[removal.rule, removal.item] = False
        else:
            consequent[removal.rule, removal.output, task.inputs[removal.item]] = False
    before, after = (task.columns(mask).sum(axis=1) for mask in (stage.condition, condition))
    factor = np.sqrt(np.maximum(after, 1) / np.maximum(before, 1))[:, None]
    parameters, start = stage.parameters, stage.start
    parameters = replace(parameters, widths=parameters.widths * factor)
    start = replace(start, widths=start.widths * factor)
    fewer = Stage(parameters, start, condition, consequent, task.inputs).only_rules(kept)
    return task.stage(*fewer[:4])


def removal_costs(task: Task, trained: Trained, options: Sequence[Removal]) -> Array:
    """Increase of the objective by each removal, (options,).

    The optimal brain surgeon's, for parts of rules instead of weights. Slopes a are parameters:
    to second order the objective rises by a' ((H^-1) of theirs)^-1 a / 2 without them.
    Conditions and rules change the outputs by d, exactly; then it rises by

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
    held = owned(task, trained, options)
    costs = np.empty(len(options))
    slopes = np.array([one.half == "consequent" for one in options])
    values = np.broadcast_to(vector[:, None], held.shape)[:, slopes]
    costs[slopes] = 0.5 * forms_of_held(values, inverse, held[:, slopes])
    others = [one for one in options if one.half != "consequent"]
    if not others:
        return costs
    own = held[:, ~slopes]
    penalties = 0.5 * problem.prior.precision * np.square(vector - problem.prior.mean)
    changes = output_changes(task, trained, linearised, others)
    turned = np.einsum("kqc,akc->aqk", curved.weights, changes, optimize=False)
    residuals = np.sqrt(problem.weights) * curved.whitened.T  # r'd = t'B d, since r = B't
    direct = (turned * (0.5 * turned - residuals)).sum(axis=(1, 2))
    gradients = rows @ turned.reshape(len(others), -1).T
    costs[~slopes] = direct - penalties @ own - responses_to(gradients, inverse, own)
    return costs


def output_changes(
    task: Task, trained: Trained, linearised: LinearisedNetwork, options: Sequence[Removal]
) -> Array:
    """How removals of conditions and rules change the outputs, (options, samples, outputs)."""
    stage, parameters, activations = trained.stage, linearised.parameters, linearised.activations
    spans = trained.network.among_used(task.inputs)
    rules = np.array([removal.rule for removal in options])
    log_firing = activations.log_firing.T[rules].copy()
    rests = log_rests(activations.log_firing)
    for k, (rule, item, half, *_) in enumerate(options):
        if half == "rule":
            log_firing[k] = -np.inf
        elif stage.condition[rule].sum() == 1:  # it then speaks otherwise
            log_firing[k] = rests.sum(axis=1) - rests[:, rule]
        else:
            deviations = activations.deviations[:, rule, spans[item]]
            precision = 0.5 / squared_widths(parameters.widths[rule, spans[item]])
            log_firing[k] += np.square(deviations) @ precision
    changes = activations.combination.changes(activations, rules, log_firing)
    flat_changes = changes.reshape(-1, changes.shape[2])
    found = activations.combination.of_classes(flat_changes, linearised.basis)
    return found.reshape(*changes.shape[:2], -1)


def owned(task: Task, trained: Trained, options: Sequence[Removal]) -> Mask:
    """Which of the free parameters go with each removal, shape (parameters, options)."""
    shape = trained.network.fixed.shape
    numbers = Parameters.from_vector(np.arange(1.0, 1 + shape.size), shape)
    places = np.full(1 + shape.size, -1, dtype=np.intp)
    places[trained.network.values_of(numbers).astype(np.intp)] = np.arange(len(trained.vector))
    found = np.zeros((1 + len(trained.vector), len(options)), dtype=bool)  # the last for none
    for k, (rule, item, half, _, output) in enumerate(options):
        columns = slice(None) if half == "rule" else task.inputs[item]
        own = [numbers.consequents[rule].ravel()]
        if half == "consequent":
            own = [numbers.consequents[rule, output, 1:][columns]]
        elif half == "condition":
            own = []
        if half != "consequent":
            own += [numbers.centres[rule, columns], numbers.widths[rule, columns]]
        found[places[np.concatenate(own).astype(np.intp)], k] = True
    return found[:-1]


def responses_to(gradients: Array, inverse: Array, held: Mask) -> Array:
    """By how much parameters lower the objective that has a gradient, while some are held.

    u' H^-1 u / 2 with u and H without the held ones, from the inverse of the whole curvature. One
    column of `gradients` and of `held`, both (parameters, gradients), for each gradient.
    """
    gradients = np.where(held, 0.0, gradients)
    steps = inverse @ gradients
    gains = np.einsum("pa,pa->a", gradients, steps)
    return np.asarray(0.5 * (gains - forms_of_held(steps, inverse, held)))


def forms_of_held(values: Array, inverse: Array, held: Mask) -> Array:
    """v' (H^-1)^-1 v of the held values and their part of the inverse, for each column."""
    found, counts = np.zeros(held.shape[1]), held.sum(axis=0)
    for count in np.unique(counts[counts > 0]):  # as many systems at once as are of one size
        which = np.flatnonzero(counts == count)
        own = np.nonzero(held[:, which].T)[1].reshape(len(which), count)
        back = np.take_along_axis(values[:, which].T, own, axis=1)[:, :, None]
        blocks = inverse[own[:, :, None], own[:, None, :]]
        found[which] = (back * np.linalg.solve(blocks, back)).sum(axis=(1, 2))
    return found
