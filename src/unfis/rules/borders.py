"""Where the conditions of a rule decide: the ranges and kinds that are printed of them.

Of all ranges those are taken that hold together as nearly as possible on the training rows that
the rule leads on, and on no others. A range is one or two limits, each on a key that rises away
from the middle of the set: a row is inside if no key of it is above its limit. An unknown value is
inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.layers import within_core
from unfis.rules.data import Condition, Variable
from unfis.rules.text.numbers import Distribution
from unfis.rules.text.terms import range_term, these_or_not_those
from unfis.rules.text.words import category_name, levels_of
from unfis.ties import first_greatest, is_less

# At least so much of the rows that a rule leads on fulfil what is printed of its conditions.
FULFILLED = 0.9
# A limit that tells apart no more than this share of the rows led is not worth a word.
WORTHLESS = 0.02
MOST_SWEEPS = 6
# A border has no more decimals than these beyond those of its input.
MORE_DECIMALS = 2


class Limit:
    """One side of a condition: keys that must not be above a limit, infinite where it is open."""

    def __init__(self, keys: Array, start: float) -> None:
        self.keys = keys  # (rows,), least where a row is inside in any case
        self.order = np.argsort(keys, kind="stable")
        rising = keys[self.order]
        # The last row of each key, from the greatest to the least: the open limit comes first.
        last = np.flatnonzero(np.append(rising[1:] > rising[:-1], len(rising) > 0))[::-1]
        self.last = last[np.isfinite(rising[last])]
        self.candidates = rising[self.last]
        self.candidates[:1] = np.inf
        fits = self.candidates[self.candidates <= start]
        self.start = float(fits[0]) if len(fits) else np.inf

    def best(self, gains: Array) -> float:
        """The limit inside which the gains of rows add up to most; of equals the widest."""
        if not len(self.last):
            return np.inf
        inside = np.cumsum(gains[self.order])[self.last]
        return float(self.candidates[first_greatest(inside)])

    def fails(self, limit: float) -> Mask:
        """Which rows are outside."""
        return np.asarray(self.keys > limit)


@dataclass(frozen=True)
class Limits:
    """The limits of all conditions of a rule, and what they must tell apart."""

    limits: Sequence[Limit]
    led: Array  # the weight of each row as far as the rule leads on it
    rest: Array  # the weight of each row as far as others do

    def chosen(self) -> list[float]:
        """The limits with the best agreement that leave enough of the rows led inside."""
        weight = 1.0
        while True:
            gains = weight * self.led - self.rest
            starts = [one.start for one in self.limits], [np.inf] * len(self.limits)
            found = [self.ascended(list(start), gains) for start in starts]
            sums = [gains[self.inside(one)].sum() for one in found]
            best = found[int(is_less(sums[0], sums[1]))]
            if self.led[self.inside(best)].sum() >= FULFILLED * self.led.sum():
                return best
            weight *= 2

    def ascended(self, current: list[float], gains: Array) -> list[float]:
        """Each limit in turn at its best, until none moves; then without those worth nothing."""
        for _ in range(MOST_SWEEPS):
            before = list(current)
            for k, limit in enumerate(self.limits):
                alive = self.inside([*current[:k], np.inf, *current[k + 1 :]])
                current[k] = limit.best(np.where(alive, gains, 0.0))
            if current == before:
                break
        for k in range(len(current)):
            opened = [*current[:k], np.inf, *current[k + 1 :]]
            lost = gains[self.inside(current)].sum() - gains[self.inside(opened)].sum()
            if lost <= WORTHLESS * self.led.sum():
                current = opened
        return current

    def inside(self, limits: Sequence[float]) -> Mask:
        """Which rows no limit fails."""
        inside = np.ones(len(self.led), dtype=bool)
        for one, limit in zip(self.limits, limits, strict=True):
            if limit < np.inf:
                inside &= ~one.fails(limit)
        return inside


def with_borders(
    conditions: Sequence[Condition],
    variables: Sequence[Variable],
    columns: Sequence[Array],
    led: Array,
    rest: Array,
) -> tuple[tuple[Condition, ...], float]:
    """Conditions with what is printed of them, and the share of weight on which that is right.

    `columns` are the values of the conditions' inputs, one array each; `led` and `rest` part the
    weights of rows into what the rule leads on and what others do.
    """
    sides = [
        sides_of(condition, variable, column, len(conditions))
        for condition, variable, column in zip(conditions, variables, columns, strict=True)
    ]
    problem = Limits([limit for pair in sides for limit in pair], led, rest)
    found = iter(problem.chosen() if led.any() else [one.start for one in problem.limits])
    parts = zip(conditions, variables, columns, sides, strict=True)
    told = [
        condition
        if condition.term
        else in_words(
            condition, variable, Distribution(column, led + rest), [next(found) for _ in pair]
        )
        for condition, variable, column, pair in parts
    ]
    holds = np.ones(len(led), dtype=bool)
    for condition, variable, column in zip(told, variables, columns, strict=True):
        holds &= fulfils(condition, variable, column)
    right = np.where(holds, led, rest).sum() / max((led + rest).sum(), np.finfo(float).tiny)
    return tuple(told), min(float(right), 1.0)


def sides_of(
    condition: Condition, variable: Variable, column: Array, count: int
) -> tuple[Limit, ...]:
    """The limits of a condition, at the start where the product of so many alike is a half.

    None are to be found of one that an expert gave, which is in words already.
    """
    if condition.term:
        return ()
    part, unknown = 0.5 ** (1 / count), np.isnan(column)
    if is_discrete(variable):
        degrees = degrees_of_kinds(condition, variable)
        places = np.where(unknown, 0, place_of(column, variable)).astype(int)
        keys = np.where(unknown, -np.inf, -degrees[places])
        return (Limit(keys, -part * degrees.max()),)
    assert condition.centre is not None
    assert condition.width is not None
    centre, reach = condition.centre, condition.width * np.sqrt(-2 * np.log(part))
    below = np.where(unknown | (column > centre), -np.inf, -column)
    above = np.where(unknown | (column < centre), -np.inf, column)
    return Limit(below, reach - centre), Limit(above, reach + centre)


def is_discrete(variable: Variable) -> bool:
    """Whether an input's values are named one by one."""
    return bool(variable.categories or variable.levels)


