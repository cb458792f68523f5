"""The curves of the page: where their points lie, and what is told of them."""

import re

import numpy as np
import pytest
from page_words import words_of
from rare_tables import rare_model
from unfis.app.report.pictures import CHART

from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.curves import MOST_POINTS, class_curves, thinned, threshold_words
from unfis.app.report.headline import judged_rows


def curves(clf, X, y):
    answers = answers_of(clf, X, y)
    return class_curves(answers, judged_rows(answers, None))


def shares_at(point):
    """The shares of a point of a chart from 0 to 1."""
    x = (point[0] - CHART["left"]) / (CHART["right"] - CHART["left"])
    return x, (CHART["bottom"] - point[1]) / (CHART["bottom"] - CHART["top"])


def test_two_classes_have_the_curves_of_the_rarer_with_the_operating_point():
    clf, X, y = rare_model()
    dear = clf.deciding(costs={"yes": 12})
    (one,) = curves(dear, X, y)
    assert one["name"] == "yes"
    answered, positive = dear.predict(X) == "yes", y == "yes"
    found, alarms = answered[positive].mean(), answered[~positive].mean()
    roc, precision, gain = one["curves"]
    assert shares_at(roc["point"]) == pytest.approx((alarms, found), abs=1e-3)
    assert shares_at(precision["point"]) == pytest.approx(
        (found, positive[answered].mean()), abs=1e-3
    )
    assert shares_at(gain["point"]) == pytest.approx((answered.mean(), found), abs=1e-3)
    assert one["calibration"]["threshold_words"].startswith("It is answered from 7.7 % on")
    words = words_of(report_html(dear, X, y))
    assert "a missed yes counts as much as 12 false alarms" in words
    for sentence in (*one["calibration"]["sentences"], roc["words"], precision["words"]):
        assert sentence in words


def test_the_point_moves_with_the_threshold_and_the_curve_does_not():
    clf, X, y = rare_model()
    (plain,), (moved,) = curves(clf, X, y), curves(clf.deciding(threshold={"yes": 0.05}), X, y)
    for before, after in zip(plain["curves"], moved["curves"], strict=True):
        assert before["line"] == after["line"]
        assert before["point"] != after["point"]


def test_a_class_that_is_never_answered():
    clf, X, y = rare_model()
    (one,) = curves(clf.deciding(threshold={"yes": 0.9999}), X, y)
    assert one["curves"][1]["point"] is None
    assert one["curves"][1]["words"] == "It is never the answer, so there is no point."
    assert one["calibration"]["threshold_words"].endswith("beyond this chart.")


def test_several_classes_each_against_the_rest_the_rarest_open(model):
    clf, X, y = model("iris", "soft")
    rows = np.r_[0:50, 50:100, 100:120]
    order = np.argsort(y, kind="stable")[rows]
    X, y = X.iloc[order], np.asarray(y)[order]
    found = curves(clf, X, y)
    assert [one["name"] for one in found] == ["virginica", "setosa", "versicolor"]
    page = report_html(clf, X, y)
    assert page.count("<h4>ROC</h4>") == 3
    assert re.search(r"<details open><summary>virginica against the rest", page)


def test_rows_of_one_class_have_no_curves(model):
    clf, X, y = model("iris", "soft")
    rows = np.asarray(y) == "setosa"
    page = report_html(clf, X[rows], np.asarray(y)[rows])
    assert "<h4>ROC</h4>" not in page


@pytest.mark.parametrize(
    ("threshold", "told"), [(0.5, "50 %"), (1 / 11, "9.1 %"), (0.002, "0.20 %")]
)
def test_thresholds_have_two_digits(threshold, told):
    assert threshold_words(threshold, True) == f"It is answered from {told} on, the dashed line."


def test_long_curves_are_thinned_between_their_ends():
    x = np.linspace(0, 1, 5000)
    few = np.array(thinned(x, x > 0.5))
    assert 100 < len(few) <= MOST_POINTS
    assert (few[0, 0], few[-1, 0]) == (0, 1)
    np.testing.assert_array_equal(few[:, 1], few[:, 0] > 0.5)
    assert thinned(x[:3], x[:3]) == [(one, one) for one in x[:3]]
