from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression

from unfis import UNFISClassifier
from unfis.plots.rows import MOST_DRAWN
from unfis.plots.sources import (
    condition_curve,
    input_index,
    known_range,
    rows_of,
    rule_base_of,
    rule_numbered,
)
from unfis.rules import Condition


def test_estimators_and_rule_bases_are_read(decisive):
    assert rule_base_of(decisive) is decisive.rules_
    assert rule_base_of(decisive.rules_) is decisive.rules_


def test_an_estimator_that_is_not_fitted_says_so():
    with pytest.raises(NotFittedError):
        rule_base_of(UNFISClassifier())


def test_another_estimator_is_refused():
    with pytest.raises(TypeError, match="got an object of type LogisticRegression"):
        rule_base_of(LogisticRegression())


@pytest.mark.parametrize("number", [0, 4, -1, 1.0, True, "1", None])
def test_rules_are_counted_from_one(decisive, number):
    with pytest.raises(ValueError, match="number from 1 to 3, as in the text"):
        rule_numbered(decisive.rules_, number)


def test_a_rule_is_found_by_its_number(decisive):
    assert rule_numbered(decisive.rules_, 2) is decisive.rules_[1]
    assert rule_numbered(decisive.rules_, np.int64(1)) is decisive.rules_[0]


def test_an_unknown_input_is_refused(decisive):
    with pytest.raises(ValueError, match=r"one of 'sepal length \(cm\)'.*; got 'height'"):
        input_index(decisive.rules_, "height")


def test_rows_are_the_same_from_every_table(decisive, iris):
    X, y = iris
    tables = X, X.to_numpy(), pl.DataFrame(X.to_numpy(), list(X)), X.iloc[:, ::-1]
    for table in tables:
        rows = rows_of(decisive.rules_, table, y)
        np.testing.assert_array_equal(rows.values, X.to_numpy())
        np.testing.assert_array_equal(decisive.classes_[rows.codes], y)


def test_labels_without_rows_are_refused(decisive, iris):
    with pytest.raises(ValueError, match="y was given without X"):
        rows_of(decisive.rules_, None, iris[1])


def test_rows_without_labels_have_no_classes(decisive, iris):
    assert rows_of(decisive.rules_, iris[0], None).codes is None
    assert rows_of(decisive.rules_, None, None) is None


def test_many_rows_are_drawn_by_a_sample(decisive, iris):
    X, y = np.repeat(iris[0].to_numpy(), 20, axis=0), np.repeat(iris[1], 20)
    rows = rows_of(decisive.rules_, X, y)
    assert len(rows.values) == len(rows.codes) == MOST_DRAWN
    np.testing.assert_array_equal(rows.values, rows_of(decisive.rules_, X, y).values)


def test_the_range_holds_training_and_rows_given():
    variable = SimpleNamespace(lowest=1.0, highest=2.0)
    assert known_range(variable, None) == (1, 2)
    assert known_range(variable, np.array([np.nan, 3.0])) == (1, 3)
    constant = SimpleNamespace(lowest=1.0, highest=1.0)
    assert known_range(constant, None) == (0.5, 1.5)


@pytest.mark.parametrize(
    ("reach", "wholly"),
    [
        ((0.0, None), lambda x: x >= 5),
        ((None, 0.0), lambda x: x <= 5),
        ((1, 2), lambda x: (x >= 4) & (x <= 7)),
    ],
)
def test_the_curve_of_a_given_range_is_flat_within_it(reach, wholly):
    condition = Condition("dose", "number", 1.0, 5.0, 0.5, 0.0, reach=reach)
    points, degrees = condition_curve(condition, 0.0, 10.0)
    np.testing.assert_array_equal(degrees == 1, wholly(points))
    assert points[[0, -1]].tolist() == [0, 10]
    assert (np.diff(points) > 0).all()
    # Dense where it falls, which is where it is neither.
    assert ((degrees > 0.1) & (degrees < 0.9)).sum() > 20
