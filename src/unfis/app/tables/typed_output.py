"""Tables with columns added, in files that have types: Parquet and Excel."""

from __future__ import annotations

import datetime
import io
import math
import re
from contextlib import suppress
from decimal import Decimal
from numbers import Integral, Real
from typing import IO, Any

import numpy as np
import pyarrow as arrow

from unfis.app.tables.cells import numbers, texts
from unfis.app.tables.excel import SHEET_ROWS
from unfis.app.tables.records import RecordBlock, text_frame
from unfis.app.tables.sources import Source
from unfis.data import Notation
from unfis.data.files import TableError, module
from unfis.serial.files import naming_temporary
from unfis.serial.messages import quoted

# What a sheet can hold, and what XML cannot.
MOST_COLUMNS, LONGEST_CELL = 1 << 14, 32_767
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# Text that begins with one of these would be computed if somebody opened the cell and closed it.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
# Excel's words for errors begin with this.
ERROR_SIGN = "#"
FIRST_YEAR = 1900
# More digits would not all come back from a float, which is what a sheet keeps.
MOST_DIGITS = 15
WHOLE = re.compile(rf"[+-]?(0|[1-9]\d{{0,{MOST_DIGITS - 1}}})")
# 007 is a name that would not come back from a number, and so is a number of too many digits.
NAME = re.compile(rf"[+-]?(0\d.*|\d{{{MOST_DIGITS + 1},}})")
WRITE_OTHERWISE = "give a file as `output` that ends in .csv or .parquet."


class TypedOutput:
    """A file that has types: columns of text that are all numbers become numbers."""

    def __init__(self, source: Source, names: list[str]) -> None:
        self._source, self._names = source, names
        self._numbers = number_columns(source) if source.style else {}

    def _frame(self, block: RecordBlock, values: list[list[Any]]) -> Any:
        """Rows with the columns that are added to them."""
        frame = text_frame(block.frame) if self._source.style else block.frame
        kept = with_numbers(frame, self._numbers, self._source.notation)
        return kept.assign(**dict(zip(self._names, values, strict=True)))


class ParquetOutput(TypedOutput):
    """A Parquet file."""

    def __init__(self, file: IO[bytes], source: Source, names: list[str]) -> None:
        self._parquet = module("pyarrow.parquet", "The output", "Parquet")
        super().__init__(source, names)
        self._file = file
        self._writer: Any = None

    def write(self, block: RecordBlock, values: list[list[Any]]) -> None:
        frame = self._frame(block, values)
        if self._writer is None:
            self._begin(arrow.Schema.from_pandas(frame, preserve_index=False))
        schema = self._writer.schema
        table = arrow.Table.from_pandas(frame, schema=schema, preserve_index=False)
        self._writer.write_table(table)

    def finish(self) -> None:
        """Write what ends the file, which has columns even if it has no rows."""
        if self._writer is None:
            names = [*self._source.names, *self._names]
            self._begin(arrow.schema([(name, arrow.string()) for name in names]))
        self._writer.close()

    def close(self) -> None:
        """Let go of the file, finished or not."""
        with suppress(Exception):
            self._writer.close()

    def _begin(self, found: Any) -> None:
        # A column may begin with a block in which nothing is known: the source knows its type.
        types = [(field.name, self._source.types.get(field.name, field.type)) for field in found]
        self._writer = self._parquet.ParquetWriter(self._file, arrow.schema(types))


