"""Rows as they are drawn."""

import datetime

import numpy as np
import polars as pl
import pytest
from matplotlib import pyplot as plt

from unfis.plots.rows import MOST_DRAWN, InputAxis, class_codes, draw_rows, rows_read


def rows_of(net, X, y):
    return rows_read(net.model_.columns.values, net.classes_.tolist(), X, y)


def test_rows_are_the_same_from_every_table(net, iris):
    X, y = iris
    for table in (X, X.to_numpy(), pl.DataFrame(X.to_numpy(), list(X))):
        rows = rows_of(net, table, y)
        np.testing.assert_array_equal(rows.values, X.to_numpy())
        np.testing.assert_array_equal(net.classes_[rows.codes], y)


def test_labels_without_rows_are_refused(net, iris):
    with pytest.raises(ValueError, match="y was given without X"):
        rows_of(net, None, iris[1])
    assert rows_of(net, iris[0], None).codes is None
    assert rows_of(net, None, None) is None


def test_many_rows_are_drawn_by_a_sample(net, iris):
    X, y = np.repeat(iris[0].to_numpy(), 20, axis=0), np.repeat(iris[1], 20)
    rows = rows_of(net, X, y)
    assert len(rows.values) == len(rows.codes) == MOST_DRAWN
    np.testing.assert_array_equal(rows.values, rows_of(net, X, y).values)


def test_labels_are_known_by_value_or_text():
    day = datetime.date(2020, 1, 1)
    assert class_codes([0, 1], [1.0, 0.0], 2).tolist() == [1, 0]
    assert class_codes([False, True], np.array([True, False]), 2).tolist() == [1, 0]
    assert class_codes(["2020-01-01", "b"], np.array([day, "b"], dtype=object), 2).tolist() == [
        0,
        1,
    ]


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="y must hold classes of the model, 'a', 'b', got 'c'"):
        class_codes(["a", "b"], ["a", "c"], 2)
    with pytest.raises(ValueError, match="a label for each of the 3 rows of X, got 2"):
        class_codes(["a", "b"], ["a", "b"], 3)


def test_rows_lie_beneath_the_set_in_lanes_of_their_class():
    axis = InputAxis("x", (), (0.0, 1.0), np.array([0.1, 0.9, np.nan, 0.5]))
    _, ax = plt.subplots()
    draw_rows(ax, axis, np.array([0, 1, 0, 1]), 2)
    first, second = ax.get_lines()[1:]
    assert first.get_xdata().tolist() == [0.1]
    assert second.get_xdata().tolist() == [0.9, 0.5]
    assert 0 > first.get_ydata().min() > second.get_ydata().max() > ax.get_ylim()[0]
    assert first.get_marker() != second.get_marker()


def test_rows_without_classes_are_in_one_lane():
    axis = InputAxis("x", (), (0.0, 1.0), np.array([0.1, 0.9]))
    _, ax = plt.subplots()
    draw_rows(ax, axis, None, 3)
    assert ax.get_lines()[1].get_xdata().tolist() == [0.1, 0.9]


def test_rows_of_categories_stay_near_their_category():
    axis = InputAxis("x", ("a", "b"), (-0.6, 1.4), np.repeat([0.0, 1.0], 50))
    _, ax = plt.subplots()
    draw_rows(ax, axis, None, 2)
    np.testing.assert_array_equal(np.round(ax.get_lines()[1].get_xdata()), axis.values)
