"""Sets and intervals by answers that were held out: by hand, and as often right as they say."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfis import UNFISClassifier, UNFISRegressor
from unfis.fitting import SearchedRows
from unfis.model.calibration import (
    Calibration,
    as_rows,
    borders_between,
    check_confidence,
    held_out_answers,
    lower_end,
)
from unfis.rules import Rule, RuleModel, Trapezoid

CONFIDENCES = (0.8, 0.95)


def two_classes(seed, rows, rare=0.0):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, 3))
    log_odds = 2.0 * (X[:, 0] > 0) + 1.5 * (X[:, 1] > 0.5) - 1.5 - rare
    return X, (log_odds + generator.logistic(size=rows) > 0).astype(int)


def uneven_number(seed, rows):
    """A number whose errors grow with it."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(0, 10, (rows, 2))
    size = 1.0 + 3.0 * (X[:, 0] > 3) + 6.0 * (X[:, 0] > 7)
    return X, 10 * size + size * generator.exponential(size=rows)


def test_the_end_by_hand():
    scores, weights = np.arange(1.0, 20.0), np.ones(19)  # 20 with the row in question
    assert lower_end(scores, weights, 0.04) == -inf
    assert lower_end(scores, weights, 0.06) == 1.0
    assert lower_end(scores, weights, 0.05) == 1.0  # 1 / 20: only less than all is left out
    assert lower_end(scores, weights, 0.1) == 2.0
    assert lower_end(scores, 2 * weights, 0.1) == 2.0  # (1 + 2) / 39 are less than that
    assert lower_end(np.zeros(0), np.zeros(0), 0.5) == -inf


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.floats(0.01, 0.99))
def test_a_row_among_the_others_is_left_out_no_more_often_than_was_said(seed, rows, missed):
    """Each of n + 1 scores takes its turn as the new one: that is what the promise is about."""
    scores = np.sort(np.random.default_rng(seed).integers(0, 30, rows + 1).astype(float))
    others = [np.delete(scores, n) for n in range(len(scores))]
    ends = [lower_end(one, np.ones(rows), missed) for one in others]
    assert np.mean(scores < np.array(ends)) <= missed + 1e-12


def test_held_out_answers_are_those_of_the_fold_that_had_not_seen_the_row():
    folds = [RuleModel((), (float(n),)) for n in (1, 2)]
    held = np.array([[1.0, 0.0, 0.25], [0.0, 1.0, 0.75]])
    rows = SearchedRows(np.zeros((3, 1)), np.zeros(3), np.ones(3), held)
    assert held_out_answers(folds, rows).tolist() == [1.0, 2.0, 1.75]
    assert Calibration.of(folds[0], [], rows, class_weight=False) is None


def test_scores_of_classes_are_the_probabilities_of_their_own_rows():
    rule = Rule((Trapezoid(0, 1.0, 1.0),), 0, 2.0)
    fold = RuleModel((rule,), (-1.0,), link="logistic")
    values = np.array([[0.0], [0.0], [1.0], [1.0]])
    rows = SearchedRows(values, np.array([0.0, 0, 0, 1]), np.ones(4), np.ones((1, 4)))
    found = Calibration.of(fold, [fold], rows, class_weight=False)
    high = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(found.scores[0], [1 - high, high], rtol=1e-5)
    np.testing.assert_allclose(found.scores[1], [high], rtol=1e-5)
    assert [one.tolist() for one in found.weights] == [[1.0, 2.0], [1.0]]
    assert found.thresholds(0.95).tolist() == [-inf, -inf]


