"""What rules add, exactly, and how much inputs matter."""

import numpy as np
import pytest
from explain.tables import fitted, table
from hypothesis import given
from hypothesis import strategies as st

from unfis import UNFISClassifier
from unfis.explain import importances
from unfis.fitting.evidence import Evidence, rule_evidence
from unfis.rules import Rule, Trapezoid


def test_contributions_are_points_by_degree_in_blocks():
    X, signal = table(0, rows=40_000)
    estimator, _ = fitted("two", X[:300], signal[:300])
    model = estimator.model_
    expected = model.rules.degrees(model.columns.values(X)).T
    expected *= [rule.points for rule in model.rules.rules]
    np.testing.assert_array_equal(estimator.contributions(X), expected)


@given(st.integers(0, 2**32 - 1))
def test_importance_is_the_mean_deviation_of_a_sharp_rule_and_bounds_that_of_others(seed):
    generator = np.random.default_rng(seed)
    values, weights = generator.normal(size=(40, 2)), generator.uniform(0.1, 3, 40)
    for rule, is_sharp in (
        (Rule((Trapezoid(1, 0.2, 0.2),), 0, -3.0), True),
        (Rule((Trapezoid(1, -1.0, 1.0),), 0, -3.0), False),
    ):
        evidence = rule_evidence(rule, values, np.zeros(40), weights)
        found = importances([rule], [evidence], 3)
        added = rule.points * rule.degrees(values)
        deviation = np.average(np.abs(added - np.average(added, weights=weights)), weights=weights)
        assert found[0] == found[2] == 0
        assert found[1] >= deviation - 1e-9
        assert not is_sharp or found[1] == pytest.approx(deviation)


def test_a_rule_of_two_inputs_counts_half_for_each():
    one, two = Trapezoid(0, 1.0, 1.0), Trapezoid(2, 5.0, 5.0)
    rules = [Rule((one,), 0, 2.0), Rule((one, two), 1, -4.0)]
    evidence = [Evidence(50.0, 0.5, 0, 0, 50.0, 0.5), Evidence(25.0, 0.5, 0, 0, 75.0, 0.5)]
    np.testing.assert_allclose(importances(rules, evidence, 3), [1.0 + 0.75, 0.0, 0.75])


def test_the_inputs_of_the_signal_matter_most():
    X, signal = table(1, rows=600)
    estimator, _ = fitted("two", X, signal)
    found = dict(zip(X.columns, estimator.feature_importances_, strict=True))
    assert max(found, key=found.get) == "TSH"
    assert found["smoker"] < found["TSH"] / 4


def test_without_rules_nothing_matters():
    X = np.random.default_rng(0).normal(size=(60, 2))
    clf = UNFISClassifier().fit(X, [0, 1] * 30)
    assert not clf.model_.rules.rules
    assert clf.feature_importances_.tolist() == [0.0, 0.0]
    assert clf.contributions(X).shape == (60, 0)
    one = clf.explain(X)[0]
    assert one.counterfactual is None
    assert one.neighbours.rows == 60
    assert "No change of one or two inputs changes the answer." in str(one)
