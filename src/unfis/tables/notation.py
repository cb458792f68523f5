"""How the cells of a table say numbers, and that nothing is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from unfis.rules.numbers import numbered

# Compared without regard to case, blanks around them left out.
MISSING = frozenset({"", "na", "n/a", "#n/a", "<na>", "nan", "null", "?", "-"})
DECIMAL_NAMES = {".": "point", ",": "comma"}
NEGATIVE, POSITIVE = "-", "+"
COMMA_TO_POINT = str.maketrans(",.", "._")  # a number has no "_"
# So many of the words that were taken for missing are named.
MOST_NAMED = 3


class Notation(NamedTuple):
    """How cells say numbers, and that nothing is known."""

    decimal: str = "."
    missing: frozenset[str] = MISSING

    @classmethod
    def of(cls, decimal: str, missing: Collection[str] | None) -> Notation:
        """A notation in which some words mean missing, as no text at all does."""
        if missing is None:
            return cls(decimal)
        return cls(decimal, frozenset({"", *(word.strip().lower() for word in missing)}))

    @property
    def other(self) -> Notation:
        """The same with the other decimal mark."""
        return self._replace(decimal="," if self.decimal == "." else ".")

    @property
    def missing_numbers(self) -> list[float]:
        """The numbers that mean missing."""
        plain = Notation(self.decimal, frozenset({"", "nan"}))
        found = (plain.number(word) for word in self.missing)
        return [value for value in found if value is not None and value == value]

    def among(self, kinds: Collection[str]) -> Notation:
        """The notation of a column that holds these cells: beside + a - is an answer."""
        if POSITIVE in kinds and NEGATIVE in self.missing:
            return self._replace(missing=self.missing - {NEGATIVE})
        return self

    def is_missing(self, cell: str) -> bool:
        """Whether a cell's text says that nothing is known."""
        return cell.strip().lower() in self.missing

    def number(self, cell: str) -> float | None:
        """The number that a cell's text says, NaN if it is missing, None if it is none."""
        if self.is_missing(cell):
            return float("nan")
        plain = cell.translate(COMMA_TO_POINT) if self.decimal == "," else cell
        try:
            return None if "_" in plain else float(plain)
        except ValueError:
            return None


def missing_words(lost: Iterable[str]) -> str:
    """How many cells are missing, and by which words: 3 cells missing ('NA')."""
    cells = list(lost)
    return f"{numbered(len(cells), 'cell')} missing{by_words(cells)}"


def by_words(lost: Iterable[str]) -> str:
    """The words that were taken for missing, in brackets; nothing if there were none."""
    words = sorted({cell.strip() for cell in lost} - {""})
    more = ", ..." if len(words) > MOST_NAMED else ""
    return f" ({', '.join(map(repr, words[:MOST_NAMED]))}{more})" if words else ""
