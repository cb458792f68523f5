"""Lines of text within a width: rules with their figures, and tables of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

WIDTH = 80
LEAST_ROOM = 24  # for words, however many figures there are
GAP = "  "
SIMILAR = 4  # columns of widths that differ less have the same width


class Line(NamedTuple):
    """Words on the left and figures on the right, under the heads; a line without is a title."""

    text: str
    figures: tuple[str, ...] = ()
    indent: int = 0


def paragraph(text: str, after: int = 0, width: int = WIDTH, indent: int = 0) -> list[str]:
    """A text in lines, its names unbroken and "%" with its number; `after` indents the later."""
    lines = wrap(
        text.replace(" %", "\xa0%"), width, initial_indent=" " * indent,
        subsequent_indent=" " * after, break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\xa0%", " %") for line in lines] or [""]


def aligned_columns(heads: Sequence[str], lines: Sequence[Line]) -> list[str]:
    """Lines with their figures in columns, the heads above the first that has figures."""
    rows = [line for line in lines if line.figures]
    columns = zip(heads, *(row.figures for row in rows), strict=True)
    widths = [max(map(len, column)) for column in columns]
    room = max(WIDTH - sum(len(GAP) + width for width in widths), LEAST_ROOM)
    room = min(room, max((row.indent + len(row.text) for row in rows), default=room))
    found: list[str] = []
    for line in lines:
        if not line.figures:
            found += paragraph(line.text)
            continue
        if line is rows[0]:
            found.append(" " * room + _cells(heads, widths))
        first, *more = paragraph(line.text, line.indent + 3, room, line.indent)
        found += [(f"{first:{room}}" + _cells(line.figures, widths)).rstrip(), *more]
    return found


def across(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table with a head for each row, in several parts if it is too wide."""
    first = max(map(len, heads))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    count = len(widths)
    if first + sum(widths) + len(GAP) * count > WIDTH and max(widths) - min(widths) < SIMILAR:
        widths = [max(widths)] * count  # the parts stand below each other
    for parts in range(1, count + 1):
        size = -(-count // parts)
        starts = range(0, count, size)
        widest = max(sum(widths[start : start + size]) for start in starts)
        if first + widest + len(GAP) * size <= WIDTH:
            break
    lines: list[str] = []
    for start in starts:
        part = slice(start, start + size)
        lines += [""] if lines else []
        for head, row in zip(heads, rows, strict=True):
            lines.append(f"{head:{first}}" + _cells(row[part], widths[part]))
    return lines


def _cells(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "".join(f"{GAP}{one:>{width}}" for one, width in zip(cells, widths, strict=True))
