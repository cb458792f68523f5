"""AND: conditions that are added to a rule, in its place or as a rule beside it.

Counted against the start and the rule itself alone, which makes the gain a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.rules.condition import Condition
from unfis.search.additions import Move, WalkSums
from unfis.search.bins import Bins
from unfis.search.constraints import common_signs, is_allowed
from unfis.search.kinds import KindSets
from unfis.search.state import Draft, SearchTable, State
from unfis.ties import first_greatest

AT_ONCE = 1 << 16  # gains that are computed at once stay in the processor's cache


class RuleSums(NamedTuple):
    """Sums over the rows of rules with degrees a and points beta, each (rules, 1)."""

    start: Array  # sum h
    degree: Array  # sum h a
    square: Array  # sum h a^2
    slope: Array  # sum g a
    points: Array
    ridge: float
    unit: float

    @classmethod
    def of(cls, state: State, walk: int, places: NDArray[np.intp]) -> RuleSums:
        """Those of rules of a walk."""
        fit, starts = state.fit, state.design.outputs[walk, places]
        own = places + state.table.objective.outputs
        curvature, unit = fit.curvature[walk], float(state.dispersion[walk])
        return cls(
            start=curvature[starts, starts, None],
            degree=curvature[starts, own, None],
            square=curvature[own, own, None],
            slope=fit.slopes[walk, own, None],
            points=fit.points[walk, places, None],
            ridge=state.ridge * unit,
            unit=unit,
        )

    def gains(self, part: PartSums, signs: Array) -> tuple[Array, Array]:
        """What parts of the rules gain in their places, and as rules beside them."""
        square = part.squares - part.degree**2 / self.start
        cross = part.square - self.degree / self.start * part.degree
        own = self.square - self.degree**2 / self.start
        known = (square > 1e-3 * part.squares + 1e-12) & (part.degree > 1e-3 * self.degree)
        room = np.where(known, square, 1.0) + self.ridge
        kept = self.points * self.slope + (own - self.ridge) * self.points**2 / 2
        instead = part.slope + self.points * cross
        replaced = instead**2 / (2 * room) - kept
        left = square - cross**2 / (own + self.ridge)
        apart = known & (left > 1e-2 * part.squares)
        left_over = (self.slope - self.ridge * self.points) / (own + self.ridge)
        slope = part.slope - left_over * cross
        beside = slope**2 / (2 * (np.where(apart, left, 1.0) + self.ridge))
        return (
            np.where(known & is_allowed(instead, signs), replaced, -np.inf) / self.unit,
            np.where(apart & is_allowed(slope, signs), beside, -np.inf) / self.unit,
        )


class PartSums(NamedTuple):
    """Sums of rules' degrees a times those of conditions s, each (inputs, rules, conditions)."""

    slope: Array  # sum g a s
    degree: Array  # sum h a s
    square: Array  # sum h a^2 s
    squares: Array  # sum h a^2 s^2

    def complement(self, rules: RuleSums) -> PartSums:
        """The same of 1 - s."""
        return PartSums(
            rules.slope - self.slope,
            rules.degree - self.degree,
            rules.square - self.square,
            rules.square - 2 * self.square + self.squares,
        )


class Best(NamedTuple):
    """The best condition of one kind for each of several rules."""

    scores: Array  # (rules,)
    places: list[tuple[int, int]]  # input and condition
    make: Callable[[tuple[int, int], int], Condition]  # of a place and a rule
    beside: bool  # as a rule beside the other, not in its place


def extensions(state: State, sums: WalkSums, places: Sequence[int]) -> Iterator[Move]:
    """The best conditions to add to rules of a walk."""
    table = state.table
    size = table.prices.size + sum(2 * (one.count + 1) for one in table.kinds)
    most = max(1, AT_ONCE // size)
    for first in range(0, len(places), most):
        yield from extensions_of(state, sums, np.array(places[first : first + most]))


def extensions_of(state: State, sums: WalkSums, places: NDArray[np.intp]) -> Iterator[Move]:
    """The same of a few rules at once."""
    table, walk = state.table, sums.walk
    drafts = [state.drafts[walk][place] for place in places]
    rules = RuleSums.of(state, walk, places)
    used = [[condition.input for condition in draft.conditions] for draft in drafts]
    own = np.array([table.constraints.sign(draft.conditions) for draft in drafts])[:, None]

    def free(bins: Sequence[Bins]) -> Array:
        """0 where an input may be added to a rule, else NaN, (inputs, rules, 1)."""
        inputs = [one.input for one in bins]
        found = [table.constraints.partners(one, inputs) for one in used]
        return np.array(found).T[:, :, None]

    found: list[Best] = []
    if table.numbers:
        family, degrees = sums.numbers, table.degrees.swapaxes(1, 2)
        haa = family.haa[:, places]
        part = PartSums(
            family.ga[:, places] @ degrees,
            family.ha[:, places] @ degrees,
            haa @ degrees,
            haa @ table.squares.swapaxes(1, 2),
        )
        signs, prices, partners = table.signs[:, None], table.prices, free(table.numbers)
        rising = common_signs(own, signs) + partners
        found += best_of(rules, part, prices, rising, lambda at, _: shape(table, at))
        prices = np.where(table.shoulder, prices, np.inf)
        falling = common_signs(own, -signs) + partners
        part = part.complement(rules)
        found += best_of(rules, part, prices, falling, lambda at, _: shape(table, at, falling=True))
    if table.kinds:
        slope, degree, square = (
            one[:, places] for one in (sums.kinds.ga, sums.kinds.ha, sums.kinds.haa)
        )
        sets = KindSets(slope / (square + rules.unit), table.kinds_held[..., walk])
        squares = sets.sums(square)
        part = PartSums(sets.sums(slope), sets.sums(degree), squares, squares)
        signs, chosen = own + free(table.kinds), partial(sets.condition, table.kinds)
        found += best_of(rules, part, sets.prices, signs, lambda at, n: chosen(at, of=n))
        part = part.complement(rules)
        found += best_of(
            rules, part, sets.prices, signs, lambda at, n: chosen(at, of=n, others=True)
        )
    for n, (draft, place) in enumerate(zip(drafts, places.tolist(), strict=True)):
        for best in found:
            score = float(best.scores[n]) - table.limits.second_price
            if score > 0:
                condition = best.make(best.places[n], n)
                share = len(used[n]) + 1 if best.beside else 1
                longer = Draft(draft.output, (*draft.conditions, condition))
                yield Move(score / share, longer, None if best.beside else place)


def best_of(
    rules: RuleSums, part: PartSums, prices: Array, signs: Array,
    make: Callable[[tuple[int, int], int], Condition],
) -> Iterator[Best]:  # fmt: skip
    """The best conditions in place of the rules, and the best beside them."""
    for gains, beside in zip(rules.gains(part, signs), (False, True), strict=True):
        scores = np.moveaxis(gains - prices[:, None], 1, 0).reshape(len(rules.points), -1)
        best = first_greatest(scores)
        places = [divmod(place, gains.shape[2]) for place in best.tolist()]
        yield Best(scores[np.arange(len(best)), best], places, make, beside)


def shape(table: SearchTable, place: tuple[int, int], *, falling: bool = False) -> Condition:
    """A shape of a number as a condition."""
    return table.shapes[place[0]].condition(place[1], falling=falling)
