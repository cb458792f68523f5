import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from reference import random_network, random_samples
from scipy.optimize import approx_fprime

from unfis import parallel
from unfis.learning import local_problem
from unfis.learning.local_problem import LocalProblem
from unfis.learning.objective import CrossEntropy, SquaredError
from unfis.learning.problem import Prior
from unfis.network import Shape
from unfis.network.prior import trainable


@pytest.mark.parametrize("objective", [CrossEntropy(), SquaredError()])
@pytest.mark.parametrize("rows", [slice(None), np.array([3, 5, 90])])
def test_gradient_is_that_of_the_value(regression, objective, rows):
    problem = replace(regression[0], objective=objective).subset(rows)
    vector = np.linspace(-1, 1, 12)
    numeric = approx_fprime(vector, problem.value, 1e-7)
    np.testing.assert_allclose(problem.gradient(vector), numeric, atol=1e-4)
    np.testing.assert_allclose(problem.system(vector).rhs, -numeric, atol=1e-4)


@pytest.mark.parametrize(
    "part", [slice(3, 90), slice(100, None), slice(None, None, 7), slice(50, 2, -3)]
)
def test_a_slice_is_the_samples_it_names(regression, part):
    problem, _ = regression
    vector, rows = np.linspace(-1, 1, 12), np.arange(120)[part]
    for found, expected in zip(
        evaluated(problem.subset(part), vector),
        evaluated(problem.subset(rows), vector),
        strict=True,
    ):
        np.testing.assert_allclose(found, expected)


def evaluated(problem, vector):
    """All that a problem says of its samples."""
    evaluation, system = problem.evaluate(vector), problem.system(vector)
    return (
        problem.samples,
        problem.share,
        problem.value(vector),
        problem.gradient(vector),
        system.curvature_diagonal(),
        system.rhs,
        evaluation.value,
        evaluation.system().rhs,
    )


def test_parts_add_up_to_the_whole(regression):
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    halves = [problem.subset(slice(0, 50)), problem.subset(np.arange(50, 120))]
    value = sum(half.value(vector) for half in halves)
    assert value == pytest.approx(problem.value(vector))
    joined = halves[0].system(vector)
    joined += halves[1].system(vector)
    whole = problem.system(vector)
    np.testing.assert_allclose(joined.gram, whole.gram)
    np.testing.assert_allclose(joined.diagonal, whole.diagonal)
    np.testing.assert_allclose(joined.rhs, whole.rhs)


def test_weight_2_is_the_row_twice(regression):
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    counts = np.arange(120) % 3
    weighted = replace(problem, weights=counts.astype(float))
    twice = np.repeat(np.arange(120), counts)
    repeated = replace(
        problem, X=problem.X[twice], targets=problem.targets[twice], weights=np.ones(len(twice))
    )
    assert weighted.value(vector) == pytest.approx(repeated.value(vector))
    left, right = (p.system(vector) for p in (weighted, repeated))
    np.testing.assert_allclose(left.gram, right.gram)
    np.testing.assert_allclose(left.rhs, right.rhs)


def test_fisher_curvature_is_the_hessian_of_softmax_regression(regression):
    """For logits linear in the parameters Gauss-Newton is exact."""
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    numeric = approx_fprime(vector, problem.gradient, 1e-6)
    system = problem.system(vector)
    lower = np.tril(system.gram) + np.diag(system.diagonal)
    np.testing.assert_allclose(lower, np.tril(numeric), atol=1e-3)


def test_curvature_of_some_rows_stands_for_all(regression):
    """Scaled up by their share of the weight; the right-hand side is that of all rows."""
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    some = np.arange(30, 70)
    part = problem.subset(some)
    system = problem.system(vector, part)
    whole, part = problem.system(vector), part.system(vector)
    np.testing.assert_allclose(system.rhs, whole.rhs, atol=1e-10)
    np.testing.assert_allclose(system.gram, part.gram * 120 / 40)
    np.testing.assert_allclose(system.diagonal, whole.diagonal)


@pytest.mark.parametrize("kind", ["few", "many", "some"])
def test_an_evaluation_knows_value_and_system(regression, monkeypatch, kind):
    whole, _ = regression
    vector, problem = np.linspace(-1, 1, 12), whole.subset(np.arange(100))
    some = whole.subset(np.arange(30, 70)) if kind == "some" else None
    if kind == "many":
        monkeypatch.setattr(local_problem, "MANY_BLOCKS", 0)
    evaluation = problem.evaluate(vector, some)
    assert evaluation.value == pytest.approx(problem.value(vector))
    found, expected = evaluation.system(), problem.system(vector, some)
    np.testing.assert_allclose(found.gram, expected.gram)
    np.testing.assert_allclose(found.rhs, expected.rhs, atol=1e-12)
    np.testing.assert_allclose(found.diagonal, expected.diagonal)


def test_threads_change_nothing(regression, monkeypatch):
    problem, _ = regression
    vector = np.linspace(-1, 1, 12)
    alone = [problem.value(vector), problem.gradient(vector)]
    gram = problem.system(vector).gram
    monkeypatch.setattr(parallel, "MANY_BLOCKS", 2)
    monkeypatch.setattr(parallel, "usual_threads", lambda: 3)
    assert problem.value(vector) == pytest.approx(alone[0], rel=1e-12)
    np.testing.assert_allclose(problem.gradient(vector), alone[1], atol=1e-10)
    np.testing.assert_allclose(problem.system(vector).gram, gram, atol=1e-10)


def test_memory_does_not_grow_with_samples_times_parameters(monkeypatch):
    """Four times the samples, hardly more memory: the curvature is accumulated in blocks."""
    monkeypatch.setattr(parallel, "usual_threads", lambda: 1)  # of two the peaks may meet
    shape = Shape(3, 20, 2)
    model = trainable(CrossEntropy(), random_network(shape, 0), "soft", "linear")

    def peak(samples):
        X = random_samples(shape, 1, samples=samples)
        targets = np.eye(2)[np.arange(samples) % 2]
        prior = Prior(np.zeros_like(model.start), np.ones_like(model.start))
        problem = LocalProblem(model, CrossEntropy(), X, targets, np.ones(samples), prior)
        tracemalloc.start()
        problem.system(model.start)
        reached = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return reached

    few, many = peak(40_000), peak(160_000)
    assert many < 1.2 * few
    assert many < 160_000 * shape.size * 8 / 2
