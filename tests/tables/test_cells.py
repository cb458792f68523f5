"""What cells are, one by one and as columns."""

import numpy as np
import pandas as pd
import pytest

from unfis.tables.cells import kind_of, numbers, texts, truths, words


def column(*cells):
    return pd.Series(cells, dtype=object)


KINDS = {
    "number": ["1", "-2.5", "1e3", " 7 ", ".5", "NA", ""],
    "boolean": ["yes", "No", "TRUE", "false", "?"],
    "date": ["2024-01-05", "2024-01-05T10:30:00Z", "5.1.2024", "01/05/24", "12:30", "-"],
    "category": ["red", "1", "2"],
    "empty": ["", "NA", "n/a", "NaN", "null", "NULL", "?", "-", "  "],
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind):
    assert kind_of(column(*KINDS[kind]), ".") == kind


@pytest.mark.parametrize("cell", ["1_000", "12 kg", "1,5", "0x10", "--", "1.2.3"])
def test_what_is_no_number(cell):
    assert kind_of(column("1", cell), ".") == "category"
    assert numbers(column("1", cell), ".")[1].tolist() == [1]


def test_numbers_with_a_decimal_comma():
    values, wrong = numbers(column("1,5", "-2", "3,25e2"), ",")
    assert values.tolist() == [1.5, -2.0, 325.0]
    assert not len(wrong)
    values, wrong = numbers(column("1,5", "NA", "1.234"), ",")
    assert wrong.tolist() == [2]  # a thousand, or a number of another style: nobody knows
    assert np.isnan(values[1])


def test_a_part_becomes_the_same_as_the_whole():
    generator = np.random.RandomState(0)
    cells = [
        repr(value)
        for value in (generator.normal(size=50) * 10.0 ** generator.randint(-9, 9, 50)).tolist()
    ]
    cells[7] = "NA"
    whole = numbers(column(*cells), ".")[0]
    parts = [numbers(column(cell), ".")[0][0] for cell in cells]
    np.testing.assert_array_equal(whole, parts)
    assert whole[3] == float(cells[3])


def test_truth_values():
    values, wrong = truths(column("yes", "FALSE", "", "1", "0", "maybe"))
    np.testing.assert_array_equal(values, [1, 0, np.nan, 1, 0, np.nan])
    assert wrong.tolist() == [5]


def test_words():
    assert words(column("a", " b ", "NA", "")).tolist() == ["a", "b", None, None]


def test_typed_columns():
    assert kind_of(pd.Series([1.5, None]), ".") == "number"
    assert kind_of(pd.Series([True, False]), ".") == "boolean"
    assert kind_of(pd.Series([True, None], dtype="boolean"), ".") == "boolean"
    assert kind_of(pd.Series(pd.to_datetime(["2024-01-01"])), ".") == "date"
    assert kind_of(pd.Series(["1", "2"], dtype="category"), ".") == "number"
    assert kind_of(pd.Series([np.nan, np.nan]), ".") == "empty"
    assert texts(pd.Series([1.0, 2.5, None])) == ["1", "2.5", ""]
    assert texts(pd.Series([True, None], dtype="boolean")) == ["True", ""]
    assert texts(pd.Series(["a", None])) == ["a", ""]
