"""Tables with columns added, as text or in files that have types."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as arrow

from unfis.app.tables.cells import texts
from unfis.app.tables.records import RecordBlock
from unfis.app.tables.sources import Source
from unfis.app.tables.style import Style
from unfis.app.tables.typed_output import ExcelOutput, ParquetOutput
from unfis.data.files import TableError
from unfis.serial.files import replacing

PLAIN = Style("utf-8", ",", ".")
BY_ENDING = {".tsv": "\t", ".tab": "\t"}
TYPED: dict[str, type[Any]] = {
    ".parquet": ParquetOutput,
    ".pq": ParquetOutput,
    ".xlsx": ExcelOutput,
}


class TextOutput:
    """Text in some style, with cells in quotes where they need them."""

    def __init__(self, file: IO[bytes], source: Source, names: list[str], style: Style) -> None:
        self._file, self._style, self._names = file, style, source.names
        self._encoder = codecs.getincrementalencoder(style.encoding)()
        self._write_rows([[name] for name in (*source.names, *names)])

    def write(self, block: RecordBlock, values: list[list[Any]]) -> None:
        """Write some rows, and the cells of each column that is added to them."""
        self._write_rows([*(block.frame[name] for name in self._names), *values])

    def _write_rows(self, columns: list[Any]) -> None:
        cells = zip(*(cells_of(column, self._style) for column in columns), strict=True)
        text = "".join(self._style.separator.join(row) + self._style.newline for row in cells)
        try:
            self._file.write(self._encoder.encode(text))
        except UnicodeEncodeError as error:
            raise TableError(
                f"{error.object[error.start]!r} cannot be written as {error.encoding}, the "
                "encoding of the table. Save the table as UTF-8 first."
            ) from error


Output = TextOutput | ParquetOutput | ExcelOutput


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
) -> TextOutput:
    """Text in the style of the table; a .tsv file has tabs, whatever the table had."""
    style = source.style or PLAIN
    return TextOutput(file, source, names, style._replace(separator=separator or style.separator))


def cells_of(values: Any, style: Style) -> list[str]:
    """Values as cells of a text table; by Python alone, as pyarrow would import pandas for it."""
    is_read = isinstance(values, arrow.ChunkedArray)
    cells = values.to_pylist() if is_read else as_written(values, style.decimal)
    special = re.compile(f'["\\r\\n{re.escape(style.separator)}]').search
    if not special("\0".join(cells)):  # a column at once
        return cells
    doubled = (cell.replace('"', '""') for cell in cells)
    return [f'"{two}"' if special(one) else one for one, two in zip(cells, doubled, strict=True)]


def as_written(values: Any, decimal: str) -> list[str]:
    """Values as text, those that are added with this decimal mark."""
    if not isinstance(values, list):
        return texts(values)
    if values and isinstance(values[0], float):
        return [f"{value:.9g}".replace(".", decimal) for value in values]
    return list(map(str, values))
