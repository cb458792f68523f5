import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots.panels import InputAxis, draw_panel, draw_rows, fuzzy_set, input_axis


def test_a_number_holds_in_its_interval(decisive):
    for rule in decisive.rules_:
        for condition in rule.conditions:
            variable = next(v for v in decisive.rules_.variables if v.name == condition.input)
            drawn = fuzzy_set(rule, input_axis(variable, None))
            held = drawn.points[drawn.held]
            low, high = condition.interval
            step = 0.01 * (variable.highest - variable.lowest)
            assert held[0] == pytest.approx(variable.lowest if low is None else low, abs=step)
            assert held[-1] == pytest.approx(variable.highest if high is None else high, abs=step)


def test_categories_have_their_degrees(mixed):
    condition = mixed.rules_[0].conditions[1]
    drawn = fuzzy_set(mixed.rules_[0], input_axis(mixed.rules_.variables[1], None))
    assert drawn.degrees.tolist() == list(condition.degrees)
    assert drawn.points.tolist() == [0, 1, 2]
    accepted = [c in condition.accepted for c in mixed.rules_.variables[1].categories]
    assert drawn.held.tolist() == accepted


def test_many_categories_are_not_all_named(draws):
    axis = InputAxis("x", tuple(f"category {i}" for i in range(50)), (-0.6, 49.4), None)
    figure, ax = plt.subplots()
    draw_panel(ax, axis, None)
    assert len(ax.get_xticks()) == 10
    assert "not in IF" in draws(figure)


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
