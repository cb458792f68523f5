"""What is wrong with what is asked of a table, as a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from unfis.data.files import TableError, unknown_column
from unfis.serial.messages import quoted


class RequestError(TableError):
    """What is asked of a table is wrong, whatever is in it; or it names a column there is not."""


def check_known(names: Iterable[str], known: list[str], where: str) -> None:
    """Raise RequestError for a name that is not among those known."""
    for name in names:
        if len(known) == 1 and name not in known and name in known[0]:
            raise RequestError(
                f"{where} was read as one column, {quoted(known[0])}. Give what stands between its "
                "cells as --separator, such as space."
            )
        if name not in known:
            raise RequestError(unknown_column(name, known, where))
