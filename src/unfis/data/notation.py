"""How the cells of a table spell numbers and truth values, and that nothing is known.

A model keeps the notation of the table that it was fitted on. Whatever reads text for the model
obeys it: the library, the command, and every export in its own language (tests/conformance).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

# Left out around a cell; the exports to SQL and JavaScript leave out the same. A carriage return
# would not survive in a file of SQL.
BLANKS = " \t\n\xa0"
# Compared without regard to case.
MISSING = ("", "#n/a", "-", "<na>", "?", "n/a", "na", "nan", "null")
TRUE, FALSE = ("1", "1.0", "true", "yes"), ("0", "0.0", "false", "no")
DECIMAL_NAMES = {".": "point", ",": "comma"}
MINUS, PLUS = "-", "+"
COMMA_TO_POINT = str.maketrans(",.", "._")  # a number has no "_"
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Notation:
    """How cells spell numbers and truth values, and that nothing is known.

    Attributes
    ----------
    decimal : the decimal mark, "." or ","
    missing : the words that say that nothing is known, in lower case
    true, false : the words that say that something is so, or not so, in lower case
    """

    decimal: str = "."
    missing: tuple[str, ...] = MISSING
    true: tuple[str, ...] = TRUE
    false: tuple[str, ...] = FALSE

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
