"""How a text file writes a table: encoding, separator, decimal mark; found out or given."""

from __future__ import annotations

import codecs
import io
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as arrow
from pyarrow import compute

from unfis.app.requests import RequestError
from unfis.app.tables.records import RaggedRows, text_reader
from unfis.app.tables.streams import Kept
from unfis.data.files import TableError
from unfis.data.notation import DECIMAL_NAMES
from unfis.serial.messages import quoted

SEPARATORS = (",", ";", "\t", "|")
NAMED_SEPARATORS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "\\t": "\t",
    "pipe": "|",
    "space": " ",
}
NAMED_DECIMALS = {name: mark for mark, name in DECIMAL_NAMES.items()}
# So many characters tell whether a file is text, and so many lines its separator and decimal mark.
SAMPLE, SAMPLE_LINES = 1 << 20, 1000
# In this order, as UTF-32's begin like UTF-16's.
MARKS = {
    "utf-8-sig": (codecs.BOM_UTF8,),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}
# Tried in this order; Latin-1 reads anything.
ENCODINGS = ("utf-8", "cp1252", "latin-1")
WITH_COMMA = r"^\s*[+-]?\d+,\d+([eE][+-]?\d+)?\s*$"
WITH_POINT = r"^\s*[+-]?\d*\.\d+([eE][+-]?\d+)?\s*$"


class Style(NamedTuple):
    """How a text file writes a table."""

    encoding: str
    separator: str
    decimal: str
    newline: str = "\n"


def find_style(
    path: Path | Kept, name: str, separator: str | None, decimal: str | None, encoding: str | None
) -> Style:
    """The style of a text file; what is given is not looked for."""
    encoding = find_encoding(path, name, encoding)
    with path.open(encoding=encoding, newline="") as file:
        sample = file.read(SAMPLE)
    refuse_other_things(sample, name)
    separator = NAMED_SEPARATORS.get(separator or "", separator or find_separator(sample))
    if len(separator) != 1 or separator in '"\n\r' or not separator.isascii():
        raise RequestError(
            f"The separator must be one character, got {quoted(separator)}.", "separator"
        )
    decimal = NAMED_DECIMALS.get(decimal or "", decimal or find_decimal(sample, separator))
    if decimal not in (".", ","):
        raise RequestError(
            f"The decimal mark must be . or , (point or comma), got {quoted(decimal)}.", "decimal"
        )
    newline = "\r\n" if "\r\n" in sample else "\n"
    return Style(encoding, separator, decimal, newline)


def find_encoding(path: Path | Kept, name: str, given: str | None) -> str:
    """The encoding by its mark, or the first of the usual ones that reads the whole file."""
    with path.open("rb") as file:
        start = file.read(4)
    marked = [name for name, mark in MARKS.items() if start.startswith(mark)]
    given = next((name for name in marked if name.startswith((given or "").lower())), given)
    if given is None:
        return next(e for e in ENCODINGS if first_unreadable(path, e) is None)
    try:
        "a".encode(given)
    except (LookupError, UnicodeError) as error:  # or it is no encoding of text, such as base64
        raise RequestError(
            f"There is no encoding of text {quoted(given)}; try utf-8, cp1252 or utf-16.",
            "encoding",
        ) from error
    line = first_unreadable(path, given)
    if line is not None:
        raise TableError(f"{name}, line {line}: this cannot be read as {given}.")
    return given


def first_unreadable(path: Path | Kept, encoding: str) -> int | None:
    """The line in which an encoding fails, None if it reads the whole file."""
    decoder = codecs.getincrementaldecoder(encoding)()
    lines = 1
    with path.open("rb") as file:
        while True:
            block = file.read(SAMPLE)
            try:
                decoder.decode(block, final=not block)
            except UnicodeError as error:
                return lines + block[: getattr(error, "start", 0)].count(b"\n")
            if not block:
                return None
            lines += block.count(b"\n")


def refuse_other_things(sample: str, name: str) -> None:
    """Raise TableError for files that are no tables."""
    if not sample.strip():
        raise TableError(f"{name} is empty; a line of column names and rows were expected.")
    start = sample.lstrip()
    kinds = {"{": "JSON", "[{": "JSON", "<": "HTML or XML", "%PDF": "a PDF"}
    for mark, kind in kinds.items():
        if start.startswith(mark):
            raise TableError(f"{name} is no table: it begins like {kind}.")
    if "\0" in sample:
        raise TableError(
            f"{name} is no table: it holds bytes that are no text. CSV, TSV, Parquet and Excel "
            "(.xlsx) can be read."
        )


def find_separator(sample: str) -> str:
    """The separator that cuts the most rows into the same number of cells, more than one."""
    best, choice = (0.0, 0), ","
    for separator in SEPARATORS:
        cells, ragged = sample_cells(sample, separator)
        counts = [cells.num_columns] * (1 + cells.num_rows) + ragged
        if counts[0] < 2:
            continue
        # The header's count must be the rows': a comma inside some cells is none.
        share = counts.count(counts[0]) / len(counts)
        most = Counter(counts).most_common(1)[0][0]
        quality = (share if most == counts[0] else share / 2, counts[0])
        if quality > best:
            best, choice = quality, separator
    return choice


def find_decimal(sample: str, separator: str) -> str:
    """The decimal mark that more cells have."""
    columns = sample_cells(sample, separator)[0].columns

    def count(pattern: str) -> int:
        found = (compute.sum(compute.match_substring_regex(c, pattern)).as_py() for c in columns)
        return sum(filter(None, found))

    return "," if count(WITH_COMMA) > count(WITH_POINT) else "."


def sample_cells(sample: str, separator: str) -> tuple[Any, list[int]]:
    """The first rows of a text as wide as the names, a pyarrow table, and the others' widths."""
    lines = sample.splitlines(keepends=True)
    whole = lines[:-1] if len(sample) == SAMPLE else lines
    text = "".join(whole[:SAMPLE_LINES])
    ragged = RaggedRows()
    try:
        names = text_reader(io.StringIO(text), separator, SAMPLE).schema.names
        reader = text_reader(io.StringIO(text), separator, SAMPLE, names, ragged=ragged)
        return reader.read_all(), ragged.widths
    except arrow.ArrowInvalid:  # a quote stays open
        return arrow.table({}), []
