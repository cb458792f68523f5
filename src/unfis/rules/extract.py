"""From fitted numbers to plain data: the network's parameters as rules in the table's units."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input
from unfis.data.notation import Notation
from unfis.data.samples import TrainingSample
from unfis.network import Parameters
from unfis.network.layers import (
    EPSILON,
    fuzzification_layer,
    memberships_of,
    selection_layer,
    squared_widths,
)
from unfis.rules.data import Condition, Consequent, Rule, Variable
from unfis.rules.rule_base import RuleBase
from unfis.rules.support import with_support
from unfis.rules.text.numbers import Distribution, resolved_decimals
from unfis.rules.text.terms import ANYTHING, CUTS, accepted, choice_term, number_term
from unfis.rules.text.words import category_name, levels_of

# A number with at most so many values, each of them seen so often, is described by its values.
MOST_LEVELS = 6
ROWS_PER_LEVEL = 5


def extract_rules(
    parameters: Parameters,
    inputs: Sequence[Input],
    classes: Iterable[Any],
    sample: TrainingSample,
    notation: Notation,
) -> RuleBase:
    """The rules of a fitted network, with what the training rows say of them."""
    labels = tuple(plain(label) for label in classes)
    distributions = [Distribution(column, sample.weights) for column in sample.values.T]
    missing = np.minimum(sample.shares @ np.isnan(sample.values), 1.0)
    variables = tuple(
        variable_of(item, values, sample.ends[:, j], float(missing[j]))
        for j, (item, values) in enumerate(zip(inputs, distributions, strict=True))
    )
    described = list(zip(inputs, variables, distributions, strict=True))
    numbers = np.arange(parameters.shape.rules)
    rules = tuple(
        extract_rule(parameters.only_rules(numbers == i), labels, described) for i in numbers
    )
    bare = RuleBase(labels, variables, rules, sample.total, len(sample.rows), (), (), notation)
    return with_support(bare, sample)


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


Described = Sequence[tuple[Input, Variable, Distribution]]


def extract_rule(single: Parameters, labels: Sequence[Any], inputs: Described) -> Rule:
    """The rule of a network that has only this one, without support yet."""
    parts = []
    for item, variable, values in inputs:
        if single.selection.in_condition[0, item.columns.start]:
            own = np.zeros(single.shape.features, dtype=bool)
            own[item.columns] = True
            make = category_condition if variable.categories else number_condition
            parts.append(make(single.only_features(own), item, variable, values))
    # Strengths add up to 1: a threshold on the sum is the same threshold in every opinion.
    biases = single.consequents[0, :, 0] - single.thresholds
    consequents = tuple(
        Consequent(label, float(bias), tuple(slopes[c] for _, slopes in parts))
        for c, (label, bias) in enumerate(zip(labels, biases, strict=True))
    )
    return Rule(tuple(condition for condition, _ in parts), consequents)


def number_condition(
    part: Parameters, item: Input, variable: Variable, values: Distribution
) -> tuple[Condition, list[Any]]:
    """The condition on a number, and its slope for each class."""
    selection = float(part.selection.degrees[0, 0])
    scale = item.scales[0]
    shift = float(part.centres[0, 0] * scale)
    centre = shift + float(item.offsets[0])
    width = float(np.sqrt(squared_widths(part.widths))[0, 0] * scale)
    reach = half_reach(selection, width)
    low, high = centre - reach, centre + reach
    interval = low if low > variable.lowest else None, high if high < variable.highest else None
    degrees = degrees_of(part, (values.values[:, None] - item.offsets) / scale)
    if not len(degrees):
        term = ANYTHING
    elif variable.levels:
        term = choice_term(levels_of(variable), degrees.tolist())
    else:
        term = number_term(values, degrees, centre, (low, high), variable.decimals)
    name, kind = variable.name, variable.kind
    condition = Condition(name, kind, selection, centre, width, shift, interval, term=term)
    return condition, (selection * part.consequents[0, :, 1] / scale).tolist()


def category_condition(
    part: Parameters, item: Input, variable: Variable, values: Distribution
) -> tuple[Condition, list[Any]]:
    """The condition on a category, and what each of its kinds adds for each class."""
    count = len(variable.categories)
    kinds = np.eye(count) if part.shape.features > 1 else np.arange(float(count))[:, None]
    columns = (kinds - item.offsets) / item.scales
    degrees = degrees_of(part, columns).tolist()
    selection = part.selection.degrees[0]
    condition = Condition(
        variable.name,
        variable.kind,
        float(selection.mean()),
        degrees=tuple(degrees),
        accepted=accepted(variable.categories, degrees),
        term=choice_term([category_name(c) for c in variable.categories], degrees),
    )
    slopes = (selection * part.consequents[0, :, 1:]) @ columns.T
    return condition, [tuple(added) for added in slopes.tolist()]


def half_reach(selection: float, width: float) -> float:
    """How far from its centre a condition holds by more than half: mu > (vs - eps) / (1 + vs)."""
    if selection <= EPSILON:
        return float("inf")
    ratio = 2.0 if selection == 1 else (1 + selection) / (selection - EPSILON)
    return float(width * np.sqrt(2 * np.log(ratio)))


def degrees_of(part: Parameters, columns: Array) -> Array:
    """How far one rule's sets on columns hold together on rows of them, mu+, shape (rows,)."""
    deviations = columns[:, None, :] - part.centres
    log_memberships = fuzzification_layer(deviations, part.widths)
    selection = part.selection.degrees
    memberships = memberships_of(log_memberships, selection)
    log_selected = selection_layer(log_memberships, memberships, selection)
    degrees = np.exp(log_selected.sum(axis=(1, 2)))
    return np.asarray(np.maximum(degrees, np.finfo(float).tiny))
