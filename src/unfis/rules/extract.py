"""From fitted numbers to plain data: the network's parameters as rules in the table's units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input
from unfis.data.costs import Costs
from unfis.data.notation import Notation
from unfis.data.samples import TrainingSample
from unfis.network import Parameters
from unfis.network.layers import (
    EPSILON,
    deviations_from,
    fuzzification_layer,
    memberships_of,
    selection_layer,
    squared_widths,
)
from unfis.rules.data import Condition, Effect, Rule, Scorecard, Variable
from unfis.rules.given import GivenRule, with_words
from unfis.rules.rule_base import RuleBase
from unfis.rules.support import with_support
from unfis.rules.text.numbers import Distribution, resolved_decimals
from unfis.rules.text.terms import CUTS

# A number with at most so many values, each of them seen so often, is described by its values.
MOST_LEVELS = 6
ROWS_PER_LEVEL = 5


def extract_rules(
    parameters: Parameters,
    inputs: Sequence[Input],
    classes: Iterable[Any],
    sample: TrainingSample,
    notation: Notation,
    scorecard: Scorecard | None = None,
    class_weights: Sequence[float] = (),
    costs: Costs = (),
    given: Sequence[GivenRule | None] = (),
) -> RuleBase:
    """The rules of a fitted network, with what the training rows say of them."""
    labels = tuple(plain(label) for label in classes)
    distributions = [Distribution(column, sample.weights) for column in sample.values.T]
    missing = np.minimum(sample.shares @ np.isnan(sample.values), 1.0)
    variables = tuple(
        variable_of(item, values, sample.ends[:, j], float(missing[j]))
        for j, (item, values) in enumerate(zip(inputs, distributions, strict=True))
    )
    described = list(zip(inputs, variables, strict=True))
    numbers = np.arange(parameters.shape.rules)
    rules = tuple(
        replace(
            extract_rule(parameters.only_rules(numbers == i), described),
            otherwise=bool(i == parameters.otherwise),
        )
        for i in numbers
    )
    rules = tuple(
        rule if one is None else with_words(rule, one, variables, labels)
        for rule, one in zip(rules, given or [None] * len(rules), strict=True)
    )
    if scorecard is not None:
        rules = tuple(in_points(rule, i, variables, scorecard) for i, rule in enumerate(rules))
    bare = RuleBase(
        labels,
        variables,
        rules,
        parameters.combination.name,
        sample.total,
        len(sample.rows),
        (),
        (),
        notation,
        class_weights=tuple(class_weights),
        costs=costs,
    )
    return with_support(bare, sample)


def in_points(rule: Rule, i: int, variables: Sequence[Variable], scorecard: Scorecard) -> Rule:
    """Rule i with what its whole points are of."""
    if not rule.effects:
        return rule
    places = {variable.name: j for j, variable in enumerate(variables)}
    effects = list(rule.effects)
    for k, effect in enumerate(effects):
        j = places[effect.input]
        step = None if variables[j].categories else scorecard.steps[j]
        effects[k] = replace(effect, step=step, origin=scorecard.origins[j])
    return replace(rule, effects=tuple(effects), unit=scorecard.units[i])


def plain(value: Any) -> Any:
    """A category or class as plain data: a number, a truth value or text."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, str | bool | int | float) else str(value)


def variable_of(item: Input, values: Distribution, ends: Array, missing: float) -> Variable:
    """What there is to say of an input by its training values."""
    categories = tuple(plain(category) for category in item.categories)
    seen = len(values.values) > 0
    lowest, highest = ends.tolist() if seen else [float(item.offsets[0])] * 2
    *cuts, median = values.quantiles([*CUTS, 0.5]) if seen else [lowest] * 5
    common = int(values.values[values.shares.argmax()]) if seen else 0
    number = not categories
    few = len(values.values) <= MOST_LEVELS and values.repeats >= ROWS_PER_LEVEL
    return Variable(
        name=item.name,
        kind=item.kind,
        categories=categories,
        reference=float(item.offsets[0]) if number else 0.0,
        scale=float(item.scales[0]) if number else 1.0,
        lowest=lowest,
        highest=highest,
        cuts=tuple(cuts),
        levels=tuple(values.values.tolist()) if number and few else (),
        decimals=resolved_decimals(values.values, cuts[-1] - cuts[0] or highest - lowest),
        typical=median if number else categories[common],
        missing=missing,
    )


