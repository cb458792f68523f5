from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis import UNFISNetworkClassifier
from unfis.plots import SelectionDisplay, SelectionEffectDisplay
from unfis.plots.sources import selected_membership


def test_the_map_is_the_selection(soft):
    """The paper's one selection is for IF and THEN."""
    display = SelectionDisplay.from_estimator(soft)
    expected = [[condition.selection for condition in rule.conditions] for rule in soft.rules_]
    np.testing.assert_array_equal(display.in_condition, expected)
    np.testing.assert_array_equal(display.in_consequent, expected)
    image = display.image_.get_array()
    np.testing.assert_array_equal(image[:, ::2], np.transpose(expected))
    np.testing.assert_array_equal(image[:, 1::2], np.transpose(expected))
    assert display.image_.get_clim() == (0, 1)
    assert display.colorbar_.ax.get_ylabel() == "selection ς"


def test_if_and_then_are_shown_apart(crossed):
    display = SelectionDisplay.from_estimator(crossed)
    assert display.input_names == ["east (km)", "north (km)"]
    for part, shown in (("conditions", display.in_condition), ("effects", display.in_consequent)):
        names = [{item.input for item in getattr(rule, part)} for rule in crossed.rules_]
        expected = [[name in inside for name in display.input_names] for inside in names]
        np.testing.assert_array_equal(shown, expected)
    assert not np.array_equal(display.in_condition, display.in_consequent)
    below = [label.get_text() for label in display.ax_.get_xticklabels(minor=True)]
    assert below == ["IF", "THEN"] * len(crossed.rules_)


def test_a_scorecard_has_its_inputs_in_then(scorecard):
    display = SelectionDisplay.from_estimator(scorecard)
    assert display.input_names == [effect.input for effect in scorecard.rules_[0].effects]
    assert not display.in_condition.any()
    assert display.in_consequent.all()
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["Rule 1: by points"]


def test_inputs_that_no_rule_uses_are_left_out(decisive, iris):
    display = SelectionDisplay.from_estimator(decisive)
    used = decisive.selected_.any(axis=0)
    assert display.input_names == iris[0].columns[used].tolist()
    np.testing.assert_array_equal(display.in_condition, decisive.selected_[:, used])
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == display.input_names


def test_all_inputs_can_be_shown(decisive):
    display = SelectionDisplay.from_estimator(decisive, all_inputs=True)
    np.testing.assert_array_equal(display.in_condition, decisive.selected_)


def test_values_are_written_into_few_cells():
    display = SelectionDisplay([[0, 0.001]], [[0.504, 1]], ["a"], list("xy")).plot()
    assert [text.get_text() for text in display.ax_.texts] == ["0", "0.5", "<.01", "1"]
    many = np.ones((2, 16))
    assert not SelectionDisplay(many, many, ["a", "b"], ["x"] * 16).plot().ax_.texts


def test_a_hundred_inputs_are_drawn(draws):
    cells, names = np.ones((2, 100)), [f"x{i}" for i in range(100)]
    display = SelectionDisplay(cells, cells, ["a", "b"], names).plot()
    assert "x99" in draws(display.figure_)


def test_the_axes_given_are_used(soft):
    figure, ax = plt.subplots()
    display = SelectionDisplay.from_estimator(soft, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_shapes_that_do_not_fit_are_refused():
    told = r"got the shape \(1, 2\) for 1 and 1 names"
    with pytest.raises(ValueError, match=rf"in_condition must have a row .*, {told}"):
        SelectionDisplay([[0, 1]], [[0]], ["a"], ["x"])
    with pytest.raises(ValueError, match=rf"in_consequent must have a row .*, {told}"):
        SelectionDisplay([[0]], [[0, 1]], ["a"], ["x"])


def test_rules_without_conditions_are_refused(decisive):
    base = decisive.rules_
    bare = replace(base, rules=tuple(replace(rule, conditions=()) for rule in base.rules))
    with pytest.raises(ValueError, match=r"No rule uses any input\. Give all_inputs=True"):
        SelectionDisplay.from_estimator(bare)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, draws):
    texts = draws(SelectionDisplay.from_estimator(hurtful).figure_)
    assert r"\$\frac_ and \$ one_more" in texts
    assert all(len(text) < 50 for text in texts)


