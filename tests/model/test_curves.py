import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_curve

from unfis.model.curves import (
    MOST_POINTS,
    calibration_tenths,
    cumulative_gain,
    precision_recall,
    roc,
    thinned,
)

POSITIVE = np.array([True, False, True, False, False])
SCORES = np.array([0.9, 0.7, 0.7, 0.2, 0.1])
ANSWERED = SCORES > 0.5


def test_roc_by_hand():
    found = roc(POSITIVE, SCORES, ANSWERED)
    assert found.x == pytest.approx([0, 0, 1 / 3, 2 / 3, 1])
    assert found.y == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.point == pytest.approx((1 / 3, 1))
    assert found.x_interval[0] < 1 / 3 < found.x_interval[1]
    assert found.y_interval[0] < 1


def test_precision_and_recall_by_hand():
    found = precision_recall(POSITIVE, SCORES, ANSWERED)
    assert found.x == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.y == pytest.approx([1, 1, 2 / 3, 0.5, 0.4])
    assert found.point == pytest.approx((1, 2 / 3))
    assert found.baseline == ((0, 0.4), (1, 0.4))
    assert precision_recall(POSITIVE, SCORES, SCORES > 1).point is None


def test_gain_by_hand():
    found = cumulative_gain(POSITIVE, SCORES, ANSWERED)
    assert found.x == pytest.approx([0, 0.2, 0.6, 0.8, 1])
    assert found.y == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.point == pytest.approx((0.6, 1))


def test_points_are_those_of_scikit_learn():
    generator = np.random.RandomState(0)
    positive = generator.rand(150) < 0.3
    scores = np.round(generator.rand(150) + 0.3 * positive, 2)
    x, y, _ = roc_curve(positive, scores, drop_intermediate=False)
    found = roc(positive, scores, scores > 0.8)
    np.testing.assert_allclose([found.x, found.y], [x, y])
    precision, recall, _ = precision_recall_curve(positive, scores)
    found = precision_recall(positive, scores, scores > 0.8)
    np.testing.assert_allclose([found.x[1:], found.y[1:]], [recall[-2::-1], precision[-2::-1]])


def test_the_answers_lie_on_the_curve():
    generator = np.random.RandomState(1)
    positive = generator.rand(500) < 0.1
    scores = generator.rand(500) + positive
    for curve in (roc, precision_recall, cumulative_gain):
        found = curve(positive, scores, scores > 0.9)
        gaps = np.hypot(found.x - found.point[0], found.y - found.point[1])
        assert gaps.min() < 0.02


def test_long_curves_are_thinned_between_their_ends():
    x = np.linspace(0, 1, 5000)
    few_x, few_y = thinned(x, x > 0.5)
    assert 100 < len(few_x) <= MOST_POINTS
    assert (few_x[0], few_x[-1]) == (0, 1)
    np.testing.assert_array_equal(few_y, few_x > 0.5)


def test_tenths_by_hand():
    scores = np.repeat([0.1, 0.4, 0.8], [10, 6, 4])
    positive = np.arange(20) >= 14
    found = calibration_tenths(positive, scores, scores > 0.5)
    assert found.counts.tolist() == [10, 6, 4]
    assert found.probability == pytest.approx([0.1, 0.4, 0.8])
    assert found.share == pytest.approx([0, 2 / 6, 1])
    assert (found.low <= found.share).all()
    assert (found.share <= found.high).all()
    assert found.decided == 0.8
    assert calibration_tenths(positive, scores, scores > 1).decided is None


def test_tenths_have_a_tenth_of_the_rows():
    scores = np.random.RandomState(0).rand(1000)
    assert calibration_tenths(scores > 0.9, scores, scores > 0.5).counts.tolist() == [100] * 10
