"""Text that says numbers, as numbers, for files that have types."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from unfis.app.tables.cells import numbers, texts
from unfis.app.tables.sources import Source
from unfis.data import Notation

# More digits would not all come back from a float, which is what a sheet keeps.
MOST_DIGITS = 15
WHOLE = re.compile(rf"[+-]?(0|[1-9]\d{{0,{MOST_DIGITS - 1}}})")
# 007 is a name that would not come back from a number, and so is a number of too many digits.
NAME = re.compile(rf"[+-]?(0\d.*|\d{{{MOST_DIGITS + 1},}})")


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

    def converted(name: str) -> Any:
        values = pd.Series(numbers(frame[name], notation)[0], index=frame.index)
        return values.astype("Int64") if kinds[name] == "whole" else values

    return frame.assign(**{name: converted(name) for name in kinds})
