"""Numbers as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

DIGITS = 9  # a number of no more digits is written in full
ROUNDED = 6  # the digits of others
LEAST_GROUPED = 10_000  # from here on thousands are set apart; a year is not
FIXED = 1e-7, 1e15  # sizes that are written without a power of ten


def number_words(number: float) -> str:
    """A number in as many digits as it has, up to nine; others are rounded to six."""
    size = abs(number)
    if size >= FIXED[1] or 0 < size < FIXED[0]:
        return f"{number:.{ROUNDED}g}"
    exact = Decimal(repr(float(number))).normalize()
    if len(exact.as_tuple().digits) > DIGITS and not float(number).is_integer():
        text = f"{number:.{ROUNDED}g}" if size < 10**ROUNDED else f"{number:.0f}"
        exact = Decimal(text).normalize()
    return format(exact + 0, ",f" if size >= LEAST_GROUPED else "f")


def rounded(number: float, digits: int = 4) -> float:
    """A number in a few digits."""
    return float(f"{number:.{digits}g}")


def rounded_words(number: float, digits: int = 4) -> str:
    """A number in a few digits, as it is written."""
    return number_words(rounded(number, digits))


def points_words(points: float) -> str:
    """Points with their sign."""
    return f"+{number_words(points)}" if points > 0 else number_words(points)


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


def enumerated(words: Sequence[str], last: str = "or") -> str:
    """Words as a list: "a, b or c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
