"""From a table's cells to what a model learns from, or was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import ColumnOptions
from unfis.app.tables.cells import different, numbers, texts, words
from unfis.app.tables.records import RecordBlock
from unfis.app.tables.roles import Role, roles_of
from unfis.app.tables.table import Table, Target, read_target
from unfis.arrays import Array, Mask
from unfis.data import Notation
from unfis.data.files import TableError, meant
from unfis.data.notation import DECIMAL_NAMES
from unfis.model import FittedModel
from unfis.serial.messages import quoted

NO_OPTIONS = ColumnOptions()
# What a cell must be, by the kind of its column.
EXPECTED = {"number": "a number", "boolean": "true or false"}


class PreparedTable(NamedTuple):
    """A table made ready to learn from: its rows whose answer is known."""

    X: Any  # a pandas data frame
    y: NDArray[Any]  # (rows,)
    weights: Array | None  # (rows,)
    roles: list[Role]
    target: Target

    @property
    def classes(self) -> list[Any]:
        """The classes in order; none of a number."""
        return [] if self.target.is_number else sorted(set(self.y.tolist()))

    @property
    def categories(self) -> list[str]:
        """The names of the columns that are categories."""
        return [role.name for role in self.roles if role.role == "category"]


def prepare(
    table: Table, target: str, options: ColumnOptions = NO_OPTIONS, task: str = "auto"
) -> PreparedTable:
    """What to learn from a table, each column as what it is taken for."""
    import pandas as pd

    found = read_target(table, target, task)
    roles = roles_of(table, found, options)
    rows = table.frame[found.known]
    columns = {
        role.name: learnable(rows[role.name], role.role, table.notation)
        for role in roles
        if role.is_input
    }
    weights = weights_of(table, options.weight, found.known) if options.weight else None
    return PreparedTable(pd.DataFrame(columns), found.labels, weights, roles, found)


def learnable(column: Any, kind: str, notation: Notation) -> Any:
    """A column as a model learns it."""
    import pandas as pd

    if kind == "category":
        return words(column, notation.among(set(texts(column))))
    values = numbers(column, notation, kind)[0]
    return pd.array(values, "boolean") if kind == "boolean" else values


def weights_of(table: Table, name: str, known: Mask) -> Array:
    """The weights of the rows whose answer is known; TableError where one is not a weight."""
    values, wrong = numbers(table.frame[name], table.notation)
    values[wrong] = np.nan
    bad = np.flatnonzero(known & ~((values >= 0) & np.isfinite(values)))
    if len(bad):
        cell = table.frame[name].iloc[bad[0]]
        raise TableError(
            f"{table.location(int(bad[0]))}: the weight {quoted(name)} is {quoted(cell)}; a finite "
            "number of at least 0 was expected."
        )
    return values[known]


def used_inputs(model: FittedModel) -> list[str]:
    """The names of the inputs that the rules look at."""
    used = sorted({j for rule in model.rules.rules for j in rule.inputs})
    return [model.columns.inputs[j].name for j in used]


def input_columns(
    model: FittedModel, names: Sequence[str], where: str
) -> tuple[list[str], list[str]]:
    """The model's inputs that a table has, and those it lacks; TableError if rules need one."""
    inputs = [item.name for item in model.columns.inputs]
    present = [name for name in inputs if name in names]
    absent = [name for name in inputs if name not in names]
    lacking = [name for name in used_inputs(model) if name in absent]
    if lacking:
        free = [name for name in names if name not in present]
        offer = meant(lacking[0], free) if free else ""
        if model.columns.names is None:
            offer = (
                "The model was fitted on columns without names, which it calls x0, x1 and so on: "
                "name those of the table so, in the same order."
            )
        raise TableError(
            f"{where} has no column {quoted(lacking[0])}, which the rules look at. {offer}".strip()
        )
    return present, absent


def model_values(model: FittedModel, rows: RecordBlock | Table, notation: Notation) -> Array:
    """The model's inputs of some rows of a table; NaN where missing, (rows, inputs)."""
    reader, frame = model.columns.reader, rows.frame
    values = np.full((len(frame), len(reader.names)), np.nan)
    given = frame.column_names if hasattr(frame, "column_names") else list(frame.columns)
    for j, (name, kind) in enumerate(zip(reader.names, reader.kinds, strict=True)):
        if name not in given:
            continue
        if kind == "category":
            positions, kinds = different(frame[name])
            codes = reader.codes(j, kinds, notation)
            values[:, j] = codes[positions]
        else:
            values[:, j] = checked_numbers(rows, name, kind, notation)
    return values


def checked_numbers(rows: RecordBlock | Table, name: str, kind: str, notation: Notation) -> Array:
    """A column of finite numbers or truth values, (rows,); TableError says where it is none."""
    column = rows.frame[name]
    values, wrong = numbers(column, notation, kind)
    infinite = np.flatnonzero(np.isinf(values))
    for rows_here, expected in ((wrong, EXPECTED[kind]), (infinite, "a finite number")):
        if len(rows_here):
            row = int(rows_here[0])
            cell = str(column.iloc[row] if hasattr(column, "iloc") else column[row])
            mark = f" Give `decimal` {DECIMAL_NAMES[notation.other.decimal]} if that is its mark."
            is_other = notation.number(cell) is None and notation.other.number(cell) is not None
            raise TableError(
                f"{rows.location(row)}: {quoted(name)} is {quoted(cell)}; {expected} was expected, "
                f"as in training.{mark if is_other else ''}"
            )
    return values


def model_frame(model: FittedModel, table: Table) -> Any:
    """The model's inputs as a pandas data frame; categories that it does not know as they are."""
    import pandas as pd

    columns: dict[str, Any] = {}
    values = model_values(model, table, table.notation)
    for item, column in zip(model.columns.inputs, values.T, strict=True):
        columns[item.name] = column
        if item.kind == "category":
            kinds = np.array([*item.categories, None], dtype=object)
            cells = kinds[np.nan_to_num(column, nan=-1).astype(np.intp)]
            if item.name in table.names:
                found = words(table.frame[item.name], table.notation)
                new = np.isnan(column) & np.array([word is not None for word in found])
                cells[new] = table.frame[item.name][new]
            columns[item.name] = pd.Series(cells, dtype=object)
    return pd.DataFrame(columns)
