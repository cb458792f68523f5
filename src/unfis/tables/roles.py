"""What each column is taken for in learning, and why some are left out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from unfis.rules.numbers import numbered
from unfis.tables.cells import is_missing, kind_of, number, numbers, texts
from unfis.tables.errors import RequestError, TableError, check_known
from unfis.tables.table import Table
from unfis.tables.target import Target
from unfis.values import MOST_UNREPEATED

# A category of more kinds than this makes rules that nobody reads.
MOST_KINDS = 100
# A column with a larger share of numbers is meant to be one.
MOSTLY = 0.9
# Words in a name that say "identifier", surely or if the values are unique as well.
SURE_NAMES = frozenset({"id", "ids", "uuid", "guid", "identifier"})
LIKELY_NAMES = frozenset({"index", "idx", "key", "nr", "no", "number", "row", "case", "unnamed"})
# Fewer rows than this are numbered by chance.
ENOUGH_ROWS = 10


class Role(NamedTuple):
    """What a column is taken for."""

    name: str
    role: str  # "number", "boolean", "category", "target", "weight" or "left out"
    reason: str  # in words

    @property
    def is_input(self) -> bool:
        """Whether it is learned from."""
        return self.role in ("number", "boolean", "category")


class Wishes(NamedTuple):
    """What the user says of columns, each by name."""

    drop: Collection[str] = ()
    keep: Collection[str] = ()
    categorical: Collection[str] = ()
    weight: str | None = None


NO_WISHES = Wishes()


def roles_of(table: Table, target: Target, wishes: Wishes) -> list[Role]:
    """What each column of a table is taken for."""
    named = [*wishes.drop, *wishes.keep, *wishes.categorical]
    check_known([*named, *([wishes.weight] if wishes.weight else [])], table.names, table.name)
    for name in (target.name, wishes.weight):
        if name in named:
            raise RequestError(f"{name!r} is the target or the weight; it can be nothing else.")
    found = [role_of(table, name, target, wishes) for name in table.names]
    if not any(role.is_input for role in found):
        reasons = "; ".join(f"{r.name}: {r.reason}" for r in found if r.role == "left out")
        raise TableError(f"{table.name} leaves no column to learn from. {reasons}.".strip())
    return found


def role_of(table: Table, name: str, target: Target, wishes: Wishes) -> Role:
    """What one column is taken for."""
    if name == target.name:
        return Role(name, "target", target.note)
    if name == wishes.weight:
        return Role(name, "weight", "how much each row counts")
    if name in wishes.drop:
        return Role(name, "left out", "as asked")
    column = table.frame[name][target.known]
    kind = kind_of(column, table.decimal)
    if kind == "empty":
        return Role(name, "left out", "every cell is missing")
    cells = [cell for cell in texts(column) if not is_missing(cell)]
    kinds = sorted(set(cells))
    if len(kinds) == 1:
        return Role(name, "left out", f"constant, always {kinds[0]}")
    if name in wishes.categorical:
        return Role(name, "category", f"{len(kinds)} kinds, as asked")
    wanted = name in wishes.keep
    if kind == "date":
        return Role(name, "left out", "dates; turn it into a number, such as an age in days")
    if not wanted and is_double(column, target):
        return Role(name, "left out", f"tells the same as {target.name}{to_keep(name)}")
    if kind == "category" and not wanted and len(kinds) > MOST_UNREPEATED:
        odd = [cell for cell in cells if number(cell, table.decimal) is None]
        if len(odd) <= (1 - MOSTLY) * len(cells):
            return Role(name, "left out", damaged(odd, len(cells)))
    if not wanted and is_identifier(name, kind, cells, kinds):
        return Role(name, "left out", f"an identifier{to_keep(name)}")
    if kind == "category":
        return category(name, cells, kinds, wanted=wanted)
    known = f"{numbered(len(column) - len(cells), 'cell')} missing"
    lost = f", {known}" if len(cells) < len(column) else ""
    if kind == "boolean":
        return Role(name, "boolean", f"{' or '.join(kinds[:2])}{lost}")
    values = numbers(column, table.decimal)[0]
    low, high = np.nanmin(values), np.nanmax(values)
    return Role(name, "number", f"from {low:g} to {high:g}{lost}")


def category(name: str, cells: list[str], kinds: list[str], *, wanted: bool) -> Role:
    """What a column of words is taken for."""
    if not wanted and len(kinds) > MOST_UNREPEATED and len(kinds) > len(cells) / 2:
        return Role(name, "left out", f"text that hardly repeats, {len(kinds):,} kinds")
    if not wanted and len(kinds) > MOST_KINDS:
        return Role(name, "left out", f"{len(kinds):,} kinds, too many to read{to_keep(name)}")
    listed = ", ".join(kinds[:4]) + (", ..." if len(kinds) > 4 else "")
    return Role(name, "category", f"{len(kinds)} kinds ({listed})")


def damaged(odd: list[str], count: int) -> str:
    """Why a column that is meant to hold numbers is none."""
    return (
        f"{len(odd):,} of {count:,} cells {'is' if len(odd) == 1 else 'are'} no number, such as "
        f"{odd[0]!r}; mend or empty them"
    )


def to_keep(name: str) -> str:
    """How to learn from it all the same."""
    return f" (--keep {shlex.quote(name)} to learn from it)"


def is_double(column: Any, target: Target) -> bool:
    """Whether a column sorts the rows just as the target does."""
    pairs = [
        (cell, label)
        for cell, label in zip(texts(column), target.labels.tolist(), strict=True)
        if not is_missing(cell)
    ]
    ways = set(pairs)
    cells, labels = {cell for cell, _ in ways}, {label for _, label in ways}
    whole = len(labels) == len(set(target.labels.tolist())) and len(pairs) > len(column) / 2
    return whole and len(ways) == len(cells) == len(labels) and len(pairs) >= ENOUGH_ROWS


def is_identifier(name: str, kind: str, cells: list[str], kinds: list[str]) -> bool:
    """Whether a column only names rows: by its name, or as all its values are different."""
    whole = kind == "number" and all(cell.lstrip("+-").isdigit() for cell in kinds)
    if not whole and kind != "category":
        return False
    unique = len(kinds) == len(cells)
    said = set(name_words(name))
    if said & SURE_NAMES and (unique or len(kinds) > MOST_UNREPEATED):
        return True
    if not unique or len(cells) < ENOUGH_ROWS:
        return False
    if said & LIKELY_NAMES or kind == "category":
        return True
    values = [int(cell) for cell in kinds]
    return max(values) - min(values) == len(values) - 1


def name_words(name: str) -> list[str]:
    """The words of a name in lower case, at capitals too: patientId is patient, id."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+", name)]
