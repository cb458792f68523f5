"""A table read by workers: what all blocks teach together, as one table of all would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from dask.delayed import delayed
from distributed import Future
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.blocks import ClassUnion, ColumnUnion
from unfis.data.blocks.sources import LabelledBlock, Layout
from unfis.data.blocks.unions import BlockColumns
from unfis.data.target import check_total_weight, classes_of, encode_labels
from unfis.data.values import ValueReader
from unfis.distributed.blocks import (
    ReadBlock,
    Recoding,
    block_result,
    held_block,
    join_answers,
    read_block,
    summary,
)
from unfis.distributed.cluster import Cluster
from unfis.estimators.reading import Reading, TrainingTable, table_of
from unfis.fitting.rows import RowBlock


@dataclass(frozen=True, eq=False)
class DaskRows:
    """The rows of a fit in blocks that workers hold."""

    cluster: Cluster
    blocks: list[Future]
    count: int
    factors: Array | None = None  # on the weights of each class, (classes,)

    def joined(self, work: Callable[[RowBlock], Any], join: Callable[[list[Any]], Any]) -> Any:
        """What comes of each block, joined in the order of the rows."""
        found = self.cluster.hold(block_result, self.blocks, answer=work, factors=self.factors)
        return self.cluster.joined(found, partial(join_answers, join=join))

    def weighted(self, factors: Array) -> Self:
        """The same rows, their weights multiplied by a factor of each class."""
        return replace(self, factors=factors)


def read_distributed(cluster: Cluster, blocks: Sequence[Any], reading: Reading) -> TrainingTable:
    """Delayed blocks as one table, which workers then hold."""
    union = TableUnion(reading)
    names = [f"Block {number}" for number in range(1, len(blocks) + 1)]
    work, each = delayed(read_block), zip(blocks, names, strict=True)
    read = cluster.compute([work(block, name, reading) for block, name in each])
    summaries = cluster.results(cluster.hold(summary, read))
    for name, one in zip(names, summaries, strict=True):
        with LabelledBlock(name, None, None).examined():
            union.join(one)
    union.finish()
    inside = [n for n, one in enumerate(summaries) if one is not None and one.learned]
    changes = [union.recoding(summaries[n]) for n in inside]
    # Workers let go of what they read as soon as they hold it recoded.
    held = cluster.hold(held_block, [read[n] for n in inside], changes)
    rows = DaskRows(cluster, held, sum(summaries[n].learned for n in inside))
    check_total_weight(rows.joined(given_weight, sum))
    return table_of(union.names, union.reader, union.classes, rows, union.target)


def given_weight(block: RowBlock) -> float:
    """The weight of the rows, as it was given."""
    return float(block.given.sum())


class TableUnion:
    """What blocks that were read by themselves are together."""

    reader: ValueReader  # of all blocks, once they are known

    def __init__(self, reading: Reading) -> None:
        self.names: tuple[Any, ...] | None = None
        self.target = ""
        self.classes: NDArray[Any] = np.empty(0)
        self._layout: Layout | None = None
        self._labels, self._count = reading.labels, 0
        self._columns, self._classes = ColumnUnion(reading.categorical_features), ClassUnion()
        if reading.classes is not None:
            self._classes.join(classes_of(reading.classes))

    def join(self, block: ReadBlock | None) -> None:
        """Take note of a block; ValueError if it does not belong to the others."""
        if block is None:
            return
        if self._layout is None:
            self._layout, self.names = block.layout, block.names
        self._layout.check(block.layout)
        self.target = self.target or block.target
        self._count += block.learned
        if block.columns is not None:
            self._columns.join(in_order_of(block.columns, self._order(block)))
            if self._labels:
                self._classes.join(block.classes)

    def finish(self) -> None:
        """Learn what reads all blocks, and the classes of all; ValueError if there are no rows."""
        if self._layout is None:
            raise ValueError("X gave no rows to learn from: all of its blocks are empty.")
        check_total_weight(float(self._count > 0))
        self.reader = self._columns.reader()
        if self._labels:
            self.classes = classes_of(self._classes.classes)

    def recoding(self, block: ReadBlock) -> Recoding:
        """How a block becomes a part of the table."""
        assert block.columns is not None
        order = self._order(block)
        own, changed = in_order_of(block.columns, order).reader, {}
        for j, categories in enumerate(own.categories):
            if own.kinds[j] == "category" and categories:
                place = {kind: code for code, kind in enumerate(self.reader.categories[j])}
                changed[j] = np.array([place[kind] for kind in categories], dtype=np.intp)
        return Recoding(order, changed, encode_labels(block.classes, self.classes))

    def _order(self, block: ReadBlock) -> list[int] | None:
        """Where a block has the columns of the first one; None where they are in its order."""
        assert self._layout is not None
        wanted, names = self._layout.names, block.layout.names
        if wanted is None or names is None or wanted == names:
            return None
        return [names.index(name) for name in wanted]


def in_order_of(columns: BlockColumns, order: list[int] | None) -> BlockColumns:
    """What a block has in its columns, in another order."""
    if order is None:
        return columns
    reader = columns.reader
    parts: list[list[Any]] = [reader.names, reader.kinds, reader.categories]
    ordered = ValueReader(*([part[j] for j in order] for part in parts))
    return BlockColumns(ordered, [columns.known[j] for j in order])
