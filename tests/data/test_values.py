import numpy as np
import pandas as pd
import pytest

from unfis.data.values import ValueReader

FRAME = pd.DataFrame(
    {
        "age": [20.0, None, 40.0],
        "colour": ["red", "green", None],
        "smoker": pd.array([True, None, False], dtype="boolean"),
    }
)


def test_values_are_numbers_and_places_of_categories():
    reader = ValueReader.learn(FRAME, list(FRAME), "from_dtype")
    assert reader.kinds == ["number", "category", "boolean"]
    assert reader.categories == [(), ("green", "red"), (False, True)]
    nan = np.nan
    expected = [[20, 1, 1], [nan, 0, nan], [40, nan, 0]]
    np.testing.assert_array_equal(reader.values(FRAME), expected)


def test_a_reader_made_of_plain_data_reads_the_same():
    reader = ValueReader.learn(FRAME, list(FRAME), "from_dtype")
    again = ValueReader(reader.names, reader.kinds, reader.categories)
    np.testing.assert_array_equal(again.values(FRAME), reader.values(FRAME))


def test_a_column_of_which_nothing_is_known_stays_unknown():
    empty = pd.DataFrame({"colour": pd.Series([None, None], dtype="category")})
    reader = ValueReader.learn(empty, ["colour"], "from_dtype")
    assert reader.categories == [()]
    assert np.isnan(reader.values(empty)).all()


def test_a_truth_value_is_true_or_false():
    reader = ValueReader.learn(FRAME, list(FRAME), "from_dtype")
    np.testing.assert_array_equal(reader.values(FRAME.assign(smoker=[1, 0, 1]))[:, 2], [1, 0, 1])
    with pytest.raises(ValueError, match="smoker holds 1000 where True or False was expected"):
        reader.values(FRAME.assign(smoker=[1, 1000, 0]))
