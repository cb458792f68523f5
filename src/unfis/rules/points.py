"""What inputs add for classes, in points or in log-odds: numbers, no words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.rules.data import Effect, Rule, Variable
from unfis.rules.plain_rules import PlainRules
from unfis.ties import first_greatest, first_least, is_less

# Of an input that is counted exactly about so many steps are in its span.
STEPS = 5
# A number that is this near to a whole one is whole.
NEARLY_WHOLE = 1e-6


class Steps(NamedTuple):
    """How a number is counted: so many points for each step above an origin."""

    step: float
    origin: float


def base_rates(base: PlainRules) -> Array:
    """The share of each class in all training rows, as every row has a rule that leads on it."""
    empty = (0.0,) * len(base.classes)
    rates = [np.multiply(rule.support, rule.mix or empty) for rule in base]
    return np.asarray(np.sum(rates, axis=0))


def reference_class(base: PlainRules) -> int | None:
    """The class that has 0 points in all rules, None where each class has its own sum of points.

    It is the one that leaves the fewest numbers to print that are not 0, then the one that leaves
    the smallest; of equals a class before None, and the most frequent.
    """
    effects = [one for rule in base for one in sized_effects(rule, base)]
    count = len(base.classes)
    candidates = [*range(count), *([None] if count > 2 else [])]
    numbers = np.array([sum(numbers_left(one, c).sum() for one in effects) for c in candidates])
    if numbers[:count].min() > numbers.min():
        return None
    sizes = [one.sizes for one in effects]
    squares = np.array([sum(np.square(s - s[c]).sum() for s in sizes) for c in range(count)])
    fewest = numbers[:count] == numbers.min()
    least = squares[fewest].min()
    own = sum(np.square(s).sum() for s in sizes)
    if count > 2 and numbers[count] == numbers.min() and is_less(own, least):
        return None
    smallest = fewest & (squares <= least + NEARLY_WHOLE * (1 + least))
    return int(first_greatest(np.where(smallest, base_rates(base), -1.0)))


class SizedEffect(NamedTuple):
    """What an input adds in points, or in log-odds over the span of a number."""

    is_category: bool
    sizes: Array  # (classes, 1 or kinds)


def sized_effects(rule: Rule, base: PlainRules) -> Iterator[SizedEffect]:
    """The effects of a rule."""
    for effect in rule.effects:
        variable = base.by_name[effect.input]
        step = effect.step or (1.0 if variable.categories else variable.span)
        slopes = np.array(effect.slopes).reshape(len(base.classes), -1)
        yield SizedEffect(bool(variable.categories), slopes * step / (rule.unit or 1.0))


def numbers_left(effect: SizedEffect, reference: int | None) -> NDArray[np.intp]:
    """How many numbers that are not 0 an effect has for each class, (classes,).

    Of a category it is how many of its kinds differ, but for one.
    """
    sizes = effect.sizes - (0.0 if reference is None else effect.sizes[reference])
    if not effect.is_category:
        sizes = np.hstack([np.zeros_like(sizes), sizes])
    return np.asarray((np.diff(np.sort(sizes, axis=1)) > NEARLY_WHOLE).sum(axis=1))


def classes_spoken_for(rule: Rule, base: PlainRules, reference: int | None) -> list[int]:
    """The classes for which an input of a rule adds something; of two the one that has points."""
    others = other_classes(base, reference)
    if len(others) == 1:
        return others
    left = [numbers_left(one, reference) for one in sized_effects(rule, base)]
    return [c for c in others if any(numbers[c] for numbers in left)]


def other_classes(base: PlainRules, reference: int | None) -> list[int]:
    """The classes that have points."""
    return [c for c in range(len(base.classes)) if c != reference]


def contrast(effect: Effect, c: int, reference: int | None) -> Any:
    """What an effect adds for a class, against the reference: a number, or one per kind."""
    added = np.asarray(effect.slopes[c], dtype=float)
    return added if reference is None else added - np.asarray(effect.slopes[reference])


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


def starts_of(rule: Rule, base: PlainRules, reference: int | None) -> Array:
    """The log-odds of each class where every number is at its origin, (classes,).

    They are against the reference, and without one against the class that has the lowest.
    """
    starts = np.array([start_of(rule, base, c, reference) for c in range(len(base.classes))])
    return starts if reference is not None else starts - starts.min()


def start_of(rule: Rule, base: PlainRules, c: int, reference: int | None) -> float:
    """What a rule says of a class where every number is at its origin, against the reference."""
    start = rule.biases[c] - (0.0 if reference is None else rule.biases[reference])
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
