"""Rates by group of a table's rows, by any of its columns: plain data and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.app.request import check_known
from unfis.app.tables.cells import Column
from unfis.app.tables.cells import numbers as column_numbers
from unfis.app.tables.cells import words as column_words
from unfis.app.tables.evaluation import Asked, aligned, interval_cell, no_classes
from unfis.app.tables.table import Table
from unfis.estimators.classifier import UNFISClassifier
from unfis.model.groups import ENOUGH_ROWS, rates_by_group
from unfis.rules.text.words import visible


def evaluate_groups(
    model: UNFISClassifier, asked: Asked, table: Table, names: Sequence[str]
) -> dict[str, Any]:
    """The rates of groups of the rows asked for, by each of some columns of their table."""
    columns = group_columns(asked, table, names)
    if asked.codes is None:
        raise no_classes()
    true, answered = model.classes_[asked.codes], model.predict(asked.X)
    return {
        name: rates_by_group(true, answered, values).to_dict() for name, values in columns.items()
    }


def group_columns(asked: Asked, table: Table, names: Sequence[str]) -> dict[str, Any]:
    """What the rows asked for have in some columns of their table, by which they are grouped."""
    check_known(names, table.names, table.name)
    if names and asked.codes is None:
        raise no_classes()
    return {name: attribute(table, name)[asked.rows - 1] for name in names}


def attribute(table: Table, name: str) -> Any:
    """A column as numbers, NaN where missing, or as words, None where missing; (rows,)."""
    column = Column.of(name, table.frame[name], table.notation)
    if column.kind == "number":
        return column_numbers(column.data, column.notation)[0]
    return np.asarray(column_words(column.data, column.notation))


def groups_text(found: dict[str, Any]) -> str:
    """Rates by group in words."""
    blocks = []
    for name, one in found.items():
        for regarded in one["classes"]:
            label = visible(regarded["class"])
            head = ["", "rows", "right", f"answered {label}", "found", "false alarms"]
            rows = [group_row(group) for group in regarded["groups"]]
            blocks.append(f"By {visible(name)}:\n" + aligned([head, *rows]))
        blocks.append("\n".join(f"  {sentence}" for sentence in one["words"]))
    return "\n\n".join(block for block in blocks if block)


def group_row(group: dict[str, Any]) -> list[str]:
    """A group as cells, marked where it is small."""
    few = " (few)" if group["rows"] < ENOUGH_ROWS else ""
    rates = [group[name] for name in ("right", "answered", "found", "false_alarms")]
    cells = [interval_cell(rate["value"], rate["interval"]) for rate in rates]
    return [f"{group['group']}{few}", f"{group['rows']:,}", *cells]
