"""Rules as one SQL query, the same text for sqlite and DuckDB.

Each lacks something that the other has, so this keeps to what they share: the largest of several
numbers by CASE, numbers as 1.5e0, which DuckDB would else take for decimals, and columns with
their table, since sqlite takes a quoted name of no column for text. Every step is MATERIALIZED:
sqlite would else put each into the next as often as it is named there, and run out of memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from unfis.export.sql_terms import (
    NEXT_LINE,
    code_or_scaled,
    log_firing,
    log_rest,
    quoted_name,
    read_cell,
    rule_output,
    sql_double,
    sql_label,
    sum_of,
)
from unfis.network.combination import AVERAGED
from unfis.rules import RuleBase


def sql_query(base: RuleBase, words: str, table: str, keep: Sequence[str] | None = None) -> str:
    """A query for the columns to keep, each class's probability and the prediction of each row."""
    kept = [variable.name for variable in base.arrays.variables] if keep is None else list(keep)
    contents = steps_of(base, kept)
    tables = {table.lower()}  # a step may not be called like it
    names = [unused(f"unfis_{step}", tables) for step in contents]
    sources = [f"{quoted_name(table)} AS d", *names]
    steps = [
        f"{name} AS MATERIALIZED (\n{select(columns, source)}\n)"
        for name, columns, source in zip(names, contents.values(), sources, strict=False)
    ]
    lines = [f"-- {line}".rstrip() for line in words.splitlines()]
    lines += ["WITH " + ", ".join(steps), select(answers(base, kept), names[-1])]
    return "\n".join([*lines, ""])


def steps_of(base: RuleBase, kept: Sequence[str]) -> dict[str, list[str]]:
    """The columns of each step, by its name: from the cells to what each class has of the sum."""
    arrays, notation = base.arrays, base.notation
    inputs = list(enumerate(arrays.variables))
    firing, keys = counted("f", base.rules), counted("k", kept)
    cells = [f"d.{quoted_name(name)} AS {key}" for name, key in zip(kept, keys, strict=True)]
    combined = averaged_steps if base.combination == AVERAGED.name else mixed_steps
    weighed = cost_steps(base) if base.costs else {}
    return {
        "cells": cells + [f"d.{quoted_name(v.name)} AS c{j}" for j, v in inputs],
        "known": keys + [f"{read_cell(v, f'c{j}', notation)} AS v{j}" for j, v in inputs],
        "inputs": keys + [f"{code_or_scaled(v, f'v{j}', notation)} AS x{j}" for j, v in inputs],
        **firing_steps(base),
        "strongest": ["*", f"{largest(firing)} AS f"],
        "strengths": ["*", *(f"EXP({one} - f) AS s{i}" for i, one in enumerate(firing))],
        **combined(base, keys),
        **weighed,
    }


def firing_steps(base: RuleBase) -> dict[str, list[str]]:
    """log f of each rule; of one that speaks where no other does, after the others."""
    arrays, otherwise = base.arrays, base.arrays.otherwise
    others = [i for i in range(len(base)) if i != otherwise]
    steps = {"firing": ["*", *(f"{log_firing(arrays, i)} AS f{i}" for i in others)]}
    if otherwise is not None:
        rests = sum_of([log_rest(f"f{i}") for i in others], NEXT_LINE)
        steps["otherwise"] = ["*", f"{rests} AS f{otherwise}"]
    return steps


def mixed_steps(base: RuleBase, keys: list[str]) -> dict[str, list[str]]:
    """z, the mean of opinions by strength, and exp(z - max z)."""
    rules, classes = range(len(base)), range(len(base.classes))
    total, logits = sum_of(counted("s", rules)), counted("z", classes)
    mixed = [sum_of([f"s{i} * ({rule_output(base.arrays, i, c)})" for i in rules]) for c in classes]
    return {
        "logits": keys + [f"({part}) / ({total}) AS z{c}" for c, part in enumerate(mixed)],
        "likeliest": ["*", f"{largest(logits)} AS z"],
        "shares": ["*", *(f"EXP({one} - z) AS e{c}" for c, one in enumerate(logits))],
    }


def averaged_steps(base: RuleBase, keys: list[str]) -> dict[str, list[str]]:
    """z, the mean of each rule's soft-max by strength."""
    rules, classes = range(len(base)), range(len(base.classes))
    pairs = [(i, c) for i in rules for c in classes]
    totals = {i: sum_of(counted(f"q{i}_", classes)) for i in rules}
    averages = [sum_of([f"s{i} * q{i}_{c} / t{i}" for i in rules]) for c in classes]
    return {
        "opinions": ["*", *(f"{rule_output(base.arrays, i, c)} AS y{i}_{c}" for i, c in pairs)],
        "surest": ["*", *(f"{largest(counted(f'y{i}_', classes))} AS y{i}" for i in rules)],
        "said": ["*", *(f"EXP(y{i}_{c} - y{i}) AS q{i}_{c}" for i, c in pairs)],
        "totals": ["*", *(f"{totals[i]} AS t{i}" for i in rules)],
        "averages": keys + [f"{average} AS z{c}" for c, average in enumerate(averages)],
        "likeliest": ["*", f"{largest(counted('z', classes))} AS z"],
        "shares": ["*", *(f"z{c} AS e{c}" for c in classes)],
    }


def cost_steps(base: RuleBase) -> dict[str, list[str]]:
    """g, less than nothing by what each answer is expected to cost, and the largest of them."""
    classes = range(len(base.classes))
    costs = [[sql_double(-cost) for cost in row] for row in base.costs]
    saved = [sum_of([f"e{c} * {costs[c][k]}" for c in classes]) for k in classes]
    return {
        "costs": ["*", *(f"{one} AS g{k}" for k, one in enumerate(saved))],
        "cheapest": ["*", f"{largest(counted('g', classes))} AS g"],
    }


def answers(base: RuleBase, kept: Sequence[str]) -> list[str]:
    """The columns of the result: those that are kept, the probabilities, the prediction."""
    total = sum_of(counted("e", base.classes))
    columns = [f"k{k} AS {quoted_name(name)}" for k, name in enumerate(kept)]
    taken = {name.lower() for name in kept}
    for c, label in enumerate(base.classes):
        title = quoted_name(unused(f"probability_{label}", taken))
        columns.append(f"e{c} / ({total}) AS {title}")
    best = "g" if base.costs else "z"
    cases = " ".join(
        f"WHEN {best}{c} = {best} THEN {sql_label(label)}" for c, label in enumerate(base.classes)
    )
    return [*columns, f"CASE {cases} END AS {quoted_name(unused('predicted', taken))}"]


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


def largest(names: Sequence[str]) -> str:
    """The largest of some columns."""
    *others, last = names
    cases = " ".join(
        f"WHEN {' AND '.join(f'{one} >= {rest}' for rest in names[k + 1 :])} THEN {one}"
        for k, one in enumerate(others)
    )
    return f"CASE {cases} ELSE {last} END" if others else last
