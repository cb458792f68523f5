"""Cells one by one: numbers, truth values, and what says that nothing is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfis.data import Notation
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
