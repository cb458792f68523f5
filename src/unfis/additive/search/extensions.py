"""AND: conditions that are added to a rule, in its place or as a rule beside it.

Counted against the start and the rule itself alone, which makes the gain a lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unfis.additive.rules import Condition
from unfis.additive.search.additions import Move, StateSums, kind_sets, kinds_condition
from unfis.additive.search.gains import rows_of
from unfis.additive.search.state import Draft, State
from unfis.arrays import Array
from unfis.ties import first_greatest


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
        unit = float(state.dispersion[walk])
        return cls(
            float(curvature.sum()),
            float(curvature @ degrees),
            float(curvature @ degrees**2),
            float(gradient @ degrees),
            float(state.fit.points[walk, place]),
            state.ridge * unit,
            unit,
        )

    def gains(self, part: Part) -> tuple[Array, Array]:
        """What a part of the rule gains in its place, and as a rule beside it."""
        square = part.squares - part.degree**2 / self.start
        cross = part.square - self.degree * part.degree / self.start
        own = self.square - self.degree**2 / self.start
        known = (square > 1e-3 * part.squares + 1e-12) & (part.degree > 1e-3 * self.degree)
        room = np.where(known, square, 1.0) + self.ridge
        kept = self.points * self.slope + (own - self.ridge) * self.points**2 / 2
        replaced = (part.slope + self.points * cross) ** 2 / (2 * room) - kept
        left = square - cross**2 / (own + self.ridge)
        apart = known & (left > 1e-2 * part.squares)
        slope = part.slope - self.slope * cross / (own + self.ridge)
        beside = slope**2 / (2 * (np.where(apart, left, 1.0) + self.ridge))
        return (
            np.where(known, replaced, -np.inf) / self.unit,
            np.where(apart, beside, -np.inf) / self.unit,
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
    used = {condition.input for condition in draft.conditions}
    second = table.limits.second_price

    def moves(score: tuple[float, float], condition: Condition) -> Iterator[Move]:
        longer = Draft(draft.output, (*draft.conditions, condition))
        if score[0] > 0:
            yield Move(score[0], longer, place)
        if score[1] > 0:
            yield Move(score[1] / len(longer.conditions), longer)

    if table.numbers:
        rising = Part(
            sums.ga[..., walk, place],
            sums.ha[..., walk, place],
            sums.haa[..., walk, place],
            sums.hhaa[..., walk, place],
        )
        free = np.array([one.input not in used for one in table.numbers])[:, None]
        for falling in (False, True):
            part = rising.complement(rule) if falling else rising
            allowed = free & (table.shoulder if falling else np.ones_like(table.shoulder))
            prices = np.where(allowed, table.prices + second, np.inf)
            for which, gains in enumerate(rule.gains(part)):
                scores = gains - prices
                best = np.unravel_index(first_greatest(scores.ravel()), scores.shape)
                score = float(scores[best])
                if score > 0:
                    condition = table.shapes[int(best[0])].condition(int(best[1]), falling=falling)
                    pair = (score, 0.0) if which == 0 else (0.0, score)
                    yield from moves(pair, condition)
    for bins, kinds, weights in zip(table.kinds, sums.kinds, sums.kind_weights, strict=True):
        if bins.input in used:
            continue
        slope, degree, square = (kinds[n][:, walk, place] for n in (3, 2, 4))
        sets = list(kind_sets(slope / (square + rule.unit), weights[:, walk]))
        if not sets:
            continue
        both = [(one, price) for one, price in sets]
        known = np.flatnonzero(weights[:, walk] > 0)
        both += [(np.setdiff1d(known, one), price) for one, price in sets]
        members = np.zeros((len(both), len(slope)))
        for row, (chosen, _) in zip(members, both, strict=True):
            row[chosen] = 1.0
        prices = np.array([price for _, price in both]) + second
        part = Part(members @ slope, members @ degree, members @ square, members @ square)
        scores = np.array(rule.gains(part)) - prices
        for which, place_of_best in enumerate(first_greatest(scores).tolist()):
            score = float(scores[which, place_of_best])
            condition = kinds_condition(bins.input, both[place_of_best][0], bins.count)
            if score > 0 and condition.kinds:
                yield from moves((score, 0.0) if which == 0 else (0.0, score), condition)
