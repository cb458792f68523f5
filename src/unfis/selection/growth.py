"""Networks that grow: from one rule that says how frequent the classes are, step by step.

A step gives a rule a slope or a further condition, or adds a rule with one condition more than
another has. What each would gain is estimated in closed form for all of them at once; the best by
what it adds to read is trained, and the next step begins from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.network import Parameters
from unfis.selection.fired import TINY, Fired, fired_by, moved_by
from unfis.selection.fuzzy_sets import FuzzySets, fuzzy_sets, may_begin
from unfis.selection.readability import HOLDS_EVERYWHERE, is_readable
from unfis.selection.stage import Stage, Task, Trained
from unfis.ties import first_greatest, ranked

# Iterations that a step is trained for.
GROWTH_ITERATIONS = 4
# Of more inputs than this those that say least by themselves are not looked at.
MOST_GROWN_INPUTS = 60
# Candidates that are trained until one of them is readable.
STEPS_TRIED = 6
# So many steps that gain less than this, in nats, end the growth.
LAST_STEPS, LEAST_GAIN = 3, 2.0
# Samples of average classes that a new rule is taken to have seen, in units of weight.
PSEUDO_COUNT = 0.5
# A new rule says of no class that it is less probable than this.
LEAST_PROBABLE = 1e-3


class Step(NamedTuple):
    """One thing that can be added to a network."""

    kind: str  # "slope", "condition" or "rule"
    rule: int  # that it is added to, or that a new rule goes on from; -1 for one from nothing
    item: int  # the input
    fuzzy_set: int  # of a condition, by its number
    gain: float  # estimated, in nats
    parts: int  # that it adds to what is to be read
    output: int = 0  # for which a slope is


@dataclass(frozen=True)
class Growth:
    """How networks for a task grow."""

    task: Task
    max_rules: int
    most_parts: int
    longest: int  # most inputs in the IF and the THEN of a rule

    @cached_property
    def inputs(self) -> list[int]:
        """The inputs to choose from: all, or of very many those that say most by themselves."""
        task = self.task
        return np.flatnonzero(task.best_inputs(MOST_GROWN_INPUTS, task.in_consequent)).tolist()

    @cached_property
    def sets(self) -> FuzzySets:
        """The sets that conditions begin with."""
        task = self.task
        allowed = {j: task.inputs[j] for j in self.inputs if task.in_condition[j]}
        return fuzzy_sets(task.samples, allowed)

    def path(self) -> list[Trained]:
        """Ever larger networks, each of them trained, until time is over."""
        found = [self.task.trained(self.first())]
        objectives = [found[0].problem.value(found[0].vector)]
        while not self.task.watch.is_over() and (grown := self.grown(found[-1])) is not None:
            self.task.watch.report(self.task.parts(grown.stage) / max(1, self.most_parts))
            found.append(grown)
            objectives.append(grown.problem.value(grown.vector))
            lately = objectives[-1 - LAST_STEPS :]
            if len(lately) > LAST_STEPS and lately[0] - lately[-1] < LEAST_GAIN:
                break
        return found

    def first(self) -> Stage:
        """One rule that looks at nothing and says how frequent the classes are."""
        X, targets, weights = self.task.samples
        features, classes = X.shape[1], targets.shape[1]
        frequencies = (weights @ targets + PSEUDO_COUNT) / (weights.sum() + PSEUDO_COUNT * classes)
        start = Parameters(
            np.zeros((1, features)),
            np.ones((1, features)),
            np.zeros((1, features)),
            np.zeros((1, classes, 1 + features)),
            -np.log(frequencies),
        )
        no_inputs = np.zeros((1, len(self.task.inputs)), dtype=bool)
        no_columns = np.zeros((1, self.task.outputs, features), dtype=bool)
        return self.task.stage(start, start, no_inputs, no_columns)

    def grown(self, trained: Trained) -> Trained | None:
        """The network after the best step that leaves it readable; None where there is none."""
        stage = trained.stage
        fired = fired_by(self.task, trained)
        room = self.most_parts - self.task.parts(stage)
        steps = [step for step in self.steps(stage, fired) if step.parts <= room]
        order = ranked([-step.gain / step.parts for step in steps])
        for step in (steps[k] for k in order[:STEPS_TRIED]):
            grown = self.task.trained(self.applied(stage, step, fired), GROWTH_ITERATIONS)
            # A slope of the wrong sign is taken out again, and nothing has grown.
            longer = self.task.parts(grown.stage) > self.task.parts(stage)
            if longer and is_readable(self.task, grown):
                return grown
        return None

    def steps(self, stage: Stage, fired: Fired) -> Iterator[Step]:
        """All that can be added, with what it may gain."""
        lengths = stage.condition.sum(axis=1) + stage.in_consequent.sum(axis=1)
        for rule in range(stage.rules):
            if lengths[rule] < self.longest and self.task.consequents == "linear":
                yield from self.slopes(stage, fired, rule)
            if lengths[rule] < self.longest and stage.condition[rule].any():
                yield from self.conditions(stage, fired, rule)
        if stage.rules < self.max_rules:
            yield from self.rules(stage, fired, -1)
            for rule in range(stage.rules):
                if 0 < stage.condition[rule].sum() < self.longest:
                    yield from self.rules(stage, fired, rule)

    def slopes(self, stage: Stage, fired: Fired, rule: int) -> Iterator[Step]:
        """Slopes in a rule: half the score test, adjusted for the rule's bias.

        The score of a column x is sum w s x, its information that of x less what the bias explains.
        """
        X = np.nan_to_num(self.task.samples.X)
        scores, curvature = moved_by(self.task, fired, rule)
        sums = curvature.sum(axis=0) + 1e-9
        score, crossed = scores.T @ X, curvature.T @ X  # (outputs, columns)
        squares = curvature.T @ np.square(X)
        for item in self.inputs:
            columns = self.task.inputs[item]
            for output in np.flatnonzero(~stage.consequent[rule, :, columns.start]).tolist():
                both = np.diag(squares[output, columns])
                if len(both) > 1:
                    own = X[:, columns]
                    both = (own * curvature[:, [output]]).T @ own
                cross = crossed[output, columns]
                both = both - np.outer(cross, cross) / sums[output]
                both[np.diag_indices_from(both)] += self.task.ridge
                own_score = score[output, columns]
                slopes = np.linalg.solve(both, own_score)
                if (self.task.signs[columns] * slopes > 0).any():  # of the first class: wrong
                    continue
                gain = 0.5 * float(own_score @ slopes)
                parts = int(self.task.numbers[item])
                yield Step("slope", rule, item, -1, gain, parts, output)

    def rules(self, stage: Stage, fired: Fired, rule: int) -> Iterator[Step]:
        """New rules that hold where a set does, and another rule if one is given.

        Each says the frequencies of the classes where it is strong, exactly so.
        """
        usable = may_begin(self.sets, HOLDS_EVERYWHERE)
        if rule >= 0:
            usable = usable & ~stage.condition[rule][self.sets.inputs]
        numbers = np.flatnonzero(usable)
        new = self.sets.degrees[:, numbers]
        if rule >= 0:
            new = new * fired.firing[:, [rule]]
        gains = fired.loss - self.losses_with(stage, fired, new)
        parts = 1 if rule < 0 else 1 + int(stage.condition[rule].sum())
        return self.best_of_inputs("rule", rule, numbers, gains, parts)

    def losses_with(self, stage: Stage, fired: Fired, new: Array) -> Array:
        """The loss with each of some new rules that fire so, (samples, rules): shape (rules,)."""
        _, targets, weights = self.task.samples
        others, otherwise = self.apart(stage, fired)
        new = np.ascontiguousarray(new.T)  # (rules, samples)
        left = (1 - new) * otherwise
        total = left + new
        total += fired.firing.sum(axis=1) - otherwise
        np.maximum(total, TINY, out=total)
        said = self.said_by(weights * new / total)
        left *= fired.of_target[:, self.speaker(stage)]
        left += others
        new *= said @ targets.T
        left += new
        left /= total
        np.log(np.maximum(left, TINY, out=left), out=left)
        return np.asarray(-(left @ weights))

    def said_by(self, shares: Array) -> Array:
        """What new rules say that have such shares of the samples, (rules, samples)."""
        _, targets, weights = self.task.samples
        usual = PSEUDO_COUNT * (weights @ targets) / weights.sum()
        found = (shares @ targets + usual) / (shares.sum(axis=1) + PSEUDO_COUNT)[:, None]
        return np.asarray(found)

    def speaker(self, stage: Stage) -> int:
        """The rule that speaks otherwise, or alone."""
        return int(np.flatnonzero(~stage.condition.any(axis=1))[0])

    def apart(self, stage: Stage, fired: Fired) -> tuple[Array, Array]:
        """sum f q of the true class over all rules but the one that speaks otherwise, and its f."""
        speaker = self.speaker(stage)
        products = fired.firing * fired.of_target
        return products.sum(axis=1) - products[:, speaker], fired.firing[:, speaker]

    def conditions(self, stage: Stage, fired: Fired, rule: int) -> Iterator[Step]:
        """Further conditions of a rule: what it loses goes to the one that speaks otherwise."""
        weights = self.task.samples.weights
        others, otherwise = self.apart(stage, fired)
        own, speaker = fired.firing[:, rule], self.speaker(stage)
        numbers = np.flatnonzero(
            (self.sets.held < HOLDS_EVERYWHERE) & ~stage.condition[rule][self.sets.inputs]
        )
        new = (self.sets.degrees[:, numbers] * own[:, None]).T
        left = otherwise / np.maximum(1 - own, 1e-12) * (1 - new)
        rest = fired.firing.sum(axis=1) - otherwise - own
        found = (
            others
            - own * fired.of_target[:, rule]
            + new * fired.of_target[:, rule]
            + left * fired.of_target[:, speaker]
        )
        found = found / np.maximum(rest + new + left, TINY)
        gains = fired.loss + np.log(np.maximum(found, TINY)) @ weights
        return self.best_of_inputs("condition", rule, numbers, gains, 1)

    def best_of_inputs(
        self, kind: str, rule: int, numbers: NDArray[np.intp], gains: Array, parts: int
    ) -> Iterator[Step]:
        """A step for each input, with the best of some of its sets, given by their numbers."""
        owners = self.sets.inputs[numbers]
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        for start, stop in zip(starts, np.append(starts, len(numbers))[1:], strict=True):
            best = start + int(first_greatest(gains[start:stop]))
            number = int(numbers[best])
            yield Step(kind, rule, int(owners[start]), number, float(gains[best]), parts)

    def applied(self, stage: Stage, step: Step, fired: Fired) -> Stage:
        """The network after a step, not yet trained."""
        if step.kind == "rule":
            stage = self.with_rule(stage, step, fired)
        condition, consequent = stage.condition.copy(), stage.consequent.copy()
        if step.kind == "slope":
            consequent[step.rule, step.output, self.task.inputs[step.item]] = True
            return self.task.stage(stage.parameters, stage.start, condition, consequent)
        rule = stage.rules - 1 if step.kind == "rule" else step.rule
        condition[rule, step.item] = True
        parameters = self.with_set(stage.parameters, rule, step)
        return self.task.stage(
            parameters, self.with_set(stage.start, rule, step), condition, consequent
        )

    def with_set(self, parameters: Parameters, rule: int, step: Step) -> Parameters:
        """Parameters with a set on an input of a rule."""
        columns = self.task.inputs[step.item]
        centres, widths = parameters.centres.copy(), parameters.widths.copy()
        centres[rule, columns] = self.sets.centres[step.fuzzy_set]
        widths[rule, columns] = self.sets.widths[step.fuzzy_set]
        return replace(parameters, centres=centres, widths=widths)

    def with_rule(self, stage: Stage, step: Step, fired: Fired) -> Stage:
        """The network with one more rule, a copy of another one's IF or without any."""
        weights = self.task.samples.weights
        new = self.sets.degrees[:, step.fuzzy_set]
        if step.rule >= 0:
            new = new * fired.firing[:, step.rule]
        otherwise = fired.firing[:, self.speaker(stage)]
        total = np.maximum(fired.firing.sum(axis=1) - otherwise * new + new, TINY)
        said = np.maximum(self.said_by((weights * new / total)[None])[0], LEAST_PROBABLE)
        source = max(step.rule, 0)
        numbers: NDArray[np.intp] = np.append(np.arange(stage.rules), source)
        parameters, start = (one.only_rules(numbers) for one in (stage.parameters, stage.start))
        parameters.consequents[-1] = 0.0
        parameters.consequents[-1, :, 0] = np.log(said) + parameters.thresholds
        condition, consequent = stage.condition[numbers], stage.consequent[numbers]
        condition[-1] &= step.rule >= 0
        consequent[-1] = False
        return self.task.stage(parameters, start, condition, consequent)
