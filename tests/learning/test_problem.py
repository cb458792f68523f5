import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from reference import random_network, random_samples
from scipy.optimize import approx_fprime

from unfis import parallel
from unfis.initialisation.prior import trainable
from unfis.learning import Prior, Problem
from unfis.learning import problem as problem_module
from unfis.learning.objective import CrossEntropy, SquaredError
from unfis.learning.problem import ALL
from unfis.network import Shape


@pytest.mark.parametrize("objective", [CrossEntropy(), SquaredError()])
@pytest.mark.parametrize("rows", [slice(None), np.array([3, 5, 90])])
def test_gradient_is_that_of_the_value(regression, objective, rows):
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    numeric = approx_fprime(vector, lambda v: problem.value(objective, v, rows), 1e-7)
    np.testing.assert_allclose(problem.gradient(objective, vector, rows), numeric, atol=1e-4)
    np.testing.assert_allclose(problem.system(objective, vector, rows).rhs, -numeric, atol=1e-4)


@pytest.mark.parametrize(
    "part", [slice(3, 90), slice(100, None), slice(None, None, 7), slice(50, 2, -3)]
)
def test_a_slice_is_the_samples_it_names(regression, part):
    problem, _ = regression
    objective, vector = CrossEntropy(), np.linspace(-1, 1, 12)
    rows = np.arange(120)[part]
    for found, expected in zip(
        evaluated(problem, objective, vector, part),
        evaluated(problem, objective, vector, rows),
        strict=True,
    ):
        np.testing.assert_allclose(found, expected)


def evaluated(problem, objective, vector, rows):
    """All that a Problem says of some rows."""
    place = problem.at(objective, vector, rows)
    system = problem.system(objective, vector, rows)
    return (
        problem.value(objective, vector, rows),
        problem.gradient(objective, vector, rows),
        system.curvature_diagonal(),
        system.rhs,
        place.value,
        place.system().rhs,
    )


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
    lower = np.tril(system.gram) + np.diag(system.diagonal)
    np.testing.assert_allclose(lower, np.tril(numeric), atol=1e-3)


def test_curvature_of_some_rows_stands_for_all(regression):
    """Scaled up by their share of the weight; the right-hand side is that of all rows."""
    problem, _ = regression
    objective, vector = CrossEntropy(), np.linspace(-1, 1, 12)
    some = np.arange(30, 70)
    system = problem.system(objective, vector, ALL, some)
    whole, part = problem.system(objective, vector), problem.system(objective, vector, some)
    np.testing.assert_allclose(system.rhs, whole.rhs, atol=1e-10)
    np.testing.assert_allclose(system.gram, part.gram * 120 / 40)
    np.testing.assert_allclose(system.diagonal, whole.diagonal)


@pytest.mark.parametrize("kind", ["few", "many", "some"])
def test_a_place_knows_value_and_system(regression, monkeypatch, kind):
    problem, _ = regression
    objective, vector, rows = CrossEntropy(), np.linspace(-1, 1, 12), np.arange(100)
    some = np.arange(30, 70) if kind == "some" else None
    if kind == "many":
        monkeypatch.setattr(problem_module, "MANY_BLOCKS", 0)
    place = problem.at(objective, vector, rows, some)
    assert place.value == pytest.approx(problem.value(objective, vector, rows))
    found, expected = place.system(), problem.system(objective, vector, rows, some)
    np.testing.assert_allclose(found.gram, expected.gram)
    np.testing.assert_allclose(found.rhs, expected.rhs, atol=1e-12)
    np.testing.assert_allclose(found.diagonal, expected.diagonal)


def test_threads_change_nothing(regression, monkeypatch):
    problem, _ = regression
    objective, vector = CrossEntropy(), np.linspace(-1, 1, 12)
    alone = [problem.value(objective, vector), problem.gradient(objective, vector)]
    gram = problem.system(objective, vector).gram
    monkeypatch.setattr(parallel, "MANY_BLOCKS", 2)
    monkeypatch.setattr(parallel, "usual_threads", lambda: 3)
    assert problem.value(objective, vector) == pytest.approx(alone[0], rel=1e-12)
    np.testing.assert_allclose(problem.gradient(objective, vector), alone[1], atol=1e-10)
    np.testing.assert_allclose(problem.system(objective, vector).gram, gram, atol=1e-10)


def test_memory_does_not_grow_with_samples_times_parameters(monkeypatch):
    """Four times the samples, hardly more memory: the System is accumulated in blocks."""
    monkeypatch.setattr(parallel, "usual_threads", lambda: 1)  # of two the peaks may meet
    shape = Shape(3, 20, 2)
    model = trainable(random_network(shape, 0), "soft", "linear")

    def peak(samples):
        X = random_samples(shape, 1, samples=samples)
        targets = np.eye(2)[np.arange(samples) % 2]
        prior = Prior(np.zeros_like(model.start), np.ones_like(model.start))
        problem = Problem(model, X, targets, np.ones(samples), prior)
        tracemalloc.start()
        problem.system(CrossEntropy(), model.start)
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return reached

    few, many = peak(40_000), peak(160_000)
    assert many < 1.2 * few
    assert many < 160_000 * shape.size * 8 / 2
