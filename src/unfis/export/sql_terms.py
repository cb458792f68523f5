"""The pieces of the SQL query: names, numbers, inputs and conditions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import inf, isfinite, log
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data import CategoryReader, Notation
from unfis.data.columns import LARGEST_INPUT
from unfis.data.notation import BLANKS, word_of
from unfis.export.portable import check_text
from unfis.network.layers import EPSILON, LEAST_REST
from unfis.rules import Variable
from unfis.rules.evaluation import RuleArrays
from unfis.rules.text.numbers import exact

# Sums of more terms are bracketed: sqlite reads no expression nested deeper than 1000.
LONGEST_SUM = 100
NEXT_LINE = "\n        + "
# Whole numbers from here on may have no double of their own.
FIRST_INEXACT = 2**53
# The usual numbers of sqlite, then of DuckDB, which need not be spelled to be known as such.
NUMBER_TYPES = ("integer", "real", "DOUBLE", "FLOAT", "BIGINT", "INTEGER", "SMALLINT", "BOOLEAN")
TEXT_TYPES = ("text", "VARCHAR")
# A number begins with one of these, and made of digits, signs, points and e it has none of those:
# two points, a point or an e after an e, a sign inside, an end without a digit. The engines share
# no pattern for "none of these characters".
NUMBER_BEGINS = ("[0-9]*", ".[0-9]*", "[+-][0-9]*", "[+-].[0-9]*")
NO_NUMBER = ("*.*.*", "*[eE]*[.eE]*", "*[0-9.+-][+-]*", "*[eE+-]")
LARGEST_DOUBLE = sys.float_info.max


def quoted_name(name: str) -> str:
    """The name of a column or table."""
    return '"' + check_text(name).replace('"', '""') + '"'


def sql_label(label: Any) -> str:
    """A class or category."""
    if isinstance(label, str):
        return "'" + check_text(label).replace("'", "''") + "'"
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    return str(label) if isinstance(label, int) else sql_double(label)


def sql_double(number: float) -> str:
    """A number with all its digits, which is a double to any engine."""
    text = exact(float(number))
    return text if "e" in text else f"{text}e0"


def minus(name: str, number: float) -> str:
    """A column less a number; two minus signs might meet to begin a comment."""
    return f"{name} - {sql_double(number)}" if number >= 0 else f"{name} + {sql_double(-number)}"


def sum_of(terms: Sequence[str], plus: str = " + ") -> str:
    """A sum, in brackets where it is long."""
    if len(terms) <= LONGEST_SUM:
        return plus.join(terms)
    size = -(-len(terms) // LONGEST_SUM)
    return sum_of([f"({sum_of(terms[i : i + size])})" for i in range(0, len(terms), size)])


def is_read_as_text(variable: Variable) -> bool:
    """Whether the categories are text, or numbers too large to be compared as doubles."""
    return any(
        isinstance(category, str) or (isinstance(category, int) and abs(category) >= FIRST_INEXACT)
        for category in variable.categories
    )


def read_cell(variable: Variable, name: str, notation: Notation) -> str:
    """The value of an input whose cell has this name, NULL where it is unknown."""
    if is_read_as_text(variable):
        return as_category_text(variable, name, notation)
    cases = [f"WHEN {is_of(name, NUMBER_TYPES)} THEN CAST({name} AS DOUBLE)"]
    if any(isinstance(category, bool) for category in variable.categories):
        word = f"LOWER({trimmed(name)})"
        for words, value in ((notation.true, "1e0"), (notation.false, "0e0")):
            spelled = ", ".join(sql_label(w) for w in words if w not in notation.missing)
            cases += [f"WHEN {word} IN ({spelled}) THEN {value}"] if spelled else []
    if variable.kind != "boolean":
        cases += spelled_numbers(name, notation)
    return f"CASE {' '.join(cases)} END"


def spelled_numbers(name: str, notation: Notation) -> list[str]:
    """The cases of a cell whose text spells a number; a comma is the decimal mark of text alone."""
    plain = trimmed(name)
    if notation.decimal == ".":
        return [f"WHEN {spells_number(plain)} THEN CAST({plain} AS DOUBLE)"]
    text = f"REPLACE(REPLACE({plain}, '.', '_'), ',', '.')"
    is_text = is_of(name, TEXT_TYPES)
    return [
        f"WHEN {is_text} AND {spells_number(text)} THEN CAST({text} AS DOUBLE)",
        f"WHEN NOT {is_text} AND {spells_number(plain)} THEN CAST({plain} AS DOUBLE)",
    ]


def as_category_text(variable: Variable, name: str, notation: Notation) -> str:
    """A cell as text, a number as the category that spells it."""
    text = f"CAST({name} AS VARCHAR)"
    numbers = CategoryReader(variable.categories, notation).numbers
    if not numbers or not isinstance(variable.categories[0], str):
        return text
    cases = " ".join(
        f"WHEN {sql_double(number)} THEN {sql_label(variable.categories[code])}"
        for number, code in numbers.items()
    )
    return (
        f"CASE WHEN {is_of(name, NUMBER_TYPES)} THEN "
        f"COALESCE(CASE CAST({name} AS DOUBLE) {cases} END, {text}) ELSE {text} END"
    )


def trimmed(name: str) -> str:
    """A cell as text without the blanks around it."""
    return f"TRIM(CAST({name} AS VARCHAR), {sql_label(BLANKS)})"


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


def code_or_scaled(variable: Variable, value: str, notation: Notation) -> str:
    """The code of a category, or a number in scales from its reference; NULL where unknown."""
    if variable.categories:
        return f"CASE {' '.join(category_cases(variable, value))} END"
    unknown = [number for number in notation.missing_numbers if isfinite(number)]
    cases = [f"WHEN {value} = {sql_double(number)} THEN NULL" for number in unknown]
    scaled = f"({minus(value, variable.reference)}) / {sql_double(variable.scale)}"
    limit = sql_double(LARGEST_INPUT)
    # Infinite is what text spells if no double holds it; NaN is to DuckDB more than any number.
    cases += [
        f"WHEN ABS({value}) > {sql_double(LARGEST_DOUBLE)} THEN NULL",
        f"WHEN {scaled} > {limit} THEN {limit} WHEN {scaled} < -{limit} THEN -{limit}",
    ]
    return f"CASE {' '.join(cases)} ELSE {scaled} END"


def category_cases(variable: Variable, value: str) -> list[str]:
    """The cases of each category: as it is, then without the blanks around a cell."""
    forms, as_text = [value], is_read_as_text(variable)
    if as_text:
        without = f"TRIM({value}, {sql_label(BLANKS)})"
        bare = all(str(category) == word_of(str(category)) for category in variable.categories)
        forms = [without] if bare else [value, without]
    return [
        f"WHEN {form} = {sql_label(str(category)) if as_text else sql_double(category)} THEN {code}"
        for form in forms
        for code, category in enumerate(variable.categories)
    ]


def log_firing(arrays: RuleArrays, rule: int) -> str:
    """The logarithm of how far all conditions of a rule hold; an unknown input fulfils them."""
    inside = np.flatnonzero(arrays.selection[rule]).tolist()
    return sum_of([log_degree(arrays, rule, j) for j in inside], NEXT_LINE) or "0e0"


def log_rest(log_firing: str) -> str:
    """log (1 - f), no less than where f counts as 1."""
    rest = f"1e0 - EXP({log_firing})"
    least = sql_double(LEAST_REST), sql_double(log(LEAST_REST))
    return f"CASE WHEN {rest} > {least[0]} THEN LN({rest}) ELSE {least[1]} END"


def log_degree(arrays: RuleArrays, rule: int, j: int) -> str:
    """The logarithm of how far one condition holds."""
    if arrays.variables[j].categories:
        return by_category(j, arrays.log_degrees[j][:, rule])
    value = f"x{j}"
    centre, width = minus(value, arrays.centres[rule, j]), sql_double(arrays.widths[rule, j])
    centre = beyond_core(centre, *arrays.reaches[:, rule, j].tolist())
    deviation = f"(({centre}) / {width})"
    log_membership = f"-0.5e0 * {deviation} * {deviation}"
    selection = arrays.selection[rule, j]
    if selection == 1:
        return f"COALESCE({log_membership}, 0e0)"
    above = f"EXP({log_membership}) + {sql_double(EPSILON)}"
    below = f"{sql_double(1 - selection)} * EXP({log_membership}) + {sql_double(selection)}"
    selected = f"LN(({above}) / ({below} + {sql_double(EPSILON)}))"
    # Functions that a user lends may not know NULL.
    return f"CASE WHEN {value} IS NULL THEN 0e0 ELSE {selected} END"


def beyond_core(deviation: str, below: float, above: float) -> str:
    """A deviation without what of it lies within a core."""
    if below == above == 0:
        return deviation
    cases = [f"WHEN {deviation} IS NULL THEN NULL"]
    if below < inf:
        cases.append(f"WHEN {deviation} < {sql_double(-below)} THEN {minus(deviation, -below)}")
    if above < inf:
        cases.append(f"WHEN {deviation} > {sql_double(above)} THEN {minus(deviation, above)}")
    return f"CASE {' '.join(cases)} ELSE 0e0 END"


def rule_output(arrays: RuleArrays, rule: int, c: int) -> str:
    """What a rule says of one class; an unknown input adds nothing."""
    terms = [sql_double(arrays.biases[rule, c])]
    for j, (variable, span) in enumerate(zip(arrays.variables, arrays.spans, strict=True)):
        slopes = arrays.slopes[rule, c, span]
        if variable.categories and slopes.any():
            terms.append(by_category(j, slopes))
        elif slopes.any():
            terms.append(f"{sql_double(slopes[0])} * COALESCE(x{j}, 0e0)")
    return sum_of(terms, NEXT_LINE)


def by_category(j: int, numbers: Array) -> str:
    """A number for each category of an input, 0 where it is unknown."""
    cases = " ".join(f"WHEN {k} THEN {sql_double(number)}" for k, number in enumerate(numbers))
    return f"CASE x{j} {cases} ELSE 0e0 END"
