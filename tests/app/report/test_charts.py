"""The charts of the page: where their points lie, and what is written below them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_words import words_of
from report_models import fitted

from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.charts import BOTTOM, LEFT, MOST_POINTS, RIGHT, TOP, round_ticks, thinned
from unfis.app.report.curves import class_curves, number_charts, path_chart, threshold_words
from unfis.app.report.headline import judged_rows
from unfis.app.report.rules import curve_groups

FINITE = st.floats(-1e12, 1e12)


def curves(clf, X, y):
    answers = answers_of(clf, X, y)
    return class_curves(answers, judged_rows(answers, None))


def point_of(chart):
    """The shares of the point of the answers."""
    (_, x, y, _), *_ = [dot for dot in chart.dots if dot[0] == "answered"]
    return (x - LEFT) / (RIGHT - LEFT), (BOTTOM - y) / (BOTTOM - TOP)


@given(FINITE, FINITE)
def test_ticks_are_few_and_round_and_hold_the_range(one, other):
    low, high = sorted([one, other])
    ticks = round_ticks(low, high)
    assert 1 < len(ticks) <= 8 or low == high
    slack = 1e-9 * max(abs(low), abs(high), 1.0)
    assert ticks[0] <= low + slack
    assert ticks[-1] >= high - slack
    assert ticks == sorted(ticks)


def test_two_classes_have_the_curves_of_the_rarer_with_the_operating_point():
    clf, _, (X, y) = fitted("rare")
    dear = clf.with_decision(costs={"yes": 12})
    (one,) = curves(dear, X, y)
    assert one["name"] == "yes"
    answered, positive = dear.predict(X) == "yes", y == "yes"
    found, alarms = answered[positive].mean(), answered[~positive].mean()
    roc, precision, gain, calibration = one["charts"]
    assert point_of(roc) == pytest.approx((alarms, found), abs=1e-3)
    assert point_of(precision) == pytest.approx((found, positive[answered].mean()), abs=1e-3)
    assert point_of(gain) == pytest.approx((answered.mean(), found), abs=1e-3)
    assert calibration.words.startswith("The answer is yes from 7.7 % on")
    words = words_of(report_html(dear, X, y))
    for sentence in (*one["sentences"], roc.words, precision.words, calibration.words):
        assert sentence in words


def test_the_point_moves_with_the_threshold_and_the_curve_does_not():
    clf, _, (X, y) = fitted("rare")
    (plain,), (moved,) = curves(clf, X, y), curves(clf.with_decision(threshold=0.05), X, y)
    for before, after in zip(plain["charts"][:3], moved["charts"][:3], strict=True):
        assert before.lines[1] == after.lines[1]
        assert before.dots != after.dots


def test_a_class_that_is_never_answered():
    clf, _, (X, y) = fitted("rare")
    (one,) = curves(clf.with_decision(threshold=0.9999), X, y)
    assert not one["charts"][1].dots
    assert one["charts"][1].words == "It is never the answer, so there is no point."
    assert one["charts"][3].words.endswith("beyond this chart.")


def test_several_classes_each_against_the_rest_the_rarest_first():
    clf, _, (X, y) = fitted("iris")
    rows = np.argsort(y, kind="stable")[:60]
    found = curves(clf, X.iloc[rows], y[rows])
    assert [one["name"] for one in found] == ["virginica", "setosa", "versicolor"]
    page = report_html(clf, X.iloc[rows], y[rows])
    assert page.count("<h4>ROC</h4>") == 3
    only = y == "setosa"
    assert "<h4>ROC</h4>" not in report_html(clf, X[only], y[only])


@pytest.mark.parametrize(
    ("threshold", "words"), [(0.5, "50 %"), (1 / 11, "9.1 %"), (0.002, "0.20 %")]
)
def test_thresholds_have_two_digits(threshold, words):
    expected = f"The answer is ill from {words} on, the dashed line."
    assert threshold_words("ill", threshold, True) == expected


def test_long_curves_are_thinned_between_their_ends():
    x = np.linspace(0, 1, 5000)
    few = np.array(thinned(x, x > 0.5))
    assert 100 < len(few) <= MOST_POINTS
    assert (few[0, 0], few[-1, 0]) == (0, 1)
    np.testing.assert_array_equal(few[:, 1], few[:, 0] > 0.5)
    assert thinned(x[:3], x[:3]) == [(one, one) for one in x[:3]]


def test_the_path_is_measured_on_these_rows_or_in_the_folds():
    model, learned, (X, y) = fitted("diabetes")
    answers = answers_of(model, X, y)
    path = path_chart(answers, judged_rows(answers, None))
    for length, rmse, _ in path["rows"]:
        expected = np.sqrt(np.mean((y - model.at(length).predict(X)) ** 2))
        assert float(rmse) == pytest.approx(expected, rel=0.01)
    answers = answers_of(model, *learned)
    folds = path_chart(answers, judged_rows(answers, None))
    assert folds["where"].startswith("in cross-validation")
    # Folds know less than the model that has seen the rows.
    in_sample = np.sqrt(np.mean((learned[1] - model.predict(learned[0])) ** 2))
    assert float(folds["rows"][model.model_.length][1]) > in_sample
    assert path_chart(answers_of(model.edit(drop=[0]), X, y), None) is None


def test_numbers_are_drawn_against_what_was_predicted():
    model, _, (X, y) = fitted("diabetes")
    answers = answers_of(model, X, y)
    both, errors = number_charts(answers, judged_rows(answers, None))
    assert sum(kind == "dot pale" for kind, *_ in both.dots) == len(y)
    hidden = answers_of(model, X, y, show_rows=False)
    both, _ = number_charts(hidden, judged_rows(hidden, None))
    assert {kind for kind, *_ in both.dots} == {"answered"}
    low, high = np.quantile(y - model.predict(X), [0.05, 0.95])
    assert f"between {float(f'{low:.3g}'):g} and {float(f'{high:.3g}'):g}" in errors.words


def test_steps_of_a_curve_look_like_steps():
    clf, _, (X, y) = fitted("clinic")
    sharp = clf.edit(conditions={0: {"age (years)": [40, None]}}, write=[])
    cards = [card for group in curve_groups(answers_of(sharp, X, y)) for card in group["curves"]]
    (age,) = [card for card in cards if card["name"] == "age (years)"]
    (path,) = [path for kind, path in age["chart"].lines if kind.startswith("path")]
    places = [tuple(map(float, place.split())) for place in path[1:].split("L")]
    assert any(abs(one[0] - two[0]) < 0.01 for one, two in pairwise(places))


def test_few_classes_share_charts_and_many_have_their_own():
    clf, _, (X, y) = fitted("iris")
    assert [group["name"] for group in curve_groups(answers_of(clf, X, y))] == [""]
    clf, _, (X, y) = fitted("twelve")
    groups = curve_groups(answers_of(clf, X, y))
    assert {group["name"] for group in groups} <= set(clf.classes_)
    assert len(groups) > 4
