"""Sums over a worker's rows, and how those of several workers are joined: each function a task."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.data.samples import Samples, TrainingSample
from unfis.data.scaling import LocalColumns
from unfis.distributed.blocks import HeldBlock, joined_samples, task
from unfis.learning.local_problem import LocalProblem
from unfis.learning.model import TrainableModel
from unfis.learning.objective import Objective
from unfis.learning.problem import Prior
from unfis.learning.system import NormalEquations
from unfis.network import Parameters
from unfis.selection.folds import SampleTotals, may_be_drawn
from unfis.selection.scoring import total_loss


class RowEncoding(NamedTuple):
    """How the rows of a block are seen in learning."""

    columns: TableColumns
    factors: Array  # on the weights of each class, (classes,)
    objective: Objective

    def samples(self, block: HeldBlock) -> Samples:
        """The rows as a network sees them."""
        X = self.columns.matrix(block.values)
        targets = self.objective.encode(block.codes, len(self.factors))
        return Samples(X, targets, self.weights(block))

    def weights(self, block: HeldBlock) -> Array:
        """Of the rows, those of their classes multiplied in, (rows,)."""
        given = block.given_weights
        return given * self.factors[block.codes] if (self.factors != 1).any() else given


class Learned(NamedTuple):
    """What is learned of rows, and how they are seen."""

    encoding: RowEncoding
    model: TrainableModel

    def problem(self, block: HeldBlock, parameters: int, factor: float = 1.0) -> LocalProblem:
        """The problem of a block without a prior, its weights multiplied by a factor."""
        X, targets, weights = self.encoding.samples(block)
        nothing = Prior(np.zeros(parameters), np.zeros(parameters))
        weights = weights if factor == 1 else factor * weights
        return LocalProblem(self.model, self.encoding.objective, X, targets, weights, nothing)


@task
def block_at(
    block: HeldBlock, learned: Learned, vector: Array, method: str, factor: float = 1.0
) -> Any:
    """What a method of the problem of the rows gives at a vector."""
    return getattr(learned.problem(block, len(vector), factor), method)(vector)


@task
def block_weight(block: HeldBlock, encoding: RowEncoding) -> float:
    """The weight of the rows."""
    return float(encoding.weights(block).sum())


@task
def block_loss(block: HeldBlock, encoding: RowEncoding, network: Parameters) -> float:
    """The loss of a network on the rows."""
    return total_loss(encoding.objective, network, encoding.samples(block))


@task
def block_columns(block: HeldBlock, method: str, **which: Any) -> Any:
    """What a method of `LocalColumns` gives of columns of the rows."""
    return getattr(LocalColumns(block.values, block.given_weights), method)(**which)


class RowTotals(NamedTuple):
    """What is known of rows without their columns' scales."""

    ends: Array  # least and greatest value of each input, NaN for none, (2, inputs)
    rows: Array  # of each class, (classes,)
    weights: Array  # of each class, as they were given, (classes,)


@task
def row_totals(block: HeldBlock, classes: int) -> RowTotals:
    """What is known of the rows."""
    weights = block.given_weights
    rows, given = (np.bincount(block.codes, one, classes) for one in (None, weights))
    ends = np.array([reach.reduce(block.values, axis=0) for reach in (np.fmin, np.fmax)])
    return RowTotals(ends.astype(float), rows.astype(float), given.astype(float))


@task
def sample_totals(block: HeldBlock, encoding: RowEncoding) -> SampleTotals:
    """What decides which of the rows are drawn."""
    return SampleTotals.of(encoding.samples(block), encoding.objective)


@task
def possible_draws(block: HeldBlock, encoding: RowEncoding, totals: SampleTotals) -> Samples:
    """The rows that may be drawn, as samples."""
    return may_be_drawn(encoding.samples(block), totals, encoding.objective)


@task
def rows_at(block: HeldBlock, positions: NDArray[np.intp]) -> TrainingSample:
    """Some rows with their numbers in the table."""
    return block.part(positions).training_sample.part(np.arange(len(positions)))


@task
def joined_draws(parts: list[Samples], totals: SampleTotals, objective: Objective) -> Samples:
    """What may be drawn of several parts."""
    return may_be_drawn(joined_samples(parts), totals, objective)


@task
def joined_totals(parts: list[RowTotals]) -> RowTotals:
    """What is known of several blocks."""
    (least, greatest), rows, weights = parts[0]
    for part in parts[1:]:
        least, greatest = np.fmin(least, part.ends[0]), np.fmax(greatest, part.ends[1])
        rows, weights = rows + part.rows, weights + part.weights
    return RowTotals(np.array([least, greatest]), rows, weights)


@task
def joined_by(parts: list[Any], join: Callable[[Any, Any], Any]) -> Any:
    """Those of several blocks, joined one after the other."""
    return reduce(join, parts)


@task
def added(parts: list[Any]) -> Any:
    """The sum of numbers or of arrays, in their order."""
    return sum(parts[1:], start=parts[0])


@task
def added_gradients(parts: list[tuple[float, Array]]) -> tuple[float, Array]:
    """Losses and gradients, added."""
    values, gradients = zip(*parts, strict=True)
    return sum(values), sum(gradients[1:], start=gradients[0])


@task
def added_systems(parts: list[NormalEquations]) -> NormalEquations:
    """Normal equations of several blocks."""
    first = parts[0]
    found = NormalEquations(np.zeros_like(first.rhs), np.zeros_like(first.diagonal))
    for part in parts:
        found += part
    return found
