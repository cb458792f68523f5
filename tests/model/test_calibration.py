"""Calibration of a class's probabilities, held against known bends of them."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss

from unfis.model.calibration import (
    brier_score,
    calibration_sentences,
    logistic_fit,
    recalibration,
)


def outcomes_of(rows=4000, intercept=0.0, slope=1.0):
    """Log-odds, and outcomes that come true by others."""
    generator = np.random.RandomState(0)
    log_odds = generator.randn(rows) * 1.5 - 1
    return log_odds, generator.random_sample(rows) < expit(intercept + slope * log_odds)


def test_true_probabilities_need_no_change():
    log_odds, outcomes = outcomes_of()
    intercept, slope = recalibration(outcomes, expit(log_odds))
    assert intercept.low < 0 < intercept.high
    assert slope.low < 1 < slope.high


def test_bent_ones_are_found_out():
    log_odds, outcomes = outcomes_of(slope=0.5)
    slope = recalibration(outcomes, expit(log_odds)).slope
    assert slope.low < 0.5 < slope.high < 0.6
    log_odds, outcomes = outcomes_of(intercept=0.7)
    intercept = recalibration(outcomes, expit(log_odds)).intercept
    assert 0.5 < intercept.low < 0.7 < intercept.high


def test_the_slope_is_that_of_logistic_regression():
    log_odds, outcomes = outcomes_of(rows=300)
    peer = LogisticRegression(C=1e9, tol=1e-10, max_iter=1000).fit(log_odds[:, None], outcomes)
    found = recalibration(outcomes, expit(log_odds)).slope
    assert found.value == pytest.approx(peer.coef_[0, 0], abs=1e-4)


def test_the_other_class_says_the_same():
    log_odds, outcomes = outcomes_of(rows=300)
    found = recalibration(outcomes, expit(log_odds))
    other = recalibration(~outcomes, expit(-log_odds))
    assert other.slope.value == pytest.approx(found.slope.value, abs=1e-8)
    assert other.intercept.value == pytest.approx(-found.intercept.value, abs=1e-8)


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
    assert np.isfinite(found.slope).all()


def test_an_offset_is_counted():
    outcomes = np.array([True, False, False, True])
    found = logistic_fit(np.ones((4, 1)), np.full(4, 2.0), outcomes)
    assert found[0].value == pytest.approx(-2.0)


def test_brier_score():
    log_odds, outcomes = outcomes_of(rows=50)
    assert brier_score(outcomes, expit(log_odds)) == pytest.approx(
        brier_score_loss(outcomes, expit(log_odds))
    )


@pytest.mark.parametrize(
    ("intercept", "slope", "words"),
    [
        (0.0, 1.0, "neither too near 0 and 1 nor too far from them"),
        (0.0, 0.5, 'The probabilities of "yes" are too near 0 and 1 (slope 0.'),
        (0.0, 2.0, "are not near enough to 0 and 1 (slope "),
        (0.7, 1.0, 'On average "yes" is more frequent than its probabilities say (intercept 0.'),
        (-0.7, 1.0, "is less frequent than its probabilities say (intercept -0."),
        (0.0, 1.0, "is as frequent as its probabilities say"),
    ],
)
def test_calibration_in_words(intercept, slope, words):
    log_odds, outcomes = outcomes_of(intercept=intercept, slope=slope)
    told = calibration_sentences("yes", outcomes, expit(log_odds))
    assert len(told) == 3
    assert words in " ".join(told)
    share = outcomes.mean()
    assert told[0].endswith(f"where its share, said of every row, has {share * (1 - share):.4f}.")


def test_rows_told_apart_have_no_slope_to_tell():
    outcomes = np.arange(20) >= 10
    told = calibration_sentences("yes", outcomes, np.where(outcomes, 0.9, 0.1))
    assert told[-1].startswith("There is no slope and no intercept to tell")
