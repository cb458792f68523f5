"""The best new rules of one condition, and the best conditions to add to a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from unfis.additive.rules import Kinds
from unfis.additive.search.gains import Present, enough_rows
from unfis.additive.search.state import Draft, State
from unfis.arrays import Array
from unfis.ties import first_greatest


class Move(NamedTuple):
    """A rule to add, or to put in the place of another."""

    score: float  # nats that it gains beyond its price, for each condition to read
    draft: Draft
    place: int | None = None  # of the rule that it replaces


class StateSums:
    """The sums in all bins that gains are made of, of all walks by one product.

    Of each walk and output: g, h; of each walk and rule: h a, g a, h a^2.
    """

    def __init__(self, state: State) -> None:
        table, at = state.table, state.fit.at
        outputs, degrees = state.design.outputs[:, :, None], state.design.degrees
        gradient = np.take_along_axis(at.gradient, outputs, axis=1)
        curved = np.take_along_axis(at.curvature, outputs, axis=1) * degrees
        parts = [at.gradient, at.curvature, curved, gradient * degrees, curved * degrees]
        self._shapes = [part.shape[:2] for part in parts]
        rows = degrees.shape[2]
        columns = np.concatenate([part.reshape(-1, rows) for part in parts]).T
        columns = np.ascontiguousarray(columns)
        bins = table.sums.of_numbers(columns)
        self.g, self.h, self.ha, self.ga, self.haa = self._split(table.degrees @ bins)
        squares = self._split(table.degrees**2 @ bins)
        self.hh, self.hhaa = squares[1], squares[4]
        self.kinds = [self._split(one) for one in table.sums.of_kinds(columns)]
        self.kind_weights = table.sums.of_kinds(table.weights.T)

    def _split(self, sums: Array) -> list[Array]:
        ends = np.cumsum([walks * own for walks, own in self._shapes])
        parts = np.split(sums, ends[:-1], axis=-1)
        return [
            part.reshape(*part.shape[:-1], *shape)
            for part, shape in zip(parts, self._shapes, strict=True)
        ]


def new_rules(state: State, sums: StateSums, walk: int, output: int) -> Iterator[Move]:
    """The best new rules of one condition for an output of a walk."""
    table, present = state.table, Present.of(state, walk, output)
    total, least = float(table.weights[walk].sum()), table.limits.least_rows
    if table.numbers:
        inner = [sums.h[..., walk, output], *(sums.ha[..., walk, p] for p in present.places)]
        gains = present.gain(sums.g[..., walk, output], sums.hh[..., walk, output], np.array(inner))
        held = table.held[..., walk]
        scores = np.where(enough_rows(held, total, least), gains - table.prices, -np.inf)
        place = np.unravel_index(first_greatest(scores.ravel()), scores.shape)
        if scores[place] > 0:
            number, shape = map(int, place)
            falling = bool(table.shoulder[place] and held[place] > total / 2)
            condition = table.shapes[number].condition(shape, falling=falling)
            yield Move(float(scores[place]), Draft(output, (condition,)))
    for bins, kinds, weights in zip(table.kinds, sums.kinds, sums.kind_weights, strict=True):
        slope, curvature = kinds[0][:, walk, output], kinds[1][:, walk, output]
        inner_kinds = np.array([curvature, *(kinds[2][:, walk, p] for p in present.places)])
        held = weights[:, walk]
        best = best_kinds(slope, curvature, inner_kinds, held, present, least)
        if best is not None:
            score, chosen = best
            if held[chosen].sum() > total / 2:
                chosen = np.setdiff1d(np.flatnonzero(held > 0), chosen)
            yield Move(score, Draft(output, (kinds_condition(bins.input, chosen, bins.count),)))


def kinds_condition(input: int, chosen: NDArray[np.intp], count: int) -> Kinds:
    """A set of kinds as a condition; the number after the last kind is that of missing values."""
    codes = sorted(int(code) for code in chosen)
    return Kinds(input, tuple(c for c in codes if c < count), float(count in codes))


def kind_sets(ratio: Array, held: Array) -> Iterator[tuple[NDArray[np.intp], float]]:
    """Sets of kinds that may act alike, and their prices: kinds in the order of a ratio; each kind.

    A set of s of k kinds costs log C(k, s), whichever of it and its complement is smaller.
    """
    order = np.argsort(-ratio, kind="stable")
    order = order[held[order] > 0]
    count = len(order)
    if count < 2:
        return
    sizes = np.arange(1, count)
    ways = gammaln(count + 1) - gammaln(sizes + 1) - gammaln(count - sizes + 1)
    for size, price in zip(sizes, ways if count > 2 else [0.0], strict=True):
        yield order[:size], float(price)
    for kind in order[1:-1]:
        yield np.array([kind]), float(np.log(count))


def best_kinds(
    slope: Array, curvature: Array, inner: Array, held: Array, present: Present, least: float
) -> tuple[float, NDArray[np.intp]] | None:
    """The set of kinds that gains most beyond its price, None if none does."""
    sets = list(kind_sets(slope / (curvature + present.unit), held))
    if not sets:
        return None
    members = np.zeros((len(sets), len(slope)))
    for row, (chosen, _) in zip(members, sets, strict=True):
        row[chosen] = 1.0
    gains = present.gain(members @ slope, members @ curvature, inner @ members.T)
    prices = np.array([price for _, price in sets])
    known = enough_rows(members @ held, float(held.sum()), least)
    scores = np.where(known, gains - prices, -np.inf)
    best = int(first_greatest(scores))
    return (float(scores[best]), sets[best][0]) if scores[best] > 0 else None
