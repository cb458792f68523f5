"""What problems have in common that are sums over samples and a share of a prior."""

from __future__ import annotations

from functools import cached_property

from unfis.arrays import Array
from unfis.learning.model import TrainableModel
from unfis.learning.objective import Objective
from unfis.learning.problem import Prior


class AdditiveProblem:
    """sum_k weight_k loss_k(v) + share * prior(v), of samples wherever they are."""

    model: TrainableModel
    objective: Objective
    prior: Prior

    @property
    def samples(self) -> int:
        """How many samples there are."""
        raise NotImplementedError

    @property
    def share(self) -> float:
        """Which part of the whole objective this is, by the weight of its samples."""
        raise NotImplementedError

    @property
    def outputs(self) -> int:
        """How many outputs the model has."""
        raise NotImplementedError

    @cached_property
    def contrasts(self) -> int:
        """How many rows a sample adds to the normal equations."""
        return len(self.objective.contrasts(self.outputs))

    def penalty(self, vector: Array) -> float:
        """The prior's part of the objective."""
        deviation = vector - self.prior.mean
        return self.share * 0.5 * float(self.prior.precision @ deviation**2)

    def prior_terms(self, vector: Array) -> tuple[Array, Array]:
        """What the prior adds to the right-hand side and to the diagonal."""
        precision = self.share * self.prior.precision
        return -precision * (vector - self.prior.mean), precision
