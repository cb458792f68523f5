"""The blocks of a Parquet file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from unfis.app.tables.errors import TableError, meant
from unfis.app.tables.sources import PARQUET, ParquetSource, beginning, existing_file
from unfis.data import Notation
from unfis.data.blocks.sources import Block
from unfis.messages import listed, quoted

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
    source = ParquetSource(place, place.name, Notation.of(".", None))
    asked = {"y": target} if weight is None else {"y": target, "sample_weight": weight}
    for role, name in asked.items():
        if not isinstance(name, str):
            came = "None" if name is None else f"a {type(name).__name__}"
            raise TableError(
                f"{role} must be the name of a column of {source.name}, got {came}. It has "
                f"{listed(source.names)}."
            )
    for name in asked.values():
        if name not in source.names:
            raise TableError(
                f"{source.name} has no column {quoted(name)}. {meant(name, source.names)}"
            )
    if target == weight:
        raise TableError(
            f"y and sample_weight both name the column {quoted(target)}; give each its own."
        )
    rows = max(1, VALUES_AT_ONCE // len(source.names))
    for block in source.blocks(rows=rows):
        frame, last = block.frame, block.first + len(block.frame) - 1
        yield Block(
            f"{source.name}, rows {block.first:,} to {last:,}",
            frame.drop(columns=list(asked.values())),
            frame[target],
            None if weight is None else frame[weight],
        )
