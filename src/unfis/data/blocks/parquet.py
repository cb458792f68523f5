"""The blocks of a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from unfis.data.blocks.sources import Block
from unfis.data.files import (
    PARQUET,
    ParquetTable,
    TableError,
    beginning,
    existing_file,
    unknown_column,
)
from unfis.serial.messages import listed, quoted

# Values that are read at once: 8 MB of numbers.
VALUES_AT_ONCE = 1 << 20


def parquet_blocks(
    path: str | os.PathLike[str], target: Any, weight: Any = None
) -> Iterator[Block]:
    """The rows of a Parquet file in blocks; `target` and `weight` name columns of it."""
    place = existing_file(path)
    if beginning(place) != PARQUET:
        raise TableError(
            f"{place.name} is no Parquet file, and fit reads no other. Read it into a data frame "
            "first, or use the command unfis fit, which reads CSV and Excel as well."
        )
    table = ParquetTable(place, place.name)
    asked = {"y": target} if weight is None else {"y": target, "sample_weight": weight}
    for role, name in asked.items():
        if not isinstance(name, str):
            came = "None" if name is None else f"a {type(name).__name__}"
            raise TableError(
                f"{role} must be the name of a column of {table.name}, got {came}. It has "
                f"{listed(table.types)}."
            )
        if name not in table.types:
            raise TableError(unknown_column(name, table.types, table.name))
    if target == weight:
        raise TableError(
            f"y and sample_weight both name the column {quoted(target)}; give each its own."
        )
    last = 0
    for frame in table.frames(max(1, VALUES_AT_ONCE // len(table.types))):
        first, last = last + 1, last + len(frame)
        yield Block(
            f"{table.name}, rows {first:,} to {last:,}",
            frame.drop(columns=list(asked.values())),
            frame[target],
            None if weight is None else frame[weight],
        )
