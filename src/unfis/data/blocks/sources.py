"""Where blocks come from, and that they belong to one table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from unfis.data.files import (
    PARQUET,
    ParquetTable,
    TableError,
    beginning,
    existing_file,
    unknown_column,
)
from unfis.data.frames import check_frame, is_frame
from unfis.serial.messages import listed, quoted

# Values of a Parquet file that are read at once: 8 MB of numbers.
VALUES_AT_ONCE = 1 << 20


class LabelledBlock(NamedTuple):
    """Some rows of a table with their labels, and with their weights if they have any."""

    name: str  # what to call it where something is wrong
    X: Any
    y: Any
    weights: Any = None

    @property
    def is_empty(self) -> bool:
        """Whether it has no rows."""
        return bool(np.shape(self.X)[:1] == (0,)) and np.size(self.y) == 0

    @contextmanager
    def examined(self) -> Iterator[None]:
        """A context whose errors say which block it is that is wrong."""
        try:
            with warnings.catch_warnings():
                # Of a few rows many classes are no wonder.
                warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
                yield
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from error


def comes_in_blocks(X: Any) -> bool:
    """Whether X is no table but an iterator of blocks, or the path of a file."""
    return isinstance(X, str | os.PathLike | Iterator)


def blocks_of(X: Any, y: Any, weights: Any) -> Iterator[LabelledBlock]:
    """The blocks that have rows, all with the columns of the first in its order."""
    first: Layout | None = None
    opened = given_blocks if isinstance(X, Iterator) else parquet_blocks
    for block in opened(X, y, weights):
        with block.examined():
            if block.is_empty:
                continue
            first = first or Layout.of(block.X)
            block = block._replace(X=first.given_to(block.X))
        yield block
    if first is None:
        raise ValueError(
            "X gave no rows to learn from: the file is empty, or the iterator, which gives its "
            "blocks once; make a new one for every fit."
        )


def given_blocks(blocks: Iterator[Any], y: Any, weights: Any) -> Iterator[LabelledBlock]:
    """The blocks that a user's iterator gives."""
    for name, value in {"y": y, "sample_weight": weights}.items():
        if value is not None:
            raise ValueError(
                f"{name} must be None where X is an iterator: each of its blocks (X, y) or "
                "(X, y, weights) brings its own."
            )
    for number, block in enumerate(blocks, start=1):
        if not isinstance(block, tuple) or len(block) not in (2, 3):
            size = f" of {len(block)}" if isinstance(block, tuple) else ""
            raise ValueError(
                f"Block {number} must be a tuple (X, y) or (X, y, weights), got "
                f"{type(block).__name__}{size}."
            )
        yield LabelledBlock(f"Block {number}", *block)


def parquet_blocks(
    path: str | os.PathLike[str], target: Any, weight: Any = None
) -> Iterator[LabelledBlock]:
    """The rows of a Parquet file in blocks; `target` and `weight` name columns of it."""
    file = existing_file(path)
    if beginning(file) != PARQUET:
        raise TableError(
            f"{file.name} is no Parquet file, and fit reads no other. Read it into a data frame "
            "first, or use the command unfis fit, which reads CSV and Excel as well."
        )
    table = ParquetTable(file, file.name)
    asked = {"y": target} if weight is None else {"y": target, "sample_weight": weight}
    for role, name in asked.items():
        if not isinstance(name, str):
            came = "None" if name is None else f"a {type(name).__name__}"
            raise TableError(
                f"{role} must be the name of a column of {table.name}, got {came}. It has "
                f"{listed(table.types)}."
            )
        if name not in table.types:
            raise TableError(unknown_column(name, table.types, table.name))
    if target == weight:
        raise TableError(
            f"y and sample_weight both name the column {quoted(target)}; give each its own."
        )
    last = 0
    for frame in table.frames(max(1, VALUES_AT_ONCE // len(table.types))):
        first, last = last + 1, last + len(frame)
        yield LabelledBlock(
            f"{table.name}, rows {first:,} to {last:,}",
            frame.drop(columns=list(asked.values())),
            frame[target],
            None if weight is None else frame[weight],
        )


class Layout(NamedTuple):
    """What all blocks of a table have in common."""

    type: str
    names: list[Any] | None  # of a data frame's columns
    shape: tuple[int, ...]  # of an array's rows

    @classmethod
    def of(cls, X: Any) -> Layout:
        """That of a block."""
        if is_frame(X):
            check_frame(X, None)
            return cls(type(X).__name__, list(X.columns), ())
        return cls(type(X).__name__, None, np.shape(X)[1:])

    def given_to(self, X: Any) -> Any:
        """A block with the columns in this order; ValueError if it does not have just these."""
        layout = Layout.of(X)
        self.check(layout)
        return X if layout.names == self.names else X[self.names]

    def check(self, other: Layout) -> None:
        """Raise ValueError unless another block has just these columns, in whatever order."""
        kind, names, shape = other
        if (self.names is None) != (names is None):
            raise ValueError(
                f"X is of the type {kind}, and of {self.type} in the first block; give all blocks "
                "as arrays, or all as data frames."
            )
        if shape != self.shape:
            raise ValueError(
                f"X has rows of shape {shape}, but of {self.shape} in the first block; give all "
                "blocks the same columns."
            )
        known, given = self.names or [], names or []
        odd = [name for name in [*known, *given] if (name in known) != (name in given)]
        if odd:
            here, there = ("has", "lacks") if odd[0] in given else ("lacks", "has")
            raise ValueError(
                f"X {here} the column {quoted(odd[0])}, which the first block {there}; give all "
                "blocks the same columns."
            )
