"""The rows of a fit, wherever they are: a fit takes sums over blocks of them, and a few rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.parallel import ONE_THREAD, in_parts
from unfis.rules.model import BLOCK_ROWS

BlockAnswer = TypeVar("BlockAnswer")


class RowBlock(NamedTuple):
    """Some of the rows."""

    values: Array  # (rows, inputs), of any precision
    targets: NDArray[Any]  # codes of classes, or numbers, (rows,)
    given: Array  # their weights as they were given, (rows,)
    factors: Array | None = None  # on the weights of each class, (classes,)

    @property
    def weights(self) -> Array:
        """Those that are learned from, (rows,)."""
        if self.factors is None:
            return self.given
        return np.asarray(self.given * self.factors[self.targets.astype(np.intp)])

    def part(self, rows: slice | NDArray[Any]) -> RowBlock:
        """Some of the rows, as doubles."""
        values, targets, given = (np.asarray(one[rows], dtype=np.float64) for one in self[:3])
        return RowBlock(values, targets, given, self.factors)

    def slices(self) -> Iterator[RowBlock]:
        """The rows, a few at a time."""
        size = BLOCK_ROWS // 4  # of which a fit holds several columns for each rule
        starts = range(0, len(self.targets), size)
        return (self.part(slice(start, start + size)) for start in starts)


class AllRows(Protocol):
    """All rows of a fit."""

    @property
    def count(self) -> int:
        """How many there are."""

    def joined(
        self,
        work: Callable[[RowBlock], BlockAnswer],
        join: Callable[[list[BlockAnswer]], BlockAnswer],
    ) -> BlockAnswer:
        """What comes of each block, joined in the order of the rows."""

    def weighted(self, factors: Array) -> Self:
        """The same rows, their weights multiplied by a factor of each class."""


@dataclass(frozen=True, eq=False)
class LocalRows:
    """Rows in memory, or in files that act as if they were."""

    values: Array  # (rows, inputs)
    targets: NDArray[Any]  # (rows,)
    given: Array  # (rows,)
    factors: Array | None = None  # (classes,)
    at_once: int = 1 << 16  # the rows of a block

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.targets)

    def joined(
        self,
        work: Callable[[RowBlock], BlockAnswer],
        join: Callable[[list[BlockAnswer]], BlockAnswer],
    ) -> BlockAnswer:
        """What comes of each block, joined in the order of the rows."""

        def of(starts: range) -> list[BlockAnswer]:
            return [work(self.block(start)) for start in starts]

        with ONE_THREAD:
            parts = in_parts(range(0, self.count, self.at_once), of)
        return join([found for part in parts for found in part])

    def block(self, start: int) -> RowBlock:
        """The block that starts there."""
        rows = slice(start, start + self.at_once)
        return RowBlock(self.values[rows], self.targets[rows], self.given[rows], self.factors)

    def weighted(self, factors: Array) -> Self:
        """The same rows, their weights multiplied by a factor of each class."""
        return replace(self, factors=factors)


def added(parts: Sequence[Any]) -> Any:
    """The sums of tuples of arrays, in their order."""
    return tuple(reduce(np.add, column) for column in zip(*parts, strict=True))


def joined_rows(parts: Sequence[RowBlock]) -> RowBlock:
    """The rows of several blocks, as doubles."""
    columns = zip(*(part[:3] for part in parts), strict=True)
    values, targets, given = (np.concatenate(one).astype(np.float64) for one in columns)
    return RowBlock(values, targets, given, parts[0].factors)


class ColumnFacts(NamedTuple):
    """What is known of the values of each input."""

    low: Array  # the least, NaN of none, (inputs,)
    high: Array  # the greatest, (inputs,)
    whole: NDArray[np.bool_]  # whether all are whole numbers, (inputs,)
    two: NDArray[np.bool_]  # whether there are no others than these two, (inputs,)

    @classmethod
    def of(cls, values: Array) -> ColumnFacts:
        """Those of values (rows, inputs)."""
        low, high = np.fmin.reduce(values, axis=0), np.fmax.reduce(values, axis=0)
        known = ~np.isnan(values)
        whole = ~(known & (values != np.rint(values))).any(axis=0)
        two = ~(known & (values != low) & (values != high)).any(axis=0)
        return cls(low, high, whole, two)

    @classmethod
    def joined(cls, parts: Sequence[ColumnFacts]) -> ColumnFacts:
        """Those of several blocks together."""
        low = np.fmin.reduce([part.low for part in parts])
        high = np.fmax.reduce([part.high for part in parts])
        two = np.ones(len(low), bool)
        for part in parts:
            for end in (part.low, part.high):
                two &= part.two & ((end == low) | (end == high) | np.isnan(end))
        return cls(low, high, np.logical_and.reduce([part.whole for part in parts]), two)


def column_facts(block: RowBlock) -> ColumnFacts:
    """What is known of the values of each input of a block."""
    return ColumnFacts.joined([ColumnFacts.of(part.values) for part in block.slices()])