def degrees_of_kinds(condition: Condition, variable: Variable) -> Array:
    """How far each category, or each of few values, fulfils a condition."""
    if variable.categories:
        return np.array(condition.degrees)
    assert condition.centre is not None
    assert condition.width is not None
    distances = (np.array(variable.levels) - condition.centre) / condition.width
    return np.exp(-0.5 * distances**2)


def place_of(column: Array, variable: Variable) -> Array:
    """The place of each known value among the kinds or levels of its input."""
    return np.searchsorted(variable.levels, column).astype(float) if variable.levels else column


def in_words(
    condition: Condition, variable: Variable, values: Distribution, limits: Sequence[float]
) -> Condition:
    """A condition with its printed range or kinds, and the word for it; "" if it says nothing."""
    if is_discrete(variable):
        inside = (-degrees_of_kinds(condition, variable) <= limits[0]).tolist()
        names = [category_name(c) for c in variable.categories] or levels_of(variable)
        these = [name for name, holds in zip(names, inside, strict=True) if holds]
        kinds = zip(variable.categories or variable.levels, inside, strict=True)
        accepted = tuple(kind for kind, holds in kinds if holds)
        # Levels stay in their order, kinds have none.
        codes = values.values.astype(int) if variable.categories else ()
        shares = {names[code]: share for code, share in zip(codes, values.shares, strict=False)}
        term = these_or_not_those(names, these, shares) if len(these) < len(names) else ""
        return replace(condition, accepted=accepted, term=term)
    known, both = values.values, max(limits) < np.inf
    low = high = None
    if limits[0] < np.inf:
        inner = int(np.searchsorted(known, -limits[0]))
        low = border_between(known[inner], known[inner - 1], both, variable.decimals)
    if limits[1] < np.inf:
        outer = int(np.searchsorted(known, limits[1], side="right"))
        high = border_between(known[outer - 1], known[outer], both, variable.decimals)
    term = range_term(values, (low, high), variable.decimals, variable.unit)
    return replace(condition, borders=(low, high), term=term)


def border_between(inner: float, outer: float, both: bool, decimals: int) -> float:
    """A number that parts the last value inside from the first outside, in as few digits as do it.

    "above 3" and "below 3" leave 3 itself out, "3 to 5" does not.
    """
    middle = float(inner / 2 + outer / 2)
    for digits in range(decimals, decimals + MORE_DECIMALS + 1):
        nearest, step = round(middle, digits), 10.0**-digits
        for border in (nearest, round(nearest - step, digits), round(nearest + step, digits)):
            between = min(inner, outer) < border < max(inner, outer)
            if between or border == (inner if both else outer):
                return border
    # Values that no such number parts: what is inside stays inside.
    away = step if outer > inner else -step
    beyond = (nearest - inner) * away > 0
    return nearest if beyond else round(nearest + away, digits)


def fulfils(condition: Condition, variable: Variable, column: Array) -> Mask:
    """Which rows fulfil what is printed of a condition; an unknown value does."""
    if not condition.term:
        return np.ones(len(column), dtype=bool)
    if condition.reach:
        return holds_by_half(condition, column)
    if is_discrete(variable):
        kinds = variable.categories or variable.levels
        holds = np.array([kind in condition.accepted for kind in kinds])
        places = np.where(np.isnan(column), 0, place_of(column, variable)).astype(int)
        return np.asarray(holds[places] | np.isnan(column))
    low, high = condition.borders
    if low is not None and high is not None:
        return np.asarray(((column >= low) & (column <= high)) | np.isnan(column))
    inside = column > low if low is not None else column < high  # type: ignore[operator]
    return np.asarray(inside | np.isnan(column))


def holds_by_half(condition: Condition, column: Array) -> Mask:
    """Which rows fulfil a range that an expert gave: its set holds by half at the ends."""
    assert condition.centre is not None
    assert condition.width is not None
    ends = [np.inf if side is None else side for side in condition.reach]
    deviations = column - condition.centre
    beyond = np.abs(deviations - within_core(deviations, *map(np.asarray, ends)))
    return np.asarray((beyond <= condition.width * np.sqrt(2 * np.log(2))) | np.isnan(column))
