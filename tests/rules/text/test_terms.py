import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.rules.text.numbers import Distribution
from unfis.rules.text.terms import (
    CUTS,
    TERMS,
    accepted,
    choice_term,
    interval_words,
    nearest_edge,
    number_term,
    worded_list,
)

EVEN = Distribution(np.arange(1, 101.0), np.ones(100))  # cuts at 10, 35, 65, 90


def term(low, high, values=EVEN, centre=None, decimals=0):
    centre = (low + high) / 2 if centre is None else centre
    width = (high - low) / 2 / np.sqrt(2 * np.log(2))
    degrees = np.exp(-0.5 * ((values.values - centre) / width) ** 2)
    return number_term(values, degrees, centre, (low, high), decimals)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (-5, 10, "very low"),
        (-5, 35, "low"),
        (-5, 40, "low"),
        (-5, 65, "not high"),
        (-5, 90, "not very high"),
        (11, 35, "fairly low"),
        (36, 65, "medium"),
        (30, 68, "medium"),
        (66, 200, "high"),
        (36, 200, "not low"),
        (91, 200, "very high"),
        (11, 200, "not very low"),
        (11, 90, "not extreme"),
        (48, 52, "around 50"),
        (78, 79, "around 78"),
    ],
)
def test_words_for_ranges(low, high, word):
    assert term(low, high) == word


def test_a_set_that_holds_everywhere_leans_to_one_side_or_says_nothing():
    assert term(-20, 230, centre=105) == "rather high"
    assert term(-100, 130, centre=5) == "rather low"
    assert term(-20, 121, centre=50) == "rather medium"
    assert term(-900, 1000, centre=50) == "anything"


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
            assert word.startswith(("around", "rather")) or word == "anything"
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
    assert term(-3, 0.5, mostly_zero) == "low"
    assert term(0.5, 9, mostly_zero) == "not low"


@pytest.mark.parametrize(
    ("degrees", "words"),
    [
        ([1, 0.1, 0.1], "a"),
        ([1, 0.8, 0.1], "a or b"),
        ([0.1, 0.8, 0.9], "b or c"),
        ([1, 0.99, 0.98], "anything"),
        ([1, 0.7, 0.6], "rather a"),
        ([0.6, 0.95, 1], "rather b or c"),
        ([0.02, 0.001, 0.001], "a"),
    ],
)
def test_words_for_choices(degrees, words):
    assert choice_term(["a", "b", "c"], degrees) == words


def test_words_for_most_of_many_choices():
    names = list("abcdefg")
    assert choice_term(names, [1, 1, 1, 1, 1, 1, 0.1]) == "not g"
    assert choice_term(names, [1, 1, 1, 1, 1, 1, 0.6]) == "rather not g"
    assert choice_term(names, [1, 1, 1, 0.1, 0.1, 0.1, 0.1]) == "a, b or c"
    assert accepted(names, [1, 1, 1, 0.1, 0.1, 0.1, 0.1]) == ("a", "b", "c")


def test_lists():
    assert worded_list(["a"]) == "a"
    assert worded_list(["a", "b"], last="and") == "a and b"
    assert worded_list(list("abcde")) == "a, b, c or 2 more"


def test_intervals():
    assert interval_words((None, None), 1, "cm") == ""
    assert interval_words((1.72, None), 1, "cm") == "above about 1.7 cm"
    assert interval_words((None, 1.72), 0, "") == "below about 2"
    assert interval_words((1.72, 3.0), 1, "cm") == "about 1.7 to 3.0 cm"
