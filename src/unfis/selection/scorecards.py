"""Scorecards: one rule whose THEN has ever fewer numbers, on all samples and without each fold.

Which classes an input speaks for is part of what is chosen: of three classes and more each number
goes by itself. All folds are trained together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.samples import Samples
from unfis.learning.objective import Objective
from unfis.learning.softmax import Evaluated, SoftmaxRegressions, inverses
from unfis.network import Parameters, network_logits
from unfis.selection.scoring import mean_and_error
from unfis.selection.stage import Stage, Task
from unfis.ties import ranked

# A step takes this share of the numbers, until few are left; then it takes one at a time.
NUMBERS_TAKEN, FEW_NUMBERS = 0.2, 12
# Newton steps after some numbers are gone.
STEPS_BETWEEN = 3
# Coefficients of a scorecard to begin with, and inputs in it.
MOST_COEFFICIENTS, MOST_COUNTED_INPUTS = 6000, 600


class ScorecardStage(NamedTuple):
    """One rule that decides alone."""

    stage: Stage
    parts: int
    objective: float  # per unit of weight


class ScorecardPath(NamedTuple):
    """Scorecards from many numbers to none: of all samples, and of those without each fold."""

    cards: list[list[ScorecardStage]]

    def nearest(self, parts: int, number: int = 0) -> ScorecardStage:
        """The longest scorecard of at most so many parts; without a fold by its number and 1."""
        # They become ever shorter: the first that is short enough is the longest.
        cards = self.cards[number]
        return next((card for card in cards if card.parts <= parts), cards[-1])


@dataclass(frozen=True)
class Scorecards:
    """Scorecards for a task; `folds` says which fold holds each sample out, -1 for none."""

    task: Task
    folds: NDArray[np.intp] | None = None

    @cached_property
    def columns(self) -> Array:
        """1 and the inputs, 0 where they are missing, (1 + columns, samples)."""
        X = self.task.samples.X
        return np.ascontiguousarray(np.vstack([np.ones(len(X)), np.nan_to_num(X).T]))

    @cached_property
    def weights(self) -> Array:
        """Those of all samples, and of all but each fold, (1 + folds, samples)."""
        weights = self.task.samples.weights
        if self.folds is None:
            return weights[None]
        kept = [weights * (self.folds != fold) for fold in range(self.folds.max() + 1)]
        return np.stack([weights, *kept])

    @property
    def outputs(self) -> int:
        """The classes, or one of two."""
        return self.task.outputs

    def regressions(self, weights: Array) -> SoftmaxRegressions:
        """Regressions of samples of such weights, (regressions, samples)."""
        targets = np.ascontiguousarray(self.task.samples.targets.T)
        ridges, signs = np.full(len(weights), self.task.ridge), np.append(0.0, self.task.signs)
        return SoftmaxRegressions(self.columns, targets, weights, ridges, signs)

    def first_inside(self, by_regressions: Array) -> Mask:
        """What regressions of such weights begin with: (regressions, outputs, 1 + columns)."""
        most = max(1, min(MOST_COUNTED_INPUTS, MOST_COEFFICIENTS // self.outputs))
        found = np.ones((len(by_regressions), self.outputs, len(self.columns)), dtype=bool)
        for number, weights in enumerate(by_regressions):
            samples = self.task.samples._replace(weights=weights)
            task = replace(self.task, samples=samples)
            inputs = task.best_inputs(most, task.in_consequent)
            found[number, :, 1:] = self.task.columns(inputs)
        return found

    def left_out(self, start: Array | None) -> tuple[Array, float, Array]:
        """Losses of samples left out of the scorecard of all inputs, and what it says.

        One at a time, (samples,), and the mean of whole folds: of several classes only they tell a
        ridge that is too weak. What it says, (regressions, outputs, 1 + columns), is a start for
        another ridge.
        """
        by_folds = self.outputs > 1 and self.folds is not None
        weights = self.weights if by_folds else self.weights[:1]
        inside, regressions = self.first_inside(weights), self.regressions(weights)
        start = np.zeros(inside.shape) if start is None else start
        here, _ = regressions.trained(start, inside)
        losses = regressions.left_out(here, inside)[0]
        held_out = losses
        if by_folds:
            held = np.arange(len(here.losses) - 1)[:, None] == self.folds
            held_out = np.where(held.any(axis=0), (held * here.losses[1:]).sum(axis=0), np.nan)
        mean, _ = mean_and_error(held_out, self.task.samples.weights)
        return losses, mean, here.coefficients

    def path(self) -> ScorecardPath:
        """Ever shorter scorecards, each without what costs it least for what need not be read."""
        inside, regressions = self.first_inside(self.weights), self.regressions(self.weights)
        here, blocks = regressions.trained(np.zeros(inside.shape), inside)
        inside = inside & ~regressions.at_bound(here.coefficients)
        cards = [[card] for card in self.stages(here, inside)]
        while inside[:, :, 1:].any():
            # The objective rises by a^2 / (H^-1) / 2 at least without a number a.
            variances = np.einsum("fkii->fki", inverses(blocks, inside))
            costs = 0.5 * np.square(here.coefficients) / variances
            inside = np.stack([self.fewer(*one) for one in zip(inside, costs, strict=True)])
            used = np.asarray(inside.any(axis=(0, 1)))
            columns, signs = regressions.columns[used], regressions.signs[used]
            some = replace(regressions, columns=columns, signs=signs)
            start, own = here.coefficients[:, :, used], inside[:, :, used]
            here, blocks = widened(*some.trained(start, own, STEPS_BETWEEN), used)
            inside &= ~regressions.at_bound(here.coefficients)
            for known, card in zip(cards, self.stages(here, inside), strict=True):
                known.append(card)
        return ScorecardPath(cards)

    def fewer(self, inside: Mask, costs: Array) -> Mask:
        """One regression's numbers without the cheapest, (outputs, 1 + columns)."""
        found = inside.copy()
        there = np.argwhere(found[:, 1:])[::-1]
        if not len(there):
            return found
        prices = (costs[:, 1:] / self.shares(inside))[tuple(there.T)]
        taken = 1 if len(there) <= FEW_NUMBERS else int(NUMBERS_TAKEN * len(there))
        # Of equally cheap ones the last: of two inputs that say the same the earlier stays.
        outputs, columns = there[ranked(prices)[:taken]].T
        found[outputs, 1 + columns] = False
        return found

    def shares(self, inside: Mask) -> Array:
        """What of a part each number is: of many kinds several are read as one."""
        task = self.task
        counts = np.add.reduceat(inside[:, 1:], task.starts, axis=1, dtype=np.intp)
        shares = np.minimum(task.numbers / np.maximum(counts, 1), 1.0)
        return task.columns(shares)

    def stages(self, here: Evaluated, inside: Mask) -> list[ScorecardStage]:
        """The scorecard of each regression as a network."""
        nothing = np.zeros((1, len(self.task.inputs)), dtype=bool)
        objectives = here.values / self.weights.sum(axis=1)
        found = []
        for coefficients, own, objective in zip(here.coefficients, inside, objectives, strict=True):
            parameters = self.with_coefficients(coefficients)
            stage = self.task.stage(parameters, self.start, nothing, own[None, :, 1:])
            found.append(ScorecardStage(stage, self.task.parts(stage), float(objective)))
        return found

    @cached_property
    def start(self) -> Parameters:
        """One rule of all samples."""
        return self.task.begin(1).start

    def with_coefficients(self, coefficients: Array) -> Parameters:
        """A network of one rule that says so, given (outputs, 1 + columns)."""
        by_class = coefficients
        if self.outputs == 1:
            by_class = np.stack([-0.5 * coefficients[0], 0.5 * coefficients[0]])
        consequents = by_class[None].copy()
        consequents[:, :, 0] = 0.0
        return replace(self.start, consequents=consequents, thresholds=-by_class[:, 0])

    def judged(self, path: ScorecardPath, sizes: Sequence[int]) -> tuple[Array, Array]:
        """Losses and hits of samples held out, by scorecards of so many parts at most.

        Both (sizes, samples), NaN where a sample is never held out.
        """
        losses, hits = np.full((2, len(sizes), len(self.task.samples.X)), np.nan)
        for number in range(1, len(path.cards)):
            held = np.flatnonzero(self.folds == number - 1)
            sought = [path.nearest(size, number).stage for size in sizes]
            unseen = self.task.samples.part(held)
            losses[:, held], hits[:, held] = judged_stages(self.task.objective, sought, unseen)
        return losses, hits


def judged_stages(
    objective: Objective, stages: Sequence[Stage], unseen: Samples
) -> tuple[Array, Array]:
    """Losses and hits of samples that networks have not seen, (stages, samples)."""
    losses, hits = np.empty((2, len(stages), len(unseen.X)))
    for number, stage in enumerate(stages):
        if number and stage is stages[number - 1]:
            losses[number], hits[number] = losses[number - 1], hits[number - 1]
            continue
        outputs = network_logits(stage.parameters, unseen.X)
        losses[number] = objective.losses(outputs, unseen.targets)
        hits[number] = objective.hits(outputs, unseen.targets)
    return losses, hits


def widened(here: Evaluated, blocks: Array, used: Mask) -> tuple[Evaluated, Array]:
    """The same with the columns that are not used: coefficients of 0, blocks of the identity."""
    coefficients = np.zeros((*here.coefficients.shape[:2], len(used)))
    coefficients[:, :, used] = here.coefficients
    whole = np.tile(np.eye(len(used)), (*coefficients.shape[:2], 1, 1))
    where = np.flatnonzero(used)
    whole[:, :, where[:, None], where] = blocks
    return here._replace(coefficients=coefficients), whole
