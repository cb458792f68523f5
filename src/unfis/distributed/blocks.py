"""What workers hold of a table, and what they answer: small sums over their rows.

Every function here is a task. It changes nothing that it is given, and computes in one thread, so
that what comes of it does not depend on who does it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.blocks.sources import LabelledBlock, Layout
from unfis.data.blocks.unions import BlockColumns, recoded
from unfis.data.columns import TableColumns
from unfis.data.samples import Samples, TrainingSample
from unfis.data.target import encode_labels
from unfis.estimators.classifier import UNFISClassifier
from unfis.estimators.tables import check_labelled, describe_columns
from unfis.model.settings import Settings
from unfis.parallel import undivided

Given = ParamSpec("Given")
Answered = TypeVar("Answered")


def task(work: Callable[Given, Answered]) -> Callable[Given, Answered]:
    """A function as it is done by a worker: in one thread, without numpy's warnings."""

    @wraps(work)
    def done(*given: Given.args, **named: Given.kwargs) -> Answered:
        with undivided(), np.errstate(all="ignore"):
            return work(*given, **named)

    return done


class HeldBlock(NamedTuple):
    """Rows of the table as values, of any precision, categories and classes by their codes."""

    first: int  # the number in the table of its first row, of weight 0 or not
    rows: NDArray[np.intp] | None  # numbers of those of a weight in the block; None for all
    values: Array  # (rows, inputs)
    codes: NDArray[Any]  # of classes, (rows,)
    weights: Array | None  # (rows,); None for ones

    @property
    def given_weights(self) -> Array:
        """Of the rows, as they were given, (rows,)."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    @property
    def training_sample(self) -> TrainingSample:
        """The rows with their numbers in the table."""
        rows = np.arange(len(self.codes)) if self.rows is None else self.rows
        return TrainingSample.of(self.first + rows, self.values, self.codes, self.given_weights)

    def part(self, rows: NDArray[np.intp]) -> HeldBlock:
        """Some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        numbers = rows if self.rows is None else self.rows[rows]
        return HeldBlock(self.first, numbers, self.values[rows], self.codes[rows], weights)


class ReadBlock(NamedTuple):
    """A block that was read by itself: its categories and classes have codes of its own."""

    total: int  # its rows, those of weight 0 among them
    learned: int  # those of a weight
    block: HeldBlock | None  # None where there are none, or in a summary
    layout: Layout
    names: tuple[Any, ...] | None  # of a data frame's columns
    columns: BlockColumns | None  # None where the columns were known
    classes: NDArray[Any]  # in order


@task
def read_block(
    given: tuple[Any, ...], name: str, settings: Settings, known: TableColumns | None
) -> ReadBlock | None:
    """Check and read a block (X, y) or (X, y, weights); None of an empty one."""
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise ValueError(
            f"{name} must be a tuple (X, y) or (X, y, weights), got {type(given).__name__}."
        )
    labelled = LabelledBlock(name, *given)
    with labelled.examined():
        if labelled.is_empty:
            return None
        layout = Layout.of(labelled.X)
        estimator = UNFISClassifier()
        if known is not None:
            describe_columns(estimator, known)
        part = check_labelled(estimator, labelled, settings, known)
        if not len(part.rows):
            return ReadBlock(part.total, 0, None, layout, part.names, None, np.empty(0))
        if known is None:
            columns, values = BlockColumns.read(
                part.table, part.texts, settings.categorical_features
            )
            classes, codes = np.unique(part.labels, return_inverse=True)
        else:
            columns, values = None, known.values(part.table)
            classes, codes = known.classes, encode_labels(part.labels, known.classes)
    rows = None if len(part.rows) == part.total else part.rows
    weights = None if (part.weights == 1).all() else part.weights
    codes = codes.astype(np.min_scalar_type(len(classes)))
    block = HeldBlock(0, rows, values, codes, weights)
    return ReadBlock(part.total, len(codes), block, layout, part.names, columns, classes)


@task
def summarised(read: ReadBlock | None) -> ReadBlock | None:
    """What is known of a block, without its rows."""
    return None if read is None else read._replace(block=None)


class Recoding(NamedTuple):
    """How what a block read by itself becomes a part of the table."""

    first: int  # the number of its first row
    order: list[int] | None  # of its columns; None where they are in order
    categories: Mapping[int, NDArray[np.intp]]  # new codes of those of columns, in order
    classes: NDArray[Any]  # new codes


@task
def held_block(read: ReadBlock, change: Recoding) -> HeldBlock:
    """A block as a part of the table."""
    block = read.block
    assert block is not None
    values = block.values if change.order is None else block.values[:, change.order]
    if change.categories:
        values = recoded(values.copy(), change.categories)
    codes = change.classes[block.codes]
    return block._replace(first=change.first, values=values, codes=codes)


@task
def taken(block: HeldBlock, rows: NDArray[np.intp]) -> HeldBlock:
    """Some rows of a block."""
    return block.part(rows)


@task
def assembled(parts: list[HeldBlock], positions: NDArray[np.intp]) -> HeldBlock:
    """Rows of several blocks one after the other, of which some are taken, in that order."""
    return joined_blocks(parts).part(positions)


def joined_blocks(parts: list[HeldBlock]) -> HeldBlock:
    """The rows of several blocks, whose numbers are no longer known."""
    weighted = any(part.weights is not None for part in parts)
    weights = np.concatenate([part.given_weights for part in parts]) if weighted else None
    values, codes = (
        np.concatenate(arrays) for arrays in zip(*(p[2:4] for p in parts), strict=True)
    )
    return HeldBlock(0, None, values, codes, weights)


def joined_samples(parts: list[Samples]) -> Samples:
    """Samples of several parts, in order."""
    return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
