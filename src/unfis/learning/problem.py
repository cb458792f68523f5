"""What is to be learned: a model, samples and a prior, joined to values and Systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.objective import Objective
from unfis.learning.system import System
from unfis.threads import Found, in_parts

Rows = NDArray[np.intp] | slice
ALL = slice(None)


class Linear(Protocol):
    """A model near one vector, for some samples."""

    @property
    def logits(self) -> Array:
        """z, shape (samples, classes)."""

    def rows(self, weights: Array) -> Array:
        """B dZ for weights B, (samples, rows, classes): shape (samples, rows, parameters)."""

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, classes)."""


class Model(Protocol):
    """Anything with logits, derivatives and a vector of parameters can be learned."""

    def logits(self, vector: Array, X: Array) -> Array:
        """z, shape (samples, classes)."""

    def linearise(self, vector: Array, X: Array) -> Linear:
        """The model near a vector."""

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples to linearise at once."""


@dataclass(frozen=True)
class Prior:
    """precision / 2 (v - mean)^2, summed over the parameters."""

    mean: Array
    precision: Array


@dataclass(frozen=True)
class Problem:
    """Minimise sum_k weight_k loss_k(v) + prior(v) over the parameter vector v.

    A part of the samples carries the same part of the prior, so that the parts of an epoch add up
    to the whole objective.

    Attributes
    ----------
    model : Model
    X : shape (samples, features)
    targets : one-hot, shape (samples, classes)
    weights : shape (samples,)
    prior : Prior
    """

    model: Model
    X: Array
    targets: Array
    weights: Array
    prior: Prior

    @property
    def total_weight(self) -> float:
        """Sum of the samples' weights."""
        return float(self.weights.sum())

    def share(self, rows: Rows) -> float:
        """Which part of the whole objective some rows are."""
        return 1.0 if rows is ALL else float(self.weights[rows].sum()) / self.total_weight

    def value(self, objective: Objective, vector: Array, rows: Rows = ALL) -> float:
        """The objective over some rows."""

        def losses(starts: range) -> float:
            total = 0.0
            for block in self._blocks(rows, starts):
                logits = self.model.logits(vector, block.X)
                total += float(block.weights @ objective.losses(logits, block.targets))
            return total

        deviation = vector - self.prior.mean
        penalty = 0.5 * float(self.prior.precision @ deviation**2)
        return sum(self._in_parts(rows, 0, losses)) + self.share(rows) * penalty

    def gradient(self, objective: Objective, vector: Array, rows: Rows = ALL) -> Array:
        """The objective's gradient over some rows, shape (parameters,)."""

        def pull(starts: range) -> Array:
            total = np.zeros(len(vector))
            for block in self._blocks(rows, starts):
                linear = self.model.linearise(vector, block.X)
                residuals = objective.residuals(linear.logits, block.targets)
                total += linear.sums(block.weights[:, None] * residuals)
            return total

        prior, _ = self._prior_pull(vector, rows)
        return -sum(self._in_parts(rows, 0, pull), start=prior)

    def system(
        self, objective: Objective, vector: Array, rows: Rows = ALL, some: Rows | None = None
    ) -> System:
        """The System of the objective at a vector over some rows.

        With `some` of them the curvature is theirs, scaled up, and the right-hand side that of all.
        Summed over blocks of samples, so that memory does not grow with N x P.
        """
        system = System(*self._prior_pull(vector, rows))
        curved = rows if some is None else some
        factor = float(np.sqrt(self.share(rows) / self.share(curved)))
        work = partial(self._part, objective, vector, curved, factor)
        for part in self._in_parts(curved, self.targets.shape[1] - 1, work):
            system += part
        if some is not None:
            system.rhs = -self.gradient(objective, vector, rows)
        return system

    def _part(
        self, objective: Objective, vector: Array, rows: Rows, factor: float, starts: range
    ) -> System:
        """The System of some blocks, without the prior; the rows scaled by a factor."""
        system = System(np.zeros(len(vector)), np.zeros(len(vector)))
        for block in self._blocks(rows, starts):
            linear = self.model.linearise(vector, block.X)
            roots, pulls = objective.roots(linear.logits, block.targets)
            scale = factor * np.sqrt(block.weights)[:, None]
            derivatives = flat(linear.rows(scale[:, :, None] * roots))
            system.add_rows(derivatives.T)
            if pulls is not None:
                system.rhs += derivatives @ (scale * pulls).T.ravel()
            else:
                residuals = objective.residuals(linear.logits, block.targets)
                system.rhs += linear.sums(block.weights[:, None] * residuals)
        return system

    def _prior_pull(self, vector: Array, rows: Rows) -> tuple[Array, Array]:
        """What the prior adds to the right-hand side and to the diagonal of a System."""
        precision = self.share(rows) * self.prior.precision
        return -precision * (vector - self.prior.mean), precision

    def _in_parts(
        self, rows: Rows, rows_per_sample: int, work: Callable[[range], Found]
    ) -> list[Found]:
        """What comes of parts of the samples, each a range of blocks of one length."""
        count = len(self.X) if isinstance(rows, slice) else len(rows)
        return in_parts(count, self.model.block_length(rows_per_sample), work)

    def _blocks(self, rows: Rows, starts: range) -> Iterator[Block]:
        """The samples of some blocks."""
        for start in starts:
            part: Rows = slice(start, start + starts.step)
            part = part if isinstance(rows, slice) else rows[part]
            yield Block(self.X[part], self.targets[part], self.weights[part])


class Block(NamedTuple):
    """Some samples."""

    X: Array
    targets: Array
    weights: Array


def flat(derivatives: Array) -> Array:
    """Rows of samples, shape (samples, rows, parameters), as (parameters, rows * samples)."""
    return derivatives.transpose(2, 1, 0).reshape(derivatives.shape[2], -1)
