"""The best new rules of one condition, for each output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.rules import Condition
from unfis.search.gains import Present, Sums
from unfis.search.kinds import KindSets
from unfis.search.state import Draft, SearchTable, State, enough_rows
from unfis.ties import first_greatest


class Move(NamedTuple):
    """A rule to add, or to put in the place of another."""

    score: float  # nats that it gains beyond its price, for each condition to read
    draft: Draft
    place: int | None = None  # of the rule that it replaces


class Family(NamedTuple):
    """The sums of a walk in the bins of numbers, or of categories, each (inputs, ..., bins)."""

    g: Array  # of each output
    h: Array
    ha: Array  # of each rule
    a: Array  # h and h a: of each parameter
    ga: Array  # of each rule, if asked for
    haa: Array


class WalkSums:
    """The sums in all bins that a walk's gains are made of.

    Those that only extensions of rules need, g a and h a^2, are left out unless asked for.
    """

    def __init__(self, state: State, walk: int, *, of_rules: bool = False) -> None:
        at, outputs, degrees = state.fit.at, state.design.outputs[walk], state.design.degrees[walk]
        curved = at.curvature[walk, outputs] * degrees
        parts = [at.gradient[walk], at.curvature[walk], curved]
        if of_rules:
            parts += [at.gradient[walk, outputs] * degrees, curved * degrees]
        columns = np.ascontiguousarray(np.concatenate(parts).T)
        own, rules = at.gradient.shape[1], len(degrees)
        self.walk, self.of_rules = walk, of_rules
        self.numbers = family(state.table.sums.of_numbers(columns), own, rules)
        self.kinds = family(state.table.sums.of_kinds(columns), own, rules)


def family(sums: Array, outputs: int, rules: int) -> Family:
    """The sums of all columns, (inputs, bins, columns), apart."""
    sums = sums.swapaxes(1, 2)
    ends = np.cumsum([outputs, outputs, rules, rules])
    g, h, ha, ga, haa = np.split(sums, ends, axis=1)
    return Family(g, h, ha, sums[:, outputs : ends[2]], ga, haa)


class FoundCondition(NamedTuple):
    """The best condition of its kind for a new rule."""

    score: float
    condition: Condition


def new_rules(state: State, sums: WalkSums) -> Iterator[Move]:
    """The best new rules of one condition for each output: on a number, on a category."""
    table, walk, present = state.table, sums.walk, Present.of(state, sums.walk)
    outputs = list(range(table.objective.outputs))
    if table.numbers:
        used = [state.inputs(walk, output) for output in outputs]
        again = np.array([[[bins.input in one] for one in used] for bins in table.numbers])
        columns = sums_of_shapes(table, present, sums.numbers)
        gains = present.gains(columns, table.signs[:, None], again)
        for output, found in zip(outputs, best_shapes(table, walk, gains), strict=True):
            yield from (Move(one.score, Draft(output, (one.condition,))) for one in found)
    for output in outputs if table.kinds else ():
        own = present.of_output(output)
        sets = kind_sets(table, walk, sums.kinds.g[:, [output]], sums.kinds.h[:, [output]], own)
        gains = own.gains(sums_of_sets(sets, own, sums.kinds, output))
        for one in best_set(table, walk, sets, gains):
            yield Move(one.score, Draft(output, (one.condition,)))


def sums_of_shapes(table: SearchTable, present: Present, family: Family) -> Sums:
    """The sums of each shape of numbers, (numbers, ..., shapes)."""
    degrees = table.degrees.swapaxes(1, 2)
    inner = family.a[:, present.parameters]
    white, apart = ((one @ inner) @ degrees for one in (present.whitening, present.plain))
    return Sums(family.g @ degrees, family.h @ table.squares.swapaxes(1, 2), white, apart)


def sums_of_sets(sets: KindSets, own: Present, family: Family, output: int) -> Sums:
    """The sums of each set of kinds, (categories, ..., sets)."""
    inner = family.a[:, own.parameters]
    white, apart = (sets.sums(one @ inner) for one in (own.whitening, own.plain))
    return Sums(sets.sums(family.g[:, [output]]), sets.sums(family.h[:, [output]]), white, apart)


def kind_sets(
    table: SearchTable, walk: int, slope: Array, curvature: Array, present: Present
) -> KindSets:
    """The sets of kinds in the order of what each says alone."""
    return KindSets(slope / (curvature + present.unit), table.kinds_held[..., walk])


def best_shapes(table: SearchTable, walk: int, gains: Array) -> Iterator[list[FoundCondition]]:
    """The best shape of numbers, given gains (numbers, several, shapes), of each of several."""
    prices = np.where(table.enough[..., walk], table.prices, np.inf)
    for scores in np.moveaxis(np.where(gains > 0, gains - prices[:, None], -np.inf), 1, 0):
        number, shape = best = first_place(scores)
        often = bool(table.held[..., walk][best] > table.total[walk] / 2)
        if not np.isfinite(scores[best]):
            yield []
            continue
        falling = bool(table.shoulder[best]) and often
        condition = table.shapes[number].condition(shape, falling=falling)
        yield [FoundCondition(float(scores[best]), condition)]


def best_set(
    table: SearchTable, walk: int, sets: KindSets, gains: Array
) -> Iterator[FoundCondition]:
    """The best set of kinds, given gains (categories, 1, sets)."""
    held = sets.sums(table.kinds_held[:, None, :, walk])[:, 0]
    enough = enough_rows(held, table.total[walk], table.limits.least_rows)
    scores = gains[:, 0] - np.where(enough, sets.prices, np.inf)
    best = first_place(scores)
    if np.isfinite(scores[best]):
        often = bool(held[best] > table.total[walk] / 2)
        yield FoundCondition(float(scores[best]), sets.condition(table.kinds, best, others=often))


def first_place(scores: Array) -> tuple[int, int]:
    """The input and the shape of the first greatest score."""
    place = np.unravel_index(first_greatest(scores.ravel()), scores.shape)
    return int(place[0]), int(place[1])
