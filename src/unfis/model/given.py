"""Rules given by hand: sets that stay as an expert gave them, and the rest learned around them.

A range is a set that holds wholly within it and by half at its ends (gauss2mf of others), so a
rule leads just where it reads so. What the data leave open is learned: what each rule says, unless
its probability is given too, and a scorecard for the rows that no rule is about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input, TableColumns
from unfis.data.samples import Samples, TrainingSample, weighted_deviation
from unfis.model.settings import Settings, is_auto
from unfis.network import Parameters, Selection, Shape, forward
from unfis.network.combination import AVERAGED
from unfis.network.constraints import Constraints
from unfis.network.forward import length_of_blocks
from unfis.network.layers import WIDTH_FLOOR, otherwise_layer
from unfis.rules.given import GivenCondition, GivenRule
from unfis.rules.given_reader import GivenReader, GivenRulesError
from unfis.rules.text.numbers import Distribution
from unfis.rules.text.terms import CUTS
from unfis.selection import Decision

# A set holds by half so many widths from its core.
HALF_WIDTHS = np.sqrt(2 * np.log(2))
# From the end of a range to where its set holds wholly, in deviations of the number.
SOFTNESS = 0.05
# A softer range would have no core; this share of its half is left for it.
LEAST_CORE = 0.1
LEAST_REACH = 1e-12
# Kinds that are not named are so many widths away.
OUT_OF_KINDS = 6.0
# So much rows of given rules count where the others' scorecard is chosen: it knows all classes.
LEAST_REST_WEIGHT = 0.01
# Fewer rows than this that no given rule is about get one answer, and no scorecard.
FEWEST_LEFT = 10
RAREST = 1e-6
# Weight of a row by which a rule of few rows says what is frequent in all.
ONE_ROW = 1.0

Decide = Callable[[Samples], Decision]


def read_given(
    settings: Settings, columns: TableColumns, sample: TrainingSample
) -> list[GivenRule]:
    """The rules that settings give; ValueError where they cannot be."""

    def cuts(position: int) -> list[float]:
        return Distribution(sample.values[:, position], sample.weights).quantiles(CUTS)

    reader = GivenReader(columns.inputs, columns.classes.tolist(), columns.notation, cuts)
    return reader.rules(settings.given_rules)


def check_given(
    settings: Settings, rules: Sequence[GivenRule], columns: TableColumns, constraints: Constraints
) -> None:
    """Raise ValueError where other settings contradict given rules."""
    if not is_auto(settings.n_rules):
        raise ValueError(
            f"n_rules={settings.n_rules} cannot be with given_rules, which are as many as they "
            "are, and one for all other rows. Set n_rules='auto'."
        )
    reasons = dict.fromkeys(constraints.forbidden, "is forbidden")
    reasons |= dict.fromkeys(constraints.signs, "has a direction to keep to")
    wrong = [
        f"rule {number}: {columns.inputs[one.input].name} {reasons[one.input]}, and so is in no "
        "IF. Take the condition out, or leave the input free."
        for number, rule in enumerate(rules, 1)
        for one in rule.conditions
        if one.input in reasons
    ]
    first: dict[frozenset[GivenCondition], int] = {}
    for number, rule in enumerate(rules, 1):
        before = first.setdefault(frozenset(rule.conditions), number)
        if before != number:
            wrong.append(
                f"rule {number}: it has the same conditions as rule {before}. Leave one of them."
            )
    if wrong:
        raise GivenRulesError(wrong)


def decide_around(
    rules: Sequence[GivenRule],
    columns: TableColumns,
    samples: Samples,
    sample: TrainingSample,
    decide: Decide,
) -> Decision:
    """The network of given rules, and of a scorecard chosen for the rows that none is about."""
    sets = given_sets(rules, columns, sample, samples.targets.shape[1])
    length = length_of_blocks(sets.logits.size)
    starts = range(0, len(samples.X), length)
    firing = np.concatenate([forward(sets, samples.X[s : s + length]).log_firing for s in starts])
    check_learnable(rules, firing)
    left = np.exp(otherwise_layer(np.column_stack([firing, firing[:, 0]]), len(rules))[:, -1])
    weights = samples.weights * np.maximum(left, LEAST_REST_WEIGHT)
    rest = decide(samples._replace(weights=weights))
    other = rest.network
    if samples.weights @ left < FEWEST_LEFT * samples.weights.mean():
        nowhere = np.zeros_like(other.logits, dtype=bool)
        other = other.with_selection(Selection.decided(nowhere, nowhere[:, None, :]))
    network = joined(sets, other, rules, np.exp(firing), samples)
    choices = {**rest.choices, "n_rules": len(rules) + 1}
    return Decision(network, network, choices, {}, ())


def check_learnable(rules: Sequence[GivenRule], log_firing: Array) -> None:
    """Raise GivenRulesError for rules that say what is to be learned, and that no row fulfils."""
    holds = (log_firing >= np.log(0.5)).any(axis=0)
    wrong = [
        f"rule {number}: no row fulfils it, so that what it says cannot be learned. Say how sure "
        "it is, such as: THEN yes with 90 %."
        for number, (rule, some) in enumerate(zip(rules, holds, strict=True), 1)
        if rule.probability is None and not some
    ]
    if wrong:
        raise GivenRulesError(wrong)


def given_sets(
    rules: Sequence[GivenRule], columns: TableColumns, sample: TrainingSample, classes: int
) -> Parameters:
    """A network of the sets of given rules, which say nothing yet."""
    shape = Shape(len(rules), columns.width, classes)
    found = Parameters.from_vector(np.zeros(shape.size), shape)
    found.widths[:] = 1.0
    reaches = np.zeros((2, *found.centres.shape))
    inside = np.zeros(found.centres.shape, dtype=bool)
    for i, rule in enumerate(rules):
        for condition in rule.conditions:
            item = columns.inputs[condition.input]
            inside[i, item.columns] = True
            values = sample.values[:, condition.input]
            make = kinds_set if item.categories else range_set
            made = make(condition, item, values, sample.weights)
            found.centres[i, item.columns], found.widths[i, item.columns] = made[:2]
            reaches[:, i, item.columns] = made[2]
    selection = Selection.decided(inside, np.zeros((len(rules), 1, columns.width), dtype=bool))
    return replace(found, reaches=reaches, combination=AVERAGED).with_selection(selection)


def range_set(
    given: GivenCondition, item: Input, values: Array, weights: Array
) -> tuple[Array, Array, Array]:
    """Centre, width and reaches of the set of a range, in the network's units."""
    known = values[~np.isnan(values)]
    deviation = weighted_deviation(values[:, None], weights)[0] if len(known) else 0.0
    soft = SOFTNESS * float(deviation or item.scales[0])
    low, high = (
        None if end is None else half_point(end, closed, side, known, soft)
        for end, closed, side in zip(given.ends, given.closed, (1, -1), strict=True)
    )
    if low is not None and high is not None:
        soft = min(soft, (1 - LEAST_CORE) * (high - low) / 2)
    core = [-np.inf if low is None else low + soft, np.inf if high is None else high - soft]
    finite = [end for end in core if np.isfinite(end)]
    centre = sum(finite) / len(finite)
    scale = item.scales[0]
    narrowest = 0.1 * WIDTH_FLOOR  # what the floor makes of it is not 0 either
    width = np.sqrt(max((soft / HALF_WIDTHS / scale) ** 2 - WIDTH_FLOOR**2, narrowest**2))
    # A core that is a point is one all the same.
    reaches = np.maximum(np.array([[centre - core[0]], [core[1] - centre]]) / scale, LEAST_REACH)
    return np.array([(centre - item.offsets[0]) / scale]), np.array([width]), reaches


