import pytest
from matplotlib import pyplot as plt

from unfis.plots.panels import draw_panel, fuzzy_set, input_axis
from unfis.plots.rows import InputAxis


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
