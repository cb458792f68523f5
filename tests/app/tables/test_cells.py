"""What cells are, one by one and as columns."""

import numpy as np
import pandas as pd
import pyarrow as arrow
import pytest

from unfis.app.tables.cells import Column, kind_of, numbers, texts, words
from unfis.data import Notation

POINT, COMMA = Notation("."), Notation(",")


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
    assert kind_of(column(*KINDS[kind]), POINT) == kind


@pytest.mark.parametrize("cell", ["1_000", "12 kg", "1,5", "0x10", "--", "1.2.3", "١٢", "-nan"])
def test_what_is_no_number(cell):
    assert kind_of(column("1", cell), POINT) == "category"
    assert numbers(column("1", cell), POINT)[1].tolist() == [1]


def test_numbers_with_a_decimal_comma():
    values, wrong = numbers(column("1,5", "-2", "3,25e2"), COMMA)
    assert values.tolist() == [1.5, -2.0, 325.0]
    assert not len(wrong)
    values, wrong = numbers(column("1,5", "NA", "1.234"), COMMA)
    assert wrong.tolist() == [2]  # a thousand, or a number of another style: nobody knows
    assert np.isnan(values[1])


def test_a_part_becomes_the_same_as_the_whole():
    generator = np.random.RandomState(0)
    cells = [
        repr(value)
        for value in (generator.normal(size=50) * 10.0 ** generator.randint(-9, 9, 50)).tolist()
    ]
    cells[7] = "NA"
    whole = numbers(column(*cells), POINT)[0]
    parts = [numbers(column(cell), POINT)[0][0] for cell in cells]
    np.testing.assert_array_equal(whole, parts)
    assert whole[3] == float(cells[3])


def test_truth_values():
    values, wrong = numbers(column("yes", "FALSE", "", "1", "0", "maybe"), POINT, "boolean")
    np.testing.assert_array_equal(values, [1, 0, np.nan, 1, 0, np.nan])
    assert wrong.tolist() == [5]


def test_words():
    assert words(column("a", " b ", "NA", ""), POINT).tolist() == ["a", "b", None, None]


def test_words_that_mean_missing_can_be_given():
    given = Notation.of(".", ["None", "-999"])
    assert kind_of(column("none", "", "-999"), given) == "empty"
    assert kind_of(column("NA", "?", "1"), given) == "category"
    np.testing.assert_array_equal(numbers(column("1", "-999", "-"), given)[0][:2], [1, np.nan])
    np.testing.assert_array_equal(numbers(pd.Series([1.0, -999.0]), given)[0], [1, np.nan])
    np.testing.assert_array_equal(
        numbers(column("yes", "no"), Notation.of(".", ["no"]), "boolean")[0][1], np.nan
    )
    assert words(column("NA", "None", "-999"), given).tolist() == ["NA", None, None]


@pytest.mark.parametrize("other", ["1.5", "NA"])
def test_a_number_is_missing_however_it_is_spelled(other):
    notation = Notation.of(".", ["-999", "NA"])
    data = column("-999", "-999.0", "1.5", other)
    assert np.isnan(numbers(data, notation)[0]).tolist() == [True, True, False, other == "NA"]
    assert Column.of("x", data, notation).lost[:2] == ["-999", "-999.0"]
    assert Column.of("x", column("-999", "-999.0", "a"), notation).lost == ["-999"]


def test_beside_plus_a_minus_is_an_answer():
    cells = ["+", "-", "NA"]
    assert words(column(*cells), POINT.among(set(cells))).tolist() == ["+", "-", None]
    assert words(column("-", "1"), POINT.among({"-", "1"})).tolist() == [None, "1"]


def test_numbers_in_a_dictionary_of_text():
    data = pd.Series(pd.Categorical(["1", "?", "2.5", None, "1"]))
    assert kind_of(data, POINT) == "number"
    values, wrong = numbers(data, POINT)
    np.testing.assert_array_equal(values, [1, np.nan, 2.5, np.nan, 1])
    assert not len(wrong)


def test_dates_are_no_numbers():
    dates = pd.Series(pd.to_datetime(["2024-01-01", None]))
    for kind in ("number", "boolean"):
        assert numbers(dates, POINT, kind)[1].tolist() == [0]


@pytest.mark.parametrize("notation", [POINT, COMMA])
def test_a_column_is_the_same_from_a_file_of_text_and_from_a_frame(notation):
    cells = ["1", " 2,5 ", "NA", "1.5", "", "1"]
    read = arrow.chunked_array([cells[:2], cells[2:]])
    for kind in ("number", "boolean"):
        found, expected = numbers(read, notation, kind), numbers(column(*cells), notation, kind)
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1], expected[1])
    assert texts(read) == texts(column(*cells))


def test_typed_columns():
    assert kind_of(pd.Series([1.5, None]), POINT) == "number"
    assert kind_of(pd.Series([True, False]), POINT) == "boolean"
    assert kind_of(pd.Series([True, None], dtype="boolean"), POINT) == "boolean"
    assert kind_of(pd.Series(pd.to_datetime(["2024-01-01"])), POINT) == "date"
    assert kind_of(pd.Series(["1", "2"], dtype="category"), POINT) == "number"
    assert kind_of(pd.Series([np.nan, np.nan]), POINT) == "empty"
    assert texts(pd.Series([1.0, 2.5, None])) == ["1", "2.5", ""]
    assert texts(pd.Series([True, None], dtype="boolean")) == ["True", ""]
    assert texts(pd.Series(["a", None])) == ["a", ""]
