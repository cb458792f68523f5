"""Learners that pass over the samples in mini-batches and take every step that they make.

GqLM is the paper's own; plain and heavy-ball gradient descent are its first-order comparison.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from unfis.arrays import Array
from unfis.learning.loop import Iteration, Learner
from unfis.learning.objective import QuasiCrossEntropy
from unfis.learning.problem import ALL, Problem, ProblemEvaluation
from unfis.serial.parameters import check_positive


@dataclass(frozen=True)
class EpochState:
    """The moving step and the source of the shuffles, which are drawn from it in place."""

    step: Array
    generator: np.random.RandomState


class Direction(Protocol):
    """Makes a step of what a mini-batch says."""

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        """The step on a mini-batch, given the one before."""


class QuasiNewtonDirection(NamedTuple):
    """A damped step of a mini-batch's normal equations, divided by eta and smoothed."""

    damping: float
    eta: float
    smoothing: float

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        system = batch.system(vector)
        # A prior is not part of the paper's loss. Added to eq. (lm5) it is not penalised by eta;
        # without it (ridge=0) this is Algorithm 1.
        system.diagonal = system.diagonal / self.eta
        step = system.solve(batch.outputs * self.damping) / self.eta
        return self.smoothing * previous + (1 - self.smoothing) * step


class GradientDirection(NamedTuple):
    """step* = smoothing step* - learning_rate g, g the mean gradient."""

    learning_rate: float
    smoothing: float

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        rate = self.learning_rate / batch.weight
        # The prior is taken at the step's end, not at its start: a stiff one cannot overshoot.
        stiffness = 1 + rate * batch.share * batch.prior.precision
        return np.asarray(self.smoothing * previous - rate * batch.gradient(vector) / stiffness)


class EpochLearner(Learner):
    """A learner whose iteration is a pass over the shuffled samples in mini-batches."""

    batch_size: int | None

    def check(self) -> None:
        super().check()
        if self.batch_size is not None:
            check_positive(self, "batch_size", whole=True)

    def begin(
        self, problem: Problem, evaluation: ProblemEvaluation, generator: np.random.RandomState
    ) -> EpochState:
        return EpochState(np.zeros_like(problem.prior.mean), generator)

    @abstractmethod
    def direction(self) -> Direction:
        """How a mini-batch is answered."""

    def iterate(self, problem: Problem, vector: Array, state: EpochState) -> Iteration:
        direction, step = self.direction(), state.step
        for rows in self.batches(problem.samples, state.generator):
            step = direction.step(problem.subset(rows), vector, step)
            vector = vector + step
        damping, value = getattr(self, "damping", np.nan), problem.value(vector)
        return Iteration(vector, value, damping, replace(state, step=step))

    def batches(self, samples: int, generator: np.random.RandomState) -> Iterator[Any]:
        """The rows of each mini-batch of one epoch, the last one possibly short."""
        if self.batch_size is None or self.batch_size >= samples:
            yield ALL
            return
        order = generator.permutation(samples)
        for start in range(0, samples, self.batch_size):
            yield order[start : start + self.batch_size]

    def verdict(self, losses: list[float]) -> str:
        """Converged if the objective ended near its lowest and no longer falls.

        Near is within a twentieth, or 0.01; falling is by a hundredth or more in the last tenth of
        the epochs.
        """
        name, best, last = type(self).__name__, min(losses), losses[-1]
        if last > 1.05 * best + 0.01:
            return (
                f"{name} raised the objective from {best:.4g} to {last:.4g}. Try a "
                "smaller step (learning_rate, or a larger damping) or scale=True."
            )
        window = max(1, len(losses) // 10)
        before = min(losses[:-window])
        if before - best > 0.01 * abs(before):
            return (
                f"{name} stopped after max_iter={self.max_iter} epochs while the objective still "
                f"fell, from {before:.4g} to {best:.4g} in the last {window}. Raise max_iter or "
                "the step, or use learner='trust-region'."
            )
        return ""


class GqLM(EpochLearner):
    """General quasi-Levenberg-Marquardt, Algorithm 1 with the corrected derivatives.

    step = (1 / eta) (sum_c J_c' J_c + C damping I)^-1 sum_c J_c' Xi_c P*_c, eqs. (lm7), (lm8),
    smoothed by step* = smoothing step* + (1 - smoothing) step. As in print, the factor 1/2 that
    minimising eq. (lm5) would give is dropped, and the damping is counted once per class.

    Parameters
    ----------
    damping : float, default=1e3
        lambda, the penalty on the parameters' change.
    eta : float, default=1e-3
        The penalty on the whole step, which is divided by it.
    smoothing : float, default=0.9
        beta, the share of the previous step that is kept.
    batch_size : int or None, default=32
        M, samples per mini-batch; None takes all.
    max_iter : int, default=100
        Epochs.
    """

    objective = QuasiCrossEntropy()

    def __init__(
        self,
        damping: float = 1e3,
        eta: float = 1e-3,
        smoothing: float = 0.9,
        batch_size: int | None = 32,
        max_iter: int = 100,
    ) -> None:
        self.damping = damping
        self.eta = eta
        self.smoothing = smoothing
        self.batch_size = batch_size
        self.max_iter = max_iter

    def check(self) -> None:
        super().check()
        check_positive(self, "damping")
        check_positive(self, "eta")
        check_positive(self, "smoothing", zero=True, below=1)

    def direction(self) -> QuasiNewtonDirection:
        return QuasiNewtonDirection(self.damping, self.eta, self.smoothing)


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
