"""From a table's cells to what a model learns from, or was learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.rules import RuleBase
from unfis.rules.data import Variable
from unfis.tables.cells import numbers, truths, words
from unfis.tables.errors import TableError, meant
from unfis.tables.roles import NO_WISHES, Role, Wishes, roles_of
from unfis.tables.table import Table
from unfis.tables.target import Target, read_target


class Prepared(NamedTuple):
    """A table made ready to learn from: its rows whose class is known."""

    X: Any  # a pandas data frame
    y: NDArray[Any]  # (rows,)
    weights: Array | None  # (rows,)
    roles: list[Role]
    target: Target


def prepare(table: Table, target: str, wishes: Wishes = NO_WISHES) -> Prepared:
    """What to learn from a table, each column as what it is taken for."""
    import pandas as pd

    found = read_target(table, target)
    roles = roles_of(table, found, wishes)
    rows = table.frame[found.known]
    columns = {
        role.name: learnable(rows[role.name], role.role, table.decimal)
        for role in roles
        if role.is_input
    }
    weights = weights_of(table, wishes.weight)[found.known] if wishes.weight else None
    return Prepared(pd.DataFrame(columns), found.labels, weights, roles, found)


def learnable(column: Any, kind: str, decimal: str) -> Any:
    """A column as a model learns it."""
    import pandas as pd

    if kind == "number":
        return numbers(column, decimal)[0]
    if kind == "boolean":
        values = truths(column)[0]
        return pd.array([pd.NA if value != value else bool(value) for value in values], "boolean")
    return words(column)


def weights_of(table: Table, name: str) -> Array:
    """The column of weights; TableError where it is not one."""
    values, wrong = numbers(table.frame[name], table.decimal)
    bad = sorted({*wrong.tolist(), *np.flatnonzero(~(values >= 0) | np.isinf(values)).tolist()})
    if bad:
        cell = table.frame[name].iloc[bad[0]]
        raise TableError(
            f"{table.place(bad[0])}: the weight {name!r} is {cell!r}; a number of at least 0 was "
            "expected."
        )
    return values


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
        raise TableError(
            f"{where} has no column {lacking[0]!r}, which the rules look at. "
            f"{meant(lacking[0], free) if free else ''}".strip()
        )
    return present, absent


class Rows(Protocol):
    """Some rows, or all, of a table."""

    @property
    def frame(self) -> Any:
        """Their cells, a pandas data frame."""
        ...

    def place(self, row: int) -> str:
        """Where one of them is, in words."""
        ...


def model_frame(base: RuleBase, rows: Rows, decimal: str) -> Any:
    """The model's inputs of some rows, by name, as its kinds; missing where a column is absent."""
    import pandas as pd

    given = set(rows.frame.columns)
    columns: dict[str, Any] = {}
    for variable in base.variables:
        if variable.name in given:
            columns[variable.name] = converted(variable, rows, decimal)
        else:
            empty = pd.Series(np.nan, index=range(len(rows.frame)))
            columns[variable.name] = empty.astype(object) if variable.kind == "category" else empty
    return pd.DataFrame(columns)


def converted(variable: Variable, rows: Rows, decimal: str) -> Any:
    """A column of some rows as what the model knows it for."""
    column = rows.frame[variable.name]
    if variable.kind == "category":
        import pandas as pd

        return pd.Series(as_kinds(words(column), variable.categories), dtype=object)
    found, wrong = truths(column) if variable.kind == "boolean" else numbers(column, decimal)
    infinite = np.flatnonzero(np.isinf(found))
    if len(wrong) or len(infinite):
        row = int([*wrong, *infinite][0])
        expected = "true or false" if variable.kind == "boolean" else "a number"
        raise TableError(
            f"{rows.place(row)}: {variable.name!r} is {column.iloc[row]!r}; {expected} was "
            f"expected, as in training.{hint(str(column.iloc[row]), decimal)}"
        )
    return found


def hint(cell: str, decimal: str) -> str:
    """What to do where the decimal mark was taken for the wrong one."""
    other = "," if decimal == "." else "."
    if cell.replace(other, "", 1).strip("+- ").isdigit():
        return f" Give --decimal {'comma' if other == ',' else 'point'} if that is its mark."
    return ""


def as_kinds(found: NDArray[np.object_], categories: tuple[Any, ...]) -> NDArray[np.object_]:
    """Words as the categories of a model, which may be numbers or truth values."""
    if all(isinstance(category, str) for category in categories):
        return found
    known = {str(category).lower(): category for category in categories}
    known |= {
        f"{category:g}": category
        for category in categories
        if isinstance(category, float) and not isinstance(category, bool)
    }
    kinds = np.empty(len(found), dtype=object)
    kinds[:] = [None if word is None else known.get(word.lower(), word) for word in found]
    return kinds
