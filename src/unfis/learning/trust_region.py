"""The trust region, the estimator's default learner."""

from __future__ import annotations

import numpy as np

from unfis.learning.acceptance import RatioDamping
from unfis.learning.damped import DampedLearner
from unfis.learning.loop import check_positive
from unfis.learning.objective import CrossEntropy
from unfis.learning.subsample import Subsample


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
    adaptation = RatioDamping

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

    def first_sample(self, samples: int, generator: np.random.RandomState) -> Subsample:
        return Subsample.of(samples, self.batch_size, generator)
