"""RulesDisplay and WaterfallDisplay: a bar for each rule."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.special import expit

from unfis.plots import RuleBar, RulesDisplay, WaterfallDisplay


def bars(display):
    return [(round(bar.get_x(), 9), round(bar.get_width(), 9)) for bar in display.bars_]


def test_rules_are_those_of_the_print(two, words):
    display = RulesDisplay.from_estimator(two)
    rules = two.model_.rules.rules
    assert sorted(width for _, width in bars(display)) == sorted(rule.points for rule in rules)
    assert display.xlabel == "points for low"
    for bar in display.bars:
        assert bar.label in " ".join(two.rules_.split()) or len(bar.label) > 40
        assert bar.evidence.endswith(" rows")
    words(display.figure_)


def test_several_classes_have_titles(three, words):
    display = RulesDisplay.from_estimator(three)
    titles = [bar for bar in display.bars if bar.points is None]
    assert {bar.label.split(",")[0] for bar in titles} <= {"$ a", "b_{", "c"}
    assert len(titles) > 1
    assert len(display.bars) == len(titles) + len(three.model_.rules.rules)
    assert any(text.startswith(r"\$ a, starting at") for text in words(display.figure_))
    bold = [tick.get_fontweight() for tick in display.ax_.get_yticklabels()]
    assert [one == "bold" for one in bold] == [bar.points is None for bar in display.bars]


def test_signs_have_two_colours():
    display = RulesDisplay([RuleBar("a", 1.0), RuleBar("b", -2.0)]).plot()
    up, down = display.bars_
    assert up.get_facecolor() != down.get_facecolor()
    assert [text.get_text() for text in display.ax_.texts if text.get_text()] == ["+1", "−2"]


@pytest.mark.parametrize("width", [3.9, 6.4])
def test_labels_are_apart(width, three, words):
    long = "a name_of_a_" + "very_long_" * 9 + "thing of which there is much to be said " * 3
    made = [RuleBar(f"{long} {n}", float(n), "71 % of 1,290 rows") for n in range(1, 6)]
    for bars_of in (made, RulesDisplay.from_estimator(three).bars):
        display = RulesDisplay(bars_of).plot(width=width)
        words(display.figure_)
        boxes = [tick.get_window_extent() for tick in display.ax_.get_yticklabels()]
        assert all(upper.y0 > lower.y1 for upper, lower in pairwise(boxes))
        assert display.ax_.get_window_extent().width > 80


def test_a_mean_is_the_evidence_of_a_number(regressor):
    display = RulesDisplay.from_estimator(regressor)
    assert display.xlabel == "added to height"
    assert display.bars[0].evidence.startswith("mean ")


def test_a_prediction_goes_from_start_to_sum(two, table, words):
    row = table.iloc[[4]]
    display = WaterfallDisplay.from_estimator(two, row)
    log_odds = two.decision_function(row)[0]
    unit, shift = display.probability
    assert unit * display.total - shift == pytest.approx(log_odds)
    begin = display.start
    for (x, width), added in zip(bars(display), display.contributions, strict=True):
        assert x == pytest.approx(min(begin, begin + added)) or x == pytest.approx(begin)
        assert width == pytest.approx(added)
        begin += added
    assert {"start", "sum", "probability"} <= set(words(display.figure_))


def test_one_of_several_classes(three, table):
    row = table.iloc[[5]]
    shares = three.predict_proba(row)[0]
    for place, label in enumerate(three.classes_):
        display = WaterfallDisplay.from_estimator(three, row, class_of_interest=label)
        unit, shift = display.probability
        assert expit(unit * display.total - shift) == pytest.approx(shares[place])
    answer = WaterfallDisplay.from_estimator(three, row)
    assert three.predict(row)[0].replace("$", "") in answer.title.replace("$", "")


def test_a_number_has_no_probability(regressor, table, words):
    display = WaterfallDisplay.from_estimator(regressor, table.iloc[[0]])
    assert display.probability is None
    assert display.total == pytest.approx(regressor.predict(table.iloc[[0]])[0])
    assert "probability" not in words(display.figure_)


def test_the_model_itself_is_drawn(two, table):
    one, other = (WaterfallDisplay.from_estimator(of, table.iloc[[3]]) for of in (two, two.model_))
    assert one.contributions == other.contributions


@pytest.mark.parametrize("width", [3.9, 6.4])
def test_figures_stay_within_the_axes(width):
    labels = [f"IF a is {n}" for n in range(4)]
    display = WaterfallDisplay(labels, [4.25, -9.5, 1.0, 30.0], -2.0, probability=(0.5, 0.0))
    display.plot(width=width)
    display.figure_.canvas.draw()
    inside = display.ax_.get_window_extent()
    figures = [text for text in display.ax_.texts if text.get_text()]
    assert len(figures) == 6
    for text in figures:
        assert inside.x0 <= text.get_window_extent().x0
        assert text.get_window_extent().x1 <= inside.x1 + 1


def test_the_axes_given_are_used(two):
    figure, ax = plt.subplots()
    display = RulesDisplay.from_estimator(two, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


def test_wrong_use_is_a_sentence(two, table):
    with pytest.raises(ValueError, match="X must have one row, the one to draw; got 2"):
        WaterfallDisplay.from_estimator(two, table[:2])
    with pytest.raises(ValueError, match="class_of_interest must be one of 'high', 'low'; got 'x'"):
        WaterfallDisplay.from_estimator(two, table[:1], class_of_interest="x")
    with pytest.raises(ValueError, match="of two classes, points are for the second"):
        WaterfallDisplay.from_estimator(two, table[:1], class_of_interest="high")
    with pytest.raises(ValueError, match="must be equally many; got 1 and 2"):
        WaterfallDisplay(["a"], [1.0, 2.0])
    with pytest.raises(ValueError, match="The model must have rules to be drawn"):
        RulesDisplay.from_estimator(two.at(0))
    assert np.isfinite(two.model_.rules.start).all()
