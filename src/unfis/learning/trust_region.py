"""Second-order learners with adapted damping; TrustRegion is the estimator's default."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unfis.learning.loop import Iteration, Learner, check_positive
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import ALL, Problem, Rows

Array = NDArray[np.float64]

# Beyond this damping a step no longer changes the parameters: no descent is left to be found.
LARGEST_DAMPING = 1e12
SMALLEST_DAMPING = 1e-8
# A step counts as a descent from this share of the predicted decrease on.
SMALLEST_RATIO = 1e-4
# Without a prior the objective of separable samples has no minimum but tends to 0; what it loses
# below this value per sample changes no decision.
NEGLIGIBLE_LOSS = 0.01
# By this factor the samples looked at grow.
GROWTH = 4
# A part of the samples does not determine the minimum any closer than this, so it is not sought.
GROWING_TOLERANCE = 1e-3


@dataclass
class DampedState:
    """What is carried from one iteration to the next."""

    damping: float
    growth: float  # the factor by which the next rejection raises the damping
    order: NDArray[np.intp]  # the samples in random order
    size: int  # how many of them are looked at now
    value: float | None = None  # the objective where the last iteration ended, if it is known

    @property
    def rows(self) -> Rows:
        """The samples that are looked at now."""
        return ALL if self.size == len(self.order) else self.order[: self.size]


class DampedLearner(Learner):
    """Steps of a damped System, accepted only if they lower the objective.

    Per iteration: linearise once, then [solve, compare actual with predicted decrease, adapt the
    damping] until a step is accepted. Converged when the decrease that the System predicts for its
    step is at most `tol` times the objective, which counts as at least 0.01 per sample.
    """

    keeps_curvature = True
    damping: float
    tol: float

    def check(self) -> None:
        super().check()
        check_positive(self, "damping")
        check_positive(self, "tol", zero=True)

    def begin(
        self, problem: Problem, vector: Array, generator: np.random.RandomState
    ) -> DampedState:
        samples = len(problem.X)
        return DampedState(self.damping, 2.0, np.arange(samples), samples)

    @abstractmethod
    def accept(self, state: DampedState, ratio: float) -> None:
        """Adapt the damping after an accepted step with this ratio of actual to predicted."""

    @abstractmethod
    def reject(self, state: DampedState) -> None:
        """Raise the damping after a rejected step."""

    def iterate(self, problem: Problem, vector: Array, state: DampedState) -> Iteration:
        rows, value = state.rows, state.value
        if value is None:
            value = problem.value(self.objective, vector, rows)
        tol = self.tol if rows is ALL else max(self.tol, GROWING_TOLERANCE)
        enough = tol * max(value, NEGLIGIBLE_LOSS * problem.share(rows) * problem.total_weight)
        system = problem.system(self.objective, vector, rows)
        while state.damping <= LARGEST_DAMPING:
            damping = state.damping
            try:
                step = system.solve(damping)
            except np.linalg.LinAlgError:
                self.reject(state)
                continue
            predicted = float(step @ system.rhs) - 0.5 * system.curvature_along(step)
            if predicted <= enough:
                break
            lower = problem.value(self.objective, vector + step, rows)
            ratio = (value - lower) / predicted
            if ratio > SMALLEST_RATIO:
                self.accept(state, ratio)
                state.damping = max(state.damping, SMALLEST_DAMPING)
                state.value = lower
                return Iteration(vector + step, lower / problem.share(rows), damping)
            self.reject(state)
        finished = rows is ALL
        state.size = min(len(state.order), GROWTH * state.size)
        state.damping, state.growth, state.value = min(state.damping, self.damping), 2.0, None
        return Iteration(vector, value / problem.share(rows), state.damping, finished)

    def verdict(self, losses: list[float]) -> str:
        return (
            f"{type(self).__name__} stopped after max_iter={self.max_iter} iterations before its "
            f"criterion tol={self.tol:g} held; the objective is {losses[-1]:.4g}. Raise max_iter, "
            "or a larger ridge, or scale=True."
        )


class TrustRegion(DampedLearner):
    """The paper's idea finished: cross-entropy with a prior, Fisher curvature, adapted damping.

    step = (dZ' S dZ + prior + damping I)^-1 (-gradient). The damping follows the ratio of actual to
    predicted decrease; a step that raises the objective is rejected. Up to `batch_size` samples are
    taken all at once; with more, the training starts on so many and, each time it has converged,
    goes on with four times as many, until it has converged on all.

    Parameters
    ----------
    damping : float, default=1.0
        The first damping.
    tol : float, default=1e-5
        Converged when the predicted decrease is at most tol times the objective.
    batch_size : int, default=5000
        Samples looked at first.
    max_iter : int, default=200
        Accepted steps, at most.
    """

    objective = CrossEntropy()

    def __init__(
        self,
        damping: float = 1.0,
        tol: float = 1e-5,
        batch_size: int = 5000,
        max_iter: int = 200,
    ) -> None:
        self.damping = damping
        self.tol = tol
        self.batch_size = batch_size
        self.max_iter = max_iter

    def check(self) -> None:
        super().check()
        check_positive(self, "batch_size", whole=True)

    def begin(
        self, problem: Problem, vector: Array, generator: np.random.RandomState
    ) -> DampedState:
        state = super().begin(problem, vector, generator)
        if self.batch_size < state.size:
            state.order = generator.permutation(state.size)
            state.size = self.batch_size
        return state

    def accept(self, state: DampedState, ratio: float) -> None:
        state.damping *= max(1 / 3, 1 - (2 * ratio - 1) ** 3)
        state.growth = 2.0

    def reject(self, state: DampedState) -> None:
        state.damping *= state.growth
        state.growth *= 2.0
