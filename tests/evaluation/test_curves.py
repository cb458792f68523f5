import numpy as np
import pytest

from unfis.evaluation.curves import curves_of

POSITIVE = np.array([True, False, True, False, False])
SCORES = np.array([0.9, 0.7, 0.7, 0.2, 0.1])
ANSWERED = SCORES > 0.5


def test_roc_by_hand():
    found = curves_of(POSITIVE, SCORES, ANSWERED)["roc"]
    assert found.x == pytest.approx([0, 0, 1 / 3, 2 / 3, 1])
    assert found.y == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.point == ((1, 3), (2, 2))
    assert found.chance == (0, 1)


def test_precision_and_recall_by_hand():
    found = curves_of(POSITIVE, SCORES, ANSWERED)["precision-recall"]
    assert found.x == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.y == pytest.approx([1, 1, 2 / 3, 0.5, 0.4])
    assert found.point == ((2, 2), (2, 3))
    assert found.chance == (0.4, 0.4)
    assert curves_of(POSITIVE, SCORES, SCORES > 1)["precision-recall"].point == ((0, 2), (0, 0))


def test_gain_by_hand():
    found = curves_of(POSITIVE, SCORES, ANSWERED)["gain"]
    assert found.x == pytest.approx([0, 0.2, 0.6, 0.8, 1])
    assert found.y == pytest.approx([0, 0.5, 1, 1, 1])
    assert found.point == ((3, 5), (2, 2))


def test_the_answers_lie_on_the_curve():
    generator = np.random.RandomState(1)
    positive = generator.rand(500) < 0.1
    scores = generator.rand(500) + positive
    for found in curves_of(positive, scores, scores > 0.9).values():
        x, y = found.point
        assert np.hypot(found.x - x.value, found.y - y.value).min() < 1e-12
