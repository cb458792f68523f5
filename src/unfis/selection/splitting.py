"""Scorecards that hold in a part of the table: one is split where its rows differ most.

The rule that speaks otherwise, at first a scorecard alone, is copied into a new rule with one
condition. Both then learn what is theirs, and numbers that say no more than before are taken out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unfis.arrays import Array
from unfis.selection.fired import Fired, fired_by, moved_by
from unfis.selection.fuzzy_sets import may_begin
from unfis.selection.growth import Growth, Step
from unfis.selection.path import one_shorter
from unfis.selection.readability import HOLDS_EVERYWHERE, agreement, is_readable
from unfis.selection.stage import Stage, Task, Trained
from unfis.ties import is_less, ranked

# Iterations that a split is trained for.
SPLIT_ITERATIONS = 6
# Splits that are trained until one of them is readable.
SPLITS_TRIED = 3
# After a split so many steps take a quarter of all numbers out.
STEPS_AFTER = 3
# On this share of the samples the strongest rule answers what all of them do.
LEAST_AGREEMENT = 0.94


@dataclass(frozen=True)
class Splitting:
    """How a scorecard becomes several."""

    task: Task
    card: Stage
    max_rules: int
    longest: int  # most inputs in the IF and the THEN of a rule

    @property
    def growth(self) -> Growth:
        """What knows sets, and what rules make of the samples."""
        return Growth(self.task, self.max_rules, 0, self.longest)

    def path(self) -> list[Trained]:
        """Networks of ever more rules, and between them shorter ones."""
        growth = self.growth
        trained = self.task.trained(self.card, SPLIT_ITERATIONS)
        found, best = [trained], self.task.criterion(trained.stage)
        while trained.stage.rules < self.max_rules and not self.task.watch.is_over():
            split = self.split(growth, trained)
            if split is None:
                break
            shorter = self.shorter(split)
            criteria = [self.task.criterion(one.stage) for one in shorter]
            found += shorter
            if not is_less(min(criteria), best):
                break
            best, trained = min(criteria), shorter[int(np.argmin(criteria))]
        return [one for one in found if agreement(self.task, one) >= LEAST_AGREEMENT]

    def shorter(self, trained: Trained) -> list[Trained]:
        """A network after a split, and without what it can do without."""
        found = [trained]
        while len(found) <= STEPS_AFTER:
            fewer = one_shorter(self.task, found[-1], keeps_rules=True)
            if fewer is None:
                break
            found.append(fewer)
        return found

    def split(self, growth: Growth, trained: Trained) -> Trained | None:
        """The network after the best split that leaves it readable; None where there is none."""
        fired = fired_by(self.task, trained)
        splits = list(self.splits(growth, trained.stage, fired))
        for number in ranked([-split.gain for split in splits])[:SPLITS_TRIED]:
            stage = self.applied(growth, trained.stage, splits[number])
            found = self.task.trained(stage, SPLIT_ITERATIONS)
            if is_readable(self.task, found) and agreement(self.task, found) >= LEAST_AGREEMENT:
                return found
        return None

    def splits(self, growth: Growth, stage: Stage, fired: Fired) -> Iterator[Step]:
        """The best set of each input, by half the score test of slopes that differ where it holds.

        With m the degree of the set less its mean, the score of a column x is sum w s m x and its
        information sum w i m^2 x^2, for the s and i of `moved_by`.
        """
        speaker = growth.speaker(stage)
        scores, curvature = moved_by(self.task, fired, speaker)
        shares = fired.firing[:, speaker] * self.task.samples.weights
        columns = np.column_stack([np.ones(len(shares)), np.nan_to_num(self.task.samples.X)])
        usable = np.flatnonzero(may_begin(growth.sets, HOLDS_EVERYWHERE))
        gains = np.zeros(len(usable))
        for output, inside in enumerate(stage.consequent[speaker]):
            own = np.ascontiguousarray(columns[:, np.append(True, inside)])
            for k, number in enumerate(usable):
                degrees = growth.sets.degrees[:, number]
                m = degrees - shares @ degrees / shares.sum()
                gains[k] += self._gain(own, scores[:, output] * m, curvature[:, output] * m * m)
        return growth.best_of_inputs("split", speaker, usable, gains, 1)

    def _gain(self, columns: Array, scores: Array, curvature: Array) -> float:
        """Half the score test of some columns, (samples, columns)."""
        information = (columns * curvature[:, None]).T @ columns
        information[np.diag_indices_from(information)] += self.task.ridge
        score = scores @ columns
        return 0.5 * float(score @ np.linalg.solve(information, score))

    def applied(self, growth: Growth, stage: Stage, split: Step) -> Stage:
        """The network with one more rule, that says what the one said that is split."""
        speaker = growth.speaker(stage)
        numbers = np.append(np.arange(stage.rules), speaker)
        parameters, start = (one.only_rules(numbers) for one in (stage.parameters, stage.start))
        condition, consequent = stage.condition[numbers], stage.consequent[numbers]
        condition[-1, split.item] = True
        parameters, start = (
            growth.with_set(one, stage.rules, split) for one in (parameters, start)
        )
        return self.task.stage(parameters, start, condition, consequent)
