"""The walk: forward beyond the best length, then back; all folds in lockstep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unfis.additive.search.additions import Move, StateSums, new_rules
from unfis.additive.search.borders import with_better_borders
from unfis.additive.search.boxes import Boxes
from unfis.additive.search.extensions import extensions
from unfis.additive.search.state import FEW_STEPS, NO_RULE, Draft, SearchTable, State
from unfis.arrays import Array
from unfis.ties import first_least

# A rule to put at a place, or a new one where there is none.
Change = tuple[int | None, Draft]


class Stage(NamedTuple):
    """One walk's rules of one length."""

    drafts: tuple[Draft, ...]
    start: Array  # (outputs,)
    points: Array  # (rules,)
    loss: float  # of the rows of the walk, with the ridge


@dataclass(frozen=True)
class Paths:
    """The best rules of every length that each walk came by."""

    stages: tuple[dict[int, Stage], ...]  # of each walk, by length

    @property
    def longest(self) -> int:
        """The length of the last walk's longest rules: that of all rows."""
        return max(self.stages[-1])

    def at(self, walk: int, length: int) -> Stage:
        """A walk's rules of at most this length."""
        return self.stages[walk][max(n for n in self.stages[walk] if n <= length)]


def walked(table: SearchTable, most_rules: int, most_conditions: int) -> Paths:
    """All walks, forward and back."""
    stages: list[dict[int, Stage]] = [{} for _ in table.weights]
    state = State.begin(table)
    keep(state, stages)
    steps = Steps(table, most_conditions)
    for _ in range(2 * most_rules):
        before = state.places
        state = steps.forward(state)
        keep(state, stages)
        if state.places >= most_rules or not steps.moved:
            break
        if state.places // table.limits.polish_every > before // table.limits.polish_every:
            state = polished(state)
            keep(state, stages)
    while state.places > 1:
        state = shortened(state)
        keep(state, stages)
    return Paths(tuple(stages))


def keep(state: State, stages: list[dict[int, Stage]]) -> None:
    """Keep the rules of each walk where they are the best of their length."""
    for walk, known in enumerate(stages):
        places = state.rules(walk)
        drafts = tuple(state.drafts[walk][place] for place in places)
        found = Stage(
            drafts,
            state.fit.start[walk],
            state.fit.points[walk, places],
            float(state.fit.losses[walk]),
        )
        before = known.get(len(places))
        if before is None or found.loss < before.loss:
            known[len(places)] = found


class Steps:
    """The moves forward."""

    def __init__(self, table: SearchTable, most_conditions: int) -> None:
        self.table, self.most_conditions = table, most_conditions
        self.moved = True
        screened = most_conditions > 1 and 1 < len(table.numbers) <= table.limits.screen_inputs
        self.boxes = Boxes(table) if screened else None

    def forward(self, state: State) -> State:
        """The state after each walk's best moves."""
        sums = StateSums(state)
        changes = [list(self._changes(state, sums, walk)) for walk in range(state.walks)]
        self.moved = any(changes)
        return state.changed(changes) if self.moved else state

    def _changes(self, state: State, sums: StateSums, walk: int) -> Iterator[Change]:
        """The best move of a walk; of many classes those of several at once."""
        outputs = self.table.objective.outputs
        best: dict[int, Move] = {}
        for move in self._moves(state, sums, walk):
            known = best.get(move.draft.output)
            if known is None or move.score > known.score * (1 + 1e-9):
                best[move.draft.output] = move
        moves = list(best.values())
        order = np.argsort([-move.score for move in moves], kind="stable")
        for move in [moves[n] for n in order[: max(1, outputs // 4)]]:
            draft = move.draft
            which = len(draft.conditions) - 1
            draft = with_better_borders(state, walk, draft, which, move.place)
            yield move.place, draft

    def _moves(self, state: State, sums: StateSums, walk: int) -> Iterator[Move]:
        for output in range(self.table.objective.outputs):
            yield from new_rules(state, sums, walk, output)
            if self.boxes is not None and state.places % self.table.limits.screen_every == 0:
                yield from self.boxes.best(state, walk, output)
        for place in state.rules(walk):
            if len(state.drafts[walk][place].conditions) < self.most_conditions:
                yield from extensions(state, sums, walk, place)


def polished(state: State) -> State:
    """The state with all borders moved again, where the objective itself gets less."""
    for place in range(state.places):
        changes: list[list[Change]] = []
        for walk in range(state.walks):
            draft = before = state.drafts[walk][place]
            for which in range(len(draft.conditions)):
                draft = with_better_borders(state, walk, draft, which, place)
            changes.append([(place, draft)] if draft != before else [])
        if not any(changes):
            continue
        tried = state.changed(changes, FEW_STEPS)
        worse = tried.fit.losses > state.fit.losses - 1e-9
        if worse.all():
            continue
        kept = [[] if bad else change for bad, change in zip(worse, changes, strict=True)]
        state = tried if not worse.any() else state.changed(kept, FEW_STEPS)
    return state


def shortened(state: State) -> State:
    """The state without the rule of each walk that costs least, by the curvature."""
    outputs = state.table.objective.outputs
    inverse = np.linalg.inv(state.fit.precision)
    variances = np.diagonal(inverse, axis1=1, axis2=2)[:, outputs:]
    costs = state.fit.points**2 / (2 * variances)
    changes: list[list[Change]] = []
    for walk in range(state.walks):
        places = state.rules(walk)
        least = places[int(first_least(costs[walk, places]))] if places else None
        changes.append([] if least is None else [(least, NO_RULE)])
    return state.changed(changes)
