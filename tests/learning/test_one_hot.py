import numpy as np
import pytest

from unfis.learning import one_hot
from unfis.learning.one_hot import OneHotRows, encoded_classes

CODES = np.array([2, 0, 1, 1, 2])


@pytest.mark.parametrize("rows", [slice(None), slice(1, 3), np.array([4, 0])])
def test_targets_made_of_rows_are_the_targets(monkeypatch, rows):
    expected = np.eye(3)[CODES]
    np.testing.assert_array_equal(encoded_classes(CODES, 3), expected)
    monkeypatch.setattr(one_hot, "MOST_TARGETS", 10)
    made = encoded_classes(CODES, 3)
    assert isinstance(made, OneHotRows)
    assert (len(made), made.shape) == (5, expected.shape)
    np.testing.assert_array_equal(made[rows], expected[rows])
    np.testing.assert_array_equal(made.argmax(axis=1), CODES)
