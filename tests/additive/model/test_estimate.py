"""Estimates of points: closed forms, bounds, and intervals that hold the true probability."""

import numpy as np
import pytest
from additive.search.tables import random_targets
from scipy.special import expit, logit, softmax
from scipy.stats import norm

from unfis.additive import UNFISClassifier, UNFISRegressor
from unfis.additive.fitting.rows import LocalRows
from unfis.additive.model.edit import Rows
from unfis.additive.model.estimate import (
    PointEstimate,
    bounded_step,
    log_odds_of,
    numbers_of,
)
from unfis.additive.rules import Rule, RuleModel, Trapezoid
from unfis.additive.search.constraints import Constraints

FREE = Constraints()
RULES = tuple(Rule((Trapezoid(j, 0.0, 0.0),), 0, 0.1) for j in range(3))
LINKS = {"two": "logistic", "three": "softmax", "number": "identity", "count": "exp"}


def made(task, seed, rows=400):
    """Rules that are known, rows, and the truth of a logistic table."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, 3))
    signal = (values > 0) @ [1.2, -0.8, 0.6] - 0.4
    outputs = 3 if task == "three" else 1
    rules = tuple(Rule(r.conditions, n % outputs, 0.1) for n, r in enumerate(RULES))
    model = RuleModel(rules, (0.0,) * outputs, link=LINKS[task])
    targets = random_targets(task, generator, rows, signal)
    return model, Rows(values, targets, generator.integers(1, 3, rows).astype(float)), expit(signal)


def estimate_of(model, rows, ridge=0.5, fixed=(), constraints=FREE, class_weight=False):
    own = LocalRows(*rows)
    return PointEstimate.of(model, fixed, constraints, ridge, own, class_weight=class_weight)


def test_of_a_number_it_is_ridge_regression():
    model, rows, _ = made("number", 0)
    design = np.column_stack([np.ones(400), rows.values > 0])
    found = estimate_of(model, rows, ridge=0.0)
    expected = np.linalg.lstsq(
        design * np.sqrt(rows.weights)[:, None], rows.targets * np.sqrt(rows.weights), rcond=None
    )[0]
    np.testing.assert_allclose(found.numbers, expected, atol=1e-9)
    np.testing.assert_allclose(found.precision, design.T * rows.weights @ design, atol=1e-6)


@pytest.mark.parametrize("task", LINKS)
def test_it_is_where_the_loss_is_least(task):
    """No slope is left, by the derivatives of the model's own predictions."""
    model, rows, _ = made(task, 1)
    found = estimate_of(model, rows, ridge=1e-9)
    outputs = len(model.start)
    at = model.with_points(found.numbers[:outputs], found.numbers[outputs:])
    answers = at.predictions(rows.values)
    if task == "three":
        errors = (rows.targets[:, None] == np.arange(3)) - answers
    else:
        errors = (rows.targets - (answers[:, 1] if task == "two" else answers))[:, None]
    assert np.abs(rows.weights @ errors).max() < 0.05
    for rule in model.rules:
        assert abs(rows.weights * rule.degrees(rows.values) @ errors[:, rule.output]) < 0.05


@pytest.mark.parametrize("task", ["two", "number"])
def test_exact_points_of_a_fit_are_the_estimate(task):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(300, 3))
    y = random_targets(task, generator, 300, 2.0 * (X[:, 0] > 0) - 1.0)
    estimator = UNFISClassifier if task == "two" else UNFISRegressor
    model = estimator(points="exact", max_rules=4).fit(X, y).model_
    np.testing.assert_allclose(model.estimate.numbers, numbers_of(model.rules), atol=0.02)


def test_the_interval_is_that_of_logistic_regression():
    model, rows, _ = made("two", 2)
    found = estimate_of(model, rows, ridge=1e-9)
    columns = np.column_stack([np.ones(400), rows.values > 0])
    p = expit(columns @ found.numbers)
    covariance = np.linalg.inv(columns.T * (rows.weights * p * (1 - p)) @ columns)
    errors = np.sqrt(np.einsum("ki,ij,kj->k", columns, covariance, columns))
    at = model.with_points(found.numbers[:1], found.numbers[1:])
    low, high = found.intervals(at, (), rows.values, 0.9)[:, 1].T
    np.testing.assert_allclose(logit(high) - logit(p), norm.ppf(0.95) * errors, rtol=1e-4)
    np.testing.assert_allclose(logit(p) - logit(low), norm.ppf(0.95) * errors, rtol=1e-4)
    both = found.intervals(at, (), rows.values, 0.9)
    np.testing.assert_allclose(both[:, 0], 1 - both[:, 1, ::-1], atol=1e-12)


