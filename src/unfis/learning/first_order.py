"""Plain and heavy-ball stochastic gradient descent, the paper's first-order comparison."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning.epochs import EpochLearner
from unfis.learning.loop import check_positive
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Problem


class GradientDirection(NamedTuple):
    """step* = smoothing step* - learning_rate g, g the mean gradient."""

    learning_rate: float
    smoothing: float

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        """The step on a mini-batch, given the one before."""
        rate = self.learning_rate / batch.weight
        # The prior is taken at the step's end, not at its start: a stiff one cannot overshoot.
        stiffness = 1 + rate * batch.share * batch.prior.precision
        return np.asarray(self.smoothing * previous - rate * batch.gradient(vector) / stiffness)


class Momentum(EpochLearner):
    """step* = smoothing step* - learning_rate g, g the mean gradient over the mini-batch.

    Parameters
    ----------
    learning_rate : float, default=0.1
        The step's length per unit of mean gradient.
    smoothing : float, default=0.9
        The share of the previous step that is kept.
    batch_size : int or None, default=32
        Samples per mini-batch; None takes all.
    max_iter : int, default=100
        Epochs.
    """

    objective = CrossEntropy()

    def __init__(
        self,
        learning_rate: float = 0.1,
        smoothing: float = 0.9,
        batch_size: int | None = 32,
        max_iter: int = 100,
    ) -> None:
        self.learning_rate = learning_rate
        self.smoothing = smoothing
        self.batch_size = batch_size
        self.max_iter = max_iter

    def check(self) -> None:
        super().check()
        check_positive(self, "learning_rate")
        check_positive(self, "smoothing", zero=True, below=1)

    def direction(self) -> GradientDirection:
        return GradientDirection(self.learning_rate, self.smoothing)


class SGD(Momentum):
    """Stochastic gradient descent: step = -learning_rate g.

    Parameters
    ----------
    learning_rate : float, default=0.1
        The step's length per unit of mean gradient.
    batch_size : int or None, default=32
        Samples per mini-batch; None takes all.
    max_iter : int, default=100
        Epochs.
    """

    smoothing = 0.0

    def __init__(
        self, learning_rate: float = 0.1, batch_size: int | None = 32, max_iter: int = 100
    ) -> None:
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
