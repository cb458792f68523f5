import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.rules.text.numbers import Distribution
from unfis.rules.text.terms import (
    CUTS,
    TERMS,
    interval_words,
    nearest_edge,
    range_term,
    these_or_not_those,
    worded_list,
)

EVEN = Distribution(np.arange(1, 101.0), np.ones(100))  # cuts at 10, 35, 65, 90


def term(low, high, values=EVEN, decimals=0):
    return range_term(values, (low, high), decimals, "")


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (None, 10, "very low"),
        (None, 35, "low"),
        (None, 40, "low"),
        (None, 65, "not high"),
        (None, 90, "not very high"),
        (11, 35, "fairly low"),
        (36, 65, "medium"),
        (30, 68, "medium"),
        (66, None, "high"),
        (36, None, "not low"),
        (91, None, "very high"),
        (11, None, "not very low"),
        (11, 90, "not extreme"),
        (48, 52, "about 48 to 52"),
        (78, 79, "about 78 to 79"),
        (3, None, "above about 3"),
        (None, 97, "below about 97"),
        (None, None, ""),
    ],
)
def test_words_for_ranges(low, high, word):
    assert term(low, high) == word


def test_halfway_between_two_edges_the_plainer_word_is_meant():
    """0.225 and 0.775 are as far from either cut beside them, but for rounding."""
    reached = np.array([0.0, *CUTS, 1.0])
    for rank, edge in [(0.225, 2), (0.775, 3), (0.05, 0), (0.95, 5), (0.5, 2)]:
        for shift in (0.0, 1e-16, -1e-16):
            assert nearest_edge(reached, rank + shift) == edge


@settings(max_examples=200)
@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=60),
    st.lists(st.tuples(st.floats(-25, 25), st.floats(0.1, 30)), min_size=1, max_size=20),
)
def test_the_same_word_is_the_same_range(values, sets):
    """Whatever the sets are, a word of `TERMS` stands for one pair of cuts of the input."""
    known = Distribution(np.array(values, dtype=float), np.ones(len(values)))
    edges = [-np.inf, *known.quantiles(CUTS), np.inf]
    ranges = {word: (edges[first], edges[last]) for (first, last), word in TERMS.items()}
    for centre, width in sets:
        word = term(centre - width, centre + width, known)
        if word not in ranges:
            assert re.match(r"about \S+ to \S+$", word)
            continue
        inside = (known.values >= centre - width) & (known.values <= centre + width)
        low, high = ranges[word]
        meant = (known.values > low) & (known.values <= high)
        # No other word comes nearer to the set, counted in rows.
        apart = {
            w: known.shares[((known.values > a) & (known.values <= b)) ^ inside].sum()
            for w, (a, b) in ranges.items()
        }
        assert known.shares[meant ^ inside].sum() <= min(apart.values()) + 1e-9


def test_where_cuts_fall_together_the_plainer_word_is_meant():
    mostly_zero = Distribution(np.array([0.0] * 80 + [1, 2, 3, 4] * 5), np.ones(100))
    assert term(None, 0.5, mostly_zero) == "low"
    assert term(0.5, None, mostly_zero) == "not low"


def test_words_for_some_of_many_choices():
    names = list("abcdefg")
    assert these_or_not_those(names, list("abcdef")) == "not g"
    assert these_or_not_those(names, list("abc")) == "a, b or c"
    assert these_or_not_those(names[:3], ["a", "b"]) == "a or b"


def test_of_many_choices_the_most_frequent_are_named():
    names, shares = list("abcdefghijkl"), {"e": 0.5, "c": 0.3, "k": 0.1}
    assert these_or_not_those(names, names[:6], shares) == "e, c, a or 3 more"
    assert these_or_not_those(names, names[:7], shares) == "not k, h, i or 2 more"
    # Where all are named they stay in their order.
    assert these_or_not_those(names, list("ace"), shares) == "a, c or e"


def test_lists():
    assert worded_list(["a"]) == "a"
    assert worded_list(["a", "b"], last="and") == "a and b"
    assert worded_list(list("abcde")) == "a, b, c or 2 more"


def test_intervals():
    assert interval_words((None, None), 1, "cm") == ""
    assert interval_words((1.7, None), 1, "cm") == "above about 1.7 cm"
    assert interval_words((None, 2.0), 0, "") == "below about 2"
    assert interval_words((1.72, 3.0), 1, "cm") == "about 1.72 to 3.0 cm"
