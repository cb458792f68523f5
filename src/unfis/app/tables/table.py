"""A whole table in memory, its cells still as they were read, and its column of answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import check_known
from unfis.app.tables.cells import by_words, kind_of, numbers, texts
from unfis.app.tables.records import RecordBlock, text_frame
from unfis.app.tables.sources import Source, opened
from unfis.arrays import Array, Mask
from unfis.data import Notation
from unfis.data.files import TableError
from unfis.data.notation import number_of
from unfis.data.values import MOST_UNREPEATED
from unfis.serial.messages import quoted, shortened
from unfis.text.numbers import numbered


class Table:
    """A table that was read: its file's name, a pandas data frame of its cells, their notation.

    Cells are text, or typed where the file has types.
    """

    def __init__(self, source: Source, blocks: list[RecordBlock]) -> None:
        import pandas as pd

        self.name, self.notation = source.name, source.notation
        frames = [text_frame(b.frame) if source.style else b.frame for b in blocks]
        self.frame: Any = pd.concat(frames, ignore_index=True)
        self.location = source.location  # where a row is in the file, in words

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.frame.columns)

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of its names and cells."""
        digest = hashlib.sha256()
        for name in self.names:
            cells = "\x1f".join([name, *texts(self.frame[name])])
            digest.update(hashlib.sha256(cells.encode()).digest())
        return digest.hexdigest()


def read_table(
    path: str | Path, *, progress: Callable[[int, int], None] | None = None, **style: Any
) -> Table:
    """Read a whole table: CSV, TSV, Parquet, Excel, or "-" for standard input.

    `style` is as of `opened`. What is no table raises `TableError`, which names the file and the
    line.
    """
    with opened(path, **style) as source:
        blocks = []
        for block in source.blocks():
            if progress:
                progress(source.done, source.size)
            blocks.append(block)
        if not blocks:
            raise TableError(
                f"{source.name} has a line of column names but no rows; there is nothing in it."
            )
        return Table(source, blocks)


class Target(NamedTuple):
    """The classes or the numbers of a table's rows."""

    name: str
    task: str  # "classes", "number" or "counts"
    labels: NDArray[Any]  # of the rows whose class or number is known
    known: Mask  # which rows these are, (rows of the table,)
    lost: list[str]  # the cells of the others
    note: str  # what it is, in words

    @property
    def is_number(self) -> bool:
        """Whether it is a number rather than one of some classes."""
        return self.task != "classes"


def read_target(table: Table, name: str, task: str = "auto") -> Target:
    """The classes or the numbers to learn; TableError where the column holds none."""
    check_known("target", [name], table.names, table.name)
    column = table.frame[name]
    cells = texts(column)
    notation = table.notation.among(set(cells))
    known = np.array([not notation.is_missing(cell) for cell in cells], dtype=bool)
    given = [cell for cell, there in zip(cells, known, strict=True) if there]
    lost = [cell for cell, there in zip(cells, known, strict=True) if not there]
    if not given:
        raise TableError(
            f"{quoted(name)} in {table.name} is empty in every row{by_words(lost)}; classes or "
            "numbers were expected."
        )
    if task == "auto":
        task = "number" if is_measured(given, notation) else "classes"
    without = f"; {without_answer(lost)} left out" if lost else ""
    if task == "classes":
        labels = checked_labels(table, name, given, lost)
        note = classes_note(labels, without, is_number(set(given), notation))
    else:
        known, labels = checked_targets(table, name, task)
        low, high = labels.min(), labels.max()
        what = "a count" if task == "counts" else "a number"
        note = f"{what} from {low:g} to {high:g}{without}; `task` classes would predict classes"
    return Target(name, task, labels, known, lost, note)


