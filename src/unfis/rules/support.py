"""What stands behind rules: the training rows they lead on, their overlap, the inputs' worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask, softmax
from unfis.learning import CrossEntropy
from unfis.rules.data import Rule
from unfis.rules.distribution import Distribution
from unfis.rules.evaluation import Evaluation, RuleArrays, weighed
from unfis.rules.evidence import Evidence
from unfis.rules.rule_base import RuleBase

# So many points of the distribution of firing strengths are kept, to tell rows that are unlike any.
COVERAGE_POINTS = 400


def with_support(base: RuleBase, evidence: Evidence) -> RuleBase:
    """The same rules, with what the training rows say of them."""
    found = base.arrays.evaluate(evidence.values)
    leaders = found.strengths.argmax(axis=1)
    rules = tuple(
        supported(rule, i, leaders == i, found, evidence, base) for i, rule in enumerate(base.rules)
    )
    worth = importances(base.arrays, found, evidence.codes, evidence.weights)
    variables = tuple(
        replace(variable, importance=worth.get(j, 0.0)) for j, variable in enumerate(base.variables)
    )
    return replace(
        base,
        variables=variables,
        rules=rules,
        firing=firing_points(found, evidence),
        overlap=overlaps(found.strengths, evidence.weights),
    )


def supported(
    rule: Rule, i: int, leads: Mask, found: Evaluation, evidence: Evidence, base: RuleBase
) -> Rule:
    """A rule with its support."""
    classes = len(base.classes)
    shares = evidence.shares
    led = np.bincount(evidence.codes[leads], weights=shares[leads], minlength=classes)
    strength = shares * found.strengths[:, i]
    says = softmax(found.opinions[:, i])
    total = strength.sum()
    means = strength @ says / total if total > 0 else says.mean(axis=0)
    return replace(
        rule,
        support=float(led.sum()),
        rows=round(int(leads.sum()) * evidence.total / len(evidence.rows)),
        strength=float(total),
        mix=tuple((led / led.sum()).tolist()) if led.sum() > 0 else (),
        probabilities=tuple(means.tolist()),
        label=base.classes[int(means.argmax())],
    )


def importances(
    arrays: RuleArrays, found: Evaluation, codes: NDArray[np.intp], weights: Array
) -> dict[int, float]:
    """What it costs to know a used input in no row, in nats per row, by its place.

    Exact for this model: an unknown input is out of all rules, conditions and opinions.
    """
    before = mean_loss(found.logits, codes, weights)
    costs = {}
    for place, j in enumerate(arrays.used):
        strengths = softmax(found.log_firing - found.log_degrees[:, :, place])
        added = arrays.added_at(place, found.columns[:, arrays.spans[place]])
        logits = weighed(strengths, found.opinions - added)
        costs[j] = mean_loss(logits, codes, weights) - before
    return costs


def mean_loss(logits: Array, codes: NDArray[np.intp], weights: Array) -> float:
    """Cross-entropy of logits per unit of weight."""
    losses = CrossEntropy().losses(logits, np.eye(logits.shape[1])[codes])
    return float(np.average(losses, weights=weights))


def overlaps(strengths: Array, weights: Array) -> tuple[tuple[float, ...], ...]:
    """How far rules speak on the same rows: sum of the smaller strength over that of the larger."""
    pairs = strengths[:, :, None], strengths[:, None, :]
    smaller = np.einsum("n,nij->ij", weights, np.minimum(*pairs))
    larger = np.einsum("n,nij->ij", weights, np.maximum(*pairs))
    return tuple(tuple(row) for row in (smaller / np.maximum(larger, 1e-300)).tolist())


def firing_points(found: Evaluation, evidence: Evidence) -> tuple[tuple[float, float], ...]:
    """The best rule's log f on the training rows, with the share of rows that have no more."""
    best = Distribution(found.log_firing.max(axis=1), evidence.weights)
    values = best.values
    if len(values) > COVERAGE_POINTS:
        values = values[np.linspace(0, len(values) - 1, COVERAGE_POINTS).round().astype(int)]
    return tuple((float(value), best.up_to(value)) for value in values)
