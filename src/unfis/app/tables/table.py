"""A whole table in memory, its cells still as they were read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path
from typing import Any

from unfis.app.tables.block import Block
from unfis.app.tables.cells import texts
from unfis.app.tables.sources import Source, opened
from unfis.app.tables.text import text_frame
from unfis.data.files import TableError


class Table:
    """A table that was read.

    Attributes
    ----------
    name : what its file is called
    frame : its cells as text, or typed where the file has types; a pandas data frame
    notation : how its cells say numbers, and that nothing is known
    """

    def __init__(self, source: Source, blocks: list[Block]) -> None:
        import pandas as pd

        self.name = source.name
        self.notation = source.notation
        frames = [text_frame(b.frame) if source.style else b.frame for b in blocks]
        self.frame: Any = pd.concat(frames, ignore_index=True)
        self._blocks = [block._replace(frame=len(block.frame)) for block in blocks]

    @property
    def names(self) -> list[str]:
        """The names of its columns."""
        return list(self.frame.columns)

    def __len__(self) -> int:
        return len(self.frame)

    def place(self, row: int) -> str:
        """Where a row is in the file, in words."""
        for block in self._blocks:
            if row < block.frame:
                return block.place(row)
            row -= block.frame
        raise IndexError(row)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of its names and cells."""
        digest = hashlib.sha256()
        for name in self.names:
            cells = "\x1f".join([name, *texts(self.frame[name])])
            digest.update(hashlib.sha256(cells.encode()).digest())
        return digest.hexdigest()


def read_table(
    path: str | Path,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    missing: Collection[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Table:
    """Read a whole table: CSV, TSV, Parquet, Excel, or "-" for standard input.

    Separator, decimal mark and encoding of text are found out where they are not given; `missing`
    are words that mean that nothing is known. What is no table raises `TableError`, which names the
    file and the line.
    """
    with opened(
        path, separator=separator, decimal=decimal, encoding=encoding, missing=missing
    ) as source:
        blocks = []
        for block in source.blocks():
            progress(source.done, source.size)
            blocks.append(block)
        if not blocks:
            raise TableError(
                f"{source.name} has a line of column names but no rows; there is nothing in it."
            )
        return Table(source, blocks)
