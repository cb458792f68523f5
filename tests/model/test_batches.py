"""partial_fit: rules stay, and points are those of all rows together."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import log_loss

from unfis import UNFISClassifier, UNFISRegressor
from unfis.fitting.evidence import Evidence
from unfis.model.batches import with_more


def conditions_of(estimator):
    return [rule.conditions for rule in estimator.model_.rules.rules]


@pytest.mark.parametrize("monotonic_cst", [None, {"bmi": 1, "bp": 1}])
def test_of_a_number_batches_are_one_fit_of_the_points(monotonic_cst):
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    reg = UNFISRegressor(points="exact", max_rules=6, monotonic_cst=monotonic_cst)
    reg.fit(X[:150], y[:150])
    first = reg.model_.estimate
    rules = conditions_of(reg)
    for rows in (slice(150, 220), slice(220, 221), slice(221, 442)):
        reg.partial_fit(X[rows], y[rows])
    assert conditions_of(reg) == rules
    design = np.column_stack([np.ones(442), reg.model_.rules.degrees(X.to_numpy()).T])
    prior = first.precision - design[:150].T @ design[:150]  # the ridge of the first batch
    whole = design.T @ design + prior
    np.testing.assert_allclose(reg.model_.estimate.precision, whole, atol=1e-6)
    expected = np.linalg.solve(whole, design.T @ y)
    np.testing.assert_allclose(reg.model_.estimate.numbers, expected, rtol=1e-6)
    found = [*reg.model_.rules.start, *(rule.points for rule in reg.model_.rules.rules)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_of_classes_batches_come_near_to_all_rows_together():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(3000, 2))
    y = (2.0 * (X[:, 0] > 0) + (X[:, 1] > 0) - 1.5 + generator.logistic(size=3000) > 0).astype(int)
    clf = UNFISClassifier(points="exact", max_rules=3).fit(X[:300], y[:300])
    before = log_loss(y[300:], clf.predict_proba(X[300:]))
    together = clf.edit(X, y)
    for rows in np.split(np.arange(300, 3000), 9):
        clf.partial_fit(X[rows], y[rows])
    found, best = clf.predict_proba(X), together.predict_proba(X)
    np.testing.assert_allclose(found, best, atol=0.02)
    assert log_loss(y[300:], found[300:]) < before
    low, high = clf.probability_interval(X)[:, 1].T
    assert (high - low).mean() < 0.1


def test_whole_points_stay_whole_and_evidence_adds_up():
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    clf = UNFISClassifier(max_rules=5).partial_fit(X[order[:90]], y[order[:90]])
    worth, conditions = clf.model_.rules.unit, conditions_of(clf)
    clf.partial_fit(X[order[90:]], y[order[90:]])
    assert clf.model_.rules.unit == worth
    assert conditions_of(clf) == conditions
    assert all(rule.points == int(rule.points) for rule in clf.model_.rules.rules)
    assert clf.score(X, y) > 0.9
    for rule, one in zip(clf.model_.rules.rules, clf.model_.evidence, strict=True):
        degrees = rule.degrees(X)
        assert one.rows == pytest.approx(degrees.sum())
        assert one.mean == pytest.approx(degrees @ (y == rule.output) / degrees.sum())
    assert set(clf.caveats(X)) == set(clf.caveats(X[order[90:]])) | set(clf.caveats(X[order[:90]]))
    assert (clf.coverage(X) == 1).all()
    with pytest.raises(ValueError, match="no path"):
        clf.at(1)


def test_points_of_a_number_are_rounded_to_what_little_it_costs():
    X, y = load_diabetes(return_X_y=True)
    whole, exact = (UNFISRegressor(max_rules=5, points=points) for points in ("whole", "exact"))
    for reg in (whole, exact):
        reg.fit(X[:200], y[:200]).partial_fit(X[200:], y[200:])
    points = [rule.points for rule in whole.model_.rules.rules]
    assert all(len(f"{abs(number):g}".strip("0.").replace(".", "")) <= 3 for number in points)
    assert whole.score(X, y) > exact.score(X, y) - 0.02


def test_points_that_are_given_stay():
    X, y = load_iris(return_X_y=True)
    y = (y == 2).astype(int)
    given = [{"if": {"x3": [1.7, None]}, "then": 1, "points": 2}]
    clf = UNFISClassifier(given_rules=given, max_rules=3).fit(X[::2], y[::2])
    clf.partial_fit(X[1::2], y[1::2])
    assert clf.model_.rules.rules[0].points == 2


def test_classes_that_come_later():
    X, y = load_iris(return_X_y=True)
    clf = UNFISClassifier(max_rules=3).partial_fit(X[:100], y[:100], classes=[0, 1, 2])
    assert clf.classes_.tolist() == [0, 1, 2]
    before = clf.predict_proba(X[100:])[:, 2].mean()
    clf.partial_fit(X[100:], y[100:], classes=[0, 1, 2])
    assert before < 0.01
    assert clf.predict_proba(X[100:])[:, 2].mean() > 0.3
    known = clf.model_
    with pytest.raises(ValueError, match="classes must be those of the first call"):
        clf.partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="y holds the class 3"):
        clf.partial_fit(X, y + 1)
    with pytest.raises(ValueError, match="one label for each row"):
        clf.partial_fit(X, y[:-1])
    assert clf.model_ is known


def test_means_of_rows_that_are_not_there():
    nothing, some = Evidence(0.0, np.nan, 2, 5, 4.0, 0.25), Evidence(2.0, 0.5, 0, 0, 0.0, 0.5)
    assert with_more(nothing, some) == Evidence(2.0, 0.5, 2, 5, 4.0, 0.25)
