"""A whole table in memory, its cells still as they were read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from unfis.app.tables.cells import texts
from unfis.app.tables.records import RowBlock, text_frame
from unfis.app.tables.sources import Source, opened
from unfis.data.files import TableError


class Table:
    """A table that was read.

    Attributes
    ----------
    name : what its file is called
    frame : its cells as text, or typed where the file has types; a pandas data frame
    notation : how its cells say numbers, and that nothing is known
    """

    def __init__(self, source: Source, blocks: list[RowBlock]) -> None:
        import pandas as pd

        self.name, self.notation = source.name, source.notation
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
    path: str | Path, *, progress: Callable[[int, int], None] | None = None, **options: Any
) -> Table:
    """Read a whole table: CSV, TSV, Parquet, Excel, or "-" for standard input.

    The options are those of `opened`. What is no table raises `TableError`, which names the file
    and the line.
    """
    with opened(path, **options) as source:
        blocks = []
        for block in source.blocks():
            if progress:
                progress(source.done, source.size)
            blocks.append(block)
        if not blocks:
            raise TableError(
                f"{source.name} has a line of column names but no rows; there is nothing in it."
            )
        return Table(source, blocks)
