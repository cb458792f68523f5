"""The pieces of a SQL query that names columns, writes numbers and reads cells."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from unfis.data import CategoryReader, Notation
from unfis.data.notation import BLANKS, word_of
from unfis.export.portable import LARGEST_DOUBLE, PortableInput

# The usual numbers of sqlite, then of DuckDB, which need not be spelled to be known as such.
NUMBER_TYPES = ("integer", "real", "DOUBLE", "FLOAT", "BIGINT", "INTEGER", "SMALLINT", "BOOLEAN")
TEXT_TYPES = ("text", "VARCHAR")
# A number begins with one of these, and made of digits, signs, points and e it has none of those:
# two points, a point or an e after an e, a sign inside, an end without a digit. The engines share
# no pattern for "none of these characters".
NUMBER_BEGINS = ("[0-9]*", ".[0-9]*", "[+-][0-9]*", "[+-].[0-9]*")
NO_NUMBER = ("*.*.*", "*[eE]*[.eE]*", "*[0-9.+-][+-]*", "*[eE+-]")


def quoted_name(name: str) -> str:
    """The name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def sql_label(label: Any) -> str:
    """A class or category."""
    if isinstance(label, str):
        return "'" + label.replace("'", "''") + "'"
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    return str(label) if isinstance(label, int) else sql_double(label)


def sql_double(number: float) -> str:
    """A number with all its digits, which is a double to any engine."""
    text = repr(float(number)).removesuffix(".0")
    return text if "e" in text else f"{text}e0"


def minus(name: str, number: float) -> str:
    """A column less a number; two minus signs might meet to begin a comment."""
    return f"{name} - {sql_double(number)}" if number >= 0 else f"{name} + {sql_double(-number)}"


def trimmed(cell: str) -> str:
    """A cell as text without the blanks around it."""
    return f"TRIM(CAST({cell} AS VARCHAR), {sql_label(BLANKS)})"


def read_number(one: PortableInput, j: int, notation: Notation) -> str:
    """The number of a cell, or of its text; NULL where it has none."""
    cell, text = f"c{j}", f"t{j}"
    if one.has_text:
        return "NULL"
    cases = [f"WHEN {is_of(cell, NUMBER_TYPES)} THEN CAST({cell} AS DOUBLE)"]
    if any(isinstance(category, bool) for category in one.categories):
        for words, value in ((notation.true, "1e0"), (notation.false, "0e0")):
            spelled = ", ".join(sql_label(w) for w in words if w not in notation.missing)
            cases += [f"WHEN LOWER({text}) IN ({spelled}) THEN {value}"] if spelled else []
    if one.kind != "boolean" and notation.decimal == ",":  # the decimal mark of text alone
        plain = f"REPLACE(REPLACE({text}, '.', '_'), ',', '.')"
        is_text = is_of(cell, TEXT_TYPES)
        cases.append(f"WHEN {is_text} AND {spells_number(plain)} THEN CAST({plain} AS DOUBLE)")
        cases.append(f"WHEN {is_text} THEN NULL")
    if one.kind != "boolean":
        cases.append(f"WHEN {spells_number(text)} THEN CAST({text} AS DOUBLE)")
    return f"CASE {' '.join(cases)} END"


def read_input(one: PortableInput, j: int, notation: Notation) -> str:
    """The code of a category, or a number; NULL where it is unknown."""
    if one.has_text:
        return text_code(one, f"c{j}", f"t{j}", CategoryReader(one.categories, notation).numbers)
    value = f"v{j}"
    if one.categories:
        codes = enumerate(one.categories)
        cases = [f"WHEN {sql_double(number)} THEN {code}" for code, number in codes]
        return f"CASE {value} {' '.join(cases)} END"
    # Infinite is what text spells if no double holds it; NaN is to DuckDB more than any number.
    unknown = [f"{value} = {sql_double(n)}" for n in notation.missing_numbers if isfinite(n)]
    unknown.append(f"ABS({value}) > {sql_double(LARGEST_DOUBLE)}")
    return f"CASE WHEN {' OR '.join(unknown)} THEN NULL ELSE {value} END"


def text_code(one: PortableInput, cell: str, text: str, numbers: dict[float, int]) -> str:
    """The code of a category of text: as it is, without blanks, or by a number that it spells."""
    codes = [(sql_label(label), code) for code, label in enumerate(one.categories)]
    whole = [f"WHEN CAST({cell} AS VARCHAR) = {label} THEN {code}" for label, code in codes]
    bare = all(label == word_of(label) for label in one.categories)
    cases = [] if bare else whole
    cases += [f"WHEN {text} = {label} THEN {code}" for label, code in codes]
    found = f"CASE {' '.join(cases)} END"
    if not numbers:
        return found
    spelled = " ".join(f"WHEN {sql_double(n)} THEN {code}" for n, code in numbers.items())
    number = f"CASE WHEN {is_of(cell, NUMBER_TYPES)} THEN CASE CAST({cell} AS DOUBLE) {spelled} END"
    return f"COALESCE({found}, {number} END)"


def is_of(name: str, types: Sequence[str]) -> str:
    """Whether a cell is of one of some types."""
    return f"TYPEOF({name}) IN ({', '.join(sql_label(kind) for kind in types)})"


def spells_number(text: str) -> str:
    """Whether text is a decimal number, with or without an exponent, from end to end.

    sqlite would take the first digits of other text, or 0, and DuckDB would stop.
    """
    begins = [f"{text} GLOB '{pattern}'" for pattern in NUMBER_BEGINS]
    wrong = [f"{text} NOT GLOB '{pattern}'" for pattern in NO_NUMBER]
    only = f"LTRIM({text}, '0123456789.eE+-') = ''"
    return f"({' OR '.join(begins)}) AND {' AND '.join([only, *wrong])}"
