"""Which category a cell is, however it is spelled."""

import numpy as np
import pandas as pd
import pytest

from unfis.data import CategoryReader, Notation


def place(categories, cell, notation=None):
    return CategoryReader(categories, notation or Notation()).position(cell)


def test_text_is_found_with_and_without_blanks():
    assert place(("east", "west"), "west") == 1
    assert place(("east", "west"), " west\t") == 1
    assert place(("east", "east "), "east ") == 1  # as it is, before anything is left out
    with pytest.raises(KeyError):
        place(("east", "west"), "East")


def test_a_word_that_means_missing_is_missing_unless_it_is_a_category():
    assert place(("east", "west"), "NA") is None
    assert place(("+", "-"), "-") == 1
    assert place(("NA", "SA"), " NA") == 0


def test_numbers_that_text_spells():
    """As pandas.read_csv gives the codes that the command read as text."""
    assert place(("1", "10", "2"), 10) == 1
    assert place(("1", "10", "2"), 2.0) == 2
    assert place(("01", "02"), 2) == 1
    assert place(("1,5", "2,5"), 2.5, Notation(",")) == 1
    with pytest.raises(KeyError):
        place(("01", "001"), 1)  # it may be either


def test_truth_values_that_text_spells():
    """As those who guess types read them; sqlite keeps them as 0 and 1."""
    for cell in (True, 1, np.True_, 1.0):
        assert place(("FALSE", "TRUE"), cell) == 1
        assert place(("n", "unknown", "y"), cell) == 2
    assert place(("0", "1", "no", "yes"), True) == 1
    for categories in (("F", "M"), ("n", "s", "w"), ("no", "true", "yes")):
        for cell in (0, 1):
            with pytest.raises(KeyError):
                place(categories, cell)


def test_an_infinite_number_is_no_category():
    assert CategoryReader(("inf", "low"), Notation()).numbers == {}


def test_text_that_spells_numbers_and_truth_values():
    assert place((1, 2, 10), " 10") == 2
    assert place((0.5, 1.0), "1") == 1
    assert place((0.5, 1.0), ".50") == 0
    assert place((False, True), "Yes") == 1
    assert place((2**53, 2**53 + 1), str(2**53 + 1)) == 1
    assert place((1, 2), "?") is None
    for cell in ("3", "one", 3, 10**400):
        with pytest.raises(KeyError):
            place((1, 2), cell)


def test_other_values_are_the_text_that_they_print():
    interval = pd.Interval(0, 1)
    assert place((str(interval), "b"), interval) == 0
    assert place((interval,), interval) == 0
    with pytest.raises(KeyError):
        place(("a", "b"), [1])


def test_of_no_categories_none_is_known():
    with pytest.raises(KeyError):
        place((), "a")
    assert place((), "NA") is None
