"""Problems whose curvature is never a matrix, and trainings of them."""

from dataclasses import replace

import numpy as np
import pytest
from reference import random_network, random_samples
from sklearn.datasets import load_iris

from unfis import parallel
from unfis.learning import additive, implicit, products
from unfis.learning.damped import TrustRegion
from unfis.learning.implicit import ImplicitEquations
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy, SquaredError
from unfis.learning.problem import Prior
from unfis.learning.products import are_cheaper
from unfis.learning.system import NormalEquations
from unfis.network import Shape
from unfis.network.combination import AVERAGED, MIXED_OUTPUTS
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start

SHAPE = Shape(3, 4, 3)


@pytest.fixture(params=[MIXED_OUTPUTS, AVERAGED], ids=lambda combination: combination.name)
def problem(request):
    """A soft network of either combination, samples with missing values and with weights."""
    network = replace(random_network(SHAPE, 1), combination=request.param)
    X = random_samples(SHAPE, 2, samples=200, missing=0.1)
    generator = np.random.default_rng(3)
    targets = np.eye(3)[(np.nan_to_num(X) @ generator.normal(size=(4, 3))).argmax(axis=1)]
    model = trainable(CrossEntropy(), network, "soft", "linear")
    prior = Prior(model.start, np.full(len(model.start), 5.0))
    return LocalProblem(model, CrossEntropy(), X, targets, generator.uniform(0.5, 2, 200), prior)


@pytest.fixture
def always(monkeypatch):
    """Every problem is solved by products."""
    monkeypatch.setattr(additive, "FEWEST_PARAMETERS", 0)
    monkeypatch.setattr(additive, "are_cheaper", lambda *numbers, **others: True)


@pytest.mark.parametrize("some", [None, np.arange(0, 200, 3)])
@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("length", [1000, 17])
def test_equations_are_those_of_the_matrix(problem, always, monkeypatch, some, kept, length):
    for name in ("CLOSE", "ROUGH"):
        monkeypatch.setattr(implicit, name, 1e-13)
    monkeypatch.setattr(implicit, "MOST_PRODUCTS", 1000)
    monkeypatch.setattr(products, "MOST_REMEMBERED", 1e9 if kept else 0)
    monkeypatch.setattr(type(problem.model), "block_length", lambda self, rows: length)
    monkeypatch.setattr(parallel, "usual_threads", lambda: 2)
    vector = problem.model.start
    part = problem.subset(np.arange(150))
    curved = None if some is None else problem.subset(some)
    evaluation, dense = part.evaluate(vector, curved), part.system(vector, curved)
    found = evaluation.system()
    assert isinstance(found, ImplicitEquations)
    assert isinstance(dense, NormalEquations)
    assert evaluation.value == pytest.approx(part.value(vector), rel=1e-12)
    np.testing.assert_allclose(found.rhs, dense.rhs, atol=1e-10)
    step = np.random.default_rng(1).normal(size=len(vector))
    assert found.curvature_along(step) == pytest.approx(dense.curvature_along(step), rel=1e-10)
    np.testing.assert_allclose(found.solve(0.1), dense.solve(0.1), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("combination", [MIXED_OUTPUTS, AVERAGED])
def test_a_training_ends_where_that_of_the_matrix_does(combination, request):
    X, classes = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    targets, weights = np.eye(3)[classes], np.ones(len(X))
    start = replace(kmeans_start(X, targets, weights, 3), combination=combination)
    model = trainable(CrossEntropy(), start, "soft", "linear")
    prior = start_prior(model, start, 1.0, "linear")
    problem = LocalProblem(model, CrossEntropy(), X, targets, weights, prior)

    def lowest():
        ended = train(TrustRegion(), problem, model.start, np.random.RandomState(0))
        return problem.value(ended.vector)

    expected = lowest()
    request.getfixturevalue("always")
    assert lowest() == pytest.approx(expected, rel=1e-5)


def test_squared_errors_have_a_matrix_always(problem, always):
    other = replace(problem, objective=SquaredError())
    assert isinstance(other.evaluate(other.model.start).system(), NormalEquations)


def test_few_parameters_have_a_matrix(problem):
    assert isinstance(problem.evaluate(problem.model.start).system(), NormalEquations)


def test_products_are_for_many_parameters_or_rows():
    assert not are_cheaper(1000, 1, 200, 500)
    assert are_cheaper(1000, 1, 2000, 500)
    assert are_cheaper(1000, 50, 200, 500)


def test_of_few_rows_the_matrix_is_theirs():
    """Sixty rows of ten thousand inputs took all memory there was: blocks are of inputs."""
    assert not are_cheaper(60, 1, 80_000, 60_000)
