"""The best new rules of one condition, of an output or in place of one of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unfis.additive.search.gains import Present
from unfis.additive.search.kinds import KindSets
from unfis.additive.search.state import Draft, State, enough_rows
from unfis.arrays import Array
from unfis.ties import first_greatest

NOTHING = np.zeros(0)


class Move(NamedTuple):
    """A rule to add, or to put in the place of another."""

    score: float  # nats that it gains beyond its price, for each condition to read
    draft: Draft
    place: int | None = None  # of the rule that it replaces


class Family(NamedTuple):
    """The sums of one family of shapes or of kinds, of all walks.

    Of each walk and output: g, h; of each walk and rule: h a, g a, h a^2.
    """

    g: Array  # (inputs, shapes, walks, outputs)
    h: Array
    ha: Array  # (inputs, shapes, walks, rules)
    ga: Array = NOTHING
    haa: Array = NOTHING


class StateSums:
    """The sums in all bins that gains are made of, of all walks by one product.

    Those that only extensions of rules need, g a and h a^2, are left out unless asked for.
    """

    def __init__(self, state: State, *, of_rules: bool = False) -> None:
        table, at, self.of_rules = state.table, state.fit.at, of_rules
        outputs, degrees = state.design.outputs[:, :, None], state.design.degrees
        curved = np.take_along_axis(at.curvature, outputs, axis=1) * degrees
        parts = [at.gradient, at.curvature, curved]
        if of_rules:
            gradient = np.take_along_axis(at.gradient, outputs, axis=1)
            parts += [gradient * degrees, curved * degrees]
        self._shapes = [part.shape[:2] for part in parts]
        columns = np.concatenate([part.reshape(-1, degrees.shape[2]) for part in parts]).T
        columns = np.ascontiguousarray(columns)
        bins = table.sums.of_numbers(columns)
        self.numbers = self._family(table.degrees @ bins)
        squares = self._family(table.degrees**2 @ bins)
        self.hh, self.hhaa = squares.h, squares.haa
        self.kinds = self._family(table.sums.of_kinds(columns))

    def _family(self, sums: Array) -> Family:
        ends = np.cumsum([walks * own for walks, own in self._shapes])
        parts = np.split(sums, ends[:-1], axis=-1)
        return Family(*(
            part.reshape(*part.shape[:-1], *shape)
            for part, shape in zip(parts, self._shapes, strict=True)
        ))  # fmt: skip


def new_rules(
    state: State, sums: StateSums, walk: int, output: int, place: int | None = None
) -> Iterator[Move]:
    """The best new rules of one condition for an output of a walk: on a number, on a category."""
    table, present = state.table, Present.of(state, walk, output, place)
    taken = 0.0 if place is None else float(state.fit.points[walk, place])

    def slope(family: Family) -> Array:
        """Minus the gradient, as if the rule that is replaced were not there."""
        found = family.g[..., walk, output]
        return found if place is None else found + taken * family.ha[..., walk, place]

    def inner(family: Family) -> Array:
        """Sums of h mu a, a first."""
        of_rules = family.ha[..., walk, present.places]
        return np.concatenate([family.h[..., walk, output][None], np.moveaxis(of_rules, -1, 0)])

    if table.numbers:
        family, held = sums.numbers, table.held[..., walk]
        square = sums.hh[..., walk, output]
        gains = present.gain(slope(family), square, inner(family), table.signs)
        gaining = table.enough[..., walk] & (gains > 0)
        scores = gains - np.where(gaining, table.prices, np.inf)
        best = first_place(scores)
        if np.isfinite(scores[best]):
            number, shape = best
            falling = bool(table.shoulder[best] and held[best] > table.total[walk] / 2)
            condition = table.shapes[number].condition(shape, falling=falling)
            yield Move(float(scores[best]), Draft(output, (condition,)), place)
    if table.kinds:
        family, held = sums.kinds, table.kinds_held[..., walk]
        left, curvature = slope(family), family.h[..., walk, output]
        sets = KindSets(left / (curvature + present.unit), held)
        square = sets.sums(curvature)
        gains = present.gain(sets.sums(left), square, sets.sums(inner(family)))
        held = sets.sums(held)
        enough = enough_rows(held, table.total[walk], table.limits.least_rows)
        scores = gains - np.where(enough, sets.prices, np.inf)
        best = first_place(scores)
        if np.isfinite(scores[best]):
            often = bool(held[best] > table.total[walk] / 2)
            condition = sets.condition(table.kinds, best, others=often)
            yield Move(float(scores[best]), Draft(output, (condition,)), place)


def first_place(scores: Array) -> tuple[int, int]:
    """The input and the shape of the first greatest score."""
    place = np.unravel_index(first_greatest(scores.ravel()), scores.shape)
    return int(place[0]), int(place[1])