def test_each_selection_has_its_curve(legend_labels, beside_data):
    display = SelectionEffectDisplay(2.0, 0.5, name="height (m)").plot()
    assert legend_labels(display.ax_) == ["1", "0.8", "0.5", "0.2", "0.05", "0"]
    for line, selection in zip(display.lines_, display.selections, strict=True):
        points, degrees = line.get_data()
        np.testing.assert_allclose(degrees, selected_membership(points, 2.0, 0.5, selection))
        assert (points.min(), points.max()) == (0, 4)
    assert display.ax_.get_xlabel() == "height (m)"
    assert len({(line.get_color(), line.get_linestyle()) for line in display.lines_}) == 6
    beside_data(display.ax_)


def test_the_selection_of_a_rule_is_marked(soft, legend_labels):
    condition = soft.rules_[1].conditions[2]
    display = SelectionEffectDisplay.from_estimator(soft, 2, condition.input)
    index = legend_labels(display.ax_).index(f"{condition.selection:.3g} (in this rule)")
    points, degrees = display.lines_[index].get_data()
    expected = selected_membership(points, condition.centre, condition.width, condition.selection)
    np.testing.assert_allclose(degrees, expected)
    assert len(display.lines_) == 7
    assert display.lines_[index].get_linewidth() == 3
    assert display.ax_.get_title() == f"Rule 2: {soft.rules_[1].label}"


def test_a_selection_that_is_drawn_anyway_is_drawn_once(decisive, legend_labels):
    display = SelectionEffectDisplay.from_estimator(decisive, 1, "petal length (cm)")
    assert legend_labels(display.ax_)[0] == "1 (in this rule)"
    assert len(display.lines_) == 6


def test_the_axes_given_are_used_for_an_effect(decisive):
    figure, ax = plt.subplots()
    display = SelectionEffectDisplay.from_estimator(decisive, 1, "petal length (cm)", ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_an_input_that_is_not_in_the_if_is_refused(decisive, scorecard):
    told = r"'sepal length \(cm\)' in its IF\. The inputs in its IF: 'petal length \(cm\)'"
    with pytest.raises(ValueError, match=told):
        SelectionEffectDisplay.from_estimator(decisive, 1, "sepal length (cm)")
    told = r"in its IF and counts it in its THEN, where it has no set\. .* IF: none"
    with pytest.raises(ValueError, match=told):
        SelectionEffectDisplay.from_estimator(scorecard, 1, "petal width (cm)")


@pytest.mark.parametrize(("name", "kind"), [("kind", "category"), ("wild", "boolean")])
def test_categories_are_refused(mixed, name, kind):
    with pytest.raises(ValueError, match=f"'{name}' must be a number, got a {kind}"):
        SelectionEffectDisplay.from_estimator(mixed, 1, name)


def test_numbers_out_of_range_are_refused():
    with pytest.raises(ValueError, match="width must be above 0, got 0"):
        SelectionEffectDisplay(width=0)
    with pytest.raises(ValueError, match="selections must be from 0 to 1, got 2"):
        SelectionEffectDisplay(selections=[0.5, 2])
    with pytest.raises(ValueError, match=r"selections must be from 0 to 1, got -0\.1"):
        SelectionEffectDisplay(own=-0.1)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_of_an_effect_are_drawn_as_they_are(hurtful, draws):
    for variable in hurtful.rules_.variables:
        texts = draws(SelectionEffectDisplay.from_estimator(hurtful, 1, variable.name).figure_)
        assert all(len(text) <= 52 for text in texts)


def test_the_map_of_a_network(iris):
    net = UNFISNetworkClassifier(2, ridge=0.15).fit(*iris)
    display = SelectionDisplay.from_estimator(net)
    np.testing.assert_array_equal(display.in_condition, net.selection_)
    assert display.input_names == list(iris[0].columns)
    assert display.rule_names == ["Rule 1", "Rule 2"]
    with pytest.raises(TypeError, match="networks are drawn by NetworkDisplay and SelectionDisp"):
        SelectionEffectDisplay.from_estimator(net, 1, display.input_names[0])
