"""What stands behind rules: the training rows they lead on, their overlap, the inputs' worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.samples import TrainingSample, evenly_spaced
from unfis.learning.objective import CrossEntropy
from unfis.rules.alone import alone_answers, sure_answers
from unfis.rules.borders import with_borders
from unfis.rules.data import Rule
from unfis.rules.directions import directions_of
from unfis.rules.evaluation import Evaluation, RuleArrays, times_slopes
from unfis.rules.rule_base import RuleBase
from unfis.rules.text.numbers import Distribution
from unfis.ties import first_greatest

# So many points of the distribution of firing strengths are kept, to tell rows that are unlike any.
COVERAGE_POINTS = 400
NEVER_LESS = -1e300


def with_support(base: RuleBase, sample: TrainingSample) -> RuleBase:
    """The same rules, with what the training rows say of them."""
    found = base.arrays.evaluate(sample.values)
    leads = leading(found.log_strengths)
    worth = importances(base.arrays, found, sample.codes, sample.weights)
    inputs = enumerate(base.variables)
    rules = [supported(base, i, leads[:, i], found, sample) for i in range(len(base))]
    told = replace(base, rules=tuple(rules))
    if len(base) > 1:
        weights = leads * sample.weights[:, None]
        rules = [with_directions(told, i, weights[:, i], found, sample) for i in range(len(base))]
    alone = alone_answers(base.classes, rules, found, base.costs)
    same = alone == sure_answers(softmax(found.logits), base.costs)
    return replace(
        base,
        variables=tuple(replace(one, importance=worth.get(j, 0.0)) for j, one in inputs),
        rules=tuple(rules),
        firing=firing_points(found, sample, any(rule.given is not None for rule in rules)),
        overlap=overlaps(found.strengths, sample.weights),
        alone=min(float(sample.shares @ same), 1.0),
    )


def with_directions(
    base: RuleBase, i: int, led: Array, found: Evaluation, sample: TrainingSample
) -> Rule:
    """Rule i with how far its directions are the model's; `led` is the weight led on, (rows,)."""
    shares = directions_of(base, i, led, found, sample.values)
    parts = zip(base[i].effects, shares, strict=True)
    return replace(base[i], effects=tuple(replace(one, directed=each) for one, each in parts))


def leading(log_strengths: Array) -> Array:
    """1 for the strongest rule of each row, the same part of it for equally strong ones."""
    leads = log_strengths >= log_strengths.max(axis=1, keepdims=True) - 1e-12
    return np.asarray(leads / leads.sum(axis=1, keepdims=True))


def supported(
    base: RuleBase, i: int, leads: Array, found: Evaluation, sample: TrainingSample
) -> Rule:
    """Rule i with its support; `leads` is how far it leads on each row, (rows,)."""
    rule, led, strengths = base[i], leads * sample.shares, found.strengths[:, i] * sample.shares
    mix = np.bincount(sample.codes, weights=led, minlength=len(base.classes))
    says = found.said[:, i]
    means = strengths @ says / strengths.sum() if strengths.any() else says.mean(axis=0)
    means = np.minimum(means, 1.0)
    # Where classes are weighted, what is most frequent is told of the weighted rows. A class rule
    # that answers by itself names its answer; one of mixed outputs has none of its own.
    counted = mix * (base.class_weights or 1.0)
    by_itself = base.arrays.averages and not rule.effects
    names = [variable.name for variable in base.variables]
    places = [names.index(condition.input) for condition in rule.conditions]
    conditions, agreement = with_borders(
        rule.conditions,
        [base.variables[j] for j in places],
        [sample.values[:, j] for j in places],
        led,
        sample.shares - led,
    )
    return replace(
        rule,
        conditions=conditions,
        support=min(float(led.sum()), 1.0),
        rows=round(float(leads.sum()) * sample.total / len(sample.rows)),
        strength=min(float(strengths.sum()), 1.0),
        mix=tuple((mix / mix.sum()).tolist()) if mix.any() else (),
        probabilities=tuple(means.tolist()),
        label=base.classes[first_greatest(means if by_itself or not mix.any() else counted)],
        agreement=agreement,
        totals=totals_of(rule, found.opinions[:, i], led),
    )


def totals_of(rule: Rule, opinions: Array, led: Array) -> tuple[float, ...]:
    """Between which log-odds of two classes the opinions of a rule lie on its rows."""
    if opinions.shape[1] != 2 or not rule.effects or not led.any():
        return ()
    odds = opinions[led > 0, 1] - opinions[led > 0, 0]
    return float(odds.min()), float(odds.max())


def importances(
    arrays: RuleArrays, found: Evaluation, codes: NDArray[np.intp], weights: Array
) -> dict[int, float]:
    """What it costs to know a used input in no row, in nats per row, by its index.

    Exact for this model: an unknown input is out of all rules, of their IF and of their THEN.
    """
    before = mean_loss(found.logits, codes, weights)
    costs = {}
    for index, j in enumerate(arrays.used):
        strengths = softmax(found.log_firing_without(index))
        span = arrays.spans[index]
        added = times_slopes(found.columns[:, span], arrays.slopes[:, :, span])
        logits = arrays.logits_of(strengths, found.opinions - added)
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


def firing_points(
    found: Evaluation, sample: TrainingSample, given: bool
) -> tuple[tuple[float, float], ...]:
    """The best rule's log f on the training rows, with the share of rows that have no more.

    Of one that an expert gave it does not tell what is unlike the rows: it holds wholly, or others.
    """
    if given:
        return ((NEVER_LESS, 1.0),)
    best = Distribution(found.log_firing.max(axis=1), sample.weights)
    values = best.values[evenly_spaced(len(best.values), COVERAGE_POINTS)]
    return tuple((float(value), best.up_to(value)) for value in values)
