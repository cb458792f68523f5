"""Recursive least squares is least squares."""

import numpy as np
import pytest

from unfis_paper.compared.least_squares import RecursiveLeastSquares

GENERATOR = np.random.RandomState(0)
Z, Y = GENERATOR.normal(size=(60, 4)), GENERATOR.normal(size=(60, 2))


def learn(model, rows):
    for z, y in zip(Z[rows], Y[rows], strict=True):
        model.update(z, y)
    return model.coefficients


def test_by_hand():
    """Q = 1000, z = 2, y = 3: the gain is 2000 / 4001, V = 3 times that."""
    model = RecursiveLeastSquares(1, 1)
    model.update(np.array([2.0]), np.array([3.0]))
    assert model.coefficients[0, 0] == pytest.approx(6000 / 4001)


def test_row_by_row_after_a_batch_is_least_squares_of_all_rows():
    model = RecursiveLeastSquares.from_rows(Z[:20], Y[:20], ridge=0.0)
    expected = np.linalg.lstsq(Z, Y, rcond=None)[0]
    np.testing.assert_allclose(learn(model, slice(20, None)), expected, rtol=0, atol=1e-8)


def test_from_nothing_it_is_ridge_regression():
    expected = np.linalg.solve(Z.T @ Z + 1e-3 * np.eye(4), Z.T @ Y)
    found = learn(RecursiveLeastSquares(4, 2), slice(None))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)


def test_it_is_the_recursion_by_gains():
    """V += gain (y - z'V), Q := Q - gain z'Q, row by row, with weights."""
    weights = GENERATOR.uniform(0.1, 2, size=60)
    model = RecursiveLeastSquares(4, 2)
    V, Q = np.zeros((4, 2)), 1000 * np.eye(4)
    for z, y, weight in zip(Z, Y, weights, strict=True):
        gain = Q @ z / (1 / weight + z @ Q @ z)
        V += np.outer(gain, y - z @ V)
        Q -= np.outer(gain, z @ Q)
        model.update(z, y, weight)
        np.testing.assert_allclose(model.coefficients, V, rtol=0, atol=1e-8)


def test_forgetting_weighs_rows_by_their_age():
    model = RecursiveLeastSquares.from_rows(Z[:20], Y[:20], ridge=0.0, forgetting=0.9)
    ages = np.append(np.full(20, 40), np.arange(39, -1, -1))
    weighted = Z * (0.9**ages)[:, None]
    expected = np.linalg.solve(weighted.T @ Z, weighted.T @ Y)
    np.testing.assert_allclose(learn(model, slice(20, None)), expected, rtol=0, atol=1e-8)


def test_what_does_not_occur_is_forgotten_and_nothing_grows():
    model = RecursiveLeastSquares.from_rows(Z[:, :2], Y[:, :1], forgetting=0.9)
    for _ in range(20_000):
        model.update(np.array([1.0, 0.0]), np.array([1.0]))
    np.testing.assert_allclose(model.coefficients[:, 0], [1, 0], atol=1e-6)


def test_inputs_come_and_go():
    model = RecursiveLeastSquares.from_rows(Z[:, :3], Y)
    before = model.coefficients.copy()
    model.extend()
    np.testing.assert_allclose(model.coefficients, np.vstack([before, np.zeros((1, 2))]))
    model.update(Z[0], Y[0])
    assert model.coefficients[3].any()
    model.remove(3)
    expected = RecursiveLeastSquares.from_rows(Z[:, :3], Y)
    expected.update(Z[0, :3], Y[0])
    np.testing.assert_allclose(model.coefficients, expected.coefficients)
