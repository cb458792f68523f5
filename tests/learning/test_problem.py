from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from unfis.learning.objective import CrossEntropy, SquaredError


@pytest.mark.parametrize("objective", [CrossEntropy(), SquaredError()])
@pytest.mark.parametrize("rows", [slice(None), np.array([3, 5, 90])])
def test_gradient_is_that_of_the_value(regression, objective, rows):
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    numeric = approx_fprime(vector, lambda v: problem.value(objective, v, rows), 1e-7)
    np.testing.assert_allclose(problem.gradient(objective, vector, rows), numeric, atol=1e-4)
    np.testing.assert_allclose(problem.system(objective, vector, rows).rhs, -numeric, atol=1e-4)


def test_parts_add_up_to_the_whole(regression):
    problem, _ = regression
    objective, vector = CrossEntropy(), np.linspace(-1, 1, 12)
    halves = [np.arange(0, 50), np.arange(50, 120)]
    value = sum(problem.value(objective, vector, rows) for rows in halves)
    assert value == pytest.approx(problem.value(objective, vector))
    joined = problem.system(objective, vector, halves[0])
    joined += problem.system(objective, vector, halves[1])
    whole = problem.system(objective, vector)
    np.testing.assert_allclose(joined.gram, whole.gram)
    np.testing.assert_allclose(joined.diagonal, whole.diagonal)
    np.testing.assert_allclose(joined.rhs, whole.rhs)


def test_weight_2_is_the_row_twice(regression):
    problem, _ = regression
    vector, objective = np.linspace(-1, 1, 12), CrossEntropy()
    counts = np.arange(120) % 3
    weighted = replace(problem, weights=counts.astype(float))
    twice = np.repeat(np.arange(120), counts)
    repeated = replace(
        problem, X=problem.X[twice], targets=problem.targets[twice], weights=np.ones(len(twice))
    )
    assert weighted.value(objective, vector) == pytest.approx(repeated.value(objective, vector))
    left, right = (p.system(objective, vector) for p in (weighted, repeated))
    np.testing.assert_allclose(left.gram, right.gram)
    np.testing.assert_allclose(left.rhs, right.rhs)


def test_fisher_curvature_is_the_hessian_of_softmax_regression(regression):
    """For logits linear in the parameters Gauss-Newton is exact."""
    problem, _ = regression
    objective, vector = CrossEntropy(), np.linspace(-1, 1, 12)
    numeric = approx_fprime(vector, lambda v: problem.gradient(objective, v), 1e-6)
    system = problem.system(objective, vector)
    np.testing.assert_allclose(system.gram + np.diag(system.diagonal), numeric, atol=1e-3)
