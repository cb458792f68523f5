"""Calibration of a class's probabilities, held against known bends of them."""

import numpy as np
import pytest
from rare_tables import outcomes_of
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from unfis.evaluation.calibration import (
    calibration_error,
    equal_bins,
    last_coefficient,
    recalibration,
    tenths,
)


def test_true_probabilities_need_no_change():
    log_odds, outcomes = outcomes_of()
    intercept, slope = recalibration(outcomes, expit(log_odds))
    assert intercept.low < 0 < intercept.high
    assert slope.low < 1 < slope.high


def test_bent_ones_are_found_out():
    log_odds, outcomes = outcomes_of(slope=0.5)
    slope = recalibration(outcomes, expit(log_odds))[1]
    assert slope.low < 0.5 < slope.high < 0.6
    log_odds, outcomes = outcomes_of(intercept=0.7)
    intercept = recalibration(outcomes, expit(log_odds))[0]
    assert 0.5 < intercept.low < 0.7 < intercept.high


def test_the_slope_is_that_of_logistic_regression():
    log_odds, outcomes = outcomes_of(rows=300)
    peer = LogisticRegression(C=1e9, tol=1e-10, max_iter=1000).fit(log_odds[:, None], outcomes)
    found = recalibration(outcomes, expit(log_odds))[1]
    assert found.value == pytest.approx(peer.coef_[0, 0], abs=1e-4)


def test_the_other_class_says_the_same():
    log_odds, outcomes = outcomes_of(rows=300)
    intercept, slope = recalibration(outcomes, expit(log_odds))
    other = recalibration(~outcomes, expit(-log_odds))
    assert other[1].value == pytest.approx(slope.value, abs=1e-8)
    assert other[0].value == pytest.approx(-intercept.value, abs=1e-8)


@pytest.mark.parametrize(
    ("outcomes", "probabilities"),
    [
        ([True, True, True], [0.2, 0.5, 0.7]),
        ([True, False, True], [0.5, 0.5, 0.5]),
        ([False, False, True, True], [0.1, 0.2, 0.8, 0.9]),
        ([False, False, True, True], [0.0, 0.0, 1.0, 1.0]),
    ],
)
def test_where_there_is_none(outcomes, probabilities):
    assert recalibration(np.array(outcomes), np.array(probabilities)) is None


def test_probabilities_of_0_and_1_are_numbers_too():
    outcomes = np.array([False, True, False, True, True, False])
    found = recalibration(outcomes, np.array([0.0, 1.0, 0.3, 0.6, 0.2, 1.0]))
    assert np.isfinite(found[1]).all()


def test_an_offset_is_counted():
    outcomes = np.array([True, False, False, True])
    found = last_coefficient(np.ones((4, 1)), np.full(4, 2.0), outcomes, 0.0)
    assert found.value == pytest.approx(-2.0)


def test_equal_bins_by_hand():
    found = equal_bins(np.array([1, 0, 1, 1]), np.array([0.95, 0.95, 0.55, 1.0]))
    assert [(one.number, one.rate) for one in found] == [(5, (1, 1)), (9, (2, 3))]
    assert [one.probability for one in found] == pytest.approx([0.55, 2.9 / 3])
    assert calibration_error(found) == pytest.approx((0.45 + 0.9) / 4)
    assert calibration_error(equal_bins(np.ones(3), np.ones(3))) == 0


def test_tenths_by_hand():
    scores = np.repeat([0.1, 0.4, 0.8], [10, 6, 4])
    found = tenths(np.arange(20) >= 14, scores)
    assert [one.rate for one in found] == [(0, 10), (2, 6), (4, 4)]
    assert [one.probability for one in found] == pytest.approx([0.1, 0.4, 0.8])


def test_tenths_have_a_tenth_of_the_rows():
    scores = np.random.RandomState(0).rand(1000)
    assert [one.rate.rows for one in tenths(scores > 0.9, scores)] == [100] * 10
