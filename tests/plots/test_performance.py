import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve

from unfis.evaluation.calibration import tenths
from unfis.evaluation.curves import curves_of
from unfis.plots import PerformanceDisplay

KINDS = ("roc", "precision-recall", "gain")


@pytest.fixture(scope="session")
def crossed_half(crossed_table):
    X, y = crossed_table
    return X.iloc[::2], y[::2]


@pytest.mark.parametrize("kind", KINDS)
def test_curves_have_the_point_of_the_answers(crossed, crossed_half, kind, draws):
    X, y = crossed_half
    display = PerformanceDisplay.from_estimator(crossed, X, y, kind=kind, label="apart")
    scores = crossed.predict_proba(X)[:, 0]
    expected = curves_of(y == "apart", scores, crossed.predict(X) == "apart")[kind]
    np.testing.assert_array_equal(display.line_.get_xydata().T, [expected.x, expected.y])
    assert display.point_.get_xydata()[0].tolist() == [rate.value for rate in expected.point]
    assert "what it answers" in draws(display.figure_)
    assert display.ax_.get_title() == "apart against the rest"


def test_costs_move_the_point_and_not_the_curve(crossed, crossed_half):
    X, y = crossed_half
    dear = crossed.with_decision(costs={"apart": 30})
    plain, moved = (
        PerformanceDisplay.from_estimator(one, X, y, label="apart") for one in (crossed, dear)
    )
    np.testing.assert_array_equal(plain.line_.get_xydata(), moved.line_.get_xydata())
    assert (moved.point_.get_xydata() >= plain.point_.get_xydata()).all()
    assert not np.allclose(plain.point_.get_xydata(), moved.point_.get_xydata())


def test_calibration_is_of_tenths(crossed, crossed_half, draws):
    X, y = crossed_half
    display = PerformanceDisplay.from_estimator(crossed, X, y, kind="calibration", label="apart")
    scores = crossed.predict_proba(X)[:, 0]
    expected = [(one.probability, one.rate.value) for one in tenths(y == "apart", scores)]
    np.testing.assert_array_equal(display.line_.get_xydata(), expected)
    assert display.point_.get_xdata()[0] == scores[crossed.predict(X) == "apart"].min()
    draws(display.figure_)


def test_any_classifier_and_the_rarest_class(iris):
    X, y = iris[0].iloc[10:], iris[1][10:]
    model = LogisticRegression(max_iter=1000).fit(X, y)
    display = PerformanceDisplay.from_estimator(model, X, y)
    assert display.label == "setosa"
    two = PerformanceDisplay.from_estimator(model, X, y, label="virginica")
    x, up, _ = roc_curve(y == "virginica", model.predict_proba(X)[:, 2], drop_intermediate=False)
    np.testing.assert_allclose(two.line_.get_xydata().T, [x, up])


def test_what_is_never_answered_has_no_point_on_precision(crossed, crossed_half, draws):
    X, y = crossed_half
    never = crossed.with_decision(threshold=1e-9)
    kind = "precision-recall"
    display = PerformanceDisplay.from_estimator(never, X, y, kind=kind, label="apart")
    assert display.point_ is None
    draws(display.figure_)


def test_wrong_calls_are_refused(crossed, crossed_half):
    X, y = crossed_half
    make = PerformanceDisplay.from_estimator
    with pytest.raises(ValueError, match=r"kind must be one of 'roc', .*, got 'lift'"):
        make(crossed, X, y, kind="lift")
    with pytest.raises(ValueError, match="label names 'near', which is not among"):
        make(crossed, X, y, label="near")
    with pytest.raises(ValueError, match="must have rows of 'apart' and other rows, got 150 rows"):
        make(crossed, X, ["apart"] * len(X))


def test_the_axes_given_are_used(crossed, crossed_half):
    figure, ax = plt.subplots()
    display = PerformanceDisplay.from_estimator(crossed, *crossed_half, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is figure


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, hurtful_table, draws):
    display = PerformanceDisplay.from_estimator(hurtful, *hurtful_table, kind="calibration")
    draws(display.figure_)