def extract_rule(single: Parameters, inputs: Sequence[tuple[Input, Variable]]) -> Rule:
    """The rule of a network that has only this one, without support yet."""
    conditions, effects = [], []
    for item, variable in inputs:
        own = np.zeros(single.shape.features, dtype=bool)
        own[item.columns] = True
        part = single.only_features(own)
        if part.selection.in_condition[0, 0]:
            make = category_condition if variable.categories else number_condition
            conditions.append(make(part, item, variable))
        # Constant consequents have slopes, all of them 0: such an input is in no THEN.
        if part.selection.in_consequent.any() and part.consequents[0, :, 1:].any():
            effects.append(effect_of(part, item, variable))
    # Strengths add up to 1: a threshold on the sum is the same threshold in every opinion.
    biases = single.consequents[0, :, 0] - single.thresholds
    return Rule(tuple(conditions), tuple(effects), tuple(biases.tolist()))


def effect_of(part: Parameters, item: Input, variable: Variable) -> Effect:
    """What an input adds for each class: a number per unit, a category by each of its kinds."""
    slopes = part.selection.degrees.consequent[0] * part.consequents[0, :, 1:]
    if not variable.categories:
        per_unit = slopes[:, 0] / item.scales[0]
        return Effect(variable.name, variable.kind, tuple(per_unit.tolist()))
    added = slopes @ item.kind_columns.T
    return Effect(variable.name, variable.kind, tuple(tuple(row) for row in added.tolist()))


def number_condition(part: Parameters, item: Input, variable: Variable) -> Condition:
    """The condition on a number, without words yet."""
    selection = float(part.selection.degrees.condition[0, 0])
    scale = item.scales[0]
    shift = float(part.centres[0, 0] * scale)
    centre = shift + float(item.offsets[0])
    width = float(np.sqrt(squared_widths(part.widths))[0, 0] * scale)
    reach = core_of(part, scale)
    below, above = (np.inf if side is None else side for side in reach or (0.0, 0.0))
    half = half_reach(selection, width)
    low, high = centre - below - half, centre + above + half
    interval = low if low > variable.lowest else None, high if high < variable.highest else None
    found = Condition(variable.name, variable.kind, selection, centre, width, shift, interval)
    return replace(found, reach=reach)


def core_of(part: Parameters, scale: float) -> tuple[float | None, ...]:
    """How far the core of a number's set reaches to both sides, () of a set without."""
    if part.reaches is None or not part.reaches.any():
        return ()
    ends = (part.reaches[:, 0, 0] * scale).tolist()
    return tuple(end if np.isfinite(end) else None for end in ends)


def category_condition(part: Parameters, item: Input, variable: Variable) -> Condition:
    """The condition on a category, without words yet."""
    degrees = degrees_of(part, item.kind_columns).tolist()
    return Condition(
        variable.name,
        variable.kind,
        float(part.selection.degrees.condition[0].mean()),
        degrees=tuple(degrees),
    )


def half_reach(selection: float, width: float) -> float:
    """How far from its centre a condition holds by more than half: mu > (vs - eps) / (1 + vs)."""
    if selection <= EPSILON:
        return float("inf")
    ratio = 2.0 if selection == 1 else (1 + selection) / (selection - EPSILON)
    return float(width * np.sqrt(2 * np.log(ratio)))


def degrees_of(part: Parameters, columns: Array) -> Array:
    """How far one rule's sets on columns hold together on rows of them, mu+, shape (rows,)."""
    deviations = deviations_from(columns, None, part.centres, part.reaches)
    log_memberships = fuzzification_layer(deviations, part.widths)
    selection = part.selection.degrees.condition
    memberships = memberships_of(log_memberships, selection)
    log_selected = selection_layer(log_memberships, memberships, selection)
    degrees = np.exp(log_selected.sum(axis=(1, 2)))
    return np.asarray(np.maximum(degrees, np.finfo(float).tiny))
