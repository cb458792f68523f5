"""The rows that a fit learns from: few of them, and sums over all, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.data.samples import Samples, TrainingSample
from unfis.learning.local_problem import LocalProblem
from unfis.learning.objective import Objective
from unfis.learning.problem import ModelProblem, Prior
from unfis.network import Parameters, Trainable
from unfis.selection.folds import subsample
from unfis.selection.scoring import network_loss


class ClassTotals(NamedTuple):
    """Of the rows of each class, (classes,)."""

    rows: Array  # how many there are
    given: Array  # their weights as they were given
    learned: Array  # their weights in learning, those of their classes multiplied in

    @property
    def counted(self) -> Array:
        """How many rows a unit of the learned weights stands for.

        What was given as weights counts rows, unless it is less than one for each; what classes are
        weighted by does not.
        """
        counted, learned = np.maximum(self.rows, self.given), self.learned
        return np.divide(counted, learned, out=np.ones(len(learned)), where=learned > 0)


class TrainingRows(Protocol):
    """All rows to learn from, those of weight 0 left out."""

    @property
    def count(self) -> int:
        """How many there are."""

    @property
    def weight(self) -> float:
        """Of all together, as they are learned from."""

    @property
    def drawn(self) -> Samples:
        """All as samples, or some of very many that stand for all, in memory."""

    @property
    def class_totals(self) -> ClassTotals:
        """Sums over the rows of each class."""

    def kept(self) -> TrainingSample:
        """Those that a model keeps."""

    def problem(self, network: Trainable, objective: Objective, prior: Prior) -> ModelProblem:
        """What is minimised over all of them."""

    def loss(self, network: Parameters) -> float:
        """Loss of a network per unit of their weight."""


@dataclass(frozen=True)
class LocalRows:
    """Rows that are in memory, or in a file that acts as if they were."""

    read: TrainingSample
    weights: Array  # of these, those of their classes multiplied in
    samples: Samples  # the rows as a network sees them, or those of them that are learned from
    classes: int
    objective: Objective

    @classmethod
    def of(
        cls, columns: TableColumns, read: TrainingSample, weights: Array, objective: Objective
    ) -> LocalRows:
        """All rows that were read."""
        samples = columns.samples(read, objective.encode)._replace(weights=weights)
        return cls(read, weights, samples, len(columns.classes), objective)

    def only(self, samples: Samples) -> LocalRows:
        """These rows, of which some are learned from."""
        return replace(self, samples=samples)

    @property
    def count(self) -> int:
        return len(self.samples.X)

    @property
    def weight(self) -> float:
        return float(self.samples.weights.sum())

    @cached_property
    def drawn(self) -> Samples:
        return subsample(self.samples, self.objective)

    @property
    def class_totals(self) -> ClassTotals:
        codes, every = self.read.codes, (None, self.read.weights, self.weights)
        sums = (np.bincount(codes, weights, self.classes) for weights in every)
        return ClassTotals(*(one.astype(float) for one in sums))

    def kept(self) -> TrainingSample:
        return self.read.kept()

    def problem(self, network: Trainable, objective: Objective, prior: Prior) -> LocalProblem:
        return LocalProblem(network, objective, *self.samples, prior)

    def loss(self, network: Parameters) -> float:
        return network_loss(self.objective, network, self.samples)
