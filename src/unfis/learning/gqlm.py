"""GqLM, the paper's learner."""

from __future__ import annotations

from typing import NamedTuple

from unfis.arrays import Array
from unfis.learning.epochs import EpochLearner
from unfis.learning.loop import check_positive
from unfis.learning.objective import QuasiCrossEntropy
from unfis.learning.problem import Problem


class QuasiNewtonDirection(NamedTuple):
    """A damped step of a mini-batch's normal equations, divided by eta and smoothed."""

    damping: float
    eta: float
    smoothing: float

    def step(self, batch: Problem, vector: Array, previous: Array) -> Array:
        """The step on a mini-batch, given the one before."""
        system = batch.system(vector)
        # A prior is not part of the paper's loss. Added to eq. (lm5) it is not penalised by eta;
        # without it (ridge=0) this is Algorithm 1.
        system.diagonal = system.diagonal / self.eta
        step = system.solve(batch.outputs * self.damping) / self.eta
        return self.smoothing * previous + (1 - self.smoothing) * step


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
