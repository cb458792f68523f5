"""A problem whose samples are in memory: a model, an objective, samples and a prior."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.learning.model import LinearisedModel, TrainableModel
from unfis.learning.objective import TrainingObjective
from unfis.learning.problem import ALL, Prior, ProblemEvaluation, SampleRows
from unfis.learning.system import NormalEquations
from unfis.parallel import MANY_BLOCKS, in_parts


@dataclass(frozen=True, eq=False)
class LocalProblem:
    """A `Problem` of arrays, evaluated in blocks, so that memory does not grow with N x P."""

    model: TrainableModel
    objective: TrainingObjective
    X: Array  # (samples, features)
    targets: Array  # (samples, outputs)
    weights: Array  # (samples,)
    prior: Prior
    # The samples that this is the part of; all the above are the whole's.
    rows: SampleRows = field(default_factory=lambda: ALL)
    whole: LocalProblem | None = None  # the problem of all samples, None where this is it

    @property
    def samples(self) -> int:
        return len(self.X) if isinstance(self.rows, slice) else len(self.rows)

    @cached_property
    def weight(self) -> float:
        return float(self.weights[self.rows].sum())

    @property
    def share(self) -> float:
        return 1.0 if self.whole is None else self.weight / self.whole.weight

    @property
    def outputs(self) -> int:
        return int(self.targets.shape[1])

    def subset(self, rows: SampleRows) -> LocalProblem:
        """The part of the problem that some of its samples are, of which a slice may skip any."""
        if rows is ALL:
            return self
        if isinstance(rows, slice) or self.whole is not None:
            rows = np.arange(len(self.X))[self.rows][rows]
        return replace(self, rows=rows, whole=self.whole or self)

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

    def value(self, vector: Array) -> float:
        def losses(starts: range) -> float:
            total = 0.0
            for block in self._blocks(starts):
                total += block.loss(self.objective, self.model.outputs(vector, block.X))
            return total

        return sum(in_parts(self._starts(0), losses)) + self.penalty(vector)

    def gradient(self, vector: Array) -> Array:
        return self.value_and_gradient(vector)[1]

    def system(
        self, vector: Array, curved: LocalProblem | None = None, gradient: Array | None = None
    ) -> NormalEquations:
        """The normal equations at a vector, with the curvature of another part if given."""
        source = curved or self
        factor = float(np.sqrt(self.share / source.share))

        def part(starts: range) -> NormalEquations:
            found = NormalEquations(np.zeros(len(vector)), np.zeros(len(vector)))
            blocks = source._linearised(vector, starts)  # noqa: SLF001 - its own class
            source._add(found, blocks, factor)  # noqa: SLF001
            return found

        system = NormalEquations(*self.prior_terms(vector))
        for found in in_parts(source._starts(self.contrasts), part):  # noqa: SLF001
            system += found
        if curved is not None:
            system.rhs = -(self.gradient(vector) if gradient is None else gradient)
        return system

    def evaluate(self, vector: Array, curved: LocalProblem | None = None) -> ProblemEvaluation:
        """The objective at a vector; what its value took is kept for what follows, if it is little.

        Of few samples it is they themselves, linearised, of many the gradient, if the curvature is
        that of some.
        """
        if curved is not None:
            value, gradient = self.value_and_gradient(vector)
            return ProblemEvaluation(value, partial(self.system, vector, curved, gradient))
        if len(self._starts(self.contrasts)) >= MANY_BLOCKS:
            return ProblemEvaluation(self.value(vector), partial(self.system, vector))
        blocks = self.linearised(vector)
        value = sum(block.loss(self.objective, near.outputs) for block, near in blocks)
        value += self.penalty(vector)
        return ProblemEvaluation(value, partial(self.system_of, vector, blocks))

    def linearised(self, vector: Array) -> list[LinearisedBlock]:
        """The samples in blocks, with the model near a vector."""
        return list(self._linearised(vector, self._starts(self.contrasts)))

    def system_of(self, vector: Array, blocks: Iterable[LinearisedBlock]) -> NormalEquations:
        """The normal equations of samples that are linearised at a vector."""
        system = NormalEquations(*self.prior_terms(vector))
        self._add(system, blocks, 1.0)
        return system

    def _add(
        self, system: NormalEquations, blocks: Iterable[LinearisedBlock], factor: float
    ) -> None:
        """Add some blocks to the normal equations, the rows scaled by a factor."""
        for block, near in blocks:
            roots, whitened = self.objective.roots(near.outputs, block.targets)
            scale = factor * np.sqrt(block.weights)[:, None]
            weights = scale[:, :, None] * roots
            derivatives = flat(near.rows(weights))
            system.add_rows(derivatives.T)
            if whitened is not None:
                system.rhs += derivatives @ (scale * whitened).T.ravel()
            else:
                system.rhs += block.descent(self.objective, near)

    def value_and_gradient(self, vector: Array) -> tuple[float, Array]:
        """The objective and its gradient, in one pass."""

        def sums(starts: range) -> tuple[float, Array]:
            value, descent = 0.0, np.zeros(len(vector))
            for block, near in self._linearised(vector, starts):
                value += block.loss(self.objective, near.outputs)
                descent += block.descent(self.objective, near)
            return value, descent

        values, descents = zip(*in_parts(self._starts(0), sums), strict=True)
        prior, _ = self.prior_terms(vector)
        return sum(values) + self.penalty(vector), -sum(descents, start=prior)

    def _starts(self, rows_per_sample: int) -> range:
        """Where blocks of samples begin, of so many rows of derivatives per sample."""
        return range(0, self.samples, self.model.block_length(rows_per_sample))

    def _linearised(self, vector: Array, starts: range) -> Iterator[LinearisedBlock]:
        """The samples of some blocks, with the model near a vector."""
        if self.whole is None and starts.step >= len(self.X):
            block, samples = self.prepared
            yield block, self.model.linearise(vector, samples)
            return
        for block in self._blocks(starts):
            yield block, self.model.linearise(vector, self.model.prepared(block.X))

    @cached_property
    def prepared(self) -> tuple[SampleBlock, Any]:
        """All samples as one block, and as the model takes them."""
        block = SampleBlock(self.X[ALL], self.targets[ALL], self.weights)
        return block, self.model.prepared(block.X)

    def _blocks(self, starts: range) -> Iterator[SampleBlock]:
        """The samples of some blocks."""
        for start in starts:
            part: SampleRows = slice(start, start + starts.step)
            part = part if isinstance(self.rows, slice) else self.rows[part]
            yield SampleBlock(self.X[part], self.targets[part], self.weights[part])


class SampleBlock(NamedTuple):
    """Some samples."""

    X: Array
    targets: Array
    weights: Array

    def loss(self, objective: TrainingObjective, outputs: Array) -> float:
        """What the samples add to the objective, given their outputs."""
        return float(self.weights @ objective.losses(outputs, self.targets))

    def descent(self, objective: TrainingObjective, near: LinearisedModel) -> Array:
        """What they add to minus its gradient, shape (parameters,)."""
        residuals = objective.residuals(near.outputs, self.targets)
        return near.sums(self.weights[:, None] * residuals)


LinearisedBlock = tuple[SampleBlock, LinearisedModel]


def flat(derivatives: Array) -> Array:
    """Rows of samples, shape (samples, rows, parameters), as (parameters, rows * samples)."""
    return derivatives.transpose(2, 1, 0).reshape(derivatives.shape[2], -1)
