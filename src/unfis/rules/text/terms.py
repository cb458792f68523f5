"""Words for fuzzy sets, from how the input's own values lie, so that a word is one range.

Four cuts, at 10, 35, 65 and 90 % of the known values, part the values into five zones. Every run of
neighbouring zones has its word, and a range gets the word of the run that it comes nearest to,
counted in rows. So "low" is always what lies up to the second cut, and "not low" all the rest. A
range that is far from all of them is told by its ends alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unfis.arrays import Array
from unfis.rules.text.numbers import Distribution, as_given
from unfis.ties import first_least, ranked

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
# Where cuts fall on one value, the plainer word is meant: "low" before "very low".
PLAINER = (0, 5, 2, 3, 1, 4)
# A range amid the data that holds less than this share of what its word means has none.
NARROW = 0.5
# A list of more names than this is cut short.
MOST_NAMES = 4


Ends = tuple[float | None, float | None]


def range_term(values: Distribution, ends: Ends, decimals: int, unit: str) -> str:
    """The word for a range of a number, or its ends where no word comes near; "" if it is open."""
    if ends == (None, None):
        return ""
    cuts = values.quantiles(CUTS)
    reached = np.array([0.0, *(values.up_to(cut) for cut in cuts), 1.0])
    low = 0.0 if ends[0] is None else values.below(ends[0])
    high = 1.0 if ends[1] is None else values.up_to(ends[1])
    first, last = nearest_edge(reached, low), nearest_edge(reached, high)
    narrow = high - low < NARROW * (reached[last] - reached[first]) and low > 0 and high < 1
    if narrow or (first, last) not in TERMS:
        return interval_words(ends, decimals, unit)
    return TERMS[first, last]


def nearest_edge(reached: Array, rank: float) -> int:
    """The edge that is nearest in rows; of several at one value the one with the plainer word."""
    return PLAINER[first_least(np.abs(reached[list(PLAINER)] - rank))]


def these_or_not_those(
    names: Sequence[str], these: Sequence[str], shares: Mapping[str, float] | None = None
) -> str:
    """Some of the names, or that it is not the others where they are fewer."""
    others = [name for name in names if name not in these]
    these_are_few = len(these) <= max(2, len(others))
    told = worded_list(frequent_first(these if these_are_few else others, shares or {}))
    return told if these_are_few else f"not {told}"


def frequent_first(names: Sequence[str], shares: Mapping[str, float]) -> list[str]:
    """Names as they come, or the most frequent first where a list of them is cut short."""
    if len(names) <= MOST_NAMES:
        return [*names]
    return [names[k] for k in ranked([-shares.get(name, 0.0) for name in names])]


def worded_list(names: Sequence[str], last: str = "or") -> str:
    """Names as one would say them: a, b or c."""
    if len(names) > MOST_NAMES:
        left_out = len(names) - MOST_NAMES + 1
        names = [*names[: MOST_NAMES - 1], f"{left_out} more"]
    return any_of_these(names, last)


def any_of_these(names: Sequence[str], last: str = "or") -> str:
    """The same with all of them, however many."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else names[0]


def interval_words(ends: Ends, decimals: int, unit: str) -> str:
    """A range as one would say it, "" where it is open at both ends."""
    told = " to ".join(as_given(end, decimals) for end in ends if end is not None)
    side = "below " if ends[0] is None else "above " if ends[1] is None else ""
    return f"{side}about {told}{unit and ' '}{unit}" if told else ""
