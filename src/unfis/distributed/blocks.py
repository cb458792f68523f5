"""What workers read of a table: each function a task, done in one thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.blocks.sources import LabelledBlock, Layout
from unfis.data.blocks.unions import BlockColumns, recoded
from unfis.estimators.reading import Reading, name_of
from unfis.fitting.rows import RowBlock
from unfis.parallel import undivided

Given = ParamSpec("Given")
TaskAnswer = TypeVar("TaskAnswer")


def task(work: Callable[Given, TaskAnswer]) -> Callable[Given, TaskAnswer]:
    """A function as a worker does it: in one thread, without numpy's warnings."""

    @wraps(work)
    def done(*given: Given.args, **named: Given.kwargs) -> TaskAnswer:
        with undivided(), np.errstate(all="ignore"):
            return work(*given, **named)

    return done


class ReadBlock(NamedTuple):
    """A block that was read by itself: its categories and classes have codes of its own."""

    learned: int  # its rows with a weight
    rows: RowBlock | None  # None where there are none, or in a summary
    layout: Layout
    names: tuple[Any, ...] | None  # of a data frame's columns
    target: str  # the name of the column of targets, if it has one
    columns: BlockColumns | None
    classes: NDArray[Any]  # in order; none of numbers


class Recoding(NamedTuple):
    """How what a block read by itself becomes a part of the table."""

    order: list[int] | None  # of its columns; None where they are in order
    categories: Mapping[int, NDArray[np.intp]]  # new codes of those of columns, in order
    classes: NDArray[np.intp]  # new codes; none of numbers


@task
def read_block(given: Any, name: str, reading: Reading) -> ReadBlock | None:
    """Check and read a block (X, y) or (X, y, weights); None of an empty one."""
    if not isinstance(given, tuple) or len(given) not in (2, 3):
        raise ValueError(
            f"{name} must be a tuple (X, y) or (X, y, weights), got {type(given).__name__}."
        )
    labelled = LabelledBlock(name, *given)
    with labelled.examined():
        if labelled.is_empty:
            return None
        layout, target = Layout.of(labelled.X), name_of(labelled.y)
        part = reading.checked(labelled)
        targets, classes = part.targets, part.targets[:0]
        if not len(targets):
            return ReadBlock(0, None, layout, part.names, target, None, classes)
        columns, values = BlockColumns.read(part.table, part.texts, reading.categorical_features)
        if reading.labels:
            classes, targets = np.unique(targets, return_inverse=True)
    rows = RowBlock(values, targets, part.weights)
    return ReadBlock(len(targets), rows, layout, part.names, target, columns, classes)


@task
def summary(read: ReadBlock | None) -> ReadBlock | None:
    """What is known of a block, without its rows."""
    return None if read is None else read._replace(rows=None)


@task
def held_block(read: ReadBlock, change: Recoding) -> RowBlock:
    """A block as a part of the table."""
    block = read.rows
    assert block is not None
    values = block.values if change.order is None else block.values[:, change.order]
    if change.categories:
        values = recoded(values.copy(), change.categories)
    targets = change.classes[block.targets] if len(change.classes) else block.targets
    return RowBlock(values, targets, block.given)


@task
def block_result(block: RowBlock, answer: Callable[[RowBlock], Any], factors: Array | None) -> Any:
    """What comes of a block."""
    return answer(block._replace(factors=factors))


@task
def join_answers(parts: list[Any], join: Callable[[list[Any]], Any]) -> Any:
    """What comes of several blocks."""
    return join(parts)
