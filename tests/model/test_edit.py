"""Rules that are changed by hand, and the points around them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, Ridge

from unfis import UNFISClassifier, UNFISRegressor
from unfis.rules import Kinds, Trapezoid


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": generator.integers(0, 20, 400).astype(float),
            "b": generator.uniform(0, 10, 400),
            "kind": generator.choice(["p", "q", "r"], 400),
        }
    )
    log_odds = -1 + 3 * (X["a"] >= 12) + 2 * (X["b"] > 4) - 2 * (X["kind"] == "p")
    return X, np.where(log_odds + generator.logistic(size=400) > 0, "yes", "no")


@pytest.fixture(scope="module")
def fitted(table):
    return UNFISClassifier(max_rules=5).fit(*table)


@pytest.fixture(scope="module")
def exact(table):
    return UNFISClassifier(max_rules=5, points="exact").fit(*table)


def rules_of(estimator):
    return estimator.model_.rules.rules


def test_nothing_changed_changes_next_to_nothing(table, exact):
    same = exact.edit()
    np.testing.assert_allclose(
        same.predict_proba(table[0]), exact.predict_proba(table[0]), atol=2e-3
    )


def test_dropped_rules_are_gone_and_the_others_are_fitted_anew(table, exact):
    _, y = table
    before = rules_of(exact)
    shorter = exact.edit(drop=[0])
    assert [r.conditions for r in rules_of(shorter)] == [r.conditions for r in before[1:]]
    degrees = shorter.model_.rules.degrees(shorter.model_.searched.values).T
    peer = LogisticRegression(C=1 / exact.model_.ridge, tol=1e-9).fit(degrees, y)
    points = [rule.points for rule in rules_of(shorter)]
    np.testing.assert_allclose(points, peer.coef_[0], atol=0.02)
    np.testing.assert_allclose(shorter.model_.rules.start, peer.intercept_, atol=0.02)
    as_they_were = exact.edit(drop=[0], refit=False)
    assert rules_of(as_they_were) == before[1:]
    assert rules_of(exact) == before


def test_points_that_are_set_stay(fitted):
    other = fitted.edit(points={1: 7})
    assert rules_of(other)[1].points == 7.0
    assert other.model_.rules.unit == fitted.model_.rules.unit
    assert all(rule.points == int(rule.points) for rule in rules_of(other))
    assert other.model_.fixed == {1}
    again = other.edit(drop=[0])
    assert rules_of(again)[0].points == 7.0
    assert again.model_.fixed == {0}


def test_a_border_that_is_moved(fitted):
    place = next(n for n, rule in enumerate(rules_of(fitted)) if rule.inputs == (0,))
    other = fitted.edit(conditions={place: {"a": [9, None]}})
    (condition,) = rules_of(other)[place].conditions
    assert (condition.a, condition.b) == (9.0, 9.0)
    share = (other.model_.searched.values[:, 0] >= 9).mean()
    assert condition.unknown == round(share, 2)
    longer = fitted.edit(conditions={place: {"kind": ["q", "r"]}})
    assert isinstance(rules_of(longer)[place].conditions[1], Kinds)


def test_a_rule_that_is_written(table, fitted):
    written = {"if": {"b": [2, 5, None, None], "kind": "q"}, "then": "yes"}
    learned = rules_of(fitted.edit(write=[written]))[-1]
    assert learned.conditions[0] == Trapezoid(1, 2.0, 5.0, unknown=learned.conditions[0].unknown)
    assert learned.points == int(learned.points)
    kept = rules_of(fitted.edit(write=[{**written, "then": "no", "points": 2}], refit=False))[-1]
    assert kept.points == -2.0
    text = fitted.edit(write=[{**written, "points": 9}]).rules_
    assert "kind is q" in text


def test_points_of_other_rows(table):
    X, _ = table
    y = 3 * (X["a"] >= 12) + X["b"]
    model = UNFISRegressor(max_rules=4, points="exact").fit(X, y)
    other = model.edit(X[:200], 100 * y[:200])
    degrees = other.model_.rules.degrees(other.model_.columns.values(X[:200])).T
    peer = Ridge(alpha=1e-6).fit(degrees, 100 * y[:200])
    np.testing.assert_allclose(other.predict(X[:200]), peer.predict(degrees), atol=3)
    assert [r.conditions for r in rules_of(other)] == [r.conditions for r in rules_of(model)]


def test_classes_of_other_rows_are_those_of_the_fit(table, fitted):
    X, y = table
    np.testing.assert_array_equal(
        fitted.edit(X, y).predict_proba(X), fitted.edit().predict_proba(X)
    )
    with pytest.raises(ValueError, match="y holds the class 'maybe'"):
        fitted.edit(X, np.where(y == "yes", "maybe", y))


def test_an_edited_model_keeps_directions(table):
    X, y = table
    kept = UNFISClassifier(max_rules=5, monotonic_cst={"a": 1, "b": 1}).fit(X, y)
    place = next(n for n, rule in enumerate(rules_of(kept)) if rule.inputs == (0,))
    with pytest.raises(ValueError, match=f"rule {place} would go against monotonic_cst"):
        kept.edit(conditions={place: {"a": [5, 9]}})
    sign = -np.sign(rules_of(kept)[place].points)
    with pytest.raises(ValueError, match=f"rule {place} would go against monotonic_cst"):
        kept.edit(points={place: sign})
    other = kept.edit(drop=[place], write=[{"if": {"b": [None, 7]}, "then": "yes"}])
    grid = np.column_stack([np.full(50, 3.0), np.linspace(-1, 11, 50), np.zeros(50)])
    assert (np.diff(other.model_.points(grid)[:, 0]) >= 0).all()


def test_evidence_is_that_of_the_edited_rules(fitted):
    other = fitted.edit(drop=[1])
    assert len(other.model_.evidence) == len(rules_of(other))
    assert [one.rows for one in other.model_.evidence] == pytest.approx(
        [one.rows for n, one in enumerate(fitted.model_.evidence) if n != 1]
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drop": [9]}, "drop must name rules by their places, from 0 to \\d; got 9"),
        ({"points": {"a": 2}}, "points must name rules by their places"),
        ({"points": {0: "many"}}, "points of rule 0 must be a number other than 0; got 'many'"),
        ({"conditions": {0: {"z": [1, 2]}}}, "rule 0 of conditions names the input 'z'"),
        ({"conditions": {0: [1, 2]}}, "rule 0 of conditions must be a dict by input"),
        ({"write": [{"if": {"a": [1, None]}}]}, "rule 1 of write must have 'then'"),
        (
            {"write": [{"if": {"a": [1, None]}, "then": "no"}], "refit": False},
            "write must give a rule its points where refit is False",
        ),
    ],
)
def test_what_cannot_be_is_refused(fitted, changes, message):
    with pytest.raises(ValueError, match=message):
        fitted.edit(**changes)


def test_an_edited_model_has_no_path(fitted):
    with pytest.raises(ValueError, match="An edited model has no path"):
        fitted.edit(drop=[0]).at(2)
