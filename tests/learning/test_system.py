import numpy as np
import pytest

from unfis.learning.system import NormalEquations

PARAMETERS = 7


def make(rows, seed=0):
    generator = np.random.default_rng(seed)
    system = NormalEquations(
        generator.normal(size=PARAMETERS), generator.uniform(0.1, 1.0, PARAMETERS)
    )
    system.add_rows(generator.normal(size=(rows, PARAMETERS)))
    return system


def dense(system):
    if system.gram is None:
        return system.rows.T @ system.rows + np.diag(system.diagonal)
    lower = np.tril(system.gram)
    return lower + np.tril(lower, -1).T + np.diag(system.diagonal)


def test_by_hand():
    """One row (1, 1), prior 1, damping 1, rhs (3, 1): [[3, 1], [1, 3]] step = (3, 1)."""
    system = NormalEquations(np.array([3.0, 1.0]), np.ones(2))
    system.add_rows(np.ones((1, 2)))
    np.testing.assert_allclose(system.solve(1.0), [1.0, 0.0], atol=1e-15)
    assert system.curvature_along(np.array([1.0, 0.0])) == 2.0


@pytest.mark.parametrize("rows", [0, 3, 6, 7, 20])
def test_both_spaces_solve_the_same_equation(rows):
    system = make(rows)
    assert (system.gram is None) == (rows < PARAMETERS)
    expected = np.linalg.solve(dense(system) + 0.5 * np.eye(PARAMETERS), system.rhs)
    np.testing.assert_allclose(system.solve(0.5), expected, rtol=1e-10)


@pytest.mark.parametrize("rows", [3, 20])
def test_a_solver_takes_many_right_hand_sides(rows):
    system = make(rows)
    many = np.random.default_rng(1).normal(size=(PARAMETERS, 4))
    expected = np.linalg.solve(dense(system) + 0.5 * np.eye(PARAMETERS), many)
    np.testing.assert_allclose(system.solver(0.5)(many), expected, rtol=1e-9)


@pytest.mark.parametrize("rows", [0, 3, 20])
def test_the_inverse_and_its_halves(rows):
    system = make(rows)
    expected = np.linalg.inv(dense(system) + 0.5 * np.eye(PARAMETERS))
    np.testing.assert_allclose(system.inverse(0.5), expected, atol=1e-10)
    many = np.random.default_rng(1).normal(size=(PARAMETERS, 4))
    left, right = system.halves(0.5)(many)
    np.testing.assert_allclose(left.T @ right, many.T @ expected @ many, atol=1e-10)


@pytest.mark.parametrize(("first", "second"), [(2, 3), (2, 6), (2, 20), (20, 2), (20, 30)])
def test_systems_are_additive(first, second):
    one, other = make(first, 1), make(second, 2)
    expected = dense(one) + dense(other)
    rhs = one.rhs + other.rhs
    one += other
    np.testing.assert_allclose(dense(one), expected)
    np.testing.assert_allclose(one.rhs, rhs)
    np.testing.assert_allclose(one.curvature_diagonal(), np.diag(expected))
    step = np.arange(PARAMETERS, dtype=float)
    assert one.curvature_along(step) == pytest.approx(step @ expected @ step)


def test_adding_does_not_change_what_is_added():
    one, other = make(20, 1), make(20, 2)
    before = other.gram.copy()
    one += other
    one.add_rows(np.ones((1, PARAMETERS)))
    np.testing.assert_array_equal(other.gram, before)


def test_a_system_that_is_not_finite_is_refused():
    system = make(20)
    system.gram[0, 0] = np.nan
    with pytest.raises(np.linalg.LinAlgError):
        system.solve(1.0)
