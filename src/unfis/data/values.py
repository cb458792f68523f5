"""From the user's table to plain values: kinds of columns, categories, what is missing.

A table's values are one matrix of floats: numbers as they are, False and True as 0 and 1,
categories as their numbers in the order of their kinds, NaN where a value is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data import CategoryReader, Notation
from unfis.data.frames import column_kinds, column_values, number_matrix
from unfis.serial.messages import shortened, warn_user

# A column of text with more kinds than this, that hardly repeat, is taken for an identifier.
MOST_UNREPEATED = 20
EXACT = Notation(missing=())  # where text is no table's, no word means missing


class ValueReader:
    """Reads tables of columns whose names, kinds and categories are known, as of `Input`."""

    def __init__(
        self, names: list[str], kinds: list[str], categories: list[tuple[Any, ...]]
    ) -> None:
        self.names, self.kinds, self.categories = names, kinds, categories
        self._numeric = [j for j, kind in enumerate(kinds) if kind != "category"]
        self._truths = [n for n, j in enumerate(self._numeric) if kinds[j] == "boolean"]
        self._warned: set[tuple[str, Any]] = set()

    @classmethod
    def learn(
        cls, X: Any, names: list[str], categorical_features: Any, *, whole: bool = True
    ) -> ValueReader:
        """A reader of tables like this one; categories of some rows need not repeat in them."""
        kinds = column_kinds(X, names, categorical_features)
        categories: list[tuple[Any, ...]] = []
        for j, kind in enumerate(kinds):
            found = whole and isinstance(categorical_features, str)
            learned = kind == "category" and learn_categories(X, j, names[j], found=found)
            categories.append(learned or ((False, True) if kind == "boolean" else ()))
        return cls(names, kinds, categories)

    def values(self, X: Any, notation: Notation | None = None) -> Array:
        """The values of a table, shape (rows, inputs).

        A category that training did not see is missing. In a notation text may say numbers and
        truth values, and that a value is missing.
        """
        numeric = self._numeric
        numbers = number_matrix(X, numeric, self.names, self.kinds, notation)
        self._refuse_untrue(numbers)
        if len(numeric) == len(self.names):
            return numbers
        values = np.full((X.shape[0], len(self.names)), np.nan)
        values[:, numeric] = numbers
        for j, kind in enumerate(self.kinds):
            if kind == "category":
                cells, known = column_values(X, j)
                values[known, j] = self.codes(j, cells[known, 0], notation or EXACT)
        return values

    def _refuse_untrue(self, numbers: Array) -> None:
        """Raise ValueError where a truth value is neither true nor false."""
        for n in self._truths:
            column = numbers[:, n]
            wrong = ~np.isin(column, (0.0, 1.0)) & ~np.isnan(column)
            if wrong.any():
                raise ValueError(
                    f"{self.names[self._numeric[n]]} holds {column[wrong][0]:g} where True or "
                    "False was expected, as in training."
                )

    def codes(self, j: int, cells: Collection[Any], notation: Notation) -> Array:
        """The position of each cell's category among those of a column, NaN where it is unknown."""
        reader = CategoryReader(self.categories[j], notation)
        new: set[str] = set()

        def position(cell: Any) -> float:
            try:
                found = reader.position(cell)
            except KeyError:
                new.add(str(cell))
                return np.nan
            return np.nan if found is None else found

        found = read_once(cells, position)
        if new:
            self._report_unseen(self.names[j], new)
        return found

    def _report_unseen(self, name: str, categories: set[str]) -> None:
        """Say once that categories that training did not see count as missing."""
        new = sorted(c for c in categories if (name, c) not in self._warned)
        if not new:
            return
        shown = ", ".join(shortened(category) for category in new[:5])
        shown += f" and {len(new) - 5} more" if len(new) > 5 else ""
        self._warned |= {(name, category) for category in new}
        warn_user(
            f"{shortened(name)} has categories that were not seen in training: {shown}. They are "
            "treated as missing."
        )


def read_once(cells: Collection[Any], read: Callable[[Any], float]) -> Array:
    """What is read of each value, (rows,): once of those that are the same, in their order."""
    try:
        found = {cell: read(cell) for cell in dict.fromkeys(cells)}
    except TypeError:  # such as lists, which are not to be looked up
        return np.array([read(cell) for cell in cells], dtype=np.float64)
    return np.fromiter(map(found.__getitem__, cells), np.float64, len(cells))


def learn_categories(X: Any, j: int, name: str, *, found: bool) -> tuple[Any, ...]:
    """The categories of a column in order; () if not one value of it is known."""
    values, known = column_values(X, j)
    kinds = in_order(values[known, 0].tolist(), name)
    if found:
        refuse_unrepeated(name, len(kinds), int(known.sum()))
    return kinds


def in_order(values: Iterable[Any], name: str) -> tuple[Any, ...]:
    """The different values of a column, sorted; ValueError if they cannot be."""
    try:
        return tuple(sorted(set(values)))
    except TypeError as error:
        raise ValueError(
            f"{name} mixes kinds of values, such as text and numbers; make all of them text."
        ) from error


def refuse_unrepeated(name: str, kinds: int, rows: int) -> None:
    """Raise ValueError for text with so many kinds that it is an identifier."""
    if kinds > MOST_UNREPEATED and kinds > rows / 2:
        raise ValueError(
            f"{name} holds text with {kinds} kinds in {rows} rows; categories that hardly "
            "repeat cannot be learned from. Drop it, or name it in categorical_features."
        )
