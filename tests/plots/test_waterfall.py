from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import WaterfallDisplay


def bars(display):
    return [(round(bar.get_x(), 6), round(bar.get_width(), 6)) for bar in display.bars_]


def tick_labels(display):
    return [label.get_text() for label in display.ax_.get_yticklabels()]


def test_each_bar_begins_where_the_last_ended():
    display = WaterfallDisplay(["a", "b", "c"], [1.5, -2.0, 0.25], 0.5, "before").plot()
    assert bars(display) == [(0, 0.5), (0.5, 1.5), (2, -2), (0, 0.25), (0, 0.25)]
    assert display.total == pytest.approx(0.25)
    assert tick_labels(display) == ["before", "a", "b", "c", "total"]
    texts = [text.get_text() for text in display.ax_.texts]
    assert texts == ["0.50", "+1.50", "−2.00", "+0.25", "0.25"]


def test_signs_differ_in_colour_and_hatching():
    display = WaterfallDisplay(["a", "b"], [1.0, -2.0]).plot()
    up, down = display.bars_[1:3]
    assert up.get_facecolor() != down.get_facecolor()
    assert (up.get_hatch(), down.get_hatch()) == (None, "///")


def test_figures_lie_within_the_axes():
    display = WaterfallDisplay(["a", "b"], [4.0, -9.0], -2.0).plot()
    display.figure_.canvas.draw()
    inside = display.ax_.get_window_extent()
    for text in display.ax_.texts:
        extent = text.get_window_extent()
        assert inside.x0 <= extent.x0
        assert extent.x1 <= inside.x1


def test_an_explanation_is_drawn():
    explanation = SimpleNamespace(
        inputs=[SimpleNamespace(label="a = 1", share=1.0), SimpleNamespace(label="b", share=-3.0)],
        start=0.5,
        quantity="probability",
        prediction="yes",
        title="yes rather than no",
    )
    display = WaterfallDisplay.from_explanation(explanation)
    assert display.ax_.get_title() == "yes rather than no"
    assert tick_labels(display) == ["with nothing known", "a = 1", "b", "total"]
    assert bars(display)[-1] == (0, -1.5)


def test_the_smallest_of_many_shares_are_one():
    shares = np.arange(1.0, 41.0)
    display = WaterfallDisplay([f"x{i}" for i in range(40)], shares).plot()
    assert tick_labels(display)[:2] == ["start", "x21"]
    assert tick_labels(display)[-2:] == ["21 others", "total"]
    assert bars(display)[-2][1] == shares[:21].sum()
    assert bars(display)[-1] == (0, shares.sum())


def test_no_shares_are_start_and_total():
    assert bars(WaterfallDisplay([], [], 1.0).plot()) == [(0, 1), (0, 1)]


def test_the_axes_given_are_used():
    figure, ax = plt.subplots()
    display = WaterfallDisplay(["a"], [1.0]).plot(ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_shares_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="must be equally many, got 1 and 2"):
        WaterfallDisplay(["a"], [1.0, 2.0])
    with pytest.raises(ValueError, match="must be finite"):
        WaterfallDisplay(["a"], [np.nan])


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, draws):
    names = [variable.name for variable in hurtful.rules_.variables]
    display = WaterfallDisplay(names, [1.0] * 4, title=names[1] * 9, xlabel=names[1]).plot()
    texts = draws(display.figure_)
    assert all(len(text) < 130 for text in texts)
    assert r"\$\frac_ and \$ one_more" in texts
