"""The rows of a fit that lie on Dask's workers: sums over all, and the few that come here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.data.samples import Samples, TrainingSample, kept_positions
from unfis.data.scaling import Moments
from unfis.data.target import class_factors
from unfis.distributed import sums
from unfis.distributed.problem import DaskProblem, HeldRows
from unfis.distributed.sums import RowEncoding, RowTotals
from unfis.learning.objective import Objective
from unfis.learning.problem import Prior
from unfis.model.rows import ClassTotals
from unfis.network import Parameters, Trainable
from unfis.selection.folds import SampleTotals, drawn


@dataclass(frozen=True)
class DaskColumns:
    """Sums over columns of rows that workers hold."""

    rows: HeldRows

    def moments(self, columns: list[int], exponents: NDArray[np.intp]) -> Moments:
        """Their moments in units of 2^exponent."""
        same = {"method": "moments", "columns": columns, "exponents": exponents}
        join = partial(sums.joined_by, join=Moments.joined)
        found: Moments = self.rows.joined(sums.block_columns, join, **same)
        return found

    def largest(self, columns: list[int]) -> Array:
        """The largest size of a number in each, NaN for none."""
        join = partial(sums.joined_by, join=np.fmax)
        same = {"method": "largest", "columns": columns}
        return np.asarray(self.rows.joined(sums.block_columns, join, **same))


class DaskRead(NamedTuple):
    """A table whose blocks workers hold."""

    columns: TableColumns
    rows: HeldRows
    totals: RowTotals

    def training_rows(self, class_weight: Any, objective: Objective) -> DaskRows:
        """What is learned from, the classes weighted."""
        given = self.totals.weights
        factors = class_factors(class_weight, self.columns.classes, given, float(given.sum()))
        return DaskRows(self, RowEncoding(self.columns, factors, objective))


@dataclass(frozen=True)
class DaskRows:
    """All rows to learn from, which never come here but for a few."""

    read: DaskRead
    encoding: RowEncoding

    @property
    def count(self) -> int:
        return len(self.read.rows)

    @property
    def weight(self) -> float:
        return float(self.class_totals.learned.sum())

    @property
    def class_totals(self) -> ClassTotals:
        totals = self.read.totals
        return ClassTotals(totals.rows, totals.weights, totals.weights * self.encoding.factors)

    @cached_property
    def drawn(self) -> Samples:
        """About 20,000 by the hash of their values, the same whatever the blocks."""
        held, encoding, objective = self.read.rows, self.encoding, self.encoding.objective
        join = partial(sums.joined_by, join=SampleTotals.joined)
        totals = held.joined(sums.sample_totals, join, encoding=encoding)
        join = partial(sums.joined_draws, totals=totals, objective=objective)
        found = held.joined(sums.possible_draws, join, encoding=encoding, totals=totals)
        return drawn(found, totals, objective)

    def kept(self) -> TrainingSample:
        """Evenly spaced ones of all, as of a table in memory."""
        held, totals = self.read.rows, self.read.totals
        blocks, there, _ = held.at(kept_positions(self.count, totals.ends.shape[1]))
        parts = held.cluster.results(held.cluster.hold(sums.rows_at, blocks, there))
        rows, values, codes, weights, _, _ = map(list, zip(*parts, strict=True))
        found = TrainingSample(
            np.concatenate(rows),
            np.concatenate(values),
            np.concatenate(codes),
            np.concatenate(weights),
            self.count,
            totals.ends,
        )
        return found.standing_for(float(totals.weights.sum()))

    def problem(self, network: Trainable, objective: Objective, prior: Prior) -> DaskProblem:
        """What is minimised over all of them."""
        encoding = self.encoding._replace(objective=objective)
        return DaskProblem(self.read.rows, encoding, network, prior, self.weight)

    def loss(self, network: Parameters) -> float:
        """Loss of a network per unit of their weight."""
        same = {"encoding": self.encoding, "network": network}
        total = self.read.rows.joined(sums.block_loss, sums.added, **same)
        return float(total / self.weight)
