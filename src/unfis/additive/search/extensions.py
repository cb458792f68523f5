"""AND: conditions that are added to a rule, in its place or as a rule beside it.

Counted against the start and the rule itself alone, which makes the gain a lower bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from unfis.additive.rules.condition import Condition
from unfis.additive.search.additions import Move, StateSums, first_place
from unfis.additive.search.constraints import common_signs, is_allowed
from unfis.additive.search.gains import rows_of
from unfis.additive.search.kinds import KindSets
from unfis.additive.search.state import Draft, State
from unfis.arrays import Array


class RuleSums(NamedTuple):
    """Sums over the rows of a rule with degrees a and points beta."""

    start: float  # sum h
    degree: float  # sum h a
    square: float  # sum h a^2
    slope: float  # sum g a
    points: float
    ridge: float
    unit: float

    @classmethod
    def of(cls, state: State, walk: int, place: int) -> RuleSums:
        """Those of a rule of a walk."""
        gradient, curvature = rows_of(state, walk, state.drafts[walk][place].output)
        degrees = state.design.degrees[walk, place]
        curved = curvature * degrees
        unit = float(state.dispersion[walk])
        return cls(
            float(curvature.sum()),
            float(curved.sum()),
            float(curved @ degrees),
            float(gradient @ degrees),
            float(state.fit.points[walk, place]),
            state.ridge * unit,
            unit,
        )

    def gains(self, part: Part, signs: Array) -> tuple[Array, Array]:
        """What a part of the rule gains in its place, and as a rule beside it."""
        square = part.squares - part.degree**2 / self.start
        cross = part.square - self.degree * part.degree / self.start
        own = self.square - self.degree**2 / self.start
        known = (square > 1e-3 * part.squares + 1e-12) & (part.degree > 1e-3 * self.degree)
        room = np.where(known, square, 1.0) + self.ridge
        kept = self.points * self.slope + (own - self.ridge) * self.points**2 / 2
        instead = part.slope + self.points * cross
        replaced = instead**2 / (2 * room) - kept
        left = square - cross**2 / (own + self.ridge)
        apart = known & (left > 1e-2 * part.squares)
        slope = part.slope - (self.slope - self.ridge * self.points) * cross / (own + self.ridge)
        beside = slope**2 / (2 * (np.where(apart, left, 1.0) + self.ridge))
        return (
            np.where(known & is_allowed(instead, signs), replaced, -np.inf) / self.unit,
            np.where(apart & is_allowed(slope, signs), beside, -np.inf) / self.unit,
        )


class Part(NamedTuple):
    """Sums of a rule's degrees a times those of a condition s."""

    slope: Array  # sum g a s
    degree: Array  # sum h a s
    square: Array  # sum h a^2 s
    squares: Array  # sum h a^2 s^2

    def complement(self, rule: RuleSums) -> Part:
        """The same of 1 - s."""
        return Part(
            rule.slope - self.slope,
            rule.degree - self.degree,
            rule.square - self.square,
            rule.square - 2 * self.square + self.squares,
        )


def extensions(state: State, sums: StateSums, walk: int, place: int) -> Iterator[Move]:
    """The best conditions to add to a rule of a walk."""
    table, draft = state.table, state.drafts[walk][place]
    rule = RuleSums.of(state, walk, place)
    used = [condition.input for condition in draft.conditions]
    own = np.array([table.constraints.sign(draft.conditions)])

    def moves(
        part: Part, prices: Array, signs: Array, make: Callable[[tuple[int, int]], Condition]
    ) -> Iterator[Move]:
        """The best in place of the rule, and the best beside it."""
        for gains, at, share in zip(
            rule.gains(part, signs), (place, None), (1, len(used) + 1), strict=True
        ):
            scores = gains - prices - table.limits.second_price
            best = first_place(scores)
            if scores[best] > 0:
                longer = Draft(draft.output, (*draft.conditions, make(best)))
                yield Move(float(scores[best]) / share, longer, at)

    def shape(at: tuple[int, int], *, falling: bool = False) -> Condition:
        return table.shapes[at[0]].condition(at[1], falling=falling)

    if table.numbers:
        family = sums.numbers
        rising = Part(
            family.ga[..., walk, place],
            family.ha[..., walk, place],
            family.haa[..., walk, place],
            sums.hhaa[..., walk, place],
        )
        free = table.constraints.partners(used, [one.input for one in table.numbers])[:, None]
        yield from moves(rising, table.prices, common_signs(own, table.signs) + free, shape)
        yield from moves(
            rising.complement(rule),
            np.where(table.shoulder, table.prices, np.inf),
            common_signs(own, -table.signs) + free,
            partial(shape, falling=True),
        )
    if table.kinds:
        kinds = sums.kinds
        slope, degree, square = (one[..., walk, place] for one in (kinds.ga, kinds.ha, kinds.haa))
        sets = KindSets(slope / (square + rule.unit), table.kinds_held[..., walk])
        squares = sets.sums(square)
        chosen = Part(sets.sums(slope), sets.sums(degree), squares, squares)
        signs = own + table.constraints.partners(used, [one.input for one in table.kinds])[:, None]
        yield from moves(chosen, sets.prices, signs, partial(sets.condition, table.kinds))
        rest = chosen.complement(rule)
        others = partial(sets.condition, table.kinds, others=True)
        yield from moves(rest, sets.prices, signs, others)
