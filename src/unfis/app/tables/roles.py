"""What each column is taken for in learning, and why some are left out."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from unfis.app.request import RequestError, check_known
from unfis.app.tables.cells import numbers
from unfis.app.tables.column import Column
from unfis.app.tables.reasons import ALWAYS, UNLESS_CATEGORY, UNLESS_KEPT
from unfis.app.tables.table import Table
from unfis.app.tables.target import Target
from unfis.data.files import TableError
from unfis.serial.messages import MOST_LISTED, quoted, shortened

# So many kinds of a category are named.
MOST_NAMED_KINDS = 4


class Role(NamedTuple):
    """What a column is taken for."""

    name: str
    role: str  # "number", "boolean", "category", "target", "weight" or "left out"
    reason: str  # in words

    @property
    def is_input(self) -> bool:
        """Whether it is learned from."""
        return self.role in ("number", "boolean", "category")


class ColumnOptions(NamedTuple):
    """How columns are to be used, each by name."""

    drop: Collection[str] = ()
    keep: Collection[str] = ()
    categorical: Collection[str] = ()
    weight: str | None = None

    def check(self, table: Table, target: str) -> None:
        """Raise RequestError for columns that are not there, or options that contradict."""
        named = [*self.drop, *self.keep, *self.categorical]
        check_known([*named, *([self.weight] if self.weight else [])], table.names, table.name)
        for name in (target, self.weight):
            if name in named:
                raise RequestError(
                    f"{quoted(name)} is the target or the weight; it can be nothing else."
                )
        if self.weight == target:
            raise RequestError(f"{quoted(target)} is the target; it cannot be the weight as well.")
        for name in self.drop:
            if name in self.keep or name in self.categorical:
                other = "--keep" if name in self.keep else "--categorical"
                raise RequestError(
                    f"{quoted(name)} is in --drop and in {other}; only one can be meant."
                )


NO_OPTIONS = ColumnOptions()


def roles_of(table: Table, target: Target, options: ColumnOptions) -> list[Role]:
    """What each column of a table is taken for."""
    options.check(table, target.name)
    found = [role_of(table, name, target, options) for name in table.names]
    if not any(role.is_input for role in found):
        out = [f"{shortened(r.name)}: {r.reason}" for r in found if r.role == "left out"]
        reasons = "; ".join(out[:MOST_LISTED] + (["..."] if len(out) > MOST_LISTED else []))
        raise TableError(f"{table.name} leaves no column to learn from. {reasons}.".strip())
    return found


def role_of(table: Table, name: str, target: Target, options: ColumnOptions) -> Role:
    """What one column is taken for."""
    if name == target.name:
        return Role(name, "target", target.note)
    if name == options.weight:
        return Role(name, "weight", "how much each row counts")
    if name in options.drop:
        return Role(name, "left out", "as asked")
    column = Column.of(name, table.frame[name][target.known], table.notation)
    reason = reason_against(column, target, options)
    if reason is not None:
        return Role(name, "left out", reason)
    if name in options.categorical:
        return Role(name, "category", f"{len(column.kinds)} kinds, as asked{column.but_for_lost}")
    return Role(name, column.kind, described(column))


def reason_against(column: Column, target: Target, options: ColumnOptions) -> str | None:
    """Why a column is not learned from, None if it is."""
    reasons = ALWAYS
    if column.name not in options.categorical:
        reasons += UNLESS_CATEGORY
        if column.name not in options.keep:
            reasons += UNLESS_KEPT
    return next((why for reason in reasons if (why := reason(column, target))), None)


def described(column: Column) -> str:
    """What is in a column that is learned from."""
    if column.kind == "number":
        values = numbers(column.data, column.notation)[0]
        words = f"from {np.nanmin(values):g} to {np.nanmax(values):g}"
    elif column.kind == "boolean":
        words = " or ".join(column.kinds[:2])
    else:
        more = ", ..." if len(column.kinds) > MOST_NAMED_KINDS else ""
        named = ", ".join(shortened(kind) for kind in column.kinds[:MOST_NAMED_KINDS])
        words = f"{len(column.kinds)} kinds ({named}{more})"
    return f"{words}{column.but_for_lost}"