def half_point(end: float, closed: bool, side: int, known: Array, soft: float) -> float:
    """Where a set holds by half: at the end of its range, or just beside where rows lie on it.

    Inside is above the end for side 1, below for -1. A closed end has its rows inside.
    """
    if not (known == end).any():
        return end
    outward = -side if closed else side
    beyond = known[(known - end) * outward > 0]
    gap = float(np.abs(beyond - end).min()) / 2 if len(beyond) else soft
    return end + outward * min(gap, soft)


def kinds_set(
    given: GivenCondition, item: Input, values: Array, weights: Array
) -> tuple[Array, Array, Array]:
    """The sets of the columns of a category, which together hold wholly for the kinds named."""
    off, on = -item.offsets / item.scales, (1 - item.offsets) / item.scales
    widths = (on - off) / OUT_OF_KINDS
    open_end, closed_end = np.full(len(off), np.inf), np.zeros(len(off))
    if len(off) == 1:  # of two kinds, which are 0 and 1
        second = given.accepted == (1,)
        centres = on if second else off
        sides = (closed_end, open_end) if second else (open_end, closed_end)
        return centres, widths, np.array(sides)
    named = np.isin(np.arange(len(off)), given.accepted)
    return off, widths, np.array([open_end, np.where(named, np.inf, 0.0)])


def joined(
    sets: Parameters, rest: Parameters, rules: Sequence[GivenRule], firing: Array, samples: Samples
) -> Parameters:
    """Given rules that say what is frequent in their rows, or was given, and the one otherwise."""
    # The first batch of a stream may lack a class.
    frequencies = samples.weights @ samples.targets / samples.weights.sum()
    frequencies = np.maximum(frequencies, RAREST)
    said = []
    for i, rule in enumerate(rules):
        counts = (samples.weights * firing[:, i]) @ samples.targets + ONE_ROW * frequencies
        if rule.probability is not None:
            counts = frequencies * (1 - rule.probability) / (1 - frequencies[rule.label])
            counts[rule.label] = rule.probability
        said.append(np.log(counts / counts.sum()))
    # What all rules have in common is in the thresholds, towards which a prior holds them.
    thresholds = -np.log(frequencies)
    slopes = np.zeros((*sets.consequents.shape[:2], sets.shape.features))
    biases = np.array(said) + thresholds
    consequents = np.concatenate([biases[:, :, None], slopes], axis=2)
    last = rest.consequents.copy()
    last[:, :, 0] += thresholds - rest.thresholds
    in_classes = rest.selection.in_classes
    without = np.zeros((len(rules), *in_classes.shape[1:]), dtype=bool)
    selection = Selection.decided(
        np.concatenate([sets.selection.in_condition, np.zeros_like(rest.logits, dtype=bool)]),
        np.concatenate([without, in_classes]),
    )
    assert sets.reaches is not None
    return Parameters(
        np.concatenate([sets.centres, rest.centres]),
        np.concatenate([sets.widths, rest.widths]),
        selection.logits,
        np.concatenate([consequents, last]),
        thresholds,
        selection.slopes,
        AVERAGED,
        np.concatenate([sets.reaches, np.zeros((2, *rest.centres.shape))], axis=1),
    )
