"""Tables with columns added: rows of text as they stand, others cell by cell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

from unfis.app.tables.cells import holds_text, texts
from unfis.app.tables.records import RowBlock
from unfis.app.tables.sources import Source
from unfis.app.tables.style import Style
from unfis.app.tables.typed_output import ExcelOutput, ParquetOutput
from unfis.data.files import TableError
from unfis.serial.files import replacing

PLAIN = Style("utf-8", ",", ".")
# Encodings that begin with a mark, as what follows it.
UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
BY_ENDING = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
TYPED: dict[str, type[Any]] = {
    ".parquet": ParquetOutput,
    ".pq": ParquetOutput,
    ".xlsx": ExcelOutput,
}


class RowOutput:
    """Text whose rows stay byte for byte, with cells added at their ends."""

    def __init__(self, file: IO[bytes], source: Any, names: list[str]) -> None:
        self._style: Style = source.style
        self._file = file
        self._again = self._style.encoding not in ("utf-8", "utf-8-sig")
        self._newline = source.newline
        start = "\ufeff".encode() if self._style.encoding in UNMARKED else b""
        self._put(start + self._rows([source.header], [[name] for name in names]))

    def write(self, block: RowBlock, values: list[list[Any]]) -> None:
        """Write some rows, and the cells of each column that is added to them."""
        self._put(self._rows(block.rows(), values))

    def _rows(self, rows: list[bytes], values: list[list[Any]]) -> bytes:
        separator = self._style.separator
        columns = [cells_of(column, self._style) for column in values]
        ends = list(map(separator.join, zip(*columns, strict=True)))
        newline = self._newline.decode()
        encoded = {end: f"{separator}{end}{newline}".encode() for end in set(ends)}
        pieces = [b""] * (2 * len(rows))
        pieces[::2], pieces[1::2] = rows, [encoded[end] for end in ends]
        return b"".join(pieces)

    def _put(self, data: bytes) -> None:
        if self._again:
            try:
                data = data.decode().encode(
                    UNMARKED.get(self._style.encoding, self._style.encoding)
                )
            except UnicodeEncodeError as error:
                raise TableError(
                    f"{error.object[error.start]!r} cannot be written as {error.encoding}, the "
                    "encoding of the table. Save the table as UTF-8 first."
                ) from error
        self._file.write(data)


class FrameOutput:
    """Text that is written anew, in UTF-8, of tables that were none or had another separator."""

    def __init__(self, file: IO[bytes], source: Source, names: list[str], style: Style) -> None:
        self._file, self._style, self._names = file, style, source.names
        heads = cells_of([*source.names, *names], style)
        file.write((style.separator.join(heads) + "\n").encode("utf-8"))

    def write(self, block: RowBlock, values: list[list[Any]]) -> None:
        rows, style = block.frame, self._style
        kept = [as_written(rows[name], style) for name in self._names]
        columns = [*kept, *(cells_of(column, style) for column in values)]
        lines = map(style.separator.join, zip(*columns, strict=True))
        self._file.write(("\n".join(lines) + "\n").encode("utf-8"))


Output = RowOutput | FrameOutput | ParquetOutput | ExcelOutput


@contextmanager
def output_to(path: Path | None, source: Source, names: list[str]) -> Iterator[Output]:
    """What a table is written to again: a file that is whole or not there, or standard output."""
    if path is None:
        yield text_output(sys.stdout.buffer, None, source, names)
        sys.stdout.buffer.flush()
        return
    ending = path.suffix.lower()
    with replacing(path, binary=True) as file:
        if has_types(path):
            with closing(TYPED[ending](file, source, names)) as output:
                yield output
                output.finish()
        else:
            yield text_output(file, BY_ENDING.get(ending), source, names)


def has_types(path: Path | None) -> bool:
    """Whether the output will be a file that tells numbers from text."""
    return path is not None and path.suffix.lower() in TYPED


def text_output(
    file: IO[bytes], separator: str | None, source: Source, names: list[str]
) -> RowOutput | FrameOutput:
    """Text in the style of the table; a .tsv file has tabs, whatever the table had."""
    style = source.style or PLAIN
    if source.style and (separator is None or separator == style.separator or separator == ","):
        return RowOutput(file, source, names)
    return FrameOutput(file, source, names, style._replace(separator=separator or ","))


def cells_of(values: list[Any], style: Style) -> list[str]:
    """Values as cells of a text table."""
    if values and isinstance(values[0], float):
        cells = [f"{value:.6f}" for value in values]
        if style.decimal == ",":
            cells = [cell.replace(".", ",") for cell in cells]
        return [f'"{cell}"' for cell in cells] if style.separator == style.decimal else cells
    known = {value: cell_of(str(value), style.separator) for value in set(values)}
    return [known[value] for value in values]


def as_written(column: Any, style: Style) -> list[str]:
    """The cells of a kept column: numbers with the style's decimal mark, text as it was."""
    cells = texts(column)
    if style.decimal == "," and not holds_text(column):
        cells = [cell.replace(".", ",") for cell in cells]
    return cells_of(cells, style)


def cell_of(text: str, separator: str) -> str:
    """Text as a cell, in quotes where it must be."""
    if any(mark in text for mark in (separator, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text
