"""What is to be learned: a model, samples and a prior, joined to values and Systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.objective import Objective
from unfis.learning.system import System
from unfis.parallel import MANY_BLOCKS, Found, in_parts

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

    def add_class_sums(self, found: Array, weights: Array) -> None:
        """Add (B dZ)' (B dZ) summed, in an order of its own; only with many classes."""

    def class_influences(self, weights: Array, inverse: Array) -> Array:
        """B dZ H^-1 dZ' B' of each sample, (samples, rows, rows); only with many classes."""


class Model(Protocol):
    """Anything with logits, derivatives and a vector of parameters can be learned."""

    @property
    def has_many_classes(self) -> bool:
        """Whether sums by classes cost less than rows."""

    def logits(self, vector: Array, X: Array) -> Array:
        """z, shape (samples, classes)."""

    def prepared(self, X: Array) -> Any:
        """Samples as `linearise` takes them, which may be done once for all vectors."""

    def linearise(self, vector: Array, samples: Any) -> Linear:
        """The model near a vector."""

    def in_order(self, class_sums: Array) -> Array:
        """`class_sums` in the order of the vector, shape (parameters, parameters)."""

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

    @cached_property
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
                total += block.loss(objective, self.model.logits(vector, block.X))
            return total

        return sum(self._in_parts(rows, 0, losses)) + self._penalty(vector, rows)

    def gradient(self, objective: Objective, vector: Array, rows: Rows = ALL) -> Array:
        """The objective's gradient over some rows, shape (parameters,)."""
        return self._value_and_gradient(objective, vector, rows)[1]

    def system(
        self,
        objective: Objective,
        vector: Array,
        rows: Rows = ALL,
        some: Rows | None = None,
        gradient: Array | None = None,
    ) -> System:
        """The System of the objective at a vector over some rows.

        With `some` of them the curvature is theirs, scaled up, and the gradient that of all rows.
        Summed over blocks of samples, so that memory does not grow with N x P.
        """
        curved = rows if some is None else some
        factor = float(np.sqrt(self.share(rows) / self.share(curved)))

        def part(starts: range) -> System:
            found = System(np.zeros(len(vector)), np.zeros(len(vector)))
            self._add(found, objective, self._linearised(vector, curved, starts), factor)
            return found

        system = System(*self._prior_pull(vector, rows))
        for found in self._in_parts(curved, self.targets.shape[1] - 1, part):
            system += found
        if some is not None:
            gradient = self.gradient(objective, vector, rows) if gradient is None else gradient
            system.rhs = -gradient
        return system

    def at(
        self, objective: Objective, vector: Array, rows: Rows = ALL, some: Rows | None = None
    ) -> Place:
        """The objective at a vector; what its value took is kept for its System, if that is little.

        Of few samples it is they themselves, linearised, of many the gradient, if the curvature is
        that of some.
        """
        if some is not None:
            value, gradient = self._value_and_gradient(objective, vector, rows)
            return Place(value, partial(self.system, objective, vector, rows, some, gradient))
        if len(self._starts(rows, self.targets.shape[1] - 1)) >= MANY_BLOCKS:
            value = self.value(objective, vector, rows)
            return Place(value, partial(self.system, objective, vector, rows))
        linears = self.linearised(vector, rows)
        value = sum(block.loss(objective, linear.logits) for block, linear in linears)
        value += self._penalty(vector, rows)
        return Place(value, partial(self.system_of, objective, vector, linears, rows))

    def linearised(self, vector: Array, rows: Rows = ALL) -> list[Linearised]:
        """Some samples in blocks, with the model near a vector."""
        starts = self._starts(rows, self.targets.shape[1] - 1)
        return list(self._linearised(vector, rows, starts))

    def system_of(
        self,
        objective: Objective,
        vector: Array,
        linears: Iterable[Linearised],
        rows: Rows = ALL,
    ) -> System:
        """The System of samples that are linearised at a vector."""
        system = System(*self._prior_pull(vector, rows))
        self._add(system, objective, linears, 1.0)
        return system

    def _add(
        self, system: System, objective: Objective, linears: Iterable[Linearised], factor: float
    ) -> None:
        """Add some blocks to a System, the rows scaled by a factor."""
        by_class = None
        for block, linear in linears:
            roots, pulls = objective.roots(linear.logits, block.targets)
            scale = factor * np.sqrt(block.weights)[:, None]
            weights = scale[:, :, None] * roots
            if self._sums_by_class:
                by_class = np.zeros((len(self.prior.mean),) * 2) if by_class is None else by_class
                linear.add_class_sums(by_class, weights)
            else:
                derivatives = flat(linear.rows(weights))
                system.add_rows(derivatives.T)
            if pulls is not None and not self._sums_by_class:
                system.rhs += derivatives @ (scale * pulls).T.ravel()
            else:
                residuals = objective.residuals(linear.logits, block.targets)
                system.rhs += linear.sums(block.weights[:, None] * residuals)
        if by_class is not None:
            system.add_gram(self.model.in_order(by_class))

    @property
    def _sums_by_class(self) -> bool:
        """Whether there are many classes, and more rows of samples than parameters."""
        rows = len(self.X) * (self.targets.shape[1] - 1)
        return self.model.has_many_classes and rows > len(self.prior.mean)

    def _value_and_gradient(
        self, objective: Objective, vector: Array, rows: Rows
    ) -> tuple[float, Array]:
        """The objective and its gradient over some rows, in one pass."""

        def sums(starts: range) -> tuple[float, Array]:
            value, pull = 0.0, np.zeros(len(vector))
            for block, linear in self._linearised(vector, rows, starts):
                value += block.loss(objective, linear.logits)
                residuals = objective.residuals(linear.logits, block.targets)
                pull += linear.sums(block.weights[:, None] * residuals)
            return value, pull

        values, pulls = zip(*self._in_parts(rows, 0, sums), strict=True)
        prior, _ = self._prior_pull(vector, rows)
        return sum(values) + self._penalty(vector, rows), -sum(pulls, start=prior)

    def _penalty(self, vector: Array, rows: Rows) -> float:
        """The prior's part of the objective over some rows."""
        deviation = vector - self.prior.mean
        return self.share(rows) * 0.5 * float(self.prior.precision @ deviation**2)

    def _prior_pull(self, vector: Array, rows: Rows) -> tuple[Array, Array]:
        """What the prior adds to the right-hand side and to the diagonal of a System."""
        precision = self.share(rows) * self.prior.precision
        return -precision * (vector - self.prior.mean), precision

    def _starts(self, rows: Rows, rows_per_sample: int) -> range:
        """Where the blocks of some rows begin, of so many rows of derivatives per sample."""
        count = len(self.X) if rows is ALL else len(self._places(rows))
        return range(0, count, self.model.block_length(rows_per_sample))

    def _places(self, rows: Rows) -> NDArray[np.intp]:
        """The places of some rows, of which a slice may skip any."""
        return np.arange(len(self.X))[rows] if isinstance(rows, slice) else rows

    def _in_parts(
        self, rows: Rows, rows_per_sample: int, work: Callable[[range], Found]
    ) -> list[Found]:
        """What comes of parts of the samples, each a range of blocks of one length."""
        return in_parts(self._starts(rows, rows_per_sample), work)

    def _linearised(self, vector: Array, rows: Rows, starts: range) -> Iterator[Linearised]:
        """The samples of some blocks, with the model near a vector."""
        if rows is ALL and starts.step >= len(self.X):
            block, samples = self._whole
            yield block, self.model.linearise(vector, samples)
            return
        for block in self._blocks(rows, starts):
            yield block, self.model.linearise(vector, self.model.prepared(block.X))

    @property
    def prepared(self) -> Any:
        """All samples as the model takes them."""
        return self._whole[1]

    @cached_property
    def _whole(self) -> tuple[Block, Any]:
        """All samples as one block, prepared."""
        block = Block(self.X[ALL], self.targets[ALL], self.weights)
        return block, self.model.prepared(block.X)

    def _blocks(self, rows: Rows, starts: range) -> Iterator[Block]:
        """The samples of some blocks."""
        places = None if rows is ALL else self._places(rows)
        for start in starts:
            part: Rows = slice(start, start + starts.step)
            part = part if places is None else places[part]
            yield Block(self.X[part], self.targets[part], self.weights[part])


class Block(NamedTuple):
    """Some samples."""

    X: Array
    targets: Array
    weights: Array

    def loss(self, objective: Objective, logits: Array) -> float:
        """What the samples add to the objective, given their logits."""
        return float(self.weights @ objective.losses(logits, self.targets))


Linearised = tuple[Block, Linear]


class Place(NamedTuple):
    """The objective at one vector: its value, and its System when it is asked for."""

    value: float
    system: Callable[[], System]


def flat(derivatives: Array) -> Array:
    """Rows of samples, shape (samples, rows, parameters), as (parameters, rows * samples)."""
    return derivatives.transpose(2, 1, 0).reshape(derivatives.shape[2], -1)
