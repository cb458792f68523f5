"""Refit: the points of scikit-learn's linear models on the same columns."""

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from search.tables import TASKS, random_targets
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge

from unfis.search.refit import Design, refit

ROWS, RULES = 400, 5
RIDGE = 0.7


def design_of(degrees, outputs=None, walks=1):
    degrees = np.asarray(degrees, dtype=float)
    outputs = np.zeros(len(degrees), np.intp) if outputs is None else np.asarray(outputs, np.intp)
    return Design(np.repeat(degrees[None], walks, axis=0), np.repeat(outputs[None], walks, axis=0))


def fit(task, degrees, targets, weights, outputs=None, ridge=RIDGE, **settings):
    """A refit from the best constant."""
    weights = np.atleast_2d(weights)
    design = design_of(degrees, outputs, len(weights))
    objective = TASKS[task]
    start = objective.start(targets, weights)
    points = np.zeros(design.outputs.shape)
    ridges = np.full(len(weights), ridge)
    return refit(design, objective, targets, weights, ridges, start, points, **settings)


@pytest.fixture(scope="module")
def columns():
    generator = np.random.default_rng(0)
    return np.clip(generator.normal(0.5, 0.7, size=(RULES, ROWS)), 0, 1)


@pytest.fixture(scope="module")
def weights():
    return np.random.default_rng(1).integers(1, 4, ROWS).astype(float)


def reference(task, columns, targets, weights):
    """Start and points by scikit-learn."""
    if task == "two":
        model = LogisticRegression(C=1 / RIDGE, tol=1e-10, max_iter=1000)
    elif task == "number":
        model = Ridge(alpha=RIDGE, tol=1e-10)
    else:  # the mean loss by weight, and alpha |points|^2 / 2
        model = PoissonRegressor(alpha=RIDGE / weights.sum(), tol=1e-10, max_iter=1000)
    model.fit(columns.T, targets, sample_weight=weights)
    return np.ravel(model.intercept_), np.ravel(model.coef_)


@pytest.mark.parametrize("task", ["two", "number", "count"])
def test_points_are_those_of_scikit_learn(task, columns, weights):
    signal = 2 * columns[0] - columns[1]
    targets = random_targets(task, np.random.default_rng(2), ROWS, signal)
    found = fit(task, columns, targets, weights)
    start, points = reference(task, columns, targets, weights)
    np.testing.assert_allclose(found.start[0], start, atol=1e-4)
    np.testing.assert_allclose(found.points[0], points, atol=1e-4)


def test_points_of_several_classes_with_rules_for_each_are_those_of_scikit_learn(columns, weights):
    targets = random_targets("three", np.random.default_rng(3), ROWS, 2 * columns[0])
    every = np.tile(columns, (3, 1))
    outputs = np.repeat(np.arange(3), RULES)
    found = fit("three", every, targets, weights, outputs)
    model = LogisticRegression(C=1 / RIDGE, tol=1e-10, max_iter=1000)
    model.fit(columns.T, targets, sample_weight=weights)
    np.testing.assert_allclose(found.points[0].reshape(3, RULES), model.coef_, atol=1e-4)
    starts = found.start[0] - found.start[0].mean()
    np.testing.assert_allclose(starts, model.intercept_, atol=1e-4)