class ExcelOutput(TypedOutput):
    """An Excel file of one sheet, in which text is text, whatever it looks like."""

    def __init__(self, file: IO[bytes], source: Source, names: list[str]) -> None:
        openpyxl = module("openpyxl", "The output", "Excel")
        self._cell = module("openpyxl.cell", "The output", "Excel").WriteOnlyCell
        if len(source.names) + len(names) > MOST_COLUMNS:
            raise TableError(f"A sheet has at most {MOST_COLUMNS:,} columns; {WRITE_OTHERWISE}")
        self._book = openpyxl.Workbook(write_only=True)
        self._sheet = self._book.create_sheet("predictions")
        super().__init__(source, names)
        self._file = file
        self._rows = 0
        self._append([*source.names, *names])

    def write(self, block: RecordBlock, values: list[list[Any]]) -> None:
        frame = self._frame(block, values)
        known = frame.astype(object).where(frame.notna(), None)
        for row in known.itertuples(index=False, name=None):
            self._append(row)

    def finish(self) -> None:
        """Write the file."""
        packed = io.BytesIO()
        with naming_temporary():
            self._book.save(packed)
        self._file.write(packed.getbuffer())

    def close(self) -> None:
        """Let go of what openpyxl has open, finished or not."""
        with suppress(Exception):
            self._sheet.close()
        with suppress(Exception):  # its temporary file, else there until the process ends
            self._sheet._writer.cleanup()  # noqa: SLF001 - openpyxl has no public way

    def _append(self, values: Any) -> None:
        self._rows += 1
        if self._rows > SHEET_ROWS:
            raise TableError(f"A sheet has at most {SHEET_ROWS:,} rows; {WRITE_OTHERWISE}")
        cells = [value if is_plain(value) else self._text(str(value)) for value in values]
        with naming_temporary():
            self._sheet.append(cells)

    def _text(self, text: str) -> Any:
        """Text as a cell that is never computed."""
        if len(text) > LONGEST_CELL:
            what = f"longer than {LONGEST_CELL:,} characters, the most that a cell of a sheet holds"
            raise TableError(f"{quoted(text)} is {what}; {WRITE_OTHERWISE}")
        if UNWRITABLE.search(text):
            raise TableError(
                f"{quoted(text)} has a character that a sheet cannot hold; {WRITE_OTHERWISE}"
            )
        if not text.startswith((*FORMULA_SIGNS, ERROR_SIGN)):
            return text
        cell = self._cell(self._sheet, text)
        cell.data_type = "s"
        cell.quotePrefix = text.startswith(FORMULA_SIGNS)
        return cell


def is_plain(value: Any) -> bool:
    """Whether Excel has a value as it is; what it does not have becomes text."""
    if isinstance(value, bool | np.bool_ | datetime.timedelta | None):
        return True
    if isinstance(value, Integral):  # more digits would not all come back
        return len(str(abs(int(value)))) <= MOST_DIGITS
    if isinstance(value, Real | Decimal):
        return math.isfinite(value)
    if isinstance(value, datetime.date | datetime.time):
        in_range = getattr(value, "year", FIRST_YEAR) >= FIRST_YEAR
        return in_range and getattr(value, "tzinfo", None) is None
    return False


def number_columns(source: Source) -> dict[str, str]:
    """The columns of a text table that hold numbers in every row, "whole" or "number" each."""
    found: dict[str, str] = {}
    lost: set[str] = set()
    for block in source.blocks():
        for name in source.names:
            if name in lost:
                continue
            kind = kind_of_numbers(block.frame[name], source.notation)
            if kind is None:
                lost.add(name)
            elif kind != "empty":
                found[name] = "number" if "number" in (kind, found.get(name)) else kind
    return {name: kind for name, kind in found.items() if name not in lost}


def kind_of_numbers(column: Any, notation: Notation) -> str | None:
    """The kind of some cells: "whole", "number", "empty" if all are missing; None if no numbers."""
    known = {cell for cell in set(texts(column)) if not notation.is_missing(cell)}
    if not known:
        return "empty"
    if all(WHOLE.fullmatch(cell) for cell in known):
        return "whole"
    values = [notation.number(cell) for cell in known]
    if any(value is None or not np.isfinite(value) for value in values):
        return None
    return None if any(NAME.fullmatch(cell) for cell in known) else "number"


def with_numbers(frame: Any, kinds: dict[str, str], notation: Notation) -> Any:
    """A data frame of text whose columns of these kinds are numbers."""
    import pandas as pd

    found = {}
    for name, kind in kinds.items():
        values = pd.Series(numbers(frame[name], notation)[0], index=frame.index)
        found[name] = values.astype("Int64") if kind == "whole" else values
    return frame.assign(**found)
