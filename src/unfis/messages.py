"""What came from outside, repeated in messages: never more of it than can be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# So many characters of a value, and so many values of a list, are repeated.
LONGEST, MOST_LISTED = 60, 10


def shortened(text: str, length: int = LONGEST) -> str:
    """Text of at most `length` characters, the middle left out: the end has the unit."""
    if len(text) <= length:
        return text
    end = (length - 1) // 3
    return f"{text[: length - 1 - end].rstrip()}…{text[len(text) - end :].lstrip()}"


def quoted(value: Any) -> str:
    """A value as Python writes it, shortened."""
    return shortened(repr(value))


def listed(values: Iterable[Any], most: int = MOST_LISTED) -> str:
    """Values as Python writes them, shortened, and not too many of them."""
    found = list(values)
    more = [f"and {len(found) - most:,} more"] if len(found) > most else []
    return ", ".join([quoted(value) for value in found[:most]] + more)
