"""The first sheet of an Excel file, with bounds on all of it: such files come from anybody."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from unfis.data.files import TableError, checked_names, module
from unfis.serial.messages import shortened

ZIP = b"PK\x03\x04"
# A file unpacks to 25 times its size if all its cells are the same, a bomb to a thousand times.
MOST_GROWTH, SURELY_FITS, MOST_UNPACKED = 100, 20 << 20, 4 << 30
# Cells that are kept in memory, and rows that a sheet can have.
MOST_CELLS, SHEET_ROWS = 100_000_000, 1 << 20
SAVE_ANEW = "Open it in a spreadsheet program, and save it anew as .xlsx or CSV."


def sheet_frame(file: IO[bytes], name: str) -> Any:
    """The cells below the first row, which holds the names; a pandas data frame."""
    import pandas as pd

    rows = sheet_rows(file, name)
    names = checked_names(next(rows, []), f"{name}, row 1")
    width, cells = len(names), list[list[Any]]()
    for number, row in enumerate(rows, start=2):
        if len(row) > width:
            raise TableError(f"{name}, row 1: column {width + 1} has no name; give it one.")
        if number > SHEET_ROWS or number * width > MOST_CELLS:
            raise TableError(
                f"{name} has more than {number - 1:,} rows of {width:,} cells, which is more than "
                "is read of a sheet; save it as CSV or Parquet."
            )
        cells.append(row + [None] * (width - len(row)))
    while cells and all(cell is None for cell in cells[-1]):
        cells.pop()
    if not names:
        raise TableError(f"{name} is empty; a row of column names and rows were expected.")
    return pd.DataFrame(cells, columns=names, dtype=object).apply(typed)


def sheet_rows(file: IO[bytes], name: str) -> Iterator[list[Any]]:
    """The rows of the first sheet, each up to its last cell that is not empty."""
    openpyxl = openpyxl_with_care(name)
    try:
        refuse_bombs(file, name)
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        if not book.worksheets:
            raise TableError(f"{name} has no sheet of cells.")
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what the file says of its size need not be true
        for row in sheet.iter_rows(values_only=True):
            cells = list(row)
            while cells and cells[-1] is None:
                cells.pop()
            yield cells
    except (TableError, MemoryError):
        raise
    except Exception as error:  # in a damaged file anything may be missing or of another kind
        why = error.__cause__ or error
        raise TableError(
            f"{name} is damaged, or no Excel file ({type(why).__name__}: "
            f"{shortened(' '.join(str(why).split()))}). {SAVE_ANEW}"
        ) from error


def openpyxl_with_care(file: str) -> Any:
    """The package that reads Excel, if it refuses XML that is made to fill the memory."""
    package = module("openpyxl", file, "Excel")
    module("defusedxml", file, "Excel")
    if not package.DEFUSEDXML:
        raise TableError(
            f"{file} is Excel, which is read with defusedxml alone; the environment variable "
            "OPENPYXL_DEFUSEDXML must not switch it off."
        )
    return package


def refuse_bombs(file: IO[bytes], name: str) -> None:
    """Raise TableError for a file that unpacks to far more than itself."""
    packed = file.seek(0, os.SEEK_END)
    with zipfile.ZipFile(file) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > min(MOST_UNPACKED, max(SURELY_FITS, MOST_GROWTH * packed)):
        raise TableError(
            f"{name} would unpack from {packed:,} to {unpacked:,} bytes, which is more than is "
            "read of Excel; save it as CSV or Parquet."
        )


def typed(column: Any) -> Any:
    """A sheet's column by what all its cells are: numbers, truth values, dates, or text."""
    import pandas as pd

    known = column[column.notna()]
    if len(known) and not any(isinstance(cell, str) for cell in known):
        return pd.Series(known.infer_objects(), index=known.index).reindex(column.index)
    return column.map(lambda cell: "" if cell is None else str(cell)).astype(object)
