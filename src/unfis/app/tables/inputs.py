"""From a table's cells to what a model learns from, or was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.app.tables.cells import different, numbers, texts, truths, words
from unfis.app.tables.roles import NO_OPTIONS, ColumnOptions, Role, roles_of
from unfis.app.tables.table import Table
from unfis.app.tables.target import Target, read_target
from unfis.arrays import Array, Mask
from unfis.data import CategoryReader, Notation
from unfis.data.files import TableError, meant
from unfis.data.notation import DECIMAL_NAMES
from unfis.rules import RuleBase
from unfis.rules.data import Variable
from unfis.serial.messages import quoted

# What a cell must be, by the kind of its column.
EXPECTED = {"number": "a number", "boolean": "true or false"}


class PreparedTable(NamedTuple):
    """A table made ready to learn from: its rows whose class is known."""

    X: Any  # a pandas data frame
    y: NDArray[Any]  # (rows,)
    weights: Array | None  # (rows,)
    roles: list[Role]
    target: Target

    @property
    def categories(self) -> list[str]:
        """The names of the columns that are categories."""
        return [role.name for role in self.roles if role.role == "category"]


def prepare(table: Table, target: str, options: ColumnOptions = NO_OPTIONS) -> PreparedTable:
    """What to learn from a table, each column as what it is taken for."""
    import pandas as pd

    found = read_target(table, target)
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

    if kind == "number":
        return numbers(column, notation)[0]
    if kind == "boolean":
        values = truths(column, notation)[0]
        return pd.array([pd.NA if value != value else bool(value) for value in values], "boolean")
    return words(column, notation.among(set(texts(column))))


def weights_of(table: Table, name: str, known: Mask) -> Array:
    """The weights of the rows whose class is known; TableError where one is not a weight."""
    values, wrong = numbers(table.frame[name], table.notation)
    values[wrong] = np.nan
    bad = np.flatnonzero(known & ~((values >= 0) & np.isfinite(values)))
    if len(bad):
        cell = table.frame[name].iloc[bad[0]]
        raise TableError(
            f"{table.place(int(bad[0]))}: the weight {quoted(name)} is {quoted(cell)}; a finite "
            "number of at least 0 was expected."
        )
    return values[known]


def used_inputs(base: RuleBase) -> list[str]:
    """The names of the inputs that the rules look at."""
    return [base.variables[place].name for place in base.arrays.used]


def input_columns(base: RuleBase, names: Sequence[str], where: str) -> tuple[list[str], list[str]]:
    """The model's inputs that a table has, and those it lacks; TableError if rules need one."""
    present = [variable.name for variable in base.variables if variable.name in names]
    absent = [variable.name for variable in base.variables if variable.name not in names]
    lacking = [name for name in used_inputs(base) if name in absent]
    if lacking:
        free = [name for name in names if name not in present]
        offer = meant(lacking[0], free) if free else ""
        if is_unnamed(base):
            offer = (
                "The model was fitted on columns without names, which it calls x0, x1 and so on: "
                "name those of the table so, in the same order."
            )
        raise TableError(
            f"{where} has no column {quoted(lacking[0])}, which the rules look at. {offer}".strip()
        )
    return present, absent


def is_unnamed(base: RuleBase) -> bool:
    """Whether a model's inputs had no names when it learned."""
    return all(variable.name == f"x{place}" for place, variable in enumerate(base.variables))


class TableRows(Protocol):
    """Some rows, or all, of a table."""

    @property
    def frame(self) -> Any:
        """Their cells, a pandas data frame."""
        ...

    def place(self, row: int) -> str:
        """Where one of them is, in words."""
        ...


def model_frame(base: RuleBase, rows: TableRows, notation: Notation) -> Any:
    """The model's inputs of some rows, by name, as its kinds; missing where a column is absent."""
    import pandas as pd

    given = set(rows.frame.columns)
    columns: dict[str, Any] = {}
    for variable in base.variables:
        if variable.name in given:
            columns[variable.name] = converted(variable, rows, notation)
        else:
            empty = pd.Series(np.nan, index=range(len(rows.frame)))
            columns[variable.name] = empty.astype(object) if variable.kind == "category" else empty
    return pd.DataFrame(columns)


def converted(variable: Variable, rows: TableRows, notation: Notation) -> Any:
    """A column of some rows as what the model knows it for."""
    column = rows.frame[variable.name]
    if variable.kind == "category":
        import pandas as pd

        return pd.Series(categories(column, variable.categories, notation), dtype=object)
    read = truths if variable.kind == "boolean" else numbers
    values, wrong = read(column, notation)
    infinite = np.flatnonzero(np.isinf(values))
    for rows_here, expected in ((wrong, EXPECTED[variable.kind]), (infinite, "a finite number")):
        if len(rows_here):
            row = int(rows_here[0])
            cell = str(column.iloc[row])
            raise TableError(
                f"{rows.place(row)}: {quoted(variable.name)} is {quoted(cell)}; {expected} was "
                f"expected, as in training.{hint(cell, notation)}"
            )
    return values


def hint(cell: str, notation: Notation) -> str:
    """What to do where the decimal mark was taken for the wrong one."""
    if notation.number(cell) is not None or notation.other.number(cell) is None:
        return ""
    return f" Give --decimal {DECIMAL_NAMES[notation.other.decimal]} if that is its mark."


def categories(column: Any, known: Sequence[Any], notation: Notation) -> NDArray[np.object_]:
    """A column as the categories of a model, None where missing; others as they are, (rows,)."""
    reader = CategoryReader(known, notation)
    places, kinds = different(column)
    found = np.empty(len(kinds), dtype=object)
    for number, kind in enumerate(kinds):
        try:
            place = reader.place(kind)
            found[number] = None if place is None else known[place]
        except KeyError:
            found[number] = kind
    return np.asarray(found[places], dtype=object)
