"""What each column is taken for in learning, and why some are left out."""

from __future__ import annotations

import re
import shlex
from typing import NamedTuple

import numpy as np

from unfis.app.requests import ColumnOptions, RequestError, check_known
from unfis.app.tables.cells import Column, by_words, numbers, texts
from unfis.app.tables.table import Table, Target
from unfis.data.files import TableError
from unfis.data.notation import DECIMAL_NAMES
from unfis.data.values import MOST_UNREPEATED
from unfis.serial.messages import MOST_LISTED, quoted, shortened

MOST_NAMED_KINDS = 4  # so many kinds of a category are named
MOST_KINDS = 100  # a category of more kinds than this makes rules that nobody reads
MOSTLY = 0.9  # a column with a larger share of numbers is meant to be one
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


def roles_of(table: Table, target: Target, options: ColumnOptions) -> list[Role]:
    """What each column of a table is taken for."""
    check_columns(table, target.name, options)
    found = [role_of(table, name, target, options) for name in table.names]
    if not any(role.is_input for role in found):
        out = [f"{shortened(r.name)}: {r.reason}" for r in found if r.role == "left out"]
        reasons = "; ".join(out[:MOST_LISTED] + (["..."] if len(out) > MOST_LISTED else []))
        raise TableError(f"{table.name} leaves no column to learn from. {reasons}.".strip())
    return found


def check_columns(table: Table, target: str, options: ColumnOptions) -> None:
    """Raise RequestError for columns that are not there, or that are something else already."""
    for setting in ("drop", "keep", "categorical"):
        names = getattr(options, setting)
        check_known(setting, names, table.names, table.name)
        for name in names:
            if name in (target, options.weight):
                raise RequestError(
                    f"{quoted(name)} is the target or the weight; it can be nothing else.", setting
                )
    if options.weight is not None:
        check_known("weight", [options.weight], table.names, table.name)
        if options.weight == target:
            raise RequestError(
                f"{quoted(target)} is the target; it cannot be the weight as well.", "weight"
            )


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
    if column.kind == "empty":
        return f"every cell is missing{by_words(column.lost)}"
    if len(column.kinds) == 1:
        may_be_one = "; `missing` says which words mean that" if by_words(column.lost) else ""
        return f"constant, always {shortened(column.kinds[0])}{column.but_for_lost}{may_be_one}"
    if column.name in options.categorical:
        return None
    if column.kind == "date":
        return "dates; turn it into a number, such as an age in days"
    return None if column.name in options.keep else reason_to_doubt(column, target)


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


def reason_to_doubt(column: Column, target: Target) -> str | None:
    """Why a column is learned from only if it is asked for, None if it always is."""
    to_keep = f" (`keep` {shlex.quote(column.name)} to learn from it)"
    if is_target_twin(column, target):
        return f"tells the same as {target.name}{to_keep}"
    is_category, kinds = column.kind == "category", len(column.kinds)
    if is_category and (why := meant_as_numbers(column)):
        return why
    if is_identifier(column):
        return f"an identifier{to_keep}"
    if is_category and kinds > MOST_UNREPEATED and kinds > len(column.cells) / 2:
        return f"text that hardly repeats, {kinds:,} kinds"
    if is_category and kinds > MOST_KINDS:
        return f"{kinds:,} kinds, too many to read{to_keep}"
    return None


def is_target_twin(column: Column, target: Target) -> bool:
    """Whether a column sorts the rows just as the target does."""
    if target.is_number:
        return is_same_number(column, target)
    pairs = [
        (cell, label)
        for cell, label in zip(texts(column.data), target.labels.tolist(), strict=True)
        if not column.notation.is_missing(cell)
    ]
    different = set(pairs)
    cells, labels = {cell for cell, _ in different}, {label for _, label in different}
    whole = len(labels) == len(set(target.labels.tolist()))
    enough = len(pairs) >= ENOUGH_TO_SUSPECT and len(pairs) > len(column.data) / 2
    return whole and enough and len(different) == len(cells) == len(labels)


def is_same_number(column: Column, target: Target) -> bool:
    """Whether a column is the target's number, maybe in another unit."""
    if column.kind != "number":
        return False
    values = numbers(column.data, column.notation)[0]
    known = np.isfinite(values)
    if known.sum() < max(ENOUGH_TO_SUSPECT, len(values) / 2):
        return False
    with np.errstate(all="ignore"):  # numbers that are all the same have no correlation
        correlation = np.corrcoef(values[known], target.labels[known])[0, 1]
    return bool(np.isclose(abs(correlation), 1.0, rtol=0, atol=1e-9))


def meant_as_numbers(column: Column) -> str | None:
    """How to mend a column of words most of which are numbers, damaged or in another notation."""
    odd = [cell for cell in column.cells if column.notation.number(cell) is None]
    such = f"such as {quoted(odd[0])}"
    if len(column.kinds) > MOST_UNREPEATED and len(odd) <= (1 - MOSTLY) * len(column.cells):
        are = "is" if len(odd) == 1 else "are"
        count = f"{len(odd):,} of {len(column.cells):,}"
        return f"{count} cells {are} no number, {such}; mend or empty them"
    other = column.notation.other
    name = DECIMAL_NAMES[other.decimal]
    in_other = [cell for cell in odd if other.number(cell) is not None]
    if sum(IN_THOUSANDS.fullmatch(cell) is not None for cell in odd) >= MOSTLY * len(odd):
        mend = "write them without marks between the thousands"
        if len(in_other) == len(odd):
            mend += f", or give `decimal` {name} if that is what it is"
    elif len(in_other) >= MOSTLY * len(odd):
        mend = (
            f"their decimal mark is a {name}, other columns' is not: write all with one mark, or "
            f"give `decimal` {name} if it is that of the table"
        )
    else:
        return None
    return f"numbers in another notation, {such}; {mend}"


def is_identifier(column: Column) -> bool:
    """Whether a column only names rows."""
    kinds = column.kinds
    whole = column.kind == "number" and all(cell.lstrip("+-").isdigit() for cell in kinds)
    if not whole and column.kind != "category":
        return False
    unique = len(kinds) == len(column.cells)
    # The words of its name, at capitals too: patientId is patient, id.
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", column.name)
    words = {part.lower() for part in parts}
    if words & SURE_NAMES and (unique or len(kinds) > MOST_UNREPEATED):
        return True
    if not unique or len(kinds) < ENOUGH_TO_SUSPECT:
        return False
    if words & LIKELY_NAMES or column.kind == "category":
        return True
    values = [int(cell) for cell in kinds]
    return max(values) - min(values) == len(values) - 1
