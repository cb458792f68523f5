"""A table read by workers: what all blocks teach together, as one table of all would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from dask.delayed import delayed
from numpy.typing import NDArray

from unfis.data.blocks import ClassUnion, ColumnUnion
from unfis.data.blocks.sources import LabelledBlock, Layout
from unfis.data.blocks.unions import BlockColumns
from unfis.data.columns import TableColumns
from unfis.data.scaling import scaled_inputs
from unfis.data.target import check_total_weight, classes_of, encode_labels
from unfis.data.values import ValueReader
from unfis.distributed import sums
from unfis.distributed.blocks import ReadBlock, Recoding, held_block, read_block, summarised
from unfis.distributed.cluster import Cluster
from unfis.distributed.problem import HeldRows
from unfis.distributed.rows import DaskColumns, DaskRead
from unfis.model.settings import Settings


def read_distributed(
    cluster: Cluster,
    blocks: Sequence[Any],
    settings: Settings,
    known: TableColumns | None = None,
    tell: Callable[[float], None] | None = None,
) -> DaskRead:
    """Read delayed blocks, which workers then hold; learn their columns if none are known."""
    union = TableUnion(settings.categorical_features, known)
    rows = held_rows(cluster, blocks, settings, union, tell)
    if known is None:
        inputs = scaled_inputs(union.reader, DaskColumns(rows), scale=settings.scale)
        known = TableColumns(union.names, inputs, union.classes)
    totals = rows.joined(sums.row_totals, sums.joined_totals, classes=len(known.classes))
    check_total_weight(float(totals.weights.sum()))
    return DaskRead(known, rows, totals)


def held_rows(
    cluster: Cluster,
    blocks: Sequence[Any],
    settings: Settings,
    union: TableUnion,
    tell: Callable[[float], None] | None,
) -> HeldRows:
    """Delayed blocks as parts of one table, once the union of all is known."""
    names = [f"Block {number}" for number in range(1, len(blocks) + 1)]
    plain = replace(settings, random_state=None)  # workers draw nothing by it
    reading, each = delayed(read_block), zip(blocks, names, strict=True)
    read = cluster.compute([reading(block, name, plain, union.known) for block, name in each])
    summaries = cluster.results(cluster.hold(summarised, read), tell)
    for name, summary in zip(names, summaries, strict=True):
        with LabelledBlock(name, None, None).examined():
            union.join(summary)
    union.finish()
    firsts = np.cumsum([0, *(0 if one is None else one.total for one in summaries)]).tolist()
    inside = [n for n, one in enumerate(summaries) if one is not None and one.learned]
    changes = [union.recoding(summaries[n], firsts[n]) for n in inside]
    # Workers let go of what they read as soon as they hold it recoded.
    held = cluster.hold(held_block, [read[n] for n in inside], changes)
    return HeldRows(cluster, held, np.array([summaries[n].learned for n in inside], dtype=np.intp))


class TableUnion:
    """What blocks that were read by themselves are together."""

    reader: ValueReader  # of all blocks, once they are known
    classes: NDArray[Any]  # of all, in order

    def __init__(self, categorical_features: Any, known: TableColumns | None) -> None:
        self.known = known
        self.names: tuple[Any, ...] | None = None
        self._layout: Layout | None = None
        self._weighted = False
        self._columns, self._classes = ColumnUnion(categorical_features), ClassUnion()

    def join(self, block: ReadBlock | None) -> None:
        """Take note of a block; ValueError if it does not belong to the others."""
        if block is None:
            return
        if self._layout is None:
            self._layout, self.names = block.layout, block.names
        self._layout.check(block.layout)
        self._weighted = self._weighted or block.learned > 0
        if block.columns is not None:
            self._columns.join(in_order_of(block.columns, self._order(block)))
            self._classes.join(block.classes)

    def finish(self) -> None:
        """Learn what reads all blocks, and the classes of all; ValueError if there are no rows."""
        if self._layout is None:
            raise ValueError("X gave no rows to learn from: all of its blocks are empty.")
        check_total_weight(float(self._weighted))
        if self.known is not None:
            self.reader, self.classes = self.known.reader, self.known.classes
        else:
            self.reader, self.classes = self._columns.reader(), classes_of(self._classes.classes)

    def recoding(self, block: ReadBlock, first: int) -> Recoding:
        """How a block becomes a part of the table, of which its first row has this number."""
        codes = encode_labels(block.classes, self.classes)
        codes = codes.astype(np.min_scalar_type(len(self.classes)))
        if block.columns is None:  # it was read as the table is known
            return Recoding(first, None, {}, codes)
        order = self._order(block)
        own, changed = in_order_of(block.columns, order).reader, {}
        for j, kinds in enumerate(own.categories):
            if own.kinds[j] == "category" and kinds:
                position = {kind: code for code, kind in enumerate(self.reader.categories[j])}
                new = np.array([position[kind] for kind in kinds], dtype=np.intp)
                if (new != np.arange(len(new))).any():
                    changed[j] = new
        return Recoding(first, order, changed, codes)

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
