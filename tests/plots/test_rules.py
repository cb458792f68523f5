from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis import UNFISClassifier
from unfis.plots import RulesDisplay
from unfis.plots.rules import InputAxis, draw_panel, draw_rows, fuzzy_set, input_axis
from unfis.plots.sources import selected_membership


def curve(ax):
    return ax.get_lines()[0].get_data()


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_rules_are_rows_and_inputs_columns(decisive, iris):
    display = RulesDisplay.from_estimator(decisive)
    used = decisive.selected_[:, decisive.selected_.any(axis=0)]
    assert display.axes_.shape == used.shape
    for panel, is_used in np.ndenumerate(used):
        assert texts(display.axes_[panel]) == ([] if is_used else ["not used"])
    titles = [ax.get_title(loc="left") for ax in display.axes_[:, 0]]
    assert titles == [
        f"Rule {i}: {rule.label} ({max(rule.probabilities):.0%})"
        for i, rule in enumerate(decisive.rules_, 1)
    ]
    names = [ax.get_xlabel() for ax in display.axes_[-1]]
    assert names == iris[0].columns[decisive.selected_.any(axis=0)].tolist()


def test_curves_are_memberships_over_the_range(soft):
    display = RulesDisplay.from_estimator(soft)
    for i, rule in enumerate(soft.rules_):
        for j, condition in enumerate(rule.conditions):
            points, degrees = curve(display.axes_[i, j])
            shape = condition.centre, condition.width, condition.selection
            np.testing.assert_allclose(degrees, selected_membership(points, *shape))
            variable = soft.rules_.variables[j]
            assert (points[0], points[-1]) == (variable.lowest, variable.highest)


def test_rows_are_drawn_by_class(decisive, iris, legend_labels, beside_data):
    display = RulesDisplay.from_estimator(decisive, *iris)
    labels = ["holds by more\nthan half", "setosa", "versicolor", "virginica"]
    assert legend_labels(display.axes_[0, -1]) == labels
    lanes = display.axes_[1, 0].get_lines()[-3:]
    values = np.concatenate([lane.get_xdata() for lane in lanes])
    assert sorted(values) == sorted(iris[0]["sepal width (cm)"])
    beside_data(display.axes_[0, -1])


def test_rows_are_drawn_without_classes(decisive, iris, legend_labels):
    display = RulesDisplay.from_estimator(decisive, iris[0].to_numpy())
    assert legend_labels(display.axes_[0, -1]) == ["holds by more\nthan half", "rows"]


def test_categories_are_bars(mixed, mixed_table, draws):
    display = RulesDisplay.from_estimator(mixed, *mixed_table, inputs=["kind", "wild"])
    for i, rule in enumerate(mixed.rules_):
        for j, condition in enumerate(rule.conditions[1:3]):
            heights = [bar.get_height() for bar in display.axes_[i, j].containers[0]]
            assert heights == list(condition.degrees)
    ticks = [label.get_text() for label in display.axes_[1, 0].get_xticklabels()]
    assert ticks == ["elm", "fir", "oak"]
    draws(display.figure_)


def test_rules_and_inputs_can_be_chosen(decisive):
    names = ["petal width (cm)", "sepal length (cm)"]
    display = RulesDisplay.from_estimator(decisive, rules=[2], inputs=names)
    assert display.axes_.shape == (1, 2)
    assert [axis.name for axis in display.axes] == names
    assert display.axes_[0, 0].get_title(loc="left").startswith("Rule 2: ")
    assert texts(display.axes_[0, 1]) == ["not used"]


def test_a_rule_alone_has_its_inputs_only(decisive):
    display = RulesDisplay.from_estimator(decisive, rules=[1])
    assert [axis.name for axis in display.axes] == ["petal length (cm)"]


def test_too_many_panels_are_refused(iris):
    wide = np.hstack([iris[0].to_numpy(), iris[0].to_numpy() ** 2])
    model = UNFISClassifier(2, selection="soft", ridge=0.15).fit(wide, iris[1])
    expected = (
        "16 panels, 2 rules by 8 inputs, .* 12 can be .*inputs=.*the inputs used are 'x0', 'x1'"
    )
    with pytest.raises(ValueError, match=expected):
        RulesDisplay.from_estimator(model)
    assert RulesDisplay.from_estimator(model, rules=[1]).axes_.shape == (1, 8)


def test_nothing_to_draw_is_refused(decisive):
    with pytest.raises(ValueError, match="must leave at least one panel"):
        RulesDisplay.from_estimator(decisive, inputs=[])
    bare = replace(decisive.rules_[0], conditions=())
    with pytest.raises(ValueError, match="The inputs used by these rules: none"):
        RulesDisplay.from_estimator(replace(decisive.rules_, rules=(bare,)))


def test_unknown_rules_and_inputs_are_refused(decisive):
    with pytest.raises(ValueError, match="number from 1 to 2"):
        RulesDisplay.from_estimator(decisive, rules=[0])
    with pytest.raises(ValueError, match="got 'height'"):
        RulesDisplay.from_estimator(decisive, inputs=["height"])


def test_the_axes_given_are_divided(decisive, iris, draws):
    figure, (ax, other) = plt.subplots(1, 2, layout="constrained", figsize=(12, 4))
    display = RulesDisplay.from_estimator(decisive, *iris, ax=ax)
    assert display.figure_ is figure
    assert len(figure.axes) == 2 + display.axes_.size
    draws(figure)
    edge = other.get_window_extent().x0
    assert all(panel.get_window_extent().x1 < edge for panel in display.axes_.flat)


def test_an_array_of_axes_is_used(decisive):
    _, axes = plt.subplots(2, 3)
    assert (RulesDisplay.from_estimator(decisive, ax=axes).axes_ == axes).all()


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, hurtful_table, draws):
    found = draws(RulesDisplay.from_estimator(hurtful, *hurtful_table).figure_)
    assert "\\$\\frac_ and \\$ one_\nmore" in found
    assert any(text.startswith(r" _hidden \$a\$") for text in found)
    assert all(len(text) <= 42 for text in found)


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
    assert "not used" in draws(figure)


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
