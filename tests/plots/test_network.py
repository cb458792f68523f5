"""The figure of a network: what it draws is what the rules say."""

import numpy as np
import pytest

from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.plots import NetworkDisplay


def test_a_panel_for_each_input_and_a_line_for_each_rule(net, iris, draws, beside_data):
    display = NetworkDisplay.from_estimator(net, *iris)
    assert display.axes_.shape == (1, 4)
    assert [axis.name for axis in display.axes] == list(iris[0].columns)
    for number, panel in enumerate(display.axes_.flat):
        for rule, line in enumerate(panel.get_lines()[:2]):
            expected = net.rules_.memberships(rule, number, line.get_xdata())
            np.testing.assert_allclose(line.get_ydata(), expected)
        selected = ", ".join(f"{degree:.2f}" for degree in net.selection_[:, number])
        assert panel.get_title(loc="right") == f"ς {selected}"
    texts = draws(display.figure_)
    assert {"Rule 1", "Rule 2", *net.classes_} <= set(texts)
    beside_data(display.axes_[0, -1])


def test_rules_and_classes_have_different_colours(net, iris):
    display = NetworkDisplay.from_estimator(net, *iris)
    handles = display.axes_[0, -1].get_legend().legend_handles
    lines = {handle.get_color() for handle in handles[:2]}
    assert lines.isdisjoint(handle.get_markerfacecolor() for handle in handles[2:])


def test_categories_are_drawn_by_their_kinds(mixed_net, mixed_table, draws):
    display = NetworkDisplay.from_estimator(mixed_net, *mixed_table)
    assert display.axes_.shape == (1, 4)
    kinds = display.axes_[0, 1].get_lines()[:3]
    for rule, line in enumerate(kinds):
        assert line.get_linestyle() == "None"
        np.testing.assert_allclose(
            line.get_ydata(), mixed_net.rules_.memberships(rule, 1, range(3))
        )
    assert "oak" in draws(display.figure_)


def test_the_inputs_that_are_named_are_drawn(net):
    display = NetworkDisplay.from_estimator(net, inputs=["petal width (cm)"])
    assert display.axes_.shape == (1, 1)
    assert len(display.axes_[0, 0].get_lines()) == 2  # no rows beneath
    with pytest.raises(ValueError, match=r"inputs must name some of .*; got 'nose'"):
        NetworkDisplay.from_estimator(net, inputs=["nose"])
    with pytest.raises(ValueError, match="inputs must name 1 to 12 inputs, got 0"):
        NetworkDisplay.from_estimator(net, inputs=[])


def test_of_many_inputs_those_are_drawn_that_are_selected_most():
    generator = np.random.RandomState(0)
    X = generator.normal(size=(100, 30))
    net = UNFISNetworkClassifier(2, ridge=1.0).fit(X, X[:, 7] > 0)
    display = NetworkDisplay.from_estimator(net)
    assert display.axes_.shape == (3, 4)
    best = np.argsort(-net.selection_.max(axis=0), kind="stable")[:12]
    assert [axis.name for axis in display.axes] == [f"x{j}" for j in sorted(best)]


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn(hurtful_table, draws):
    net = UNFISNetworkClassifier(2, ridge=0.15).fit(*hurtful_table)
    found = draws(NetworkDisplay.from_estimator(net, *hurtful_table).figure_)
    assert all(len(line) <= 42 for text in found for line in text.split("\n"))


def test_what_cannot_be_drawn(net, iris):
    with pytest.raises(TypeError, match="must be a fitted UNFISNetworkClassifier, got"):
        NetworkDisplay.from_estimator(UNFISClassifier(ridge=0.3).fit(*iris))
    with pytest.raises(ValueError, match="y was given without X"):
        NetworkDisplay.from_estimator(net, y=iris[1])
