import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import SelectionEffectDisplay
from unfis.plots.sources import selected_membership


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
    place = legend_labels(display.ax_).index(f"{condition.selection:.3g} (in this rule)")
    points, degrees = display.lines_[place].get_data()
    expected = selected_membership(points, condition.centre, condition.width, condition.selection)
    np.testing.assert_allclose(degrees, expected)
    assert len(display.lines_) == 7
    assert display.lines_[place].get_linewidth() == 3
    assert display.ax_.get_title() == f"Rule 2: {soft.rules_[1].label}"


def test_a_selection_that_is_drawn_anyway_is_drawn_once(decisive, legend_labels):
    display = SelectionEffectDisplay.from_estimator(decisive, 1, "petal length (cm)")
    assert legend_labels(display.ax_)[0] == "1 (in this rule)"
    assert len(display.lines_) == 6


def test_the_axes_given_are_used(decisive):
    figure, ax = plt.subplots()
    display = SelectionEffectDisplay.from_estimator(decisive, 1, "petal length (cm)", ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_an_input_that_the_rule_does_not_use_is_refused(decisive):
    with pytest.raises(ValueError, match=r"Rule 1 does not use .*; it uses 'petal length \(cm\)'"):
        SelectionEffectDisplay.from_estimator(decisive, 1, "sepal width (cm)")


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
def test_hurtful_names_are_drawn_as_they_are(hurtful, draws):
    for variable in hurtful.rules_.variables:
        texts = draws(SelectionEffectDisplay.from_estimator(hurtful, 1, variable.name).figure_)
        assert all(len(text) <= 52 for text in texts)
