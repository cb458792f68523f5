"""Tests and ranks, against numbers computed by hand or printed in the literature."""

import numpy as np
import pytest
from scipy import stats

from unfis.benchmark.statistics import compare, holm, rank


def test_the_corrected_test_is_more_careful_than_the_plain_one():
    generator = np.random.default_rng(0)
    first = generator.normal(0.9, 0.02, 30)
    second = first - generator.normal(0.01, 0.02, 30)
    found = compare(first, second, 0.3)
    differences = first - second
    plain = stats.ttest_rel(first, second).pvalue
    t = differences.mean() / np.sqrt((1 / 30 + 3 / 7) * differences.var(ddof=1))
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), 29))
    assert found.p_value > plain
    assert found.difference == pytest.approx(differences.mean())
    assert found.effect == pytest.approx(differences.mean() / differences.std(ddof=1))


def test_equal_and_always_different_and_too_few():
    ones = np.ones(5)
    assert compare(ones, ones, 0.3) == (0.0, 0.0, 1.0)
    assert compare(ones, 0 * ones, 0.3).p_value == 0
    assert np.isnan(compare(ones[:1], ones[:1], 0.3).p_value)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


def test_ranks_and_the_critical_difference():
    """Four systems on 14 sets: CD = 2.569 sqrt(4 * 5 / (6 * 14)) = 1.25 (Demsar, 2006)."""
    scores = np.tile([0.9, 0.8, 0.7, 0.6], (14, 1))
    scores[0] = [0.6, 0.7, 0.8, 0.9]
    found = rank(scores)
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    np.testing.assert_allclose(found.means, [(13 + 4) / 14, (26 + 3) / 14, (39 + 2) / 14, 53 / 14])
    assert found.p_value == pytest.approx(stats.friedmanchisquare(*scores.T).pvalue)


def test_ties_share_their_ranks():
    assert rank(np.array([[0.5, 0.5, 0.1], [0.5, 0.5, 0.1]])).means.tolist() == [1.5, 1.5, 3]
