"""Rates by group of a table's rows, by any of its columns: plain data and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats import kruskal

from unfis.additive.text.names import visible
from unfis.additive.text.numbers import percent, rounded_words
from unfis.app.requests import check_known
from unfis.app.tables.asked import Asked, no_answers
from unfis.app.tables.cells import Column
from unfis.app.tables.cells import numbers as column_numbers
from unfis.app.tables.cells import words as column_words
from unfis.app.tables.evaluation import aligned, interval_cell
from unfis.app.tables.figures import in_quotes
from unfis.app.tables.table import Table
from unfis.evaluation.groups import GroupRates, by_chance, grouped, rates_by_group

# A rate of fewer rows than this may be chance.
ENOUGH_ROWS = 10
# A difference is beyond chance that is this improbable if all groups are treated alike.
CHANCE = 0.05
RATES = GroupRates._fields[2:]


def evaluate_groups(model: Any, asked: Asked, table: Table, names: Sequence[str]) -> dict[str, Any]:
    """How groups of the rows asked for fare, by each of some columns of their table."""
    columns = group_columns(asked, table, names)
    if asked.y is None:
        raise no_answers()
    rates = plain_rates if hasattr(model, "classes_") else plain_errors
    found = model.predict(asked.X)
    return {name: rates(asked.y, found, values) for name, values in columns.items()}


def group_columns(asked: Asked, table: Table, names: Sequence[str]) -> dict[str, Any]:
    """What the rows asked for have in some columns of their table, by which they are grouped."""
    check_known("groups", names, table.names, table.name)
    if names and asked.y is None:
        raise no_answers()
    return {name: attribute(table, name)[asked.rows - 1] for name in names}


def attribute(table: Table, name: str) -> Any:
    """A column as numbers, NaN where missing, or as words, None where missing; (rows,)."""
    column = Column.of(name, table.frame[name], table.notation)
    if column.kind == "number":
        return column_numbers(column.data, column.notation)[0]
    return np.asarray(column_words(column.data, column.notation))


def plain_rates(true: Any, answered: Any, groups: Any) -> dict[str, Any]:
    """The rates of groups of rows as plain data, with sentences as "words"."""
    rates = rates_by_group(true, answered, groups)
    classes = [
        {"class": label, "groups": [plain_group(one) for one in of_class]}
        for label, of_class in rates.items()
    ]
    return {"classes": classes, "words": group_sentences(rates)}


def plain_group(one: GroupRates) -> dict[str, Any]:
    """The rates of a group as plain data."""
    rates = {
        name: {
            "value": rate.value if rate.rows else None,
            "interval": rate.interval if rate.rows else None,
            "rows": rate.rows,
        }
        for name, rate in zip(RATES, one[2:], strict=True)
    }
    return {"group": visible(one.group), "rows": one.rows, "few": one.rows < ENOUGH_ROWS, **rates}


def plain_errors(true: Any, predicted: Any, groups: Any) -> dict[str, Any]:
    """How far numbers are off in groups of rows, as plain data, with sentences as "words"."""
    names, places = grouped(groups)
    off = [(predicted - true)[places == g] for g in range(len(names))]
    found = [
        {
            "group": visible(name),
            "rows": len(errors),
            "few": len(errors) < ENOUGH_ROWS,
            "mean_error": float(errors.mean()),
            "mean_absolute_error": float(np.abs(errors).mean()),
        }
        for name, errors in zip(names, off, strict=True)
    ]
    enough = [errors for errors in off if len(errors) >= ENOUGH_ROWS]
    words = ["Too few rows to compare groups by."]
    if len(enough) > 1:
        words = [
            f"{what} differs {chance_words(kruskal_chance(parts))}."
            for what, parts in (
                ("The mean error (predicted less true)", enough),
                ("The mean absolute error", [np.abs(errors) for errors in enough]),
            )
        ]
    return {"groups": found, "words": words}


def kruskal_chance(parts: list[Any]) -> float:
    """How probable differences as large between numbers of groups are by chance."""
    if len(np.unique(np.concatenate(parts))) < 2:
        return 1.0
    return float(kruskal(*parts).pvalue)


def chance_words(chance: float) -> str:
    """Whether a difference is beyond chance."""
    often = f"p = {chance:.2f}" if chance >= 0.01 else "p < 0.01"
    return f"{'beyond chance' if chance < CHANCE else 'no more than by chance'} ({often})"


def group_sentences(rates: dict[Any, list[GroupRates]]) -> list[str]:
    """The largest difference of each rate between groups, and whether it is beyond chance."""
    (first, groups), *_ = rates.items()
    names = [visible(one.group) for one in groups]
    if len(names) == 1:
        return [f"All rows are of one group, {names[0]}: there is none to compare it with."]
    told: list[str] = []
    silent: list[str] = []
    for label, of_class in rates.items():
        for name in RATES if label == first else RATES[1:]:
            words = difference_words(label, name, of_class)
            (told if words else silent).append(words or rate_name(label, name))
    if silent:
        told.append(f"Too few rows to compare groups by: {', '.join(silent)}.")
    few = [name for name, one in zip(names, groups, strict=True) if one.rows < ENOUGH_ROWS]
    small = f"Fewer than {ENOUGH_ROWS} rows, so that rates may be chance: {', '.join(few)}."
    return [*told, small] if few else told


def difference_words(label: Any, name: str, groups: list[GroupRates]) -> str:
    """The largest difference of a rate between groups of enough rows; "" if there are not two."""
    rates = [(visible(one.group), getattr(one, name)) for one in groups]
    told = [(group, rate) for group, rate in rates if rate.rows >= ENOUGH_ROWS]
    if len(told) < 2:
        return ""
    least, fewest = min(told, key=lambda one: one[1].value)
    most, largest = max(told, key=lambda one: one[1].value)
    low, high = percent(fewest.value), percent(largest.value)
    what = rate_name(label, name)
    what = what[0].upper() + what[1:]
    if fewest.value == largest.value:
        return f"{what}: {low} in all groups."
    verdict = chance_words(by_chance([rate for _, rate in told]))
    span = f"about {low} in all groups"
    if low != high:
        span = f"from {low} ({least}) to {high} ({most})"
    return f"{what}: {span}; {verdict}."


def rate_name(label: Any, name: str) -> str:
    """What a rate is called."""
    names = {
        "right": "right answers",
        "answered": f"answered {in_quotes(label)}",
        "found": f"found of {in_quotes(label)}",
        "false_alarms": f"false alarms of {in_quotes(label)}",
    }
    return names[name]


def groups_text(found: dict[str, Any]) -> str:
    """Rates by group in words."""
    blocks = []
    for name, one in found.items():
        if "groups" in one:
            head = ["", "rows", "mean error", "mean absolute error"]
            rows = [error_row(group) for group in one["groups"]]
            blocks.append(f"By {visible(name)}:\n" + aligned([head, *rows]))
        for regarded in one.get("classes", []):
            label = visible(regarded["class"])
            head = ["", "rows", "right", f"answered {label}", "found", "false alarms"]
            rows = [group_row(group) for group in regarded["groups"]]
            blocks.append(f"By {visible(name)}:\n" + aligned([head, *rows]))
        blocks.append("\n".join(f"  {sentence}" for sentence in one["words"]))
    return "\n\n".join(block for block in blocks if block)


def error_row(group: dict[str, Any]) -> list[str]:
    """A group of numbers as cells, marked where it is small."""
    few = " (few)" if group["few"] else ""
    errors = (rounded_words(group[name], 3) for name in ("mean_error", "mean_absolute_error"))
    return [f"{group['group']}{few}", f"{group['rows']:,}", *errors]


def group_row(group: dict[str, Any]) -> list[str]:
    """A group as cells, marked where it is small."""
    few = " (few)" if group["few"] else ""
    cells = [interval_cell(group[name]["value"], group[name]["interval"]) for name in RATES]
    return [f"{group['group']}{few}", f"{group['rows']:,}", *cells]
