"""What a learner sees of what is to be learned: numbers about a vector, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.system import NormalEquations

SampleRows = NDArray[np.intp] | slice
ALL = slice(None)


@dataclass(frozen=True)
class Prior:
    """precision / 2 (v - mean)^2, summed over the parameters."""

    mean: Array
    precision: Array


class ProblemEvaluation(NamedTuple):
    """The objective at one vector: its value, and the equations of a step if they are asked for."""

    value: float
    system: Callable[[], NormalEquations]


class Problem(Protocol):
    """Minimise sum_k weight_k loss_k(v) + prior(v) over the parameter vector v.

    All of it is a sum over samples, wherever they are: a subset of them carries the same part of
    the prior, so that the subsets of an epoch add up to the whole objective.
    """

    @property
    def samples(self) -> int:
        """How many samples there are."""

    @property
    def weight(self) -> float:
        """Sum of the samples' weights."""

    @property
    def share(self) -> float:
        """Which part of the whole objective this is, by the weight of its samples."""

    @property
    def outputs(self) -> int:
        """How many outputs the model has."""

    @property
    def prior(self) -> Prior:
        """The prior of the whole objective."""

    def subset(self, rows: SampleRows) -> Self:
        """The part of the problem that some of its samples are; itself for ALL."""

    def value(self, vector: Array) -> float:
        """The objective."""

    def gradient(self, vector: Array) -> Array:
        """Its gradient, shape (parameters,)."""

    def system(self, vector: Array, curved: Self | None = None) -> NormalEquations:
        """Its normal equations at a vector; with `curved` the curvature of that part, scaled up."""

    def evaluate(self, vector: Array, curved: Self | None = None) -> ProblemEvaluation:
        """Value and normal equations at a vector; the second may use what the first took."""
