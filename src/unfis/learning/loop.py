"""The one loop that runs every learner, and what a learner has to provide."""

from __future__ import annotations

import copy
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from unfis.arrays import Array
from unfis.learning.objective import TrainingObjective
from unfis.learning.problem import Problem, ProblemEvaluation
from unfis.learning.watch import UNWATCHED, Watch
from unfis.serial.parameters import check_positive

# Iterations without a better validation loss before early stopping ends the training.
PATIENCE = 10


class Iteration(NamedTuple):
    """What one iteration of a learner did."""

    vector: Array
    value: float  # the objective at the new vector, over all samples the learner looks at
    damping: float  # NaN where a learner has none
    state: Any  # the learner's after it
    finished: bool = False  # the learner's own criterion holds
    advice: str = ""  # why the learner cannot go on, and what to try


class IterationRecord(NamedTuple):
    """One row of the history."""

    loss: float  # objective per unit of sample weight
    step: float  # length of the parameters' change
    damping: float
    seconds: float  # that the iteration took


Monitor = Callable[[int, Array, IterationRecord], bool]


class Learner(BaseEstimator, ABC):  # type: ignore[misc]
    """An algorithm: `begin` makes its state, `iterate` of one state another.

    A learner owns no data. Its constructor's arguments are scikit-learn parameters, so that
    `learner__damping` can be searched. A state is a value, but for the source of shuffles in it,
    which is drawn from in place.
    """

    # What it minimises in place of the task's own objective, if it has one.
    objective: ClassVar[TrainingObjective | None] = None
    # Whether a batch of a stream is learned to the end and remembered by its curvature
    # (second order), or passed over once (first order, and the paper's learner).
    keeps_curvature: ClassVar[bool] = False
    max_iter: int

    def check(self) -> None:
        """Raise ValueError where a parameter is out of its range."""
        check_positive(self, "max_iter", whole=True)

    @abstractmethod
    def begin(
        self, problem: Problem, evaluation: ProblemEvaluation, generator: np.random.RandomState
    ) -> Any:
        """The learner's state before its first iteration, from a vector with this objective."""

    @abstractmethod
    def iterate(self, problem: Problem, vector: Array, state: Any) -> Iteration:
        """One iteration from `vector`, and the state after it; `state` stays as it is."""

    def verdict(self, losses: list[float]) -> str:
        """Why the training that ended with these losses has not converged; empty if it has."""
        return ""


@dataclass
class TrainingOutcome:
    """What the training came to."""

    vector: Array
    records: list[IterationRecord] = field(default_factory=list)
    converged: bool = False
    advice: str = ""  # a sentence when the training did not converge
    state: Any = None  # the learner's, to go on with


def train(
    learner: Learner,
    problem: Problem,
    start: Array,
    generator: np.random.RandomState,
    *,
    state: Any = None,
    max_iter: int | None = None,
    validation: Callable[[Array], float] | None = None,
    monitor: Monitor = lambda number, vector, record: False,
    watch: Watch = UNWATCHED,
) -> TrainingOutcome:
    """Run a learner: begin, [iterate, record, stop if diverged / early / asked / finished]*.

    Parameters
    ----------
    state : of an earlier training that this one goes on with; it stays as it is
    max_iter : iterations at most, the learner's own limit if None
    validation : loss of a vector on samples held out; the best vector is kept
    monitor : called after every iteration; True stops the training
    watch : stops it after the iteration in which time was over
    """
    scale = problem.weight
    evaluation = problem.evaluate(start)
    # A copy, since shuffles are drawn from its generator in place.
    state = learner.begin(problem, evaluation, generator) if state is None else copy.deepcopy(state)
    outcome = TrainingOutcome(start, state=state)
    losses = [evaluation.value / scale]
    stopping = None if validation is None else EarlyStopping(validation, start, state)
    asked_to_stop = False
    for number in range(1, (max_iter or learner.max_iter) + 1):
        began = time.perf_counter()
        iteration = attempt(learner, problem, outcome.vector, outcome.state)
        if iteration is None:
            outcome.advice = (
                f"{type(learner).__name__} diverged in iteration {number}: the objective is no "
                "longer finite. The last finite parameters were kept. Try a smaller step "
                "(learning_rate, or a larger damping), scale=True or a larger ridge."
            )
            break
        losses.append(iteration.value / scale)
        step = float(np.linalg.norm(iteration.vector - outcome.vector))
        seconds = time.perf_counter() - began
        record = IterationRecord(losses[-1], step, iteration.damping, seconds)
        outcome.vector, outcome.state = iteration.vector, iteration.state
        outcome.advice = iteration.advice
        outcome.records.append(record)
        stopped = stopping is not None and stopping.waited_long(iteration)
        outcome.converged = iteration.finished or stopped
        asked_to_stop = monitor(number, outcome.vector, record) or watch.is_over()
        if asked_to_stop or outcome.converged or outcome.advice:
            break
    if stopping is not None:
        outcome.vector, outcome.state = stopping.best_vector, stopping.best_state
    if not (outcome.converged or outcome.advice or asked_to_stop):
        outcome.advice = learner.verdict(losses)
        outcome.converged = not outcome.advice
    return outcome


@dataclass
class EarlyStopping:
    """Keeps the vector with the best validation loss and counts how long it has been the best.

    With the learner's state there, since a step goes on from the vector that it led to.
    """

    validation: Callable[[Array], float]
    best_vector: Array
    best_state: Any
    best_loss: float = np.inf
    waited: int = 0

    def waited_long(self, iteration: Iteration) -> bool:
        """Take note of an iteration; True once none has been better for a while."""
        loss = self.validation(iteration.vector)
        self.waited += 1
        if loss < self.best_loss:
            self.best_loss, self.waited = loss, 0
            self.best_vector, self.best_state = iteration.vector, iteration.state
        return self.waited >= PATIENCE


def attempt(learner: Learner, problem: Problem, vector: Array, state: Any) -> Iteration | None:
    """One iteration, or None if it led to numbers that are not finite."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        try:
            iteration = learner.iterate(problem, vector, state)
        except np.linalg.LinAlgError:
            return None
    finite = np.isfinite(iteration.value) and np.isfinite(iteration.vector).all()
    return iteration if finite else None
