"""Networks to choose from: what they are made of, and how one is trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.columns import numbers_of_kinds, numbers_read
from unfis.data.samples import Samples, weighted_deviation, weighted_mean
from unfis.learning.damped import TrustRegion
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import Objective
from unfis.learning.watch import UNWATCHED, Watch
from unfis.network import Parameters, Selection, Trainable
from unfis.network.combination import Combination
from unfis.network.constraints import UNCONSTRAINED, Constraints, wrong_slopes
from unfis.network.forward import Activations
from unfis.network.prior import start_prior, trainable
from unfis.selection.scoring import network_loss
from unfis.ties import rounding

# How closely networks are trained that only have to be compared.
CLOSENESS = 3e-3
MOST_ITERATIONS = 50
FIRST_DAMPING = 0.1  # per unit of a sample's weight
# Parameters of a network of all inputs.
MOST_PARAMETERS = 1500
# All samples are looked at, so none are drawn; to make a generator takes as long as an iteration.
NO_CHANCE = np.random.RandomState(0)


class Stage(NamedTuple):
    """A network in which every input is in a rule's IF, in its THEN, in both or in neither."""

    parameters: Parameters
    start: Parameters  # where the prior holds the fuzzy sets
    condition: Mask  # which inputs are in which rules' IF, (rules, inputs)
    consequent: Mask  # which columns are in their THEN for which outputs, (rules, outputs, columns)
    inputs: Sequence[slice]  # the columns of each input

    @property
    def rules(self) -> int:
        """How many rules it has."""
        return len(self.condition)

    @property
    def longest(self) -> int:
        """The most inputs in the IF and the THEN of a rule, those in both counted twice."""
        return int((self.condition.sum(axis=1) + self.in_consequent.sum(axis=1)).max())

    @property
    def in_consequent(self) -> Mask:
        """Which inputs are in which rules' THEN for any output, (rules, inputs)."""
        starts = [columns.start for columns in self.inputs]
        return np.asarray(np.logical_or.reduceat(self.consequent.any(axis=1), starts, axis=1))

    @property
    def otherwise(self) -> int | None:
        """The rule without IF, if there are others."""
        without = np.flatnonzero(~self.condition.any(axis=1))
        return int(without[0]) if len(without) and self.rules > 1 else None

    @property
    def in_order(self) -> Stage:
        """The same network with the rule that speaks otherwise as the last."""
        return self.only_rules(np.argsort(~self.condition.any(axis=1), kind="stable"))

    def only_rules(self, kept: Mask | NDArray[np.intp]) -> Stage:
        """The network with some of its rules; a single one needs no IF."""
        condition = self.condition[kept]
        return Stage(
            self.parameters.only_rules(kept),
            self.start.only_rules(kept),
            condition if len(condition) > 1 else np.zeros_like(condition),
            self.consequent[kept],
            self.inputs,
        )


class Trained(NamedTuple):
    """A network that was trained, what it minimises, and the vector that does."""

    stage: Stage
    network: Trainable
    problem: LocalProblem
    vector: Array

    @property
    def objective(self) -> float:
        """What it has come to, per unit of weight."""
        return self.problem.value(self.vector) / self.problem.weight

    @property
    def activations(self) -> Activations:
        """What its layers make of the samples."""
        return self.network.linearise(self.vector, self.problem.prepared[1]).activations


