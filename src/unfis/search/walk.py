"""The walk: forward beyond the best length, then back; all folds in lockstep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.search.additions import Move, WalkSums, new_rules
from unfis.search.borders import with_better_borders
from unfis.search.boxes import Boxes
from unfis.search.extensions import extensions
from unfis.search.state import FEW_STEPS, NO_RULE, Draft, SearchTable, State
from unfis.ties import ranked

EXCHANGES = 3  # of the cheapest rule for the best new one, at the end of the way forward

# A rule to put at a place, or a new one where there is none.
Change = tuple[int | None, Draft]
# Is told which share of the rules there is, and says whether there is time for more.
GoOn = Callable[[float], bool]


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
        """A walk's rules of at most this length, or those that are given."""
        known = self.stages[walk]
        return known[max((n for n in known if n <= length), default=min(known))]


def always(share: float) -> bool:
    """There is always time."""
    return True


def walked(
    table: SearchTable, most_rules: int, most_conditions: int, go_on: GoOn = always
) -> Paths:
    """All walks, forward and back, as long as they may go on."""
    stages: list[dict[int, Stage]] = [{} for _ in table.weights]
    state = State.begin(table)
    keep(state, stages)
    steps, patience = Steps(table, most_conditions), Patience()
    given = len(table.given)
    for _ in range(2 * (most_rules - given)):
        before = state.places
        state = steps.forward(state)
        keep(state, stages)
        if not go_on(state.places / most_rules):
            return Paths(tuple(stages))
        if state.places >= most_rules or not steps.moved or patience.is_over(state):
            break
        every = table.limits.polish_every * table.at_once
        if state.places // every > before // every:
            state = polished(state)
            keep(state, stages)
    for _ in range(EXCHANGES if state.places > given else 0):
        state = steps.forward(without_cheapest(state))
        keep(state, stages)
    while state.places > max(given, 1):
        state = without_cheapest(state)
        keep(state, stages)
    return Paths(tuple(stages))


class Patience:
    """Sees when the folds gain nothing more by further rules."""

    def __init__(self) -> None:
        self.best, self.rules = np.inf, 0

    def is_over(self, state: State) -> bool:
        """Whether the rows held out were predicted as well by far fewer rules."""
        limits = state.table.limits
        loss = state.held_out_loss
        if loss < self.best:
            self.best, self.rules = loss, state.places
        usual = limits.usual(state.table.objective)
        return state.places >= usual and state.places >= self.rules + limits.patience


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
        limits = self.table.limits
        extend = self.most_conditions > 1 and state.places % limits.extend_every == 0
        changes = [
            list(self._changes(state, WalkSums(state, walk, of_rules=extend)))
            for walk in range(state.walks)
        ]
        self.moved = any(changes)
        return state.changed(changes) if self.moved else state

    def _changes(self, state: State, sums: WalkSums) -> Iterator[Change]:
        """The best new rule of a walk; of many classes those of several at once."""
        walk, moves = sums.walk, list(self._moves(state, sums))
        most, done = self.table.at_once, set[int]()
        for move in (moves[n] for n in ranked([-move.score for move in moves])):
            if len(done) == most:
                break
            if move.draft.output in done:
                continue
            which = len(move.draft.conditions) - 1
            draft = with_better_borders(state, walk, move.draft, which, move.place)
            if draft not in state.drafts[walk]:
                done.add(draft.output)
                yield move.place, draft

    def _moves(self, state: State, sums: WalkSums) -> Iterator[Move]:
        walk = sums.walk
        yield from new_rules(state, sums)
        if self.boxes is not None and state.places % self.table.limits.screen_every == 0:
            for output in range(self.table.objective.outputs):
                yield from self.boxes.best(state, walk, output)
        if sums.of_rules:
            drafts, most = state.drafts[walk], self.most_conditions
            places = [p for p in state.free(walk) if len(drafts[p].conditions) < most]
            yield from extensions(state, sums, places)


def polished(state: State) -> State:
    """The state with all borders moved again, where the objective itself gets less.

    Of each output one rule at a time: those of other outputs hardly mind.
    """
    rounds = [list(one_of_each_output(state, walk)) for walk in range(state.walks)]
    for places in zip_longest(*rounds, fillvalue=()):
        changes = [list(better_rules(state, walk, own)) for walk, own in enumerate(places)]
        state = improved(state, changes)
    return state


def one_of_each_output(state: State, walk: int) -> Iterator[tuple[int, ...]]:
    """The places of a walk's rules, the first of each output, then the second ones."""
    by_output: dict[int, list[int]] = {}
    for place in state.free(walk):
        by_output.setdefault(state.drafts[walk][place].output, []).append(place)
    for places in zip_longest(*by_output.values()):
        yield tuple(place for place in places if place is not None)


def better_rules(state: State, walk: int, places: Sequence[int]) -> Iterator[Change]:
    """The rules at these places with better borders, where they have any."""
    for place in places:
        draft = state.drafts[walk][place]
        for which in range(len(draft.conditions)):
            draft = with_better_borders(state, walk, draft, which, place)
        if draft not in state.drafts[walk]:
            yield place, draft


def improved(state: State, changes: list[list[Change]]) -> State:
    """The state with the changes of those walks whose objective gets less by them."""
    if not any(changes):
        return state
    tried = state.changed(changes, FEW_STEPS)
    worse = tried.fit.losses > state.fit.losses - 1e-9
    if worse.all():
        return state
    kept = [[] if bad else change for bad, change in zip(worse, changes, strict=True)]
    return state.changed(kept, FEW_STEPS) if worse.any() else tried


def without_cheapest(state: State) -> State:
    """The state without the rule of each walk that costs least, by the curvature.

    Of many classes without several rules: as many as are added at once.
    """
    outputs = state.table.objective.outputs
    inverse = np.linalg.inv(state.fit.precision)
    variances = np.diagonal(inverse, axis1=1, axis2=2)[:, outputs:]
    costs = state.fit.points**2 / (2 * variances)
    changes: list[list[Change]] = []
    for walk in range(state.walks):
        places = state.free(walk)
        most = min(state.table.at_once, max(1, len(places) - 1))
        least = ranked(costs[walk, places].tolist())[:most]
        changes.append([(places[n], NO_RULE) for n in least])
    return state.changed(changes)
