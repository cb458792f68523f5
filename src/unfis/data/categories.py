"""Which category of a column a cell is, whether it comes as text or as a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import isfinite
from typing import Any

import numpy as np

from unfis.data.notation import Notation, cell_text

# Kinds of values that are numbers, truth values among them.
NUMBERS = (bool, int, float, np.number, np.bool_)
# Programs that guess types read these as truth values too.
INITIALS = {"t": 1.0, "y": 1.0, "f": 0.0, "n": 0.0}


class CategoryReader:
    """Finds the position of cells among the categories of a column.

    A cell is the category that it equals; otherwise the one that it equals without the blanks
    around it. Text may spell a number or a truth value, these may be spelled by text: truth values,
    which some programs keep as 0 and 1, if one category alone spells true and another false.
    Anything else, such as an interval, is taken for the text that it prints.

    Parameters
    ----------
    categories : all text, or all numbers or truth values, in order
    notation : how text is read

    Attributes
    ----------
    numbers : positions of the numbers that one category alone is, or spells
    """

    def __init__(self, categories: Sequence[Any], notation: Notation) -> None:
        self._notation = notation
        self._positions: dict[Any, int] = {kind: p for p, kind in enumerate(categories)}
        self._is_text = all(isinstance(kind, str) for kind in categories)
        self._spelled = {cell_text(kind).lower(): p for p, kind in enumerate(categories)}
        self.numbers = self._by_number(categories)

    def _by_number(self, categories: Sequence[Any]) -> dict[float, int]:
        """The positions of the numbers that one category alone is, or spells."""
        if not self._is_text:
            return unique_positions([number_of(kind) for kind in categories])
        numbers = unique_positions([self._notation.number(kind) for kind in categories])
        truths = unique_positions([self._truth(kind) for kind in categories])
        return {**truths, **numbers} if len(truths) == 2 else numbers

    def _truth(self, kind: str) -> float | None:
        """The truth value that a category spells, None if it spells none."""
        truth = self._notation.truth(kind)
        return INITIALS.get(cell_text(kind).lower()) if truth is None else truth

    def position(self, cell: Any) -> int | None:
        """The position of a cell's category, None if it is missing; KeyError for an unknown one.

        What a category spells is not missing.
        """
        if isinstance(cell, Hashable) and cell in self._positions:
            return self._positions[cell]
        word = cell_text(cell)
        if self._is_text and word in self._positions:
            return self._positions[word]
        if not self._is_text and word.lower() in self._spelled:
            return self._spelled[word.lower()]
        if self._notation.is_missing(word):
            return None
        return self.numbers[self._number(cell, word)]

    def _number(self, cell: Any, word: str) -> float:
        """The number that a cell is or spells; KeyError if it is none."""
        number = None
        if isinstance(cell, NUMBERS):
            number = number_of(cell)
        elif not self._is_text:
            number = self._notation.number(word)
            number = self._notation.truth(word) if number is None else number
        if number is None:
            raise KeyError(cell)
        return number


def unique_positions(numbers: list[float | None]) -> dict[float, int]:
    """The positions of finite numbers that are there once."""
    counts = Counter(numbers)
    return {
        number: position
        for position, number in enumerate(numbers)
        if number is not None and isfinite(number) and counts[number] == 1
    }


def number_of(value: Any) -> float | None:
    """A value as a float, None if it is no number or too large for one."""
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return None
