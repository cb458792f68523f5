"""What the selection neuron does to a set, the paper's first figure."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import SelectionEffectDisplay
from unfis.plots.sets import selected_membership


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


def test_the_selection_of_a_rule_is_marked(net, legend_labels):
    name, own = net.rules_.inputs[2].name, net.selection_[1, 2]
    display = SelectionEffectDisplay.from_estimator(net, 2, name)
    index = legend_labels(display.ax_).index(f"{own:.3g} (in this rule)")
    points, degrees = display.lines_[index].get_data()
    expected = selected_membership(points, net.centres_[1, 2], net.widths_[1, 2], own)
    np.testing.assert_allclose(degrees, expected)
    assert len(display.lines_) == 7
    assert display.lines_[index].get_linewidth() == 3
    assert display.ax_.get_title() == "Rule 2"


def test_a_selection_that_is_drawn_anyway_is_drawn_once(legend_labels):
    display = SelectionEffectDisplay(own=0.5).plot()
    assert legend_labels(display.ax_)[2] == "0.5 (in this rule)"
    assert len(display.lines_) == 6


def test_the_axes_given_are_used(net):
    figure, ax = plt.subplots()
    display = SelectionEffectDisplay.from_estimator(net, 1, "petal length (cm)", ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_what_is_not_there_is_refused(net, crossed):
    make = SelectionEffectDisplay.from_estimator
    with pytest.raises(ValueError, match=r"input must be one of 'sepal length .*; got 'nose'"):
        make(net, 1, "nose")
    for rule in (0, 3, "1"):
        with pytest.raises(ValueError, match="rule must be from 1 to 2, got"):
            make(net, rule, "petal width (cm)")
    with pytest.raises(TypeError, match="must be a fitted UNFISNetworkClassifier, got"):
        make(crossed, 1, "petal width (cm)")


@pytest.mark.parametrize("name", ["kind", "wild"])
def test_categories_are_refused(mixed_net, name):
    with pytest.raises(ValueError, match=f"must be a number, got '{name}', a category"):
        SelectionEffectDisplay.from_estimator(mixed_net, 1, name)


def test_numbers_out_of_range_are_refused():
    with pytest.raises(ValueError, match="width must be above 0, got 0"):
        SelectionEffectDisplay(width=0)
    with pytest.raises(ValueError, match="selections must be from 0 to 1, got 2"):
        SelectionEffectDisplay(selections=[0.5, 2])
    with pytest.raises(ValueError, match=r"selections must be from 0 to 1, got -0\.1"):
        SelectionEffectDisplay(own=-0.1)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful_net, draws):
    for item in hurtful_net.inputs_:
        texts = draws(SelectionEffectDisplay.from_estimator(hurtful_net, 1, item.name).figure_)
        assert all(len(text) <= 52 for text in texts)
