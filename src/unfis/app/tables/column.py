"""A column of a table, with what is known of its cells."""

from __future__ import annotations

from typing import Any, NamedTuple

from unfis.app.tables.cells import kind_of, missing_words, texts
from unfis.data import Notation


class Column(NamedTuple):
    """A column of the rows whose class is known."""

    name: str
    data: Any  # a pandas series
    notation: Notation
    kind: str  # as `kind_of` says
    cells: list[str]  # those that are known
    lost: list[str]  # those that say that nothing is known
    kinds: list[str]  # the different known cells, in order

    @classmethod
    def of(cls, name: str, data: Any, notation: Notation) -> Column:
        """A column by its data, in the notation of its table."""
        everything = texts(data)
        notation = notation.among(set(everything))
        kind = kind_of(data, notation)
        missing = {cell for cell in set(everything) if is_lost(cell, kind, notation)}
        cells = [cell for cell in everything if cell not in missing]
        lost = [cell for cell in everything if cell in missing]
        return cls(name, data, notation, kind, cells, lost, sorted(set(cells)))

    @property
    def but_for_lost(self) -> str:
        """How many cells are missing, to add to a sentence; nothing if none is."""
        return f", {missing_words(self.lost)}" if self.lost else ""


def is_lost(cell: str, kind: str, notation: Notation) -> bool:
    """Whether a cell of a column of some kind says that nothing is known."""
    if kind != "number":
        return notation.is_missing(cell)
    number = notation.number(cell)
    return number is not None and number != number
