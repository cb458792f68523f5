"""Whether a table is the one that was recorded: its columns, its rows, and their order.

Splits are by the order of the rows, so that results of the same rows in another order are others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unfis.datasets.descriptions import Description
from unfis.serial.messages import warn_user


def read_recorded(path: Path, described: Description) -> tuple[Any, Any]:
    """The inputs and the classes in a file."""
    import pandas

    try:
        table = pandas.read_csv(path)
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise ValueError(
            f"{path} cannot be read ({error}). It must be a CSV file in UTF-8 with a header and "
            f"the class in the last column `target`; its source is {described.source}."
        ) from error
    check_columns(str(path), table.columns, described)
    return table.drop(columns="target"), table["target"]


def check_columns(
    what: str, names: Sequence[str], described: Description, *, by_name: bool = True
) -> None:
    """Raise ValueError where a table has other columns, or without names another number of them."""
    expected = [*described.columns, "target"] if by_name else list(described.columns)
    if list(names) == expected or (not by_name and len(names) == len(expected)):
        return
    raise ValueError(
        f"{what} must have the columns {', '.join(expected)}; got {', '.join(map(str, names))}."
    )


def check_content(
    what: str, frame: Any, target: Any, described: Description, *, ordered: bool = False
) -> None:
    """Raise ValueError where a set is not the one that was recorded.

    Rows in another order are refused of a file, which is `ordered`, and warned of elsewhere.
    """
    if len(frame) != described.rows:
        raise ValueError(f"{what} must have {described.rows} rows, got {len(frame)}.")
    lines = lines_of(frame, target)
    found = digest(sorted(lines))
    if found != described.checksum:
        raise ValueError(
            f"{what} is not the set that was recorded: the checksum of its values must be "
            f"{described.checksum}, got {found}. Take it from its source, {described.source}."
        )
    if digest(lines).startswith(described.order):
        return
    text = f"{what} has the recorded rows in another order, so that its random splits are others"
    if ordered:
        raise ValueError(f"{text}. Take it from its source, {described.source}.")
    warn_user(f"{text} than those of recorded results.")


def lines_of(frame: Any, target: Any) -> list[str]:
    """A set's rows as text, its numbers in six digits, alike whether they are whole or not."""
    columns = [*(frame[name] for name in frame.columns), target]
    cells = [
        [cell if isinstance(cell, str) else f"{float(cell):g}" for cell in column.tolist()]
        for column in columns
    ]
    return [",".join(row) for row in zip(*cells, strict=True)]


def digest(lines: list[str]) -> str:
    """SHA-256 of lines."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