def checked_labels(table: Table, name: str, given: list[str], lost: list[str]) -> NDArray[Any]:
    """The classes of the rows that have one, if they can be learned."""
    kinds = set(given)
    if len(kinds) == 1:
        # A word that was taken for missing may have been a class.
        words = f" There are {without_answer(lost)}: `missing` says which words mean that."
        raise TableError(
            f"{quoted(name)} must hold at least two classes to tell apart, but every row "
            f"{'that has one ' if lost else ''}has {quoted(given[0])}."
            f"{words if by_words(lost) else ''}"
        )
    unrepeated = len(kinds) > MOST_UNREPEATED and len(kinds) > len(given) / 2
    if unrepeated or kind_of(table.frame[name], table.notation.among(kinds)) == "date":
        raise TableError(
            f"{quoted(name)} holds {len(kinds):,} different values in "
            f"{numbered(len(given), 'row')}; a class must come back in many rows. Give the column "
            "of classes as `target`."
        )
    return as_labels(given)


def checked_targets(table: Table, name: str, task: str) -> tuple[Mask, Array]:
    """Which rows have a number, (rows of the table,), and these numbers, if they can be learned."""
    values, wrong = numbers(table.frame[name], table.notation)
    bad = np.isinf(values) | (values < 0 if task == "counts" else False)
    bad[wrong] = True
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        expected = "a count of at least 0" if task == "counts" else "a finite number"
        raise TableError(
            f"{table.location(row)}: {quoted(name)} is {quoted(texts(table.frame[name])[row])}; "
            f"{expected} was expected. Mend the cell, or give another `task`."
        )
    known = ~np.isnan(values)
    if len(np.unique(values[known])) < 2:
        raise TableError(
            f"{quoted(name)} must hold at least two different numbers, but every row has "
            f"{values[known][0]:g}."
        )
    return known, values[known]


def classes_note(labels: NDArray[Any], without: str, may_be_number: bool) -> str:
    """What the classes are, in words."""
    classes, counts = np.unique(labels, return_counts=True)
    shares = [
        f"{shortened(str(label))} {count:,}"
        for label, count in zip(classes, counts.tolist(), strict=True)
    ]
    listed = ", ".join(shares[:5]) + (", ..." if len(shares) > 5 else "")
    other = "; `task` number would predict the number" if may_be_number and len(classes) > 2 else ""
    return f"{len(classes)} classes ({listed}){without}{other}"


def without_answer(lost: list[str]) -> str:
    """How many rows have no class or number, and by which words."""
    return f"{numbered(len(lost), 'row')} without an answer{by_words(lost)}"


def is_number(kinds: set[str], notation: Notation) -> bool:
    """Whether all cells of these kinds are numbers."""
    return all(notation.number(cell) is not None for cell in kinds)


def is_measured(given: list[str], notation: Notation) -> bool:
    """Whether cells are numbers that are measured rather than counted out as classes."""
    kinds = set(given)
    if not is_number(kinds, notation):
        return False
    fractions = any(not (notation.number(cell) or 0.0).is_integer() for cell in kinds)
    if len(kinds) > MOST_UNREPEATED:
        return fractions or len(kinds) > len(given) / 20
    return fractions and len(kinds) > len(given) / 2


def as_labels(given: list[str]) -> NDArray[Any]:
    """Labels as whole numbers where all of them are, else as text."""
    if all(cell.lstrip("-").isascii() and cell.lstrip("-").isdigit() for cell in set(given)):
        whole = {cell: int(cell) for cell in set(given)}
        if all(str(value) == cell and abs(value) < 2**53 for cell, value in whole.items()):
            return np.array([whole[cell] for cell in given])
    return np.array(given, dtype=object)


def codes_of(column: Any, classes: NDArray[Any], notation: Notation) -> NDArray[np.intp]:
    """The position of each cell's class among a model's; -1 missing, -2 not among them."""
    known: dict[str, int] = {}
    for code, label in enumerate(classes.tolist()):
        for spelling in (str(label).lower(), as_float(str(label))):
            known.setdefault(spelling, code)
    exact = {str(label): code for code, label in enumerate(classes.tolist())}
    found = {}
    for cell in set(cells := texts(column)):
        near = known.get(cell.lower(), known.get(as_float(cell), -2))
        found[cell] = exact.get(cell, -1 if notation.is_missing(cell) else near)
    return np.array([found[cell] for cell in cells], dtype=np.intp)


def as_float(cell: str) -> str:
    """A number spelled as a float, so that 1 and 1.0 are the same; other text as it is."""
    number = number_of(cell)
    return cell.lower() if number is None else repr(number)
