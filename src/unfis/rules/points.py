"""What inputs add for a class against another, in points or in log-odds: numbers, no words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.rules.data import Effect, Rule, Variable
from unfis.ties import first_greatest, first_least

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# Of an input that is counted exactly about so many steps are in its span.
STEPS = 5
# A number that is this near to a whole one is whole.
NEARLY_WHOLE = 1e-6


class Steps(NamedTuple):
    """How a number is counted: so many points for each step above an origin."""

    step: float
    origin: float


def base_rates(base: RuleBase) -> Array:
    """The share of each class in all training rows, as every row has a rule that leads on it."""
    empty = (0.0,) * len(base.classes)
    rates = [np.multiply(rule.support, rule.mix or empty) for rule in base]
    return np.asarray(np.sum(rates, axis=0))


def reference_class(base: RuleBase) -> int:
    """The class that has 0 points in all rules: the one that leaves the smallest numbers to print.

    Of equals it is the most frequent.
    """
    rates, count = base_rates(base), len(base.classes)
    sizes = np.zeros(count)
    for rule in base:
        for effect in rule.effects:
            variable = base.by_name[effect.input]
            step = effect.step or (1.0 if variable.categories else variable.span)
            slopes = np.array(effect.slopes).reshape(count, -1) * step / (rule.unit or 1.0)
            sizes += [np.square(slopes - slopes[c]).sum() for c in range(count)]
    smallest = sizes <= sizes.min() * (1 + NEARLY_WHOLE)
    return int(first_greatest(np.where(smallest, rates, -1.0)))


def other_classes(base: RuleBase, reference: int) -> list[int]:
    """The classes that have points."""
    return [c for c in range(len(base.classes)) if c != reference]


def contrast(effect: Effect, c: int, reference: int) -> Any:
    """What an effect adds to the log-odds of a class against another: a number, or one per kind."""
    return np.subtract(effect.slopes[c], effect.slopes[reference])


def steps_counted(effect: Effect, variable: Variable) -> Steps:
    """How a number is counted: as it was fitted, or in round steps above a round middle."""
    if effect.step is not None and effect.origin is not None:
        return Steps(effect.step, effect.origin)
    step = max(nearest_round(variable.span / STEPS), float(f"1e-{variable.decimals}"))
    return Steps(step, round(variable.typical / step) * step)


def nearest_round(value: float) -> float:
    """The 1, 2 or 5 with zeros that is nearest in ratio."""
    power = math.floor(math.log10(value))
    ratios = [value / float(f"{n}e{power}") for n in (1, 2, 5, 10)]
    nearest = int(first_least(np.abs(np.log(ratios))))
    return float(f"{(1, 2, 5, 10)[nearest]}e{power}")


def start_of(rule: Rule, base: RuleBase, c: int, reference: int) -> float:
    """The log-odds of a class against another where every number is at its origin."""
    start = rule.biases[c] - rule.biases[reference]
    for effect in rule.effects:
        variable = base.by_name[effect.input]
        if variable.categories:
            start += kind_shift(contrast(effect, c, reference), rule, variable)
        else:
            origin = steps_counted(effect, variable).origin
            start += contrast(effect, c, reference) * (origin - variable.reference)
    return float(start)


def kind_shift(added: Array, rule: Rule, variable: Variable) -> float:
    """What of a category's part is counted in the start: 0, or its most frequent kind's.

    A category of two kinds is one column around its mean: what its kinds add is then not whole,
    but the difference of the two is.
    """
    if rule.unit is None or all(is_whole(value / rule.unit) for value in added):
        return 0.0
    usual = added[variable.categories.index(variable.typical)]
    whole = all(is_whole((value - usual) / rule.unit) for value in added)
    return float(usual) if whole else 0.0


def is_whole(value: float) -> bool:
    """Whether a number is whole, up to rounding."""
    return abs(value - round(value)) <= NEARLY_WHOLE * (1 + abs(value))
