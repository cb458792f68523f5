"""Systems compared, against numbers computed by hand."""

import math

import numpy as np
import pytest
from scipy import stats
from verdict.comparison import ComparedRuns, Comparison, compare, holm, tally, together

from unfis_paper.reproduction.paper import SETS, WITHOUT_LEAK
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED


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


def test_pairs_are_of_the_same_splits(frame):
    """A run that only one of the two has is left out of the comparison, not out of its mean."""
    lost = (frame["system"] == PRINTED[1]) & (frame["seed"] == 2) & (frame["set"] == "iris")
    frame.loc[lost, "accuracy"] = math.nan
    some = ComparedRuns(frame)
    one, other = (
        frame.query("set == 'iris' and system == @name and seed != 2")["accuracy"].to_numpy()
        for name in PRINTED
    )
    assert some.paired("iris", *PRINTED) == compare(one, other, 0.3)
    assert some.summary("iris", PRINTED[0]).runs == 5
    assert some.summary("iris", PRINTED[1]).runs == 4


def test_against_a_printed_mean(recorded):
    found = recorded.against("iris", DEFAULT, 0.9)
    values = recorded.values("iris", DEFAULT).to_numpy()
    assert found.difference == pytest.approx(values.mean() - 0.9)
    assert found.effect == pytest.approx((values.mean() - 0.9) / np.std(values, ddof=1))


def test_where_systems_have_run(frame):
    some = ComparedRuns(frame[frame["set"].isin(["iris", "autism"])], ["AUT", "IRI"])
    assert some.where(WITHOUT_LEAK, (DEFAULT,)) == {"AUT": "autism", "IRI": "iris"}
    assert some.where(SETS, (DEFAULT,)) == {"IRI": "iris"}
    assert some.where(WITHOUT_LEAK, (DEFAULT,), 6) == {}
    assert some.where(WITHOUT_LEAK, (DEFAULT, "nobody")) == {}