@pytest.mark.parametrize("task", TASKS)
def test_the_loss_is_least_and_the_precision_is_its_curvature(task, columns, weights):
    """By finite differences of the loss with its ridge along every parameter."""
    targets = random_targets(task, np.random.default_rng(4), ROWS, 2 * columns[0])
    outputs = np.arange(RULES) % TASKS[task].outputs
    found = fit(task, columns, targets, weights, outputs)
    objective, step = TASKS[task], 1e-3
    where = np.equal.outer(np.arange(objective.outputs), outputs).astype(float)

    def loss(parameters):
        start, points = np.split(parameters, [objective.outputs])
        z = start[:, None] + (where * points) @ columns
        at = objective.evaluate(z[None], targets, weights[None])
        return float(weights @ at.losses[0] + RIDGE * points @ points / 2)

    best = np.concatenate([found.start[0], found.points[0]])
    np.testing.assert_allclose(found.losses, loss(best), rtol=1e-6)
    moves = step * np.eye(len(best))
    slopes = [(loss(best + move) - loss(best - move)) / (2 * step) for move in moves]
    np.testing.assert_allclose(slopes, 0.0, atol=0.02 * step * weights.sum())
    second = [
        [
            (loss(best + a + b) - loss(best + a - b) - loss(best - a + b) + loss(best - a - b))
            / (4 * step**2)
            for a in moves
        ]
        for b in moves
    ]
    np.testing.assert_allclose(found.precision[0], second, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("task", TASKS)
def test_collinear_columns_are_no_trouble(task, columns, weights):
    targets = random_targets(task, np.random.default_rng(5), ROWS, 2 * columns[0])
    same = np.stack([columns[0], columns[0], 1 - columns[0], np.ones(ROWS), np.zeros(ROWS)])
    outputs = [0, 0, 0, 0, TASKS[task].outputs - 1]
    found = fit(task, same, targets, weights, outputs)
    # Two of the same have half of what one has at half of the ridge, and 1 less it the contrary.
    np.testing.assert_allclose(found.points[0, 0], found.points[0, 1], atol=1e-6)
    np.testing.assert_allclose(found.points[0, 0], -found.points[0, 2], atol=1e-3)
    np.testing.assert_allclose(found.points[0, 4], 0.0, atol=1e-9)
    one = fit(task, columns[:1], targets, weights, [0], ridge=RIDGE / 3)
    np.testing.assert_allclose(3 * found.points[0, 0], one.points[0, 0], atol=1e-2)


@pytest.mark.parametrize("task", ["two", "three", "count"])
@pytest.mark.parametrize("ridge", [1e-3, 1.0])
def test_separable_columns_are_no_trouble(task, ridge):
    targets = np.repeat([0.0, 1.0] if task != "three" else [0.0, 1.0, 2.0], 50)
    members = np.equal.outer(np.unique(targets), targets).astype(float)
    outputs = range(3) if task == "three" else [0, 0]
    found = fit(task, members, targets, np.ones(len(targets)), outputs, ridge)
    assert np.isfinite(found.points).all()
    assert abs(found.points).max() < 50
    again = fit(task, members, targets, np.ones(len(targets)), outputs, ridge, most_steps=200)
    np.testing.assert_allclose(found.losses, again.losses, rtol=1e-3, atol=1e-3)
    known = 0.5 if task == "count" else 0.0  # what is left if every target is known
    assert known < found.at.losses.mean() < known + 0.15


@pytest.mark.parametrize("task", TASKS)
def test_the_points_are_the_same_from_nearby_starts(task, columns, weights):
    """Steps that would make a loss greater are taken in part, of one walk apart from the others."""
    targets = random_targets(task, np.random.default_rng(6), ROWS, 2 * columns[0])
    design, shifts = design_of(columns, walks=3), np.array([0.0, 1.0, -1.0])[:, None]
    start = np.repeat(shifts, TASKS[task].outputs, axis=1)
    points = np.repeat(shifts, RULES, axis=1)
    walks = np.repeat(weights[None], 3, axis=0)
    found = refit(design, TASKS[task], targets, walks, np.full(3, RIDGE), start, points)
    np.testing.assert_allclose(found.losses, found.losses[0], atol=1e-3)
    np.testing.assert_allclose(found.points, np.tile(found.points[0], (3, 1)), atol=1e-2)


@pytest.mark.parametrize("task", TASKS)
def test_walks_at_once_are_walks_one_by_one(task, columns, weights):
    generator = np.random.default_rng(7)
    targets = random_targets(task, generator, ROWS, 2 * columns[0])
    walks = weights * (generator.random((4, ROWS)) < 0.8)
    outputs = np.arange(RULES) % TASKS[task].outputs
    found = fit(task, columns, targets, walks, outputs)
    for walk in range(4):
        alone = fit(task, columns, targets, walks[walk], outputs)
        np.testing.assert_allclose(found.points[walk], alone.points[0], atol=1e-3)
        np.testing.assert_allclose(found.losses[walk], alone.losses[0], atol=2e-4)


def test_a_weight_of_2_is_a_row_twice(columns, weights):
    counts = weights.astype(int)
    for task in TASKS:
        targets = random_targets(task, np.random.default_rng(8), ROWS, 2 * columns[0])
        weighted = fit(task, columns, targets, weights)
        twice = np.repeat(columns, counts, axis=1), np.repeat(targets, counts)
        repeated = fit(task, *twice, np.ones(counts.sum()))
        np.testing.assert_allclose(weighted.points, repeated.points, atol=1e-8)
        np.testing.assert_allclose(weighted.losses, repeated.losses)


FEW_ROWS = 80


@pytest.mark.parametrize("task", ["two", "three", "number", "count"])
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_points_between_bounds_are_the_best(task, seed):
    generator = np.random.default_rng(seed)
    objective, rules = TASKS[task], 5
    degrees = generator.uniform(size=(1, rules, FEW_ROWS))
    degrees[0, 1] = 0.9 * degrees[0, 0] + 0.1 * degrees[0, 1]
    targets = random_targets(task, generator, FEW_ROWS, degrees[0, 0] - degrees[0, 2])
    outputs = generator.integers(0, objective.outputs, size=(1, rules))
    low = np.array([0.0, -inf, -inf, 0.5, -inf])
    high = np.array([inf, 0.0, inf, 0.5, 0.1])
    weights, ridge = generator.uniform(0.5, 2, size=(1, FEW_ROWS)), np.array([0.3])
    bounded = Design(degrees, outputs, np.array([low, high])[:, None])
    start = objective.start(targets, weights)
    fit = refit(bounded, objective, targets, weights, ridge, start, np.zeros((1, rules)))
    assert (fit.points[0] >= low).all()
    assert (fit.points[0] <= high).all()
    assert fit.points[0, 3] == 0.5

    def loss(parameters):
        free = Design(degrees, outputs)
        parts = parameters[None, : objective.outputs], parameters[None, objective.outputs :]
        return float(refit(free, objective, targets, weights, ridge, *parts, 0).losses[0])

    first = np.concatenate([start[0], np.clip(0.0, low, high)])
    limits = [(None, None)] * objective.outputs + [*zip(low, high, strict=True)]
    best = minimize(loss, first, bounds=limits, method="L-BFGS-B")
    assert fit.losses[0] <= best.fun + 2e-3


def test_bounds_that_nothing_leaves_change_nothing():
    generator = np.random.default_rng(0)
    degrees, outputs = generator.uniform(size=(2, 3, FEW_ROWS)), np.zeros((2, 3), np.intp)
    targets = random_targets("two", generator, FEW_ROWS, degrees[0, 0])
    weights, start = np.ones((2, FEW_ROWS)), np.zeros((2, 1))
    arguments = (TASKS["two"], targets, weights, np.ones(2), start, np.zeros((2, 3)))
    wide = np.array([np.full((2, 3), -9.0), np.full((2, 3), 9.0)])
    free = refit(Design(degrees, outputs), *arguments)
    bounded = refit(Design(degrees, outputs, wide), *arguments)
    np.testing.assert_array_equal(free.points, bounded.points)
