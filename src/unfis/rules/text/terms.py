"""Words for fuzzy sets, from how the input's own values lie, so that a word is one range.

Four cuts, at 10, 35, 65 and 90 % of the known values, part the values into five zones. Every run of
neighbouring zones has its word, and a set gets the word of the run that its interval comes nearest
to, counted in rows. So "low" is always what lies up to the second cut, and "not low" all the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.rules.text.numbers import Distribution, rounded
from unfis.ties import first_least

CUTS = (0.10, 0.35, 0.65, 0.90)
# The word for the zones from one edge to another; edge 0 is the lowest value, 5 the highest.
TERMS = {
    (0, 1): "very low",
    (0, 2): "low",
    (0, 3): "not high",
    (0, 4): "not very high",
    (1, 2): "fairly low",
    (1, 3): "low to medium",
    (1, 4): "not extreme",
    (1, 5): "not very low",
    (2, 3): "medium",
    (2, 4): "medium to high",
    (2, 5): "not low",
    (3, 4): "fairly high",
    (3, 5): "high",
    (4, 5): "very high",
}
ANYTHING = "anything"
# Where cuts fall on one value, the plainer word is meant: "low" before "very low".
PLAINER = (0, 5, 2, 3, 1, 4)
# A set that nowhere in the data falls below this share of its best says nothing of the input.
INDIFFERENT = 0.9
# A set amid the data that holds less than this share of what its word means is "around" a value.
NARROW = 0.5
# A list of more names than this is cut short.
MOST_NAMES = 4


def number_term(
    values: Distribution,
    degrees: Array,
    centre: float,
    interval: tuple[float, float],
    decimals: int,
) -> str:
    """The word for a number's fuzzy set; `degrees` is how far it holds on the known values."""
    cuts = values.quantiles(CUTS)
    reached = np.array([0.0, *(values.up_to(cut) for cut in cuts), 1.0])
    low, high = values.below(interval[0]), values.up_to(interval[1])
    first, last = nearest_edge(reached, low), nearest_edge(reached, high)
    if (first, last) == (0, 5):
        return broad_term(degrees, centre, cuts)
    narrow = high - low < NARROW * (reached[last] - reached[first])
    if first >= last or (narrow and low > 0 and high < 1):
        return f"around {rounded(centre, decimals)}"
    return TERMS[first, last]


def broad_term(degrees: Array, centre: float, cuts: Sequence[float]) -> str:
    """The word for a set that holds by more than half almost everywhere."""
    if degrees.min() > INDIFFERENT * degrees.max():
        return ANYTHING
    zone = int(np.searchsorted(cuts, centre))
    return f"rather {('low', 'low', 'medium', 'high', 'high')[zone]}"


def nearest_edge(reached: Array, rank: float) -> int:
    """The edge that is nearest in rows; of several at one value the one with the plainer word."""
    return PLAINER[first_least(np.abs(reached[list(PLAINER)] - rank))]


def choice_term(names: Sequence[str], degrees: Sequence[float]) -> str:
    """The words for the categories, or the few values, that fulfil a condition."""
    for rather, share in (("", 0.5), ("rather ", INDIFFERENT)):
        these = accepted(names, degrees, share)
        if len(these) < len(names):
            return rather + these_or_not_those(names, these)
    return ANYTHING


def accepted(
    categories: Sequence[Any], degrees: Sequence[float], share: float = 0.5
) -> tuple[Any, ...]:
    """The categories that fulfil a condition by more than this share of the best one's degree."""
    best = max(degrees, default=0.0)
    return tuple(c for c, d in zip(categories, degrees, strict=True) if d > share * best)


def these_or_not_those(names: Sequence[str], these: Sequence[str]) -> str:
    """Some of the names, or that it is not the others where they are fewer."""
    others = [name for name in names if name not in these]
    return worded_list(these) if len(these) <= max(2, len(others)) else f"not {worded_list(others)}"


def worded_list(names: Sequence[str], last: str = "or") -> str:
    """Names as one would say them: a, b or c."""
    if len(names) > MOST_NAMES:
        left_out = len(names) - MOST_NAMES + 1
        names = [*names[: MOST_NAMES - 1], f"{left_out} more"]
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def interval_words(interval: tuple[float | None, float | None], decimals: int, unit: str) -> str:
    """An interval as one would say it, "" where it is open at both ends."""
    ends = " to ".join(rounded(end, decimals) for end in interval if end is not None)
    side = "below " if interval[0] is None else "above " if interval[1] is None else ""
    return f"{side}about {ends}{unit and ' '}{unit}" if ends else ""
