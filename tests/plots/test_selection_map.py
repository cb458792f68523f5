from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import SelectionDisplay


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


def test_the_map_of_a_network(net, iris):
    display = SelectionDisplay.from_estimator(net)
    np.testing.assert_array_equal(display.in_condition, net.selection_)
    assert display.input_names == list(iris[0].columns)
    assert display.rule_names == ["Rule 1", "Rule 2"]
