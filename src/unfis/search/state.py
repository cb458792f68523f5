"""What the search sees of the rows, and where its walks are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from unfis.arrays import Array, Mask
from unfis.objective import Objective
from unfis.rules import Condition, Kinds, Trapezoid
from unfis.search.bins import Bins, KindBins, NumberBins, distinct
from unfis.search.constraints import Constraints
from unfis.search.limits import Limits
from unfis.search.refit import Design, Fit, refit
from unfis.search.shapes import Shapes
from unfis.search.sums import BinSums

NO_CONSTRAINTS = Constraints()
FEW_STEPS = 3  # of Newton's method, for a change that is only tried


@dataclass(frozen=True, eq=False)
class SearchTable:
    """The rows as bins, and each walk's weights of them: a fold's are 0 where it is held out."""

    bins: Sequence[Bins]
    targets: Array  # (rows,)
    weights: Array  # (walks, rows)
    objective: Objective
    limits: Limits
    constraints: Constraints = NO_CONSTRAINTS
    given: tuple[Draft, ...] = ()  # the first rules of every walk, which stay as they are

    @property
    def at_once(self) -> int:
        """How many rules are added, or taken away, at once: one for three classes."""
        return max(1, self.objective.outputs // 3)

    @cached_property
    def numbers(self) -> list[NumberBins]:
        """The inputs that are numbers."""
        return [one for one in distinct(self.bins) if isinstance(one, NumberBins)]

    @cached_property
    def kinds(self) -> list[KindBins]:
        """The inputs that are categories."""
        return [one for one in distinct(self.bins) if isinstance(one, KindBins)]

    @cached_property
    def shapes(self) -> list[Shapes]:
        """What may be tried on each number."""
        return [Shapes.of(one, self.limits) for one in self.numbers]

    @cached_property
    def sums(self) -> BinSums:
        """What adds columns up in the bins."""
        bins: list[Bins] = [*self.numbers, *self.kinds]
        return BinSums(bins, self.limits.coarse_bins + 2, len(self.targets))

    @cached_property
    def prices(self) -> Array:
        """The price of each shape, infinite where an input has fewer, (numbers, shapes)."""
        most = max((len(one.prices) for one in self.shapes), default=0)
        rows = [
            np.pad(s.prices, (0, most - len(s.prices)), constant_values=np.inf) for s in self.shapes
        ]
        return np.array(rows).reshape(len(rows), most)

    @cached_property
    def degrees(self) -> Array:
        """The degrees of each shape in the coarse bins, (numbers, shapes, bins)."""
        found = np.zeros((*self.prices.shape, self.sums.width))
        for shapes, into in zip(self.shapes, found, strict=True):
            count, bins = shapes.degrees.shape
            into[:count, : bins - 1] = shapes.degrees[:, :-1]
            into[:count, -1] = shapes.degrees[:, -1]
        return found

    @cached_property
    def squares(self) -> Array:
        """Their squares."""
        return np.asarray(self.degrees**2)

    @cached_property
    def held(self) -> Array:
        """The weight of the rows that each shape holds for, (numbers, shapes, walks)."""
        return self.degrees @ self.sums.of_numbers(self.weights.T)

    @cached_property
    def total(self) -> Array:
        """The weight of all rows in each walk, (walks,)."""
        return np.asarray(self.weights.sum(axis=1))

    @cached_property
    def enough(self) -> Mask:
        """Which shapes hold for enough rows and leave enough, (numbers, shapes, walks)."""
        return enough_rows(self.held, self.total, self.limits.least_rows)

    @cached_property
    def kinds_held(self) -> Array:
        """The weight of the rows of each kind, (categories, kinds, walks)."""
        return self.sums.of_kinds(self.weights.T)

    @cached_property
    def shoulder(self) -> Array:
        """Which shapes are shoulders, (numbers, shapes)."""
        found = np.zeros(self.prices.shape, bool)
        for shapes, into in zip(self.shapes, found, strict=True):
            into[: len(shapes.prices)] = shapes.shoulder
        return found

    @cached_property
    def signs(self) -> Array:
        """The sign of each shape by itself, (numbers, shapes), or of all, (numbers, 1)."""
        signs = self.constraints.signs
        if not signs:
            return np.zeros((len(self.numbers), 1))
        own = np.array([signs.get(one.input, 0) for one in self.numbers])
        found = np.where(self.shoulder, own[:, None], 0.0)
        for shapes, into, sign in zip(self.shapes, found, own, strict=True):
            into[: len(shapes.prices)][shapes.band & (sign != 0)] = np.nan
        return found

    def bounds(self, drafts: Sequence[Sequence[Draft]]) -> Array | None:
        """The least and the greatest points of each walk's rules, (2, walks, rules)."""
        if not self.constraints.signs and all(one.points is None for one in self.given):
            return None
        found = np.array([self._bounds(one) for walk in drafts for one in walk])
        return np.moveaxis(found.reshape(len(drafts), -1, 2), -1, 0)

    def _bounds(self, draft: Draft) -> tuple[float, float]:
        if draft.points is not None:
            return draft.points, draft.points
        return self.constraints.bounds(draft.conditions)

    @cached_property
    def bin_degrees(self) -> Callable[[Condition], Array]:
        """The degree of a condition in each bin of its input; conditions come again and again."""
        return cache(lambda condition: self.bins[condition.input].table(condition))

    def rule_degrees(self, conditions: Sequence[Condition]) -> Array:
        """How far a rule's conditions hold together, (rows,)."""
        if not conditions:
            return np.ones(len(self.targets))
        found, *others = (self.bin_degrees(c)[self.bins[c.input].codes] for c in conditions)
        for other in others:
            found *= other
        return found

    @cached_property
    def finished(self) -> Callable[[Condition], Condition]:
        """A condition as a model has it, which knows what a missing value counts."""
        return cache(self._finished)

    def _finished(self, condition: Condition) -> Condition:
        bins = self.bins[condition.input]
        if isinstance(condition, Trapezoid) and isinstance(bins, NumberBins):
            return bins.with_usual(condition)
        if isinstance(condition, Kinds) and not bins.missing:
            mean = float(self.rule_degrees([condition]) @ self.weights[-1] / self.weights[-1].sum())
            return replace(condition, unknown=mean)
        return condition


