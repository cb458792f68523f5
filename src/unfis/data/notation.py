"""How cells of a table spell numbers, truth values and categories, and that nothing is known.

A model keeps the notation of the table that it was fitted on. Whatever reads text for the model
obeys it: the library, the command, and every export in its own language (tests/conformance). This
file is part of exported Python modules: it needs nothing but Python.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Any

# Left out around a cell; the exports to SQL and JavaScript leave out the same. A carriage return
# would not survive in a file of SQL.
BLANKS = " \t\n\xa0"
# Compared without regard to case.
MISSING = ("", "#n/a", "-", "<na>", "?", "n/a", "na", "nan", "null")
TRUE, FALSE = ("1", "1.0", "true", "yes"), ("0", "0.0", "false", "no")
# Programs that guess types read these as truth values too.
INITIALS = {"t": 1.0, "y": 1.0, "f": 0.0, "n": 0.0}
DECIMAL_NAMES = {".": "point", ",": "comma"}
MINUS, PLUS = "-", "+"
COMMA_TO_POINT = str.maketrans(",.", "._")  # a number has no "_"
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Notation:
    """How cells spell numbers and truth values, and that nothing is known; words in lower case."""

    decimal: str = "."  # the decimal mark, "." or ","
    missing: tuple[str, ...] = MISSING  # the words that say that nothing is known
    true: tuple[str, ...] = TRUE  # the words that say that something is so
    false: tuple[str, ...] = FALSE  # or not so

    @classmethod
    def of(cls, decimal: str, missing: Collection[str] | None) -> Notation:
        """A notation in which some words mean missing, as no text at all does."""
        if missing is None:
            return cls(decimal)
        return cls(decimal, tuple(sorted({"", *(word_of(word).lower() for word in missing)})))

    @property
    def other(self) -> Notation:
        """The same with the other decimal mark."""
        return replace(self, decimal="," if self.decimal == "." else ".")

    @cached_property
    def missing_numbers(self) -> list[float]:
        """The numbers that mean missing, however they are spelled."""
        plain = replace(self, missing=("",))
        found = (plain.number(word) for word in self.missing if word)
        return [value for value in found if value is not None]

    def among(self, kinds: Collection[str]) -> Notation:
        """The notation of a column that holds these cells: beside + a - is an answer."""
        if PLUS in kinds and MINUS in self.missing:
            return replace(self, missing=tuple(w for w in self.missing if w != MINUS))
        return self

    def is_missing(self, cell: str) -> bool:
        """Whether a cell says that nothing is known."""
        return word_of(cell).lower() in self.missing

    def number(self, cell: str) -> float | None:
        """The number that a cell spells, NaN if it is missing, None if it spells none."""
        if self.is_missing(cell):
            return float("nan")
        word = word_of(cell)
        plain = word.translate(COMMA_TO_POINT) if self.decimal == "," else word
        if not NUMBER.fullmatch(plain):
            return None
        number = float(plain)
        return float("nan") if number in self.missing_numbers else number

    def truth(self, cell: str) -> float | None:
        """1 or 0 for a cell that says true or false, NaN if it is missing, None if neither."""
        word = word_of(cell).lower()
        if word in self.missing:
            return float("nan")
        if word in self.true:
            return 1.0
        return 0.0 if word in self.false else None


def word_of(cell: str) -> str:
    """A cell without the blanks around it."""
    return cell.strip(BLANKS)


def cell_text(cell: object) -> str:
    """A cell as text; whole numbers alike, whether they came as floats or not."""
    if isinstance(cell, str):
        return word_of(cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


class CategoryReader:
    """Finds the position of cells among the categories of a column.

    A cell is the category that it equals; otherwise the one that it equals without the blanks
    around it. Text may spell a number or a truth value, these may be spelled by text: truth values,
    which some programs keep as 0 and 1, if one category alone spells true and another false.
    Anything else, such as an interval, is taken for the text that it prints. Categories are all
    text, or all numbers or truth values.
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
        number = None if isinstance(cell, str) else number_of(cell)
        if number is None and not self._is_text:
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
    """A value as a float, None if it is none, bytes, or too large for one."""
    try:
        return None if isinstance(value, bytes) else float(value)
    except (OverflowError, TypeError, ValueError):
        return None
