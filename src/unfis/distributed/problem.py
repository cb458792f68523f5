"""A problem whose samples lie on Dask's workers, of which only sums come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from distributed import Future
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.distributed import sums
from unfis.distributed.blocks import assembled, taken
from unfis.distributed.cluster import Cluster
from unfis.distributed.sums import Learned, RowEncoding
from unfis.learning.additive import AdditiveProblem
from unfis.learning.model import TrainableModel
from unfis.learning.objective import Objective
from unfis.learning.problem import ALL, Prior, ProblemEvaluation, SampleRows
from unfis.learning.system import NormalEquations

# Some of the samples are brought together in pieces of so many, in their own order: sums over them
# then do not depend on the blocks that they came from.
PIECE_ROWS = 5000
# So many parts of a problem are remembered: those that a training looks at in turns.
MOST_REMEMBERED_PARTS = 4


@dataclass(frozen=True, eq=False)
class HeldRows:
    """Rows of a table in blocks that workers hold."""

    cluster: Cluster
    blocks: list[Future]
    counts: NDArray[np.intp]  # of the rows of each block, none of them 0

    def __len__(self) -> int:
        return int(self.counts.sum())

    def at(
        self, rows: NDArray[np.intp]
    ) -> tuple[list[Future], list[NDArray[np.intp]], list[NDArray[np.intp]]]:
        """The blocks that some rows are in, where they are there, and where among the rows."""
        ends = np.cumsum(self.counts)
        inside = np.searchsorted(ends, rows, side="right")
        numbers = np.unique(inside).tolist()
        places = [np.flatnonzero(inside == number) for number in numbers]
        starts = [ends[number] - self.counts[number] for number in numbers]
        there = [rows[mine] - start for mine, start in zip(places, starts, strict=True)]
        return [self.blocks[number] for number in numbers], there, places

    def part(self, rows: NDArray[np.intp]) -> HeldRows:
        """Some of the rows, in pieces of their own."""
        blocks, there, places = self.at(rows)
        parts = self.cluster.hold(taken, blocks, there)
        order = np.argsort(np.concatenate(places))
        starts = range(0, len(rows), PIECE_ROWS)
        positions = [order[start : start + PIECE_ROWS] for start in starts]
        pieces = [self.cluster.one(assembled, parts, one) for one in positions]
        return HeldRows(self.cluster, pieces, np.array([len(one) for one in positions]))

    def joined(self, work: Callable[..., Any], join: Callable[..., Any], **same: Any) -> Any:
        """What workers make of their blocks, joined in the order of the rows."""
        return self.cluster.joined(self.cluster.hold(work, self.blocks, **same), join)


@dataclass(frozen=True, eq=False)
class DaskProblem(AdditiveProblem):
    """A `Problem` of rows that workers hold; the prior is added here."""

    rows: HeldRows
    encoding: RowEncoding
    model: TrainableModel
    prior: Prior
    weight: float
    whole: DaskProblem | None = None  # the problem of all samples, None where this is it
    _parts: dict[bytes, DaskProblem] = field(default_factory=dict)  # the latest ones

    @property
    def objective(self) -> Objective:  # type: ignore[override]
        return self.encoding.objective

    @property
    def samples(self) -> int:
        return len(self.rows)

    @property
    def share(self) -> float:
        return 1.0 if self.whole is None else self.weight / self.whole.weight

    @property
    def outputs(self) -> int:
        return len(self.encoding.factors)

    @cached_property
    def learned(self) -> Future:
        """What workers must know beside their rows; a task, which is done again if it is lost."""
        return self.rows.cluster.one(Learned, self.encoding, self.model)

    def with_model(self, model: TrainableModel, prior: Prior) -> DaskProblem:
        """The problem of another model on the same samples."""
        return replace(self, model=model, prior=prior, _parts={})

    def with_objective(self, objective: Objective) -> DaskProblem:
        """The same of another objective."""
        return replace(self, encoding=self.encoding._replace(objective=objective), _parts={})

    def subset(self, rows: SampleRows) -> DaskProblem:
        """The part of the problem that some of its samples are, which workers then hold too."""
        if rows is ALL:
            return self
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(self.samples))
        key = rows.tobytes()
        found = self._parts.pop(key, None) or self._part(rows)
        self._parts[key] = found  # now the latest
        for old in list(self._parts)[:-MOST_REMEMBERED_PARTS]:
            del self._parts[old]
        return found

    def _part(self, rows: NDArray[np.intp]) -> DaskProblem:
        held = self.rows.part(rows)
        weight = held.joined(sums.block_weight, sums.added, encoding=self.encoding)
        return replace(self, rows=held, weight=weight, whole=self.whole or self, _parts={})

    def value(self, vector: Array) -> float:
        found: float = self._sum(sums.block_at, sums.added, vector, method="value")
        return found + self.penalty(vector)

    def gradient(self, vector: Array) -> Array:
        return self.value_and_gradient(vector)[1]

    def value_and_gradient(self, vector: Array) -> tuple[float, Array]:
        """The objective and its gradient, in one pass."""
        works = sums.block_at, sums.added_gradients
        value, gradient = self._sum(*works, vector, method="value_and_gradient")
        prior, _ = self.prior_terms(vector)
        return value + self.penalty(vector), gradient - prior

    def system(
        self, vector: Array, curved: DaskProblem | None = None, gradient: Array | None = None
    ) -> NormalEquations:
        """The normal equations at a vector, with the curvature of another part if given."""
        system = NormalEquations(*self.prior_terms(vector))
        works = sums.block_at, sums.added_systems
        system += self._curvature(vector, curved or self, *works, method="system")
        if curved is not None:
            system.rhs = -(self.gradient(vector) if gradient is None else gradient)
        return system

    def evaluate(self, vector: Array, curved: DaskProblem | None = None) -> ProblemEvaluation:
        """The objective at a vector; the equations of a step are summed when they are asked for."""
        if curved is None:
            return ProblemEvaluation(self.value(vector), partial(self.system, vector))
        value, gradient = self.value_and_gradient(vector)
        return ProblemEvaluation(value, partial(self.system, vector, curved, gradient))

    def _curvature(
        self,
        vector: Array,
        source: DaskProblem,
        work: Callable[..., Any],
        join: Callable[..., Any],
        **same: Any,
    ) -> Any:
        """What comes of the curvature of a part of the samples, as of these."""
        return source._sum(work, join, vector, factor=self.share / source.share, **same)

    def _sum(
        self, work: Callable[..., Any], join: Callable[..., Any], vector: Array, **same: Any
    ) -> Any:
        """What workers make of their samples at a vector, joined."""
        return self.rows.joined(work, join, learned=self.learned, vector=vector, **same)
