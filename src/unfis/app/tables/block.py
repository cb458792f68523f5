"""Some rows of a table: their cells, and where they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

from unfis.app.tables.records import Records


class Block(NamedTuple):
    """Some rows of a table."""

    frame: Any  # some of the columns: of text a pyarrow table, of other files a pandas data frame
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

    def row(self, row: int) -> Block:
        """One of the rows alone."""
        if self.records is None:
            return self._replace(frame=self.frame.iloc[row : row + 1], first=self.first + row)
        starts, ends = self.records.starts[row : row + 1], self.records.ends[row : row + 1]
        records = self.records._replace(starts=starts, ends=ends)
        return self._replace(frame=self.frame.slice(row, 1), records=records)

    def rows(self) -> list[bytes]:
        """The rows as they stand, without their line ends."""
        assert self.data is not None and self.records is not None  # noqa: PT018
        data, (starts, ends, *_) = self.data, self.records
        pairs = zip(starts.tolist(), ends.tolist(), strict=True)
        return [data[start:end] for start, end in pairs]