@dataclass(frozen=True)
class Task:
    """What networks are chosen for."""

    samples: Samples
    inputs: Sequence[slice]  # the columns of each input
    objective: Objective  # what is minimised
    # Makes a network's first parameters of X, targets, weights and a number of rules.
    start: Callable[..., Parameters]
    combination: Combination
    consequents: str = "linear"  # "linear" or "constant"
    ridge: float = 1.0  # strength of the prior
    watch: Watch = UNWATCHED  # is told how far the choice is, and knows when time is over
    constraints: Constraints = UNCONSTRAINED  # which inputs may be where, and count which way

    @cached_property
    def in_condition(self) -> Mask:
        """Which inputs may be in an IF, (inputs,)."""
        return self.constraints.in_condition(len(self.inputs))

    @cached_property
    def in_consequent(self) -> Mask:
        """Which inputs may be in a THEN, (inputs,)."""
        return self.constraints.in_consequent(len(self.inputs))

    @cached_property
    def signs(self) -> Array:
        """Which way columns must count in a THEN, 0 for either, (columns,)."""
        return self.constraints.of_columns(self.inputs)

    @cached_property
    def numbers(self) -> NDArray[np.intp]:
        """How many numbers each input adds to a THEN at most, for one output."""
        return numbers_of_kinds([columns.stop - columns.start for columns in self.inputs])

    @cached_property
    def starts(self) -> list[int]:
        """The first column of each input."""
        return [columns.start for columns in self.inputs]

    @cached_property
    def outputs(self) -> int:
        """For how many outputs an input may be in a THEN: each class, or two of them at once."""
        contrasts = len(self.objective.contrasts(self.samples.targets.shape[1]))
        return contrasts + 1 if contrasts > 1 and self.combination.has_otherwise else 1

    def parts(self, stage: Stage) -> int:
        """All that a person has to read: conditions, and numbers of the consequents.

        An input that is in a THEN for all classes is so for all but one: only what they say beside
        each other counts.
        """
        return int(stage.condition.sum() + self.counted(stage.consequent).sum())

    def counted(self, consequent: Mask) -> NDArray[np.intp]:
        """How many numbers are read of each input in a THEN, (rules, inputs)."""
        return numbers_read(consequent, self.inputs)

    @property
    def parameters_per_rule(self) -> int:
        """What there is to learn in a rule of all inputs: sets, a bias and slopes."""
        columns = self.samples.X.shape[1]
        contrasts = len(self.objective.contrasts(self.samples.targets.shape[1]))
        slopes = columns if self.consequents == "linear" else 0
        return int(2 * columns + contrasts * (1 + slopes))

    def work(self, n_rules: int) -> float:
        """Products in an iteration of a network of all inputs: rows times squared parameters."""
        contrasts = len(self.objective.contrasts(self.samples.targets.shape[1]))
        parameters = min(n_rules * self.parameters_per_rule, MOST_PARAMETERS)
        return float(len(self.samples.X) * contrasts) * parameters**2

    def begin(self, n_rules: int) -> Stage:
        """The untrained network of all inputs that tell the targets apart at all.

        Of very many inputs only those that do so best by themselves: what it takes to train them
        grows with their cube.
        """
        # A copy: then every start draws alike, in whatever order or process it is made.
        start = deepcopy(self.start)(*self.samples, n_rules)
        most = max(1, MOST_PARAMETERS // (n_rules * (self.samples.targets.shape[1] + 2)))
        condition, inside = (
            np.tile(self.best_inputs(most, allowed), (n_rules, 1))
            for allowed in (self.in_condition, self.in_consequent)
        )
        condition &= n_rules > 1
        slopes = self.columns(inside & (self.consequents == "linear"))
        consequent = np.repeat(slopes[:, None, :], self.outputs, axis=1)
        return self.stage(start, start, condition, consequent)

    def stage(
        self, parameters: Parameters, start: Parameters, condition: Mask, consequent: Mask
    ) -> Stage:
        """A network of these inputs in its rules' IF, (rules, inputs), and columns in the THEN."""
        selection = Selection.decided(self.columns(condition), consequent)
        parameters = replace(parameters, combination=self.combination).with_selection(selection)
        return Stage(parameters, start, condition, consequent, self.inputs)

    def columns(self, known: NDArray[Any]) -> NDArray[Any]:
        """What is known of inputs, along the last axis, for each of their columns."""
        widths = [columns.stop - columns.start for columns in self.inputs]
        return np.repeat(known, widths, axis=-1)

    def best_inputs(self, most: int, allowed: Mask) -> Mask:
        """So many of the inputs that tell the targets apart best by themselves, and equals."""
        scores = np.where(allowed, self._scores, 0.0)
        least = np.sort(scores)[::-1][:most][-1]
        enough = scores >= least - rounding(least)
        return enough & (scores > 0) if scores.any() else allowed

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

    def trained(self, stage: Stage, iterations: int = MOST_ITERATIONS) -> Trained:
        """The same network, trained; if time is over, by one iteration.

        Slopes that come out with the wrong sign are taken out, and the rest is trained again.
        """
        found = self._trained(stage, iterations)
        while (wrong := wrong_slopes(found.stage.parameters, self.signs)).any():
            consequent = found.stage.consequent & ~wrong[:, None, :]
            found = self._trained(self.stage(*found.stage[:3], consequent), iterations)
        return found

    def _trained(self, stage: Stage, iterations: int) -> Trained:
        network, problem = self.problem(stage)
        damping = FIRST_DAMPING * problem.weight / problem.samples
        learner = TrustRegion(damping, CLOSENESS, problem.samples, iterations)
        vector = train(learner, problem, network.start, NO_CHANCE, watch=self.watch).vector
        stage = stage._replace(parameters=network.parameters(vector))
        return Trained(stage, network, problem, vector)

    def training_loss(self, stage: Stage) -> float:
        """The loss of a network, per unit of weight."""
        return network_loss(self.objective, stage.parameters, self.samples)

    def criterion(self, stage: Stage) -> float:
        """Akaike's, in nats: the loss of all samples, and the number of free parameters."""
        network, _ = self.problem(stage)
        return self.training_loss(stage) * float(self.samples.weights.sum()) + len(network.start)


def separation(X: Array, strata: Array, weights: Array) -> Array:
    """How well each column tells any stratum from the others, from 0 to 1, shape (columns,).

    The squared correlation with the stratum that it tells best, of the column or of its squared
    deviation, which a stratum between two others has.
    """
    total, tiny = weights.sum(), np.finfo(float).tiny
    best = np.zeros(X.shape[1])
    for values in (X, np.square(X - weighted_mean(X, weights))):
        mean, spread = weighted_mean(values, weights), weighted_deviation(values, weights) ** 2
        for members in (weights[:, None] * strata).T:
            rest = total - members.sum()
            if members.sum() > 0 and rest > 0:
                shift = np.nan_to_num(weighted_mean(values, members) - mean)
                told = members.sum() / rest * shift**2 / np.maximum(spread, tiny)
                best = np.maximum(best, np.where(spread > 0, told, 0.0))
    varies = weighted_deviation(X, weights) > 0
    return np.asarray(np.where(varies, best + tiny, 0.0))
