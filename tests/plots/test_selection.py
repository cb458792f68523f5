from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import SelectionDisplay


def test_the_map_is_the_selection(soft):
    display = SelectionDisplay.from_estimator(soft)
    expected = [[condition.selection for condition in rule.conditions] for rule in soft.rules_]
    np.testing.assert_array_equal(display.selection, expected)
    np.testing.assert_array_equal(display.image_.get_array(), np.transpose(expected))
    assert display.image_.get_clim() == (0, 1)
    assert display.colorbar_.ax.get_ylabel() == "selection ς"


def test_inputs_that_no_rule_uses_are_left_out(decisive, iris):
    display = SelectionDisplay.from_estimator(decisive)
    used = decisive.selected_.any(axis=0)
    assert display.input_names == iris[0].columns[used].tolist()
    np.testing.assert_array_equal(display.selection, decisive.selected_[:, used])
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == display.input_names


def test_all_inputs_can_be_shown(decisive):
    display = SelectionDisplay.from_estimator(decisive, all_inputs=True)
    np.testing.assert_array_equal(display.selection, decisive.selected_)


def test_values_are_written_into_few_cells():
    display = SelectionDisplay([[0, 0.001, 0.504, 1]], ["a"], list("wxyz")).plot()
    assert [text.get_text() for text in display.ax_.texts] == ["0", "<.01", "0.5", "1"]
    many = SelectionDisplay(np.ones((2, 31)), ["a", "b"], ["x"] * 31).plot()
    assert not many.ax_.texts


def test_a_hundred_inputs_are_drawn(draws):
    display = SelectionDisplay(np.ones((2, 100)), ["a", "b"], [f"x{i}" for i in range(100)]).plot()
    assert "x99" in draws(display.figure_)


def test_the_axes_given_are_used(soft):
    figure, ax = plt.subplots()
    display = SelectionDisplay.from_estimator(soft, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"got the shape \(1, 2\) for 1 and 1 names"):
        SelectionDisplay([[0, 1]], ["a"], ["x"])


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
