"""Learners that pass over the samples in mini-batches and take every step that they make."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from unfis.arrays import Array
from unfis.learning.loop import Iteration, Learner, check_positive
from unfis.learning.problem import ALL, Problem, ProblemEvaluation


class Direction(Protocol):
    """Makes a step of what a mini-batch says."""

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        """The step on a mini-batch, given the one before."""


@dataclass(frozen=True)
class EpochState:
    """The moving step and the source of the shuffles, which are drawn from it in place."""

    step: Array
    generator: np.random.RandomState


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
        """SampleRows of each mini-batch of one epoch, the last one possibly short."""
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