def test_three_classes_of_which_two_hardly_count_are_as_two():
    """What all starts have in common says nothing, and widens no interval."""
    model, rows, _ = made("two", 3)
    classes = RuleModel(
        tuple(Rule(r.conditions, 1, r.points) for r in model.rules), (0.0, 0.0, -9.0),
        link="softmax",
    )  # fmt: skip
    found = []
    for one in (model, classes):
        estimate, outputs = estimate_of(one, rows), len(one.start)
        at = one.with_points(estimate.numbers[:outputs], estimate.numbers[outputs:])
        found.append(estimate.intervals(at, (), rows.values, 0.9)[:, 1])
    np.testing.assert_allclose(found[0], found[1], atol=1e-4)
    for z in np.random.default_rng(0).normal(size=(4, 3)) * 5:
        found, changes = log_odds_of(z[None])
        np.testing.assert_allclose(found[0], logit(softmax(z)), rtol=1e-6)
        np.testing.assert_allclose(changes.sum(axis=2), 0, atol=1e-12)


def test_the_true_probability_is_inside_about_as_often_as_it_is_said():
    inside = []
    for seed in range(40):
        model, rows, truth = made("two", seed)
        rows = rows._replace(weights=np.ones(400))
        found = estimate_of(model, rows, ridge=0.01)
        at = model.with_points(found.numbers[:1], found.numbers[1:])
        low, high = found.intervals(at, (), rows.values, 0.9)[:, 1].T
        inside.append(np.mean((low <= truth) & (truth <= high)))
    assert 0.85 < np.mean(inside) < 0.95


def test_intervals_of_a_fit_contain_its_probabilities_and_widen():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(400, 3))
    y = generator.choice(list("abc"), 400)
    y[X[:, 0] > 0.5] = "a"
    clf = UNFISClassifier(max_rules=5).fit(X, y)
    p = clf.predict_proba(X)
    half, most = (clf.probability_interval(X, confidence) for confidence in (0.5, 0.99))
    assert half.shape == (400, 3, 2)
    assert ((most[..., 0] < half[..., 0]) & (half[..., 0] < p)).all()
    assert ((p < half[..., 1]) & (half[..., 1] < most[..., 1])).all()
    assert clf.fold_predictions(X).shape == (5, 400, 3)
    for found, fold in zip(clf.fold_predictions(X), clf.model_.folds, strict=True):
        np.testing.assert_array_equal(found, fold[clf.model_.length].predictions(X))


def test_weighted_classes_are_less_sure_than_as_many_rows():
    model, rows, _ = made("two", 4)
    heavy = rows._replace(weights=np.where(rows.targets == 1, 9.0, 1.0))
    sure, honest = (estimate_of(model, heavy, class_weight=one) for one in (False, True))
    widths = [np.ptp(one.intervals(model, (), rows.values, 0.9), axis=2) for one in (sure, honest)]
    assert (widths[1] > 1.5 * widths[0]).all()


def test_points_stay_that_a_person_set_and_bounds_hold():
    model, rows, _ = made("two", 5)
    found = estimate_of(model, rows, fixed={1})
    assert found.numbers[2] == pytest.approx(0.1, abs=1e-12)
    signs = Constraints({0: -1, 1: 1})  # the truth is the other way round
    held = estimate_of(model, rows, constraints=signs)
    assert held.numbers[1:3] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert held.numbers[3] > 0.2


def test_a_step_between_bounds_by_hand():
    precision, downhill = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([3.0, 0.0])
    free = np.full(2, np.inf)
    assert bounded_step(precision, downhill, -free, free) == pytest.approx([2.0, -1.0])
    low = np.array([-np.inf, 0.0])
    assert bounded_step(precision, downhill, low, free) == pytest.approx([1.5, 0.0])


def test_very_many_points_have_no_estimate():
    rules = tuple(Rule((Trapezoid(0, float(n), float(n)),), 0, 1.0) for n in range(200))
    rows = Rows(np.zeros((3, 1)), np.zeros(3), np.ones(3))
    assert estimate_of(RuleModel(rules, (0.0,), link="logistic"), rows) is None
