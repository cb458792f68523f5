"""Recursive least squares is least squares."""

import numpy as np
import pytest

from unfis.compared.least_squares import RecursiveLeastSquares

GENERATOR = np.random.RandomState(0)
Z, Y = GENERATOR.normal(size=(60, 4)), GENERATOR.normal(size=(60, 2))


def test_by_hand():
    """Q = 1, z = 2, y = 3: the gain is 2 / (1 + 4), V = 1.2, Q = 1 - 0.8."""
    model = RecursiveLeastSquares(1, 1, spread=1.0)
    model.update(np.array([2.0]), np.array([3.0]))
    assert model.coefficients[0, 0] == pytest.approx(1.2)
    assert model.inverse[0, 0] == pytest.approx(0.2)


def test_row_by_row_after_a_batch_is_least_squares_of_all_rows():
    model = RecursiveLeastSquares.from_rows(Z[:20], Y[:20], ridge=0.0)
    for z, y in zip(Z[20:], Y[20:], strict=True):
        model.update(z, y)
    np.testing.assert_allclose(
        model.coefficients, np.linalg.lstsq(Z, Y, rcond=None)[0], rtol=0, atol=1e-8
    )
    np.testing.assert_allclose(model.inverse, np.linalg.inv(Z.T @ Z), rtol=0, atol=1e-8)


def test_from_nothing_it_is_ridge_regression():
    model = RecursiveLeastSquares(4, 2, spread=1000.0)
    for z, y in zip(Z, Y, strict=True):
        model.update(z, y)
    expected = np.linalg.solve(Z.T @ Z + 1e-3 * np.eye(4), Z.T @ Y)
    np.testing.assert_allclose(model.coefficients, expected, rtol=0, atol=1e-8)


def test_a_weight_of_2_is_two_rows():
    once, twice = (RecursiveLeastSquares.from_rows(Z[:10], Y[:10]) for _ in range(2))
    once.update(Z[10], Y[10], weight=2.0)
    for _ in range(2):
        twice.update(Z[10], Y[10])
    np.testing.assert_allclose(once.coefficients, twice.coefficients)
    np.testing.assert_allclose(once.inverse, twice.inverse)


def test_forgetting_weighs_rows_by_their_age():
    model = RecursiveLeastSquares.from_rows(Z[:20], Y[:20], ridge=0.0, forgetting=0.9)
    for z, y in zip(Z[20:], Y[20:], strict=True):
        model.update(z, y)
    ages = np.append(np.full(20, 40), np.arange(39, -1, -1))
    weighted = Z * (0.9**ages)[:, None]
    expected = np.linalg.solve(weighted.T @ Z, weighted.T @ Y)
    np.testing.assert_allclose(model.coefficients, expected, rtol=0, atol=1e-8)


def test_what_does_not_occur_does_not_grow_without_end():
    model = RecursiveLeastSquares(2, 1, forgetting=0.9)
    for _ in range(20_000):
        model.update(np.array([1.0, 0.0]), np.array([1.0]))
    assert np.trace(model.inverse) <= 2 * 1000 * (1 + 1e-9)
    assert model.coefficients[0, 0] == pytest.approx(1.0)


def test_inputs_come_and_go():
    model = RecursiveLeastSquares.from_rows(Z[:, :3], Y)
    before = model.coefficients.copy()
    model.extend()
    np.testing.assert_array_equal(model.coefficients, np.vstack([before, np.zeros((1, 2))]))
    assert model.inverse[3].tolist() == [0, 0, 0, 1000]
    model.remove(1)
    np.testing.assert_array_equal(model.coefficients, [before[0], before[2], [0, 0]])
    assert model.inverse.shape == (3, 3)
