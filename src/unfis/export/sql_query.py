"""Rules as one SQL query, the same text for sqlite and DuckDB.

Each lacks something that the other has, so this keeps to what they share: numbers as 1.5e0, which
DuckDB would else take for decimals, and columns with their table, since sqlite takes a quoted name
of no column for text. Every step is MATERIALIZED: sqlite would else put each into the next as often
as it is named there, and run out of memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from unfis.export.portable import Portable, degree_of_unknown
from unfis.export.sql_cells import (
    minus,
    quoted_name,
    read_input,
    read_number,
    sql_double,
    sql_label,
    trimmed,
)
from unfis.rules import Condition, Kinds, Trapezoid


def sql_query(model: Portable, table: str, keep: Sequence[str] | None = None) -> str:
    """A query for the columns to keep, what is predicted of each row, and each probability."""
    kept = [one.name for one in model.used.values()] if keep is None else list(keep)
    contents = steps_of(model, kept)
    tables = {table.lower()}  # a step may not be called like it
    names = [unused(f"unfis_{step}", tables) for step in contents]
    sources = [f"{quoted_name(table)} AS d", *names]
    steps = [
        f"{name} AS MATERIALIZED (\n{select(columns, source)}\n)"
        for name, columns, source in zip(names, contents.values(), sources, strict=False)
    ]
    lines = [f"-- {line}".rstrip() for line in model.words.splitlines()]
    lines += ["WITH " + ", ".join(steps), select(answers(model, kept), names[-1])]
    return "\n".join([*lines, ""])


def steps_of(model: Portable, kept: Sequence[str]) -> dict[str, list[str]]:
    """The columns of each step, by its name: from the cells to what each class has of the sum."""
    notation, used = model.notation, model.used
    keys, sums = counted("k", kept), counted("z", model.rules.start)
    steps = {
        "cells": [
            *(f"d.{quoted_name(name)} AS {key}" for name, key in zip(kept, keys, strict=True)),
            *(f"d.{quoted_name(one.name)} AS c{j}" for j, one in used.items()),
        ],
        "texts": ["*", *(f"{trimmed(f'c{j}')} AS t{j}" for j in used)],
        "numbers": ["*", *(f"{read_number(one, j, notation)} AS v{j}" for j, one in used.items())],
        "inputs": [*keys, *(f"{read_input(one, j, notation)} AS x{j}" for j, one in used.items())],
        "sums": [*keys, *(f"{weighed_sum(model, c)} AS {name}" for c, name in enumerate(sums))],
    }
    if model.classes:
        odds = [" + ".join(f"EXP({other} - {name})" for other in sums) for name in sums]
        steps["shares"] = [*keys, *(f"1e0 / ({one}) AS p{c}" for c, one in enumerate(odds))]
    return steps


def weighed_sum(model: Portable, c: int) -> str:
    """unit * (start + sum of points * degree) of one output."""
    rules, terms = model.rules, [sql_double(model.rules.start[c])]
    for rule in rules.rules:
        if rule.output == c:
            degrees = " * ".join(map(degree, rule.conditions)) or "1e0"
            terms.append(f"{sql_double(rule.points)} * ({degrees})")
    plus = "\n        + "
    return f"{sql_double(rules.unit)} * ({plus.join(terms)})"


def degree(condition: Condition) -> str:
    """How far a condition holds."""
    value = f"x{condition.input}"
    cases = [f"WHEN {value} IS NULL THEN {sql_double(degree_of_unknown(condition))}"]
    if isinstance(condition, Kinds):
        cases += [f"WHEN {value} = {code} THEN 1e0" for code in condition.kinds]
    rest = "0e0"
    if isinstance(condition, Trapezoid):
        a, b, c, d = condition.a, condition.b, condition.c, condition.d
        if a > -inf:
            cases.append(f"WHEN {value} < {sql_double(a)} THEN 0e0")
        if -inf < a < b:
            cases.append(f"WHEN {value} < {sql_double(b)} THEN {risen(value, a, b)}")
        if d == inf:
            rest = "1e0"
        else:
            cases.append(f"WHEN {value} < {sql_double(c)} THEN 1e0")
        if c < d < inf:
            cases.append(f"WHEN {value} < {sql_double(d)} THEN 1e0 - {risen(value, c, d)}")
    return f"CASE {' '.join(cases)} ELSE {rest} END"


def risen(value: str, low: float, high: float) -> str:
    """How far a value is on the way from one number to another."""
    return f"({minus(value, low)}) / {sql_double(high - low)}"


def answers(model: Portable, kept: Sequence[str]) -> list[str]:
    """The columns of the result: those that are kept, the probabilities, the prediction."""
    columns = [f"k{k} AS {quoted_name(name)}" for k, name in enumerate(kept)]
    taken, shares = {name.lower() for name in kept}, counted("p", model.classes)
    for share, label in zip(shares, model.classes, strict=True):
        columns.append(f"{share} AS {quoted_name(unused(f'probability_{label}', taken))}")
    answer = "EXP(z0)" if model.rules.link == "exp" else "z0"
    if model.classes:
        answer = best(model, shares)
    return [*columns, f"{answer} AS {quoted_name(unused('predicted', taken))}"]


def best(model: Portable, shares: Sequence[str]) -> str:
    """The first class of those that are most probable, or are expected to cost least."""
    if model.costs:
        by_answer = zip(*model.costs, strict=True)
        terms = [[f"p{c} * {sql_double(-cost)}" for c, cost in enumerate(one)] for one in by_answer]
        shares = [f"({' + '.join(one)})" for one in terms]
    *others, last = map(sql_label, model.classes)
    cases = [
        f"WHEN {' AND '.join(f'{shares[c]} >= {rest}' for rest in shares[c + 1 :])} THEN {label}"
        for c, label in enumerate(others)
    ]
    return f"CASE {' '.join(cases)} ELSE {last} END"


def select(columns: Iterable[str], source: str) -> str:
    """A SELECT, each column in its line; of no columns it would be none."""
    return "SELECT\n    " + (",\n    ".join(columns) or "NULL AS nothing") + f"\nFROM {source}"


def counted(letter: str, items: Sequence[Any]) -> list[str]:
    """Names for as many columns as there are items."""
    return [f"{letter}{k}" for k in range(len(items))]


def unused(wanted: str, taken: set[str]) -> str:
    """A name that none has yet, whatever its case; from now on it is taken."""
    name, count = wanted, 1
    while name.lower() in taken:
        count += 1
        name = f"{wanted}_{count}"
    taken.add(name.lower())
    return name
