"""Why a column is not learned from; each reason is a function that says it, or None."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from unfis.app.tables.cells import by_words, texts
from unfis.app.tables.column import Column
from unfis.app.tables.target import Target
from unfis.data.notation import DECIMAL_NAMES
from unfis.data.values import MOST_UNREPEATED
from unfis.serial.messages import quoted, shortened

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
