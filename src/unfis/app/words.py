"""Counts, shares and text as commands and pages write them."""

from __future__ import annotations

import unicodedata
from typing import Any

# Characters that would turn the reading direction of what follows them.
TURNS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def visible(text: Any) -> str:
    """Text in one line, with what cannot be seen written out."""
    if not str(text).strip():
        return repr(text)
    return "".join(
        repr(char)[1:-1]
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or ord(char) in TURNS
        else char
        for char in str(text)
    )


def numbered(count: int, name: str) -> str:
    """A count of something: "1 row", "2 rows"."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def percent(share: float, decimals: int = 0) -> str:
    """A share in per cent: 0 % of nothing and 100 % of all only."""
    words, step = f"{100 * share:.{decimals}f}", 10.0**-decimals
    if share > 0 and not float(words):
        return f"<{step:g} %"
    if share < 1 - 1e-9 and float(words) >= 100:
        return f">{100 - step:g} %"
    return f"{words} %"
