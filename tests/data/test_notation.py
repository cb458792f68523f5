"""Cells one by one: numbers, truth values, categories, and what says that nothing is known."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfis.data import CategoryReader, Notation
from unfis.data.notation import cell_text

POINT, COMMA = Notation("."), Notation(",")


@pytest.mark.parametrize("cell", ["", "NA", " n/a ", "NaN", "null", "?", "-", "\t", "\xa0<NA>\n"])
def test_words_that_mean_missing(cell):
    assert POINT.is_missing(cell)
    assert math.isnan(POINT.number(cell))
    assert math.isnan(POINT.truth(cell))


def test_numbers_with_either_mark():
    assert [POINT.number(cell) for cell in ("1.5", " -.5e1 ", "7.", "+3E-1")] == [1.5, -5, 7, 0.3]
    assert [COMMA.number(cell) for cell in ("1,5", "-2", "3,25e2")] == [1.5, -2, 325]
    assert POINT.number("1,5") is None
    assert COMMA.number("1.5") is None  # a thousand, or a number of another style: nobody knows
    assert COMMA.other == POINT


@pytest.mark.parametrize("cell", ["1_000", "0x10", "1e", ".", "1 2", "١٢", "one", "-nan", "e5"])
def test_what_is_no_number(cell):
    assert POINT.number(cell) is None


@given(st.floats(allow_nan=False))
def test_a_number_comes_back_from_its_text(number):
    assert POINT.number(repr(number)) == number


def test_truth_values():
    assert [POINT.truth(cell) for cell in ("Yes", "TRUE ", "1", "1.0")] == [1, 1, 1, 1]
    assert [POINT.truth(cell) for cell in ("no", " False", "0", "0.0")] == [0, 0, 0, 0]
    assert POINT.truth("maybe") is None


def test_given_words_replace_the_usual_ones():
    given = Notation.of(".", [" None", "-999", "1e3"])
    assert given.missing == ("", "-999", "1e3", "none")
    assert given.missing_numbers == [-999.0, 1000.0]
    assert given.number("NA") is None
    assert math.isnan(given.number("-999"))
    assert POINT.missing_numbers == []


def test_a_number_is_missing_however_it_is_spelled():
    notation = Notation.of(".", ["-999", "inf"])
    for cell in ("-999", "-999.0", "-9.99e2 ", "Infinity"):
        assert math.isnan(notation.number(cell))
    assert notation.number("999") == 999.0


def test_beside_plus_a_minus_is_an_answer():
    assert not POINT.among({"+", "-", "NA"}).is_missing("-")
    assert POINT.among({"-", "1"}) == POINT


def test_values_as_text():
    values = [" a ", 1.0, 2.5, np.float64(3.0), True, 10**20]
    assert [cell_text(v) for v in values] == ["a", "1", "2.5", "3", "True", str(10**20)]


def position(categories, cell, notation=None):
    return CategoryReader(categories, notation or Notation()).position(cell)


def test_text_is_found_with_and_without_blanks():
    assert position(("east", "west"), "west") == 1
    assert position(("east", "west"), " west\t") == 1
    assert position(("east", "east "), "east ") == 1  # as it is, before anything is left out
    with pytest.raises(KeyError):
        position(("east", "west"), "East")


def test_a_word_that_means_missing_is_missing_unless_it_is_a_category():
    assert position(("east", "west"), "NA") is None
    assert position(("+", "-"), "-") == 1
    assert position(("NA", "SA"), " NA") == 0


def test_numbers_that_text_spells():
    """As pandas.read_csv gives the codes that the command read as text."""
    assert position(("1", "10", "2"), 10) == 1
    assert position(("1", "10", "2"), 2.0) == 2
    assert position(("01", "02"), 2) == 1
    assert position(("1,5", "2,5"), 2.5, Notation(",")) == 1
    with pytest.raises(KeyError):
        position(("01", "001"), 1)  # it may be either


def test_truth_values_that_text_spells():
    """As those who guess types read them; sqlite keeps them as 0 and 1."""
    for cell in (True, 1, np.True_, 1.0):
        assert position(("FALSE", "TRUE"), cell) == 1
        assert position(("n", "unknown", "y"), cell) == 2
    assert position(("0", "1", "no", "yes"), True) == 1
    for categories in (("F", "M"), ("n", "s", "w"), ("no", "true", "yes")):
        for cell in (0, 1):
            with pytest.raises(KeyError):
                position(categories, cell)


def test_an_infinite_number_is_no_category():
    assert CategoryReader(("inf", "low"), Notation()).numbers == {}


def test_text_that_spells_numbers_and_truth_values():
    assert position((1, 2, 10), " 10") == 2
    assert position((0.5, 1.0), "1") == 1
    assert position((0.5, 1.0), ".50") == 0
    assert position((False, True), "Yes") == 1
    assert position((2**53, 2**53 + 1), str(2**53 + 1)) == 1
    assert position((1, 2), "?") is None
    for cell in ("3", "one", 3, 10**400):
        with pytest.raises(KeyError):
            position((1, 2), cell)


def test_other_values_are_the_text_that_they_print():
    interval = pd.Interval(0, 1)
    assert position((str(interval), "b"), interval) == 0
    assert position((interval,), interval) == 0
    with pytest.raises(KeyError):
        position(("a", "b"), [1])


def test_of_no_categories_none_is_known():
    with pytest.raises(KeyError):
        position((), "a")
    assert position((), "NA") is None
