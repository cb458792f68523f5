"""A whole table in memory, its cells still as they were read, and its column of classes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import check_known
from unfis.app.tables.cells import by_words, kind_of, texts
from unfis.app.tables.records import RowBlock, text_frame
from unfis.app.tables.sources import Source, opened
from unfis.arrays import Mask
from unfis.data import Notation
from unfis.data.files import TableError
from unfis.data.notation import number_of
from unfis.data.values import MOST_UNREPEATED
from unfis.rules.text.numbers import numbered
from unfis.serial.messages import quoted, shortened


class Table:
    """A table that was read: its file's name, a pandas data frame of its cells, their notation.

    Cells are text, or typed where the file has types.
    """

    def __init__(self, source: Source, blocks: list[RowBlock]) -> None:
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
    """The classes of a table's rows."""

    name: str
    labels: NDArray[Any]  # of the rows whose class is known
    known: Mask  # which rows these are, (rows of the table,)
    lost: list[str]  # the cells of the others

    @property
    def note(self) -> str:
        """What it is, in words."""
        classes, counts = np.unique(self.labels, return_counts=True)
        shares = [
            f"{shortened(str(label))} {count:,}"
            for label, count in zip(classes, counts, strict=True)
        ]
        listed = ", ".join(shares[:5]) + (", ..." if len(shares) > 5 else "")
        without = f"; {without_class(self.lost)} left out" if self.lost else ""
        return f"{len(classes)} classes ({listed}){without}"


def read_target(table: Table, name: str) -> Target:
    """The classes to learn; TableError where the column holds none."""
    check_known("target", [name], table.names, table.name)
    cells = texts(table.frame[name])
    notation = table.notation.among(set(cells))
    known = np.array([not notation.is_missing(cell) for cell in cells], dtype=bool)
    given = [cell for cell, there in zip(cells, known, strict=True) if there]
    lost = [cell for cell, there in zip(cells, known, strict=True) if not there]
    if not given:
        raise TableError(
            f"{quoted(name)} in {table.name} is empty in every row{by_words(lost)}; classes were "
            "expected."
        )
    refuse_continuous(given, notation, name)
    kinds = set(given)
    if len(kinds) == 1:
        # A word that was taken for missing may have been a class.
        words = f" Beside {without_class(lost)}: `missing` says which words mean that."
        raise TableError(
            f"{quoted(name)} must hold at least two classes to tell apart, but every row "
            f"{'that has one ' if lost else ''}has {quoted(given[0])}."
            f"{words if by_words(lost) else ''}"
        )
    unrepeated = len(kinds) > MOST_UNREPEATED and len(kinds) > len(given) / 2
    if unrepeated or kind_of(table.frame[name], notation) == "date":
        raise TableError(
            f"{quoted(name)} holds {len(kinds):,} different values in "
            f"{numbered(len(given), 'row')}; a class must come back in many rows. Give the column "
            "of classes as `target`."
        )
    return Target(name, as_labels(given), known, lost)


def without_class(lost: list[str]) -> str:
    """How many rows have no class, and by which words."""
    return f"{numbered(len(lost), 'row')} without a class{by_words(lost)}"


def refuse_continuous(given: list[str], notation: Notation, name: str) -> None:
    """Raise TableError for numbers that are measured rather than counted out as classes."""
    kinds = {cell: notation.number(cell) for cell in set(given)}
    values = [value for value in kinds.values() if value is not None]
    if len(values) < len(kinds):
        return
    fractions = any(not value.is_integer() for value in values)
    many = len(values) > MOST_UNREPEATED and (fractions or len(values) > len(given) / 20)
    if many or (fractions and len(values) > len(given) / 2):
        raise TableError(
            f"{quoted(name)} holds {len(values):,} different numbers in "
            f"{numbered(len(given), 'row')}. This is a classifier, which tells a few classes "
            "apart: cut the numbers into ranges, such as low and high, or give another `target`."
        )


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
