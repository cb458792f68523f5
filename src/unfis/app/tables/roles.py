"""What each column is taken for in learning, and why some are left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from unfis.app.request import RequestError, check_known
from unfis.app.tables.cells import Column, by_words, numbers, texts
from unfis.app.tables.table import Table, Target
from unfis.data.files import TableError
from unfis.data.notation import DECIMAL_NAMES
from unfis.data.values import MOST_UNREPEATED
from unfis.serial.messages import MOST_LISTED, quoted, shortened

# So many kinds of a category are named.
MOST_NAMED_KINDS = 4
# A category of more kinds than this makes rules that nobody reads.
MOST_KINDS = 100
# A column with a larger share of numbers is meant to be one.
MOSTLY = 0.9
# Words in a name that say "identifier", surely or if the values are unique as well.
SURE_NAMES = frozenset({"id", "ids", "uuid", "guid", "identifier"})
LIKELY_NAMES = frozenset({"index", "idx", "key", "nr", "no", "number", "row", "case", "unnamed"})
# Fewer rows than this are numbered by chance.
ENOUGH_TO_SUSPECT = 10
IN_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?|[+-]?\d{1,3}([. ]\d{3})+(,\d*)?")


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


Reason = Callable[[Column, Target], str | None]


def nothing_known(column: Column, target: Target) -> str | None:
    """Every cell is missing."""
    if column.kind != "empty":
        return None
    return f"every cell is missing{by_words(column.lost)}"


def constant(column: Column, target: Target) -> str | None:
    """There is one value."""
    if len(column.kinds) != 1:
        return None
    may_be_one = "; --missing says which words mean that" if by_words(column.lost) else ""
    return f"constant, always {shortened(column.kinds[0])}{column.but_for_lost}{may_be_one}"


def dates(column: Column, target: Target) -> str | None:
    """It holds dates."""
    if column.kind != "date":
        return None
    return "dates; turn it into a number, such as an age in days"


def target_twin(column: Column, target: Target) -> str | None:
    """It sorts the rows just as the target does."""
    pairs = [
        (cell, label)
        for cell, label in zip(texts(column.data), target.labels.tolist(), strict=True)
        if not column.notation.is_missing(cell)
    ]
    different = set(pairs)
    cells, labels = {cell for cell, _ in different}, {label for _, label in different}
    whole = len(labels) == len(set(target.labels.tolist()))
    enough = len(pairs) >= ENOUGH_TO_SUSPECT and len(pairs) > len(column.data) / 2
    if not (whole and enough and len(different) == len(cells) == len(labels)):
        return None
    return f"tells the same as {target.name}{to_keep(column.name)}"


def damaged(column: Column, target: Target) -> str | None:
    """It is meant to hold numbers, but some cells are none."""
    if column.kind != "category" or len(column.kinds) <= MOST_UNREPEATED:
        return None
    odd = [cell for cell in column.cells if column.notation.number(cell) is None]
    if len(odd) > (1 - MOSTLY) * len(column.cells):
        return None
    return (
        f"{len(odd):,} of {len(column.cells):,} cells {'is' if len(odd) == 1 else 'are'} no "
        f"number, such as {quoted(odd[0])}; mend or empty them"
    )


def otherwise_written(column: Column, target: Target) -> str | None:
    """It holds numbers in another notation than the table's."""
    if column.kind != "category":
        return None
    odd = [cell for cell in column.cells if column.notation.number(cell) is None]
    other = column.notation.other
    most = MOSTLY * len(odd)
    if sum(IN_THOUSANDS.fullmatch(cell) is not None for cell in odd) >= most:
        mend = "write them without marks between the thousands"
        if all(other.number(cell) is not None for cell in odd):
            mend += f", or give --decimal {DECIMAL_NAMES[other.decimal]} if that is what it is"
    elif sum(other.number(cell) is not None for cell in odd) >= most:
        name = DECIMAL_NAMES[other.decimal]
        mend = (
            f"their decimal mark is a {name}, other columns' is not: write all with one mark, or "
            f"give --decimal {name} if it is that of the table"
        )
    else:
        return None
    return f"numbers in another notation, such as {quoted(odd[0])}; {mend}"


def identifier(column: Column, target: Target) -> str | None:
    """It only names rows: by its name, or as all its values are different."""
    return f"an identifier{to_keep(column.name)}" if is_identifier(column) else None


def is_identifier(column: Column) -> bool:
    """Whether a column only names rows."""
    kinds = column.kinds
    whole = column.kind == "number" and all(cell.lstrip("+-").isdigit() for cell in kinds)
    if not whole and column.kind != "category":
        return False
    unique = len(kinds) == len(column.cells)
    words = set(name_words(column.name))
    if words & SURE_NAMES and (unique or len(kinds) > MOST_UNREPEATED):
        return True
    if not unique or len(kinds) < ENOUGH_TO_SUSPECT:
        return False
    if words & LIKELY_NAMES or column.kind == "category":
        return True
    values = [int(cell) for cell in kinds]
    return max(values) - min(values) == len(values) - 1


def unrepeated(column: Column, target: Target) -> str | None:
    """Its words hardly come back, or are too many."""
    if column.kind != "category":
        return None
    count = len(column.kinds)
    if count > MOST_UNREPEATED and count > len(column.cells) / 2:
        return f"text that hardly repeats, {count:,} kinds"
    if count > MOST_KINDS:
        return f"{count:,} kinds, too many to read{to_keep(column.name)}"
    return None


def to_keep(name: str) -> str:
    """How to learn from it all the same."""
    return f" (--keep {shlex.quote(name)} to learn from it)"


def name_words(name: str) -> list[str]:
    """The words of a name in lower case, at capitals too: patientId is patient, id."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", name)]


# What nobody can learn from; what is no category either; what is learned from if it is asked for.
ALWAYS: tuple[Reason, ...] = (nothing_known, constant)
UNLESS_CATEGORY: tuple[Reason, ...] = (dates,)
UNLESS_KEPT: tuple[Reason, ...] = (target_twin, damaged, otherwise_written, identifier, unrepeated)