def enough_rows(held: Array, total: Array | float, least: float) -> Mask:
    """Whether conditions hold for enough rows, and leave enough."""
    return np.asarray((held > least) & (total - held > least))


@dataclass(frozen=True)
class Draft:
    """A rule without its points, or with those that an expert gives."""

    output: int
    conditions: tuple[Condition, ...]
    points: float | None = None


# Where a walk has fewer rules than others.
NO_RULE = Draft(0, ())


@dataclass(frozen=True, eq=False)
class State:
    """Where all walks are: their rules, which have places in common, and their points."""

    table: SearchTable
    drafts: tuple[tuple[Draft, ...], ...]  # of each walk
    design: Design
    fit: Fit
    ridge: float

    @classmethod
    def begin(cls, table: SearchTable) -> State:
        """The rules that are given, or none."""
        walks, rows = table.weights.shape
        nothing = Design(np.zeros((walks, 0, rows)), np.zeros((walks, 0), np.intp))
        start = table.objective.start(table.targets, table.weights)
        fit = refit(
            nothing, table.objective, table.targets, table.weights, np.ones(walks), start,
            np.zeros((walks, 0)),
        )  # fmt: skip
        begun = cls(table, ((),) * walks, nothing, fit, table.limits.ridge)
        given = [[(None, draft) for draft in table.given]] * walks
        return begun.changed(given) if table.given else begun

    @cached_property
    def dispersion(self) -> Array:
        """The unit of gains in each walk, (walks,)."""
        count = self.fit.slopes.shape[1]
        return self.table.objective.dispersion(self.fit.at.losses, self.table.weights, count)

    @property
    def held_out_loss(self) -> float:
        """The loss of all rows, each by the folds that have not seen it."""
        weights = self.table.weights
        return float(((weights[-1] - weights[:-1]) * self.fit.at.losses[:-1]).sum())

    @property
    def walks(self) -> int:
        """How many walks there are."""
        return len(self.drafts)

    @property
    def places(self) -> int:
        """How many rules the longest walk may have."""
        return int(self.design.outputs.shape[1])

    def rules(self, walk: int) -> list[int]:
        """The places at which a walk has a rule."""
        return [place for place, draft in enumerate(self.drafts[walk]) if draft.conditions]

    def inputs(self, walk: int, output: int, without: int | None = None) -> set[int]:
        """The inputs that a walk's rules of an output use, but for one rule."""
        own = [d for p, d in enumerate(self.drafts[walk]) if d.output == output and p != without]
        return {condition.input for draft in own for condition in draft.conditions}

    def free(self, walk: int) -> list[int]:
        """The places at which a walk has a rule that may change."""
        return [place for place in self.rules(walk) if place >= len(self.table.given)]

    def changed(
        self, changes: Sequence[Sequence[tuple[int | None, Draft]]], steps: int | None = None
    ) -> State:
        """The state after rules of each walk are replaced, or added where no place is given."""
        added = max((sum(place is None for place, _ in one) for one in changes), default=0)
        room = self.places + added
        walks, _, rows = self.design.degrees.shape
        degrees = np.zeros((walks, room, rows))
        degrees[:, : self.places] = self.design.degrees
        outputs = np.zeros((walks, room), np.intp)
        outputs[:, : self.places] = self.design.outputs
        points = np.zeros((walks, room))
        points[:, : self.places] = self.fit.points
        drafts = [[*one, *[NO_RULE] * added] for one in self.drafts]
        for walk, walk_changes in enumerate(changes):
            last = self.places
            for place, draft in walk_changes:
                at, last = (last, last + 1) if place is None else (place, last)
                drafts[walk][at] = draft
                outputs[walk, at] = draft.output
                degrees[walk, at] = (
                    self.table.rule_degrees(draft.conditions) if draft.conditions else 0
                )
        used = [any(one[place].conditions for one in drafts) for place in range(room)]
        kept = np.flatnonzero(used)
        after = tuple(tuple(one[place] for place in kept) for one in drafts)
        design = Design(degrees[:, kept], outputs[:, kept], self.table.bounds(after))
        return self._refitted(after, design, points[:, kept], self.ridge, steps)

    def with_ridge(self, ridge: float) -> State:
        """The same rules with the points of another ridge."""
        return self._refitted(self.drafts, self.design, self.fit.points, ridge, None)

    def _refitted(
        self, drafts: tuple[tuple[Draft, ...], ...], design: Design, points: Array, ridge: float,
        steps: int | None,
    ) -> State:  # fmt: skip
        table = self.table
        limits = {} if steps is None else {"most_steps": steps}
        prior = ridge * self.dispersion
        fit = refit(
            design, table.objective, table.targets, table.weights, prior, self.fit.start, points,
            **limits,
        )  # fmt: skip
        return replace(self, drafts=drafts, design=design, fit=fit, ridge=ridge)
