"""Borders moved between fine knots, where they gain more: one condition of a rule at a time."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.rules import Trapezoid
from unfis.search.bins import NumberBins
from unfis.search.gains import Present, Sums
from unfis.search.state import Draft, State
from unfis.ties import first_greatest, first_least, is_less

STRIDES = (-16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16)  # fine knots that a border moves at once
# An edge moves, narrows or widens: its ends go the same way, apart, or one of them alone.
STEPS = np.array([
    (low, high)
    for low, high in product(STRIDES, STRIDES)
    if (low or high) and (abs(low) == abs(high) or not low or not high)
])  # fmt: skip
FARTHER = (-48, -32, -24, *STRIDES, 24, 32, 48)
EVERY_STEP = np.array([*product(FARTHER, FARTHER)])
MOST_MOVES = 8  # of the borders of one condition


def with_better_borders(
    state: State, walk: int, draft: Draft, which: int, place: int | None = None
) -> Draft:
    """A rule with the borders of one condition where it gains most, in place of another rule."""
    condition = draft.conditions[which]
    bins = state.table.bins[condition.input]
    if not isinstance(condition, Trapezoid) or not isinstance(bins, NumberBins):
        return draft
    gains = BorderGains(state, walk, draft, which, place)
    narrowest = state.table.limits.narrowest_edge
    edges = [e for e in (0, 2) if np.isfinite((condition.a, condition.c)[e // 2])]
    knots = np.searchsorted(bins.knots, (condition.a, condition.b, condition.c, condition.d))
    best = float(gains.of(knots[None], condition)[0])
    for _ in range(MOST_MOVES):
        others = np.concatenate([moved_edges(knots, edge, bins, narrowest) for edge in edges])
        if not len(others):
            break
        found = gains.of(others, condition)
        place_of_best = int(first_greatest(found))
        if not is_less(best, float(found[place_of_best])):
            break
        knots, best = others[place_of_best], float(found[place_of_best])
    for edge in edges:
        knots = settled(gains, knots, edge, condition, narrowest)
    borders = [condition.a, condition.b, condition.c, condition.d]
    for edge in edges:
        borders[edge : edge + 2] = bins.knots[knots[edge : edge + 2]].tolist()
    a, b, c, d = borders
    conditions = list(draft.conditions)
    conditions[which] = Trapezoid(condition.input, a, b, c, d, condition.unknown)
    return Draft(draft.output, tuple(conditions))


class BorderGains:
    """The gains of a rule with other borders of one condition, from sums in fine bins."""

    def __init__(
        self, state: State, walk: int, draft: Draft, which: int, place: int | None
    ) -> None:
        table, condition = state.table, draft.conditions[which]
        bins = table.bins[condition.input]
        assert isinstance(bins, NumberBins)
        self.bins = bins
        rest = [one for at, one in enumerate(draft.conditions) if at != which]
        self.present = Present.of(state, walk, draft.output, place)
        self.signs = np.array([table.constraints.sign(draft.conditions)])
        self.again = condition.input in state.inputs(walk, draft.output, place)
        own = self.present.parameters[1:] - table.objective.outputs
        at, degrees = state.fit.at, table.rule_degrees(rest)
        gradient, curvature = at.gradient[walk, draft.output], at.curvature[walk, draft.output]
        if place is not None:
            taken = state.fit.points[walk, place] * state.design.degrees[walk, place]
            gradient = gradient + curvature * taken
        curved = curvature * degrees
        others = (curved * one for one in state.design.degrees[walk, own])
        codes, count = bins.codes.astype(np.intp), len(bins.means) + 1
        columns = (gradient * degrees, curved * degrees, curved, *others)
        slope, square, *inner = (np.bincount(codes, one, count) for one in columns)
        self.slope, self.square = slope, square
        self.white, self.apart = self.present.whitening @ inner, self.present.plain @ inner

    def of(self, knots: NDArray[np.intp], condition: Trapezoid) -> Array:
        """The gains of the condition with borders at knots (conditions, 4), (conditions,)."""
        degrees = self.degrees(knots, condition).T
        slope, square = self.slope[None] @ degrees, self.square[None] @ degrees**2
        sums = Sums(slope, square, self.white @ degrees, self.apart @ degrees)
        return np.asarray(self.present.gains(sums, self.signs, self.again)[0])

    def degrees(self, knots: NDArray[np.intp], condition: Trapezoid) -> Array:
        """The degrees in all bins with borders at knots, (conditions, bins)."""
        degrees = np.full((len(knots), len(self.bins.means) + 1), condition.unknown)
        rising = self._rising(knots[:, 0], knots[:, 1]) if condition.a > -np.inf else 1.0
        falling = self._rising(knots[:, 2], knots[:, 3]) if condition.d < np.inf else 0.0
        degrees[:, :-1] = rising - falling
        return degrees

    def _rising(self, low: NDArray[np.intp], high: NDArray[np.intp]) -> Array:
        """The degrees of rising edges in the fine bins, (edges, bins)."""
        first, last = self.bins.knots[low][:, None], self.bins.knots[high][:, None]
        sharp = np.arange(len(self.bins.means)) > low[:, None]
        with np.errstate(all="ignore"):
            slope = np.clip((self.bins.means - first) / (last - first), 0.0, 1.0)
        return np.where(first == last, sharp, slope)


def settled(
    gains: BorderGains, knots: NDArray[np.intp], edge: int, condition: Trapezoid, narrowest: float
) -> NDArray[np.intp]:
    """The knots a, b, c, d with one edge at the mean of all that the rows may mean.

    Edges count by the likelihood e^gain. With few rows nobody knows where a border is: its edge
    is as wide as that, which predicts better and claims less than the best one.
    """
    others = moved_edges(knots, edge, gains.bins, narrowest, EVERY_STEP)
    if not len(others):
        return knots
    found = gains.of(others, condition)
    likelihood = np.exp(found - found.max())
    degrees = gains.degrees(others, condition)[:, :-1]
    mean = likelihood @ degrees / likelihood.sum()
    return np.asarray(others[first_least((degrees - mean) ** 2 @ gains.bins.weights)])


def moved_edges(
    knots: NDArray[np.intp],
    edge: int,
    bins: NumberBins,
    narrowest: float,
    steps: NDArray[np.intp] = STEPS,
) -> NDArray[np.intp]:
    """The knots a, b, c, d with one edge moved, narrowed or widened, (conditions, 4).

    Of many values sharp edges stay sharp, and fuzzy ones fuzzy.
    """
    found = np.tile(knots, (len(steps), 1))
    found[:, edge : edge + 2] += steps
    low, high = found[:, edge], found[:, edge + 1]
    last = len(bins.knots) - 1
    known = (low >= 0) & (low <= high) & (high <= last)
    known &= found[:, 1] <= found[:, 2]
    if not bins.crisp:
        sharp = knots[edge] == knots[edge + 1]
        known &= (low == high) if sharp else (low < high)
        if not sharp:
            known[known] &= ~too_narrow(bins, low[known], high[known], narrowest)
    return found[known]


def too_narrow(
    bins: NumberBins, low: NDArray[np.intp], high: NDArray[np.intp], narrowest: float
) -> Mask:
    """Whether hardly any rows lie on edges between fine knots: answers would jump there."""
    tails = np.minimum(bins.below[low], 1 - bins.below[high])
    return np.asarray(bins.below[high] - bins.below[low] < np.minimum(narrowest, tails / 4))