def test_weights_of_classes_are_no_more_rows_than_there_are():
    assert as_rows(np.full(8, 25.0), class_weight=True).tolist() == [1.0] * 8
    assert as_rows(np.full(8, 25.0), class_weight=False).tolist() == [25.0] * 8
    X, y = two_classes(0, 120, rare=3.0)
    assert 0 < y.sum() < 19
    clf = UNFISClassifier(class_weight={1: 30.0}, max_rules=3).fit(X, y)
    assert clf.predict_set(X)[:, 1].all()
    assert not clf.predict_set(X, 0.7)[:, 0].all()


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_each_class_is_in_its_sets_as_often_as_was_said(confidence):
    covered = []
    for seed in range(3):
        X, y = two_classes(seed, 400)
        new, truth = two_classes(seed + 50, 1500)
        sets = UNFISClassifier(max_rules=4).fit(X, y).predict_set(new, confidence)
        assert sets.dtype == bool
        covered.append([sets[truth == c, c].mean() for c in (0, 1)])
    assert (np.mean(covered, axis=0) > confidence - 0.035).all()
    assert (np.mean(covered, axis=0) < confidence + 0.06).all()


def test_intervals_are_as_wide_as_errors_are_where_they_are():
    X, y = uneven_number(0, 600)
    new, truth = uneven_number(1, 3000)
    reg = UNFISRegressor(max_rules=6).fit(X, y)
    assert len(reg.model_.calibration.borders) == 2
    for confidence in CONFIDENCES:
        low, high = reg.predict_interval(new, confidence).T
        inside = (low <= truth) & (truth <= high)
        for part in (new[:, 0] < 3, new[:, 0] > 7):
            assert confidence - 0.07 < inside[part].mean() <= 1
        width = high - low
        assert width[new[:, 0] > 7].mean() > 3 * width[new[:, 0] < 3].mean()


def test_more_confidence_is_wider_and_too_few_rows_have_no_end():
    X, y = uneven_number(0, 300)
    reg = UNFISRegressor(max_rules=4).fit(X, y)
    half, most = (reg.predict_interval(X, confidence) for confidence in (0.5, 0.97))
    assert (most[:, 0] < half[:, 0]).all()
    assert (half[:, 1] < most[:, 1]).all()
    assert np.isfinite(most).all()
    assert np.isinf(reg.predict_interval(X, 0.9999)).all()


def test_borders_lie_between_predictions_and_share_the_weight():
    predictions, weights = np.repeat([1.0, 2.0, 5.0], [30, 40, 30]), np.ones(100)
    assert borders_between(predictions, weights, 3).tolist() == [1.5, 3.5]
    assert borders_between(predictions[::-1], weights, 1).tolist() == []
    assert borders_between(np.full(9, 4.0), np.ones(9), 3).tolist() == []
    assert borders_between(predictions, np.where(predictions == 5, 9.0, 1.0), 3).tolist() == [3.5]


def test_a_range_of_few_rows_goes_by_the_errors_of_all():
    wide, narrow = np.linspace(-9, 9, 199), np.array([-1.0, 0.0, 1.0])
    found = Calibration((wide, narrow), (np.ones(199), np.ones(3)), np.array([10.0]))
    own, pooled = found.intervals(np.array([0.0, 20.0]), 0.9)
    assert pooled[0] - 20 == pytest.approx(own[0], abs=0.3)
    assert pooled[1] - 20 == pytest.approx(own[1], abs=0.3)


def test_counts_are_not_below_none():
    generator = np.random.default_rng(0)
    X = generator.uniform(0, 1, (200, 2))
    y = generator.poisson(np.where(X[:, 0] > 0.5, 3.0, 0.3))
    found = UNFISRegressor(loss="poisson", max_rules=3).fit(X, y).predict_interval(X)
    assert found.min() == 0


def test_other_lengths_are_calibrated_too_and_edited_models_are_not():
    X, y = two_classes(0, 300)
    clf = UNFISClassifier(max_rules=4).fit(X, y)
    again = clf.at(clf.model_.length)
    np.testing.assert_array_equal(again.predict_set(X, 0.9), clf.predict_set(X, 0.9))
    nothing = clf.at(0).model_.calibration
    assert max(len(scores) for scores in nothing.scores) <= len(clf.model_.folds)
    with pytest.raises(ValueError, match="no answers to rows that were held out"):
        clf.edit(drop=[0]).predict_set(X)


@pytest.mark.parametrize("confidence", [0, 1, 1.2, "95 %", True, np.nan, None])
def test_a_confidence_that_is_none(confidence):
    with pytest.raises(ValueError, match=r"confidence must be a number above 0 and below 1"):
        check_confidence(confidence)
