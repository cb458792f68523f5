"""Second-order learners with adapted damping; TrustRegion is the estimator's default."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.random import sample_without_replacement

from unfis.arrays import Array
from unfis.learning.loop import Iteration, Learner, check_positive
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import ALL, Evaluation, Problem, Rows
from unfis.learning.system import System, least_damping

# In units of the curvature: beyond it, a step changes nothing.
LARGEST_DAMPING = 1e12
# A step counts as a descent from this share of the predicted decrease on.
SMALLEST_RATIO = 1e-4
# From this share on it did what was predicted; below, it may have gone too far.
GOOD_RATIO = 0.25
# Without a prior the objective of separable samples has no minimum but tends to 0; what it loses
# below this value per sample changes no decision.
NEGLIGIBLE_LOSS = 0.01
# The parameters by themselves cannot promise more than their number times the decrease they promise
# together. If they promise so many times more, then damping hides that there is no minimum here.
STALLED = 10
# By this factor the samples looked at grow, up to so many; then all are.
GROWTH, LARGEST_PART = 4, 100_000
# Nor is the minimum over a part of the samples, or over very many, sought closer than this share of
# the objective, or in nats per parameter: which samples there are leaves half a nat uncertain.
GROWING_TOLERANCE, SAMPLING_TOLERANCE = 1e-2, 0.02
# With all of very many samples and their own curvature there is a minimum to be found; it is sought
# so many times less closely than that of few.
LAST_FACTOR = 30
# Samples that the curvature is taken of: that of more would be nearly the same at more cost.
CURVED_SAMPLES = 10_000


@dataclass(frozen=True)
class DampedState:
    """What is carried from one iteration to the next."""

    damping: float
    growth: float  # the factor by which the next rejection raises the damping
    total: int  # samples
    size: int  # how many of them are looked at now
    order: NDArray[np.intp]  # of samples that were drawn, those come first that are looked at
    evaluation: Evaluation | None = None  # where the last iteration ended, if it is known
    short: bool = False  # whether the last step gained hardly anything
    unseen: float = np.inf  # the objective over samples that are not looked at
    curvature: Array | None = None  # the last System's diagonal, as of all samples
    grown: bool = False  # whether the training began on some of very many samples

    @property
    def rows(self) -> Rows:
        """The samples that are looked at now."""
        return ALL if self.size == self.total else self.order[: self.size]

    def with_more_samples(self) -> DampedState:
        """The state to look at more samples with, or at all."""
        grown = GROWTH * self.size
        grown = grown if grown <= min(LARGEST_PART, self.total) else self.total
        damping = self.damping * (grown / self.size)  # as the curvature grows
        return replace(
            self,
            damping=damping,
            growth=2.0,
            size=grown,
            evaluation=None,
            short=False,
            unseen=np.inf,
        )


class DampedLearner(Learner):
    """Steps of a damped System, accepted only if they lower the objective.

    Per iteration: linearise once, then [solve, compare actual with predicted decrease, adapt the
    damping] until a step is accepted. Converged when a step hardly damped, or less damped than one
    that failed, is predicted to lower the objective by at most `tol` times its value (which counts
    as at least 0.01 per sample), or lowers it by no more. Where only some samples are looked at, or
    their curvature is that of some, no minimum is there to be found: it is enough then that the
    first step of an iteration lowers the objective by little, as predicted, or two iterations do.
    """

    keeps_curvature = True
    damping: float
    tol: float

    def check(self) -> None:
        super().check()
        check_positive(self, "damping")
        check_positive(self, "tol", zero=True)

    def begin(
        self, problem: Problem, evaluation: Evaluation, generator: np.random.RandomState
    ) -> DampedState:
        samples = problem.samples
        return DampedState(self.damping, 2.0, samples, samples, np.arange(0), evaluation)

    @abstractmethod
    def accept(self, state: DampedState, ratio: float) -> DampedState:
        """The damping adapted after an accepted step with this ratio of actual to predicted."""

    @abstractmethod
    def reject(self, state: DampedState) -> DampedState:
        """The damping raised after a rejected step."""

    def iterate(self, problem: Problem, vector: Array, state: DampedState) -> Iteration:
        part, some = problem.subset(state.rows), self.curved(state)
        curved = None if some is None else problem.subset(some)
        here = state.evaluation or part.evaluate(vector, curved)
        system = here.system()
        curvature = system.curvature_diagonal()
        least = least_damping(curvature)
        limit = LARGEST_DAMPING * max(1.0, float(curvature.max()))
        of_all = curvature / part.share
        state = replace(state, curvature=of_all, damping=min(state.damping, limit))
        enough = self._enough(problem, here.value, state)
        exact = state.rows is ALL and some is None
        ended = partial(self._ended, part)
        tried = False
        while state.damping <= limit:
            damping = state.damping
            step = damped_step(system, damping)
            predicted = system.decrease_along(step)
            if exact and predicted <= enough and not tried and damping > least:
                # It may be the damping that makes the step short: try one hardly damped.
                state, tried = replace(state, damping=least), True
                continue
            reached = part.evaluate(vector + step, curved)
            gain = here.value - reached.value
            if predicted <= enough or (exact and tried and 0 < gain <= enough):
                if not exact and not gain > 0:
                    return ended(vector, here, damping, state, finished=True)
                if exact and system.uncoupled_decrease() <= STALLED * len(step) * enough:
                    # Near a minimum the last step is worth more than all before it: take it too.
                    end = (vector + step, reached) if gain > 0 else (vector, here)
                    return ended(*end, damping, state, finished=True)
                if exact and predicted <= enough:
                    break  # it is the damping that makes all steps short
            if gain > SMALLEST_RATIO * predicted:
                kept_word = not tried and gain >= GOOD_RATIO * predicted
                finished = not exact and gain <= enough and (state.short or kept_word)
                state = replace(
                    self.accept(state, gain / predicted), evaluation=reached, short=gain <= enough
                )
                state = replace(state, damping=max(state.damping, least))
                return ended(vector + step, reached, damping, state, finished=finished)
            tried = True
            state = self.reject(state)
        return ended(vector, here, damping, state, advice=self._stuck())

    def _ended(
        self,
        part: Problem,
        vector: Array,
        evaluation: Evaluation,
        damping: float,
        state: DampedState,
        **how: Any,
    ) -> Iteration:
        """An iteration that ended there, with the objective as it would be of all samples."""
        return Iteration(vector, evaluation.value / part.share, damping, state, **how)

    def curved(self, state: DampedState) -> Rows | None:
        """The samples whose curvature stands for that of all that are looked at; None for all."""
        return None

    def _enough(self, problem: Problem, value: float, state: DampedState) -> float:
        """The decrease below which the training has converged on the samples it looks at."""
        least = NEGLIGIBLE_LOSS * problem.subset(state.rows).share * problem.weight
        if state.rows is ALL and self.curved(state) is None:
            return (LAST_FACTOR if state.grown else 1) * self.tol * max(value, least)
        uncertain = len(problem.prior.mean) * problem.weight / problem.samples
        close = max(self.tol, GROWING_TOLERANCE) * max(value, least)
        return max(close, SAMPLING_TOLERANCE * uncertain)

    def _stuck(self) -> str:
        return (
            f"{type(self).__name__} found no step that lowers the objective, though its gradient "
            "is not 0. Inputs or weights of very different sizes may be the cause, or a tol finer "
            "than arithmetic: try scale=True, weights around 1, a larger ridge or a larger tol."
        )

    def verdict(self, losses: list[float]) -> str:
        return (
            f"{type(self).__name__} stopped after max_iter={self.max_iter} iterations before its "
            f"criterion tol={self.tol:g} held; the objective is {losses[-1]:.4g}. Raise max_iter, "
            "or try a larger ridge or scale=True."
        )


def damped_step(system: System, damping: float) -> Array:
    """The step at a damping; NaN, which no learner accepts, where the System has no solution."""
    try:
        return system.solve(damping)
    except np.linalg.LinAlgError:
        return np.full_like(system.rhs, np.nan)


class TrustRegion(DampedLearner):
    """The paper's idea finished: cross-entropy with a prior, Fisher curvature, adapted damping.

    step = (dZ' S dZ + prior + damping I)^-1 (-gradient). The damping follows the ratio of actual to
    predicted decrease; a step that raises the objective is rejected. Up to `batch_size` samples are
    taken all at once; with more, the training starts on so many and goes on with four times as many
    as soon as they teach it little of others, until it has converged on all. The curvature is then
    that of at most 10,000 samples (or `batch_size`), drawn at random, and the gradient that of all.

    Parameters
    ----------
    damping : float, default=1.0
        The first damping.
    tol : float, default=1e-5
        Converged when the predicted decrease is at most tol times the objective; 30 tol of more
        than `batch_size` samples, and 0.01 where the curvature is that of some.
    batch_size : int, default=5000
        Samples looked at first. As large as the table, it asks for the minimum of all at once.
    max_iter : int, default=200
        Iterations, the last of which finds that no more is to be gained.
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
        self, problem: Problem, evaluation: Evaluation, generator: np.random.RandomState
    ) -> DampedState:
        state = super().begin(problem, evaluation, generator)
        if self.batch_size < state.size:
            most = min(state.total, 2 * max(LARGEST_PART, self.batch_size, CURVED_SAMPLES))
            drawn = sample_without_replacement(state.total, most, random_state=generator)
            order = generator.permutation(drawn)
            state = replace(state, order=order, size=self.batch_size, evaluation=None, grown=True)
        return state

    def iterate(self, problem: Problem, vector: Array, state: DampedState) -> Iteration:
        iteration = super().iterate(problem, vector, state)
        if state.rows is ALL:
            return iteration
        unseen = self._unseen_loss(problem, iteration.vector, state)
        stopped = iteration.finished or bool(iteration.advice)
        if not stopped and unseen < (1 - GROWING_TOLERANCE) * state.unseen:
            return iteration._replace(state=replace(iteration.state, unseen=unseen))
        better = iteration.vector if unseen < state.unseen else vector
        more = iteration.state.with_more_samples()
        return iteration._replace(vector=better, state=more, finished=False, advice="")

    def _unseen_loss(self, problem: Problem, vector: Array, state: DampedState) -> float:
        """The objective over as many samples as are looked at, but others."""
        others = problem.subset(state.order[state.size : 2 * state.size])
        return others.value(vector) / others.share

    def curved(self, state: DampedState) -> Rows | None:
        most = max(CURVED_SAMPLES, self.batch_size)
        return state.order[:most] if state.size > most else None

    def accept(self, state: DampedState, ratio: float) -> DampedState:
        factor = max(1 / 3, 1 - (2 * ratio - 1) ** 3)
        return replace(state, damping=state.damping * factor, growth=2.0)

    def reject(self, state: DampedState) -> DampedState:
        return replace(state, damping=state.damping * state.growth, growth=2 * state.growth)
