"""Levenberg-Marquardt on squared error, the paper's second-order comparison."""

from __future__ import annotations

from unfis.learning.acceptance import MarquardtDamping
from unfis.learning.damped import DampedLearner
from unfis.learning.objective import SquaredError


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
