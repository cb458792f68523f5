"""Elimination: which inputs the rules of a network can do without.

As printed, the selection neuron hardly selects: it stays near the 0.5 at which it starts. Here an
input is in a rule or out of it, vs = 1 or 0, and what is out never comes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unfis.arrays import Array, Mask
from unfis.data.drawing import deduplicated, drawn, every_kth
from unfis.data.samples import Samples
from unfis.data.target import check_labels, encode_labels
from unfis.learning.damped import TrustRegion
from unfis.learning.leave_one_out import sample_curvature
from unfis.learning.local_problem import LocalProblem, flat
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy
from unfis.learning.system import NormalEquations
from unfis.network.choice import CHOICE_ROWS, NO_CHANCE
from unfis.network.fitted import FittedNetwork, Memory
from unfis.network.forward import network_logits
from unfis.network.parameters import Parameters
from unfis.network.selection import Selection
from unfis.network.trainable import select_all
from unfis.ties import ranked

# A step takes this share of the pairs that are in, until so few are left; then it takes one. A
# network is then trained for so many iterations.
SHARE_TAKEN, FEW_PAIRS, STEP_ITERATIONS = 0.25, 6, 4
Pair = tuple[int, int]  # a rule and an input


def eliminate(model: FittedNetwork, X: Any, y: Any) -> list[FittedNetwork]:
    """Networks with ever fewer inputs in their rules, from all in every rule to one in one.

    Each is the one before without the pairs of rule and input that cost least, trained on. Which
    one to take is for other rows to say: `[one.probabilities(values) for one in path]`.
    """
    values = model.columns.values(X)
    codes = encode_labels(check_labels(y, len(values)), model.classes)
    targets = CrossEntropy().encode(codes, len(model.classes))
    whole = Samples(model.columns.matrix(values), targets, np.ones(len(values)))
    samples = every_kth(deduplicated(drawn(whole)), CHOICE_ROWS)
    consequents = model.parameters.consequents.copy()
    consequents[:, :, 1:] *= model.parameters.selection.degrees[:, None, :]  # alpha+
    network = select_all(replace(model.parameters, consequents=consequents))
    settings = {**model.settings, "selection": "none"}
    begun = select_all(model.start)
    model = replace(model, settings=settings, parameters=network, start=begun, memory=Memory())
    model, problem, vector = trained_on(model, samples, TrustRegion().max_iter)
    path = [model]
    pairs = [(int(i), int(j)) for i, j in np.argwhere(model.selected)]
    while len(pairs) > 1:
        costs = removal_costs(model, problem, vector, pairs)
        count = max(1, int(SHARE_TAKEN * len(pairs))) if len(pairs) > FEW_PAIRS else 1
        # Of equally cheap ones the last: of two inputs that say the same the earlier stays.
        order = len(pairs) - 1 - ranked(costs[::-1])
        gone = [pairs[k] for k in order[:count]]
        model, problem, vector = trained_on(without(model, gone), samples, STEP_ITERATIONS)
        pairs = [pair for pair in pairs if pair not in gone]
        path.append(model)
    return path


def trained_on(
    model: FittedNetwork, samples: Samples, iterations: int
) -> tuple[FittedNetwork, LocalProblem, Array]:
    """A model that is trained, what it minimises, and the vector that does."""
    network = model.trainable
    problem = LocalProblem(network, CrossEntropy(), *samples, model.prior(network))
    learner = TrustRegion(batch_size=problem.samples, max_iter=iterations)
    vector = train(learner, problem, network.start, NO_CHANCE).vector
    return replace(model, parameters=network.parameters(vector)), problem, vector


def without(model: FittedNetwork, gone: Sequence[Pair]) -> FittedNetwork:
    """A model without some pairs, not yet trained.

    Widths follow the root of the number of a rule's columns, as at the start: a product of fewer
    memberships falls as fast if each of them is narrower.
    """
    outside = taken_out(model, gone)
    before = model.parameters.selection.inside
    counts = [np.maximum(inside.sum(axis=1), 1) for inside in (before & ~outside, before)]
    factor = np.sqrt(counts[0] / counts[1])[:, None]
    narrower = (replace(n, widths=n.widths * factor) for n in (model.start, model.parameters))
    start, network = (deselected(one, outside) for one in narrower)
    return replace(model, start=start, parameters=network)


def deselected(network: Parameters, outside: Mask) -> Parameters:
    """A network without some columns of its rules."""
    return network.with_selection(Selection.decided(network.selection.inside & ~outside))


def taken_out(model: FittedNetwork, gone: Sequence[Pair]) -> Mask:
    """Which columns are out of which rules without some pairs, (rules, columns)."""
    found = np.zeros(model.parameters.logits.shape, dtype=bool)
    for rule, number in gone:
        found[rule, model.columns.inputs[number].columns] = True
    return found


def removal_costs(
    model: FittedNetwork, problem: LocalProblem, vector: Array, pairs: Sequence[Pair]
) -> Array:
    """By how much the objective rises without each pair, once all other parameters respond.

    The optimal brain surgeon's, of a set and slopes at once. Without them the outputs change by d,
    exactly; then the objective rises, to second order, by

        d'S d / 2 - r'd - (their share of the prior) - u' H^-1 u / 2,    u = dZ' S d,

    where the last term is the best response of the parameters that stay: u and H are theirs alone.
    """
    network, (block, prepared) = model.trainable, problem.prepared
    near = network.linearise(vector, prepared)
    curved = sample_curvature(problem.objective, block, near)
    rows, prior = flat(near.rows(curved.weights)), problem.prior
    system = NormalEquations(np.zeros_like(vector), prior.precision)
    system.add_rows(rows.T)
    inverse = system.inverse(system.least_damping())
    residuals = np.sqrt(block.weights)[:, None] * curved.whitened  # r'd = t'B d, since r = B't
    penalties = 0.5 * prior.precision * np.square(vector - prior.mean)
    costs = np.empty(len(pairs))
    for k, pair in enumerate(pairs):
        outside = taken_out(model, [pair])
        change = network_logits(deselected(model.parameters, outside), block.X) - near.outputs
        turned = np.einsum("kqc,kc->kq", curved.weights, change)
        own = network.values_of(marked(model.parameters, outside)) > 0
        gradient = np.where(own, 0.0, rows @ turned.T.ravel())
        step = inverse @ gradient
        held = step[own] @ np.linalg.solve(inverse[np.ix_(own, own)], step[own])
        direct = (turned * (0.5 * turned - residuals)).sum()
        costs[k] = direct - penalties[own].sum() - 0.5 * (gradient @ step - held)
    return costs


def marked(network: Parameters, outside: Mask) -> Parameters:
    """1 for each parameter of some columns of rules, 0 for the others."""
    found = Parameters.from_vector(np.zeros(network.shape.size), network.shape)
    found.centres[:] = found.widths[:] = outside
    found.consequents[:, :, 1:] = outside[:, None, :]
    return found
