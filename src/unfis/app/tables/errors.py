"""What is wrong with a table, as a sentence; and the name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from unfis.messages import listed, quoted


class TableError(ValueError):
    """A table cannot be read, or does not hold what it must."""


class RequestError(TableError):
    """What is asked of a table is wrong, whatever is in it; or it names a column there is not."""


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The nearest of some names, None if none is near."""
    plain = {candidate.casefold(): candidate for candidate in reversed(list(names))}
    near = difflib.get_close_matches(name.casefold(), plain, n=1)
    return plain[near[0]] if near else None


def meant(name: str, names: Iterable[str]) -> str:
    """A sentence that offers the nearest of some names, or lists them."""
    known = list(names)
    near = nearest(name, known)
    if near is not None:
        return f"Did you mean {quoted(near)}?"
    return f"There are {listed(known)}."


def check_known(names: Iterable[str], known: list[str], where: str) -> None:
    """Raise RequestError for a name that is not among those known."""
    for name in names:
        if len(known) == 1 and name not in known and name in known[0]:
            raise RequestError(
                f"{where} was read as one column, {quoted(known[0])}. Give what stands between its "
                "cells as --separator, such as space."
            )
        if name not in known:
            raise RequestError(f"{where} has no column {quoted(name)}. {meant(name, known)}")
