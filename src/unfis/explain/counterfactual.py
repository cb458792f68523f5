"""The smallest change of one input, or of two, that changes the answer.

Along one input sums of points are straight between the borders of its conditions. So the answer
changes at a border or where straight lines cross, and the nearest number of the table's resolution
with another answer is next to such a place. Of two inputs one moves to a border, and the other as
far as it then must.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.explain.goal import Goal, GoalAnswers
from unfis.explain.seen import Seen
from unfis.model import FittedModel
from unfis.rules import Condition, Rule, RuleModel, Trapezoid

LAST_DIGITS = 1e-9  # where leads are nearer to 0, the model itself says who leads
HALVINGS = 32  # of a straight line, by which its crossing is found
NO_INPUT = -1


class Changes(NamedTuple):
    """The changes of rows."""

    inputs: NDArray[np.intp]  # NO_INPUT where there is none, (rows, 2)
    values: Array  # that these inputs get, (rows, 2)
    sizes: Array  # infinite where no change does, (rows,)

    @classmethod
    def none(cls, rows: int) -> Changes:
        """No change of any row."""
        return cls(np.full((rows, 2), NO_INPUT), np.full((rows, 2), np.nan), np.full(rows, inf))

    def put(self, rows: NDArray[np.intp], part: Changes) -> None:
        """Set the changes of some rows, where they are smaller."""
        better = part.sizes < self.sizes[rows]
        self.inputs[rows[better]] = part.inputs[better]
        self.values[rows[better]] = part.values[better]
        self.sizes[rows[better]] = part.sizes[better]

    def applied(self, values: Array) -> Array:
        """The rows with their changes made."""
        found = values.copy()
        for inputs, then in zip(self.inputs.T, self.values.T, strict=True):
            rows = np.flatnonzero(inputs != NO_INPUT)
            found[rows, inputs[rows]] = then[rows]
        return found


@dataclass(frozen=True, eq=False)
class ChangeSearch:
    """The search for changes that reach a goal."""

    model: FittedModel
    goal: Goal

    @cached_property
    def conditions(self) -> dict[int, list[Condition]]:
        """The conditions on each input that the rules look at."""
        every = [one for rule in self.model.rules.rules for one in rule.conditions]
        inputs = sorted({one.input for one in every})
        return {j: [one for one in every if one.input == j] for j in inputs}

    @cached_property
    def edges(self) -> dict[int, Array]:
        """The edges of each input's ranges, (edges, 2)."""
        found = {}
        for j, own in self.conditions.items():
            edges = [edge for one in own if isinstance(one, Trapezoid) for edge in one.edges]
            found[j] = np.array(edges).reshape(-1, 2)
        return found

    @cached_property
    def seen(self) -> dict[int, Seen]:
        """What is known of the values of each of these inputs."""
        return {j: Seen.of(self.model, j, edges) for j, edges in self.edges.items()}

    @cached_property
    def borders(self) -> dict[int, Array]:
        """The values of each input from which on it counts otherwise, and those just before a jump.

        Of kinds that count the same, the commonest.
        """
        return {j: self.borders_of(j) for j in self.conditions}

    def borders_of(self, j: int) -> Array:
        """Those of one input."""
        seen, edges = self.seen[j], self.edges[j]
        if not len(seen.choices):
            jumps = edges[edges[:, 0] == edges[:, 1], 0]
            before = seen.rounded(jumps)[: len(jumps)]
            return np.unique(np.concatenate([edges.ravel(), before, [seen.centre]]))
        if not len(seen.shares):
            return seen.choices
        order = seen.choices[np.argsort(-seen.shares, kind="stable")]
        degrees = np.array([one.degrees(order) for one in self.conditions[j]])
        return order[np.unique(degrees, axis=1, return_index=True)[1]]

    def changes(self, values: Array) -> Changes:
        """The smallest change for each row."""
        old = self.goal.answers(self.model, values)
        found = Changes.none(len(values))
        rows = np.flatnonzero(~self.goal.is_reached(self.model, values, old))
        found.put(rows, self.of_one(values[rows], old[rows], list(self.conditions)))
        rows = rows[np.isinf(found.sizes[rows])]
        found.put(rows, self.of_two(values[rows], old[rows]))
        return found

    def of_one(self, values: Array, old: GoalAnswers, inputs: list[int]) -> Changes:
        """The smallest changes of one of some inputs."""
        found, z = Changes.none(len(values)), self.model.points(values)
        if not len(values):
            return found
        parts = [(np.zeros((len(values), 1), np.intp), *np.full((2, len(values), 1), inf))]
        for j in inputs:
            then = self.candidates(j, values, z, old)
            sums = along(self.model.rules, j, values, z, then)
            maybe = self.goal.leads(self.model, sums, old) > -LAST_DIGITS * (1 + np.abs(sums).max())
            sizes = np.where(maybe, self.seen[j].sizes(values[:, [j]], then), inf)
            parts.append((np.full(then.shape, j), then, sizes))
        places, values_then, sizes = (np.concatenate(p, axis=1) for p in zip(*parts, strict=True))
        left = np.arange(len(values))
        while len(left):
            best = sizes[left].argmin(axis=1)
            left, best = (part[np.isfinite(sizes[left, best])] for part in (left, best))
            part = Changes.none(len(left))
            part.inputs[:, 0], part.values[:, 0] = places[left, best], values_then[left, best]
            changed = part.applied(values[left])
            done = self.goal.is_reached(self.model, changed, old[left])
            part.sizes[done] = sizes[left[done], best[done]]
            found.put(left, part)
            left, best = left[~done], best[~done]
            sizes[left, best] = inf
        return found

    def of_two(self, values: Array, old: GoalAnswers) -> Changes:
        """The smallest changes of two inputs, one of which moves to a border."""
        found = Changes.none(len(values))
        for j, borders in self.borders.items() if len(values) else ():
            others = [k for k in self.conditions if k != j]
            for border in borders:
                first = self.seen[j].sizes(values[:, j], np.full(len(values), border))
                rows = np.flatnonzero(first < found.sizes)
                changed = values[rows]
                changed[:, j] = border
                part = self.of_one(changed, old[rows], others)
                part.inputs[:, 1], part.values[:, 1] = j, border
                found.put(rows, part._replace(sizes=part.sizes + first[rows]))
        return found

    def candidates(self, j: int, values: Array, z: Array, old: GoalAnswers) -> Array:
        """The values of an input at which answers may be others, NaN for none, (rows, n)."""
        seen, borders = self.seen[j], self.borders[j]
        if len(seen.choices):
            return np.broadcast_to(borders, (len(values), len(borders)))
        around = np.append(borders, seen.rounded(borders))
        common = np.broadcast_to(around, (len(values), len(around)))
        # Lines are cut at the old value too: from there another answer takes the lead but once.
        now = np.where(np.isnan(values[:, [j]]), seen.centre, values[:, [j]])
        points = np.sort(np.append(common[:, : len(borders)], now, axis=1), axis=1)
        starts = points[:, :-1]
        ends = np.maximum(starts, np.nextafter(points[:, 1:], -inf))
        both = along(self.model.rules, j, values, z, np.concatenate([starts, ends], axis=1))
        first, last = np.split(both, 2, axis=1)
        parts = self.crossings(first, last, old)
        return np.concatenate([common, seen.rounded(starts + parts * (ends - starts))], axis=1)

    def crossings(self, first: Array, last: Array, old: GoalAnswers) -> Array:
        """Where between two sums, (rows, n, outputs), answers change: parts of the way, (rows, n).

        NaN where they do not.
        """
        begins = self.goal.leads(self.model, first, old) > 0
        at = np.nonzero(begins != (self.goal.leads(self.model, last, old) > 0))
        start, way, old, before = first[at], last[at] - first[at], old[at[0]], begins[at]
        low, high = np.zeros(len(way)), np.ones(len(way))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            sums = start + middle[:, None] * way
            is_first = (self.goal.leads(self.model, sums[:, None], old)[:, 0] > 0) == before
            low, high = np.where(is_first, middle, low), np.where(is_first, high, middle)
        found = np.full(begins.shape, np.nan)
        found[at] = high
        return found

    def beyond(self, before: Array, after: Array, j: int) -> str:
        """Whether all values beyond the new one of an input have the same answer: "or more".

        Where an answer is right at two borders next to each other it is right in between, but for
        costs of several classes, of which nothing is said.
        """
        seen = self.seen[j]
        way = np.sign(after[j] - (seen.centre if np.isnan(before[j]) else before[j]))
        if (
            len(seen.choices)
            or not way
            or (self.model.costs and self.model.rules.link == "softmax")
        ):
            return ""
        borders = self.borders[j][(self.borders[j] - after[j]) * way > 0]
        rows = np.tile(after, (1 + len(borders), 1))
        rows[1:, j] = borders
        answers = self.goal.answers(self.model, rows)
        return ("or more" if way > 0 else "or less") if (answers == answers[0]).all() else ""


def along(model: RuleModel, j: int, values: Array, z: Array, then: Array) -> Array:
    """The sums of rows, now z, where an input has other values, (rows, n); (rows, n, outputs)."""
    found = np.repeat(z[:, None], then.shape[1], axis=1)
    for rule in model.rules:
        own = [one for one in rule.conditions if one.input == j]
        if own:
            others = Rule(tuple(one for one in rule.conditions if one.input != j), 0, 0.0)
            weights = rule.points * others.degrees(values)[:, None]
            now = prod(one.degrees(values[:, [j]]) for one in own)
            found[:, :, rule.output] += weights * (prod(one.degrees(then) for one in own) - now)
    return found
