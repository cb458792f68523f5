"""Numbers and comparisons in words."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from unfis_paper.reproduction.tables import TextTable
from verdict.comparison import ComparedRuns, Comparison, tally, together


def number(value: float, form: str = ".2f") -> str:
    """A number, "-" where there is none."""
    return "-" if math.isnan(value) else f"{value:{form}}"


def as_markdown(rows: TextTable) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def compared_cells(one: Comparison) -> list[str]:
    """Difference in points, p and d."""
    return [
        number(100 * one.difference, "+.2f"),
        number(one.p_value, ".2g"),
        number(one.effect, "+.2f"),
    ]


def points(one: Comparison) -> str:
    """A difference in points, with p and d."""
    difference, p_value, effect = compared_cells(one)
    return f"{difference} points (p = {p_value}, d = {effect})"


def listed(items: Iterable[str]) -> str:
    """Items with commas, "none" without any."""
    return ", ".join(items) or "none"


def yes(is_so: bool) -> str:
    """A truth in a word."""
    return "yes" if is_so else "no"


def mean(values: Iterable[float]) -> float:
    """The mean of what is known, NaN if nothing is."""
    known = [value for value in values if not math.isnan(value)]
    return float(np.mean(known)) if known else math.nan


def all_pairs(
    recorded: ComparedRuns, sets: dict[str, str], first: str, second: str
) -> dict[str, Comparison]:
    """Two systems on every set that both have run on, by acronym, tested together."""
    both = {a: name for a, name in sets.items() if recorded.has(name, (first, second))}
    return together({a: recorded.paired(name, first, second) for a, name in both.items()})


def against(
    recorded: ComparedRuns, sets: dict[str, str], first: str, others: Iterable[str]
) -> TextTable:
    """One system against each of others: over the sets, in a table."""
    rows = [["against", "sets", "points", "d", "better", "worse", "smallest p"]]
    for other in others:
        found = all_pairs(recorded, sets, first, other)
        if not found:
            continue
        counts = tally(found)
        p_values = [one.p_value for one in found.values() if not math.isnan(one.p_value)]
        rows.append(
            [
                other,
                str(len(found)),
                number(100 * mean(one.difference for one in found.values()), "+.2f"),
                number(mean(one.effect for one in found.values()), "+.2f"),
                str(counts.better),
                str(counts.worse),
                number(min(p_values, default=math.nan), ".2g"),
            ]
        )
    return rows
