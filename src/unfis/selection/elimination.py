"""The elimination path: from every input in every rule to one condition per rule.

A condition is one input's fuzzy set in one rule, with the input's slopes in that rule's consequent.
Each step removes the conditions whose loss costs least once all others have responded, and trains
what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.data.samples import Samples, weighted_deviation, weighted_mean
from unfis.initialisation.prior import start_prior, trainable
from unfis.learning.damped import TrustRegion
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import Objective
from unfis.network import Parameters, Selection, Trainable
from unfis.selection.removal import by_column, removal_costs
from unfis.selection.scoring import network_loss
from unfis.ties import first_greatest, ranked, rounding

# How closely the networks of a path are trained: they only have to be compared.
CLOSENESS = 3e-3
MOST_ITERATIONS = 50
FIRST_DAMPING = 0.1  # per unit of a sample's weight
# A step keeps this share of the conditions, until a few per rule are left; then it takes one.
SHARE_KEPT = 0.75
FEW_PER_RULE = 5
# A rule that leads on no sample goes, unless the loss of a sample rose by more than this: a narrow
# rule inside a wide one never leads, and may yet decide.
IDLE_LOSS = 0.01
# Parameters of the network that a path begins with.
MOST_PARAMETERS = 1500
# All samples are looked at, so none are drawn; to make a generator takes as long as an iteration.
NO_CHANCE = np.random.RandomState(0)


class Stage(NamedTuple):
    """A network of the path: every input is in a rule or out of it, exactly."""

    parameters: Parameters
    start: Parameters  # where the prior holds the fuzzy sets
    selected: Mask  # (rules, inputs)

    @property
    def conditions(self) -> int:
        """Conditions of all rules together."""
        return int(self.selected.sum())

    @property
    def length(self) -> float:
        """Mean number of conditions of a rule."""
        return self.conditions / len(self.selected)

    @property
    def longest(self) -> int:
        """Number of conditions of the longest rule."""
        return int(self.selected.sum(axis=1).max())

    def only_rules(self, kept: Mask) -> Stage:
        """The network with some of its rules."""
        parameters, start, selected = self
        return Stage(parameters.only_rules(kept), start.only_rules(kept), selected[kept])


class Trained(NamedTuple):
    """A network of the path, what it minimises, and the vector that does."""

    stage: Stage
    network: Trainable
    problem: LocalProblem
    vector: Array

    @property
    def objective(self) -> float:
        """What it has come to, per unit of weight."""
        return self.problem.value(self.vector) / self.problem.weight

    @property
    def leads(self) -> Mask:
        """Whether each rule is the strongest on any sample, the first of equally strong ones."""
        linearised = self.network.linearise(self.vector, self.problem.prepared[1])
        strongest = first_greatest(linearised.activations.strengths)
        return np.bincount(strongest, minlength=len(self.stage.selected)) > 0


@dataclass(frozen=True)
class Elimination:
    """What a path is made from."""

    samples: Samples
    # Makes a network's first parameters of X, targets, weights and a number of rules.
    start: Callable[..., Parameters]
    inputs: Sequence[slice]  # the columns of each input
    longest: int  # most conditions of a rule on the path
    keeps_idle: bool  # whether a rule that leads on no sample stays
    objective: Objective  # what is minimised
    consequents: str = "linear"  # "linear" or "constant"
    ridge: float = 1.0  # strength of the prior

    def begin(self, n_rules: int) -> Stage:
        """The untrained network of all inputs that tell the targets apart at all.

        Of very many inputs only those that do so best by themselves: the path is for choosing
        between hundreds, and its cost grows with their cube.
        """
        # A copy: then every start draws alike, in whatever order or process it is made.
        start = deepcopy(self.start)(*self.samples, n_rules)
        scores = self._scores
        most = max(1, MOST_PARAMETERS // (n_rules * (self.samples.targets.shape[1] + 2)))
        least = np.sort(scores)[::-1][:most][-1]
        enough = scores >= least - rounding(least)
        chosen = enough & (scores > 0) if scores.any() else np.ones(len(scores), bool)
        selected = np.tile(chosen, (n_rules, 1))
        return Stage(self.decided(start, selected), start, selected)

    @cached_property
    def _scores(self) -> Array:
        """How well each input tells the targets apart by itself, shape (inputs,)."""
        X, targets, weights = self.samples
        relevance = separation(X, self.objective.strata(targets), weights)
        return np.array([relevance[columns].max() for columns in self.inputs])

    def problem(self, stage: Stage) -> tuple[Trainable, LocalProblem]:
        """The network of a stage, and what it minimises."""
        network = trainable(self.objective, stage.parameters, "decisive", self.consequents)
        prior = start_prior(network, stage.start, self.ridge, self.consequents)
        return network, LocalProblem(network, self.objective, *self.samples, prior)

    def trained(self, stage: Stage) -> Trained:
        """The same network, trained."""
        network, problem = self.problem(stage)
        damping = FIRST_DAMPING * problem.weight / problem.samples
        learner = TrustRegion(damping, CLOSENESS, problem.samples, MOST_ITERATIONS)
        vector = train(learner, problem, network.start, NO_CHANCE).vector
        stage = stage._replace(parameters=network.parameters(vector))
        return Trained(stage, network, problem, vector)

    def train(self, stage: Stage) -> Trained:
        """The same network, trained; without the rules that it can do without."""
        trained = self.trained(stage)
        if self.keeps_idle or len(stage.selected) == 1 or (leads := trained.leads).all():
            return trained
        fewer = self.train(trained.stage.only_rules(leads))
        return fewer if fewer.objective <= trained.objective + IDLE_LOSS else trained

    def training_loss(self, stage: Stage) -> float:
        """The loss of a network, per unit of weight."""
        return network_loss(self.objective, stage.parameters, self.samples)

    def costs(self, trained: Trained) -> Array:
        """What the loss of each condition costs, in the order of argwhere(selected)."""
        stage, network, problem, vector = trained
        return removal_costs(network, problem, vector, stage.selected, self.inputs)

    def shorten(self, trained: Trained, conditions: int) -> Trained:
        """Remove the cheapest conditions until so many are left, one per rule at least.

        Conditions of rules that are longer than allowed go first; of equally cheap ones the last,
        so that of two inputs that say the same the earlier stays.
        """
        selected = trained.stage.selected.copy()
        costs = self.costs(trained) / trained.problem.weight
        for rule, item in np.argwhere(selected)[::-1][ranked(costs[::-1])]:
            lengths = selected.sum(axis=1)
            too_long = lengths > self.longest
            if lengths.sum() <= conditions:
                break
            if lengths[rule] > 1 and (too_long[rule] or not too_long.any()):
                selected[rule, item] = False
        return self.train(self._only(trained.stage, selected))

    def path(self, first: Trained, sizes: Sequence[int]) -> list[Stage]:
        """Trained networks of at most so many conditions each, from a trained one of all."""
        stages, trained = [], first
        for size in sizes:
            while self._is_longer(stage := trained.stage, size):
                aim = max(size, next_size(stage.conditions, len(stage.selected)))
                trained = self.shorten(trained, min(aim, stage.conditions - 1))
            stages.append(stage)
        return stages

    def _is_longer(self, stage: Stage, size: int) -> bool:
        """Whether a network has more conditions than that, or a rule more than it may."""
        return stage.conditions > max(size, len(stage.selected)) or stage.longest > self.longest

    def _only(self, stage: Stage, selected: Mask) -> Stage:
        """The network with some of its conditions, not yet trained.

        Widths follow the root of the number of a rule's columns, as at the start: a product of
        fewer memberships falls as fast if each of them is narrower.
        """
        before, after = self._columns(stage.selected), self._columns(selected)
        factor = np.sqrt(after.sum(axis=1) / before.sum(axis=1))[:, None]
        parameters, start = stage.parameters, stage.start
        parameters = replace(parameters, widths=parameters.widths * factor)
        start = replace(start, widths=start.widths * factor)
        return Stage(self.decided(parameters, selected), start, selected)

    def decided(self, parameters: Parameters, selected: Mask) -> Parameters:
        """Parameters with every input decided."""
        return parameters.with_selection(Selection.decided(self._columns(selected)))

    def _columns(self, selected: Mask) -> Mask:
        """Which columns are in which rule, shape (rules, columns)."""
        return by_column(selected, self.inputs)


def separation(X: Array, strata: Array, weights: Array) -> Array:
    """The share of each column's variance that lies between the strata, shape (columns,)."""
    between = np.zeros(X.shape[1])
    mean = weighted_mean(X, weights)
    for members in (weights[:, None] * strata).T:
        shift = np.nan_to_num(weighted_mean(X, members) - mean)
        between += members.sum() * shift**2
    within = weights.sum() * weighted_deviation(X, weights) ** 2
    tiny = np.finfo(float).tiny
    return np.asarray(np.where(within > 0, between / np.maximum(within, tiny) + tiny, 0.0))


def next_size(conditions: int, n_rules: int) -> int:
    """How many conditions the next step of a path leaves."""
    few = FEW_PER_RULE * n_rules
    return conditions - 1 if conditions <= few else max(int(SHARE_KEPT * conditions), few)


def path_sizes(most: int, n_rules: int) -> list[int]:
    """The sizes of a path, from the most conditions to one per rule."""
    sizes = [most]
    while sizes[-1] > n_rules:
        sizes.append(next_size(sizes[-1], n_rules))
    return sizes
