"""Some rows of a table: their cells, and where they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

from unfis.app.tables.records import Records


class Block(NamedTuple):
    """Some rows of a table."""

    frame: Any  # a pandas data frame of some of the columns
    name: str  # of the file
    first: int  # the line that `data` begins with; of a file without lines, the first row
    data: bytes | None = None  # the text that the rows stand in
    records: Records | None = None  # where they stand in it

    def place(self, row: int) -> str:
        """Where one of the rows is, in words."""
        if self.data is None or self.records is None:
            return f"{self.name}, row {self.first + row}"
        lines = self.data.count(b"\n", 0, int(self.records.starts[row]))
        return f"{self.name}, line {self.first + lines}"

    def rows(self) -> list[bytes]:
        """The rows as they stand, without their line ends."""
        assert self.data is not None and self.records is not None  # noqa: PT018
        data, (starts, ends, *_) = self.data, self.records
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        return [data[start:end] for start, end in pairs]
