"""What is wrong with a table, as a sentence; and the name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# So many names are listed where none is near.
MOST_LISTED = 10


class TableError(ValueError):
    """A table cannot be read, or does not hold what it must."""


class RequestError(TableError):
    """What is asked of a table is wrong, whatever is in it; or it names a column there is not."""


def meant(name: str, names: Iterable[str]) -> str:
    """A sentence that offers the nearest of some names, or lists them."""
    known = list(names)
    plain = {candidate.casefold(): candidate for candidate in reversed(known)}
    near = difflib.get_close_matches(name.casefold(), plain, n=1)
    if near:
        return f"Did you mean {plain[near[0]]!r}?"
    listed = ", ".join(repr(candidate) for candidate in known[:MOST_LISTED])
    more = f" and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
    return f"There are {listed}{more}."


def check_known(names: Iterable[str], known: list[str], where: str) -> None:
    """Raise TableError for a name that is not among those known."""
    for name in names:
        if name not in known:
            raise RequestError(f"{where} has no column {name!r}. {meant(name, known)}")
