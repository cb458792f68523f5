"""Tests and ranks, against numbers computed by hand or printed in the literature."""

import math

import numpy as np
import pytest
from scipy import stats

from unfis.reproduction.statistics import Comparison, Ranks, compare, holm, rank, tally, together


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
    """Differences that do not vary tell nothing of chance, whether there are two or thirty."""
    ones = np.ones(5)
    assert compare(ones, ones, 0.3) == (0.0, 0.0, 1.0)
    for count in (1, 2, 30):
        found = compare(np.full(count, 0.96), np.full(count, 0.9), 0.3)
        assert found.difference == pytest.approx(0.06)
        assert math.isnan(found.p_value)
        assert math.isnan(found.effect)
        assert not found.is_better
    assert all(map(math.isnan, compare(ones[:0], ones[:0], 0.3)))


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.01, math.nan, 0.04]) == pytest.approx([0.02, math.nan, 0.04], nan_ok=True)


def test_comparisons_together_and_counted():
    found = together(
        {
            "A": Comparison(0.1, 1.0, 0.01),
            "B": Comparison(-0.1, -1.0, 0.001),
            "C": Comparison(0.1, 0.5, 0.04),
            "D": Comparison(0.1, math.nan, math.nan),
        }
    )
    assert [one.p_value for one in found.values()] == pytest.approx(
        [0.02, 0.003, 0.04, math.nan], nan_ok=True
    )
    assert tally(found) == (2, 1)


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


def test_groups_are_the_largest_and_no_group_is_within_another():
    means = np.array([3.0, 1.0, 1.5, 2.0, 6.0])
    assert Ranks(means, 0.01, 1.0).groups() == [(1.0, 2.0), (2.0, 3.0)]
    assert Ranks(means, 0.01, 9.0).groups() == [(1.0, 6.0)]
    assert Ranks(means, 0.01, 0.1).groups() == []
