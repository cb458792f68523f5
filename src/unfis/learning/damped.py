"""Second-order learners: a damped Newton step, its acceptance, and a sample that may grow.

The trust region is the estimator's default; LM is the paper's second-order comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning import subsample
from unfis.learning.acceptance import (
    Criterion,
    Damping,
    ExactCriterion,
    MarquardtDamping,
    RatioDamping,
    SamplingCriterion,
    Trial,
    Verdict,
)
from unfis.learning.loop import Iteration, Learner
from unfis.learning.objective import SquaredError
from unfis.learning.problem import Problem, ProblemEvaluation
from unfis.learning.subsample import Subsample
from unfis.learning.system import NormalEquations, least_damping
from unfis.serial.parameters import check_positive

# In units of the curvature: beyond it, a step changes nothing.
LARGEST_DAMPING = 1e12
# Without a prior the objective of separable samples has no minimum but tends to 0; what it loses
# below this value per sample changes no decision.
NEGLIGIBLE_LOSS = 0.01
# Nor is the minimum over a part of the samples, or over very many, sought closer than a share of
# the objective, or in nats per parameter: which samples there are leaves half a nat uncertain.
SAMPLING_TOLERANCE = 0.02
# With all of very many samples and their own curvature there is a minimum to be found; it is sought
# so many times less closely than that of few.
LAST_FACTOR = 30


@dataclass(frozen=True)
class DampedState:
    """What is carried from one iteration to the next."""

    damping: Damping
    sample: Subsample
    evaluation: ProblemEvaluation | None = None  # where the last iteration ended, if it is known
    short: bool = False  # whether the last step gained hardly anything
    curvature: Array | None = None  # the last diagonal of the curvature, as of all samples

    def with_more_samples(self) -> DampedState:
        """The state to look at more samples with, or at all."""
        sample = self.sample.larger()
        damping = self.damping.value * (sample.size / self.sample.size)  # as the curvature grows
        return DampedState(type(self.damping)(damping), sample, curvature=self.curvature)


class Search(NamedTuple):
    """Where an iteration goes: the last step that was tried, and what becomes of it."""

    step: Array
    there: ProblemEvaluation
    trial: Trial
    tried: float  # the damping of the step
    damping: Damping  # after it
    verdict: Verdict


class DampedLearner(Learner):
    """Steps of damped normal equations, accepted only if they lower the objective.

    Per iteration: linearise once, then [solve, compare actual with predicted decrease, adapt the
    damping] until a step is accepted. Converged when a step hardly damped, or less damped than one
    that failed, is predicted to lower the objective by at most `tol` times its value (which counts
    as at least 0.01 per sample), or lowers it by no more; of some samples, when little is gained.
    """

    keeps_curvature = True
    adaptation: ClassVar[type[Damping]]
    damping: float
    tol: float

    def check(self) -> None:
        super().check()
        check_positive(self, "damping")
        check_positive(self, "tol", zero=True)

    def begin(
        self, problem: Problem, evaluation: ProblemEvaluation, generator: np.random.RandomState
    ) -> DampedState:
        sample = self.first_sample(problem.samples, generator)
        damping = self.adaptation(self.damping)
        return DampedState(damping, sample, evaluation if sample.is_all else None)

    def first_sample(self, samples: int, generator: np.random.RandomState) -> Subsample:
        """The samples to look at first: all."""
        return Subsample.of(samples, samples, generator)

    def iterate(self, problem: Problem, vector: Array, state: DampedState) -> Iteration:
        iteration = self.descend(problem, vector, state)
        sample = state.sample
        if sample.is_all:
            return iteration
        unseen = sample.unseen_loss(problem, iteration.vector)
        better = unseen < (1 - subsample.GROWING_TOLERANCE) * sample.unseen
        if better and not (iteration.finished or iteration.advice):
            seen = replace(iteration.state.sample, unseen=unseen)
            return iteration._replace(state=replace(iteration.state, sample=seen))
        vector = iteration.vector if unseen < sample.unseen else vector
        more = iteration.state.with_more_samples()
        return iteration._replace(vector=vector, state=more, finished=False, advice="")

    def descend(self, problem: Problem, vector: Array, state: DampedState) -> Iteration:
        """One iteration on the samples that are looked at, with their objective as of all."""
        part, some = problem.subset(state.sample.rows), state.sample.curved
        curved = None if some is None else problem.subset(some)
        here = state.evaluation or part.evaluate(vector, curved)
        system = here.system()
        curvature = system.curvature_diagonal()
        least = least_damping(curvature)
        criterion = self.criterion(problem, part, here.value, system, state)
        found = search(
            lambda step: part.evaluate(vector + step, curved),
            here.value,
            system,
            state.damping,
            criterion,
            (least, LARGEST_DAMPING * max(1.0, float(curvature.max()))),
        )
        damping, gain, short = found.damping, found.trial.gain, state.short
        if found.verdict in (Verdict.ACCEPTED, Verdict.CONVERGED) and gain > 0:
            vector, here, short = vector + found.step, found.there, gain <= criterion.enough
            damping = damping.accepted(found.trial.ratio).within(least, np.inf)
        return Iteration(
            vector,
            here.value / part.share,
            found.tried,
            DampedState(damping, state.sample, here, short, curvature / part.share),
            finished=found.verdict is Verdict.CONVERGED,
            advice=self._stuck() if found.verdict is Verdict.STUCK else "",
        )

    def criterion(
        self,
        problem: Problem,
        part: Problem,
        value: float,
        system: NormalEquations,
        state: DampedState,
    ) -> Criterion:
        """When the training has converged on the samples it looks at."""
        value = max(value, NEGLIGIBLE_LOSS * part.share * problem.weight)
        if state.sample.is_exact:
            whole = state.sample.first == state.sample.total
            return ExactCriterion((1 if whole else LAST_FACTOR) * self.tol * value, system)
        uncertain = len(problem.prior.mean) * problem.weight / problem.samples
        close = max(self.tol, subsample.GROWING_TOLERANCE) * value
        return SamplingCriterion(max(close, SAMPLING_TOLERANCE * uncertain), state.short)

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


def search(
    evaluate: Callable[[Array], ProblemEvaluation],
    value: float,
    system: NormalEquations,
    damping: Damping,
    criterion: Criterion,
    bounds: tuple[float, float],
) -> Search:
    """Try steps, ever more damped, until one is not rejected or the largest damping is reached."""
    least, most = bounds
    damping, first = damping.within(0.0, most), True
    while True:
        tried = damping.value
        try:
            step = system.solve(tried)
        except np.linalg.LinAlgError:  # there is no solution: no learner accepts NaN
            step = np.full_like(system.rhs, np.nan)
        predicted = system.decrease_along(step)
        if first and tried > least and criterion.doubts(predicted):
            damping, first = damping.within(0.0, least), False
            continue
        there = evaluate(step)
        trial = Trial(predicted, value - there.value, first)
        verdict = criterion.verdict(trial)
        if verdict is not Verdict.REJECTED:
            return Search(step, there, trial, tried, damping, verdict)
        damping, first = damping.rejected(), False
        if not damping.value <= most:
            return Search(step, there, trial, tried, damping, Verdict.STUCK)


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

    adaptation = RatioDamping

    def __init__(
        self, damping: float = 1.0, tol: float = 1e-5, batch_size: int = 5000, max_iter: int = 200
    ) -> None:
        self.damping = damping
        self.tol = tol
        self.batch_size = batch_size
        self.max_iter = max_iter

    def check(self) -> None:
        super().check()
        check_positive(self, "batch_size", whole=True)

    def first_sample(self, samples: int, generator: np.random.RandomState) -> Subsample:
        return Subsample.of(samples, self.batch_size, generator)


class LM(DampedLearner):
    """step = (J' J + damping I)^-1 J' (P* - p), J = S dZ the derivatives of the probabilities.

    The paper states no damping schedule; this is Marquardt's: a tenth after an accepted step, ten
    times after a rejected one. All samples at once.

    Parameters
    ----------
    damping : float, default=1.0
        The first damping.
    tol : float, default=1e-5
        Converged when the predicted decrease is at most tol times the objective.
    max_iter : int, default=100
        Iterations, the last of which finds that no more is to be gained.
    """

    objective = SquaredError()
    adaptation = MarquardtDamping

    def __init__(self, damping: float = 1.0, tol: float = 1e-5, max_iter: int = 100) -> None:
        self.damping = damping
        self.tol = tol
        self.max_iter = max_iter
