"""Some rows of a table: their cells, and where they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unfis.app.tables.records import RETURN, Records

NO_RECORDS = Records(
    np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp), 0
)


class Block(NamedTuple):
    """Some rows of a table."""

    frame: Any  # a pandas data frame of some of the columns
    name: str  # of the file
    first: int  # the line that `data` begins with; of a file without lines, the first row
    data: bytes | None = None  # the text that the rows stand in
    records: Records = NO_RECORDS  # where they stand in it

    def place(self, row: int) -> str:
        """Where one of the rows is, in words."""
        if self.data is None:
            return f"{self.name}, row {self.first + row}"
        lines = self.data.count(b"\n", 0, int(self.records.starts[row]))
        return f"{self.name}, line {self.first + lines}"

    def rows(self) -> list[bytes]:
        """The rows as they stand, without their line ends."""
        assert self.data is not None
        data = self.data
        pairs = zip(self.records.starts.tolist(), self.records.ends.tolist(), strict=True)
        return [data[start:end] for start, end in pairs]

    def text(self) -> bytes:
        """The rows as one text, nothing but them."""
        assert self.data is not None
        starts, ends = self.records.starts, self.records.ends
        returns = np.frombuffer(self.data, dtype=np.uint8)[ends[:-1]] == RETURN
        if (starts[1:] - ends[:-1] - returns > 1).any():  # blank lines between
            return b"\n".join(self.rows()) + b"\n"
        return self.data[int(starts[0]) : int(ends[-1])] + b"\n"
