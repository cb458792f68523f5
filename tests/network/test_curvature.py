from importlib import import_module

import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.local_problem import LocalProblem
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior
from unfis.network import Shape, forward, jacobian_rows, trainable
from unfis.network.curvature import ClassCurvature
from unfis.network.parameters import Parameters, free_blocks

# The module, whose name in the package is that of its function.
BLOCKS = import_module("unfis.network.forward")


@pytest.mark.parametrize("kind", ["soft", "none", "some out"])
@pytest.mark.parametrize("shape", [Shape(1, 2, 3), Shape(3, 4, 5), Shape(2, 3, 12)])
def test_sums_are_the_products_of_the_rows(shape, kind):
    network, X = random_network(shape, 1), random_samples(shape, 2, samples=30, missing=0.2)
    free = Parameters.from_vector(np.ones(shape.size), shape)
    if kind != "soft":
        network.logits[:] = np.inf
        free.logits[:] = 0
    if kind == "some out":
        network.logits[0, 1] = -np.inf
        free.centres[0, 1] = free.widths[0, 1] = 0
        free.consequents[0, :, 2] = 0
    mask = free.to_vector() > 0
    activations = forward(network, X)
    weights = np.random.default_rng(3).normal(size=(30, shape.classes - 1, shape.classes))
    curvature = ClassCurvature(network, mask)
    found = np.zeros((curvature.size, curvature.size))
    for part in (slice(0, 10), slice(10, 30)):
        curvature.add_sums(found, network, forward(network, X[part]), weights[part])
    found = curvature.in_order(found)
    rows = jacobian_rows(network, activations, weights, free_blocks(shape, mask))
    rows = rows.reshape(-1, int(mask.sum()))
    assert curvature.size == mask.sum()
    np.testing.assert_allclose(found, rows.T @ rows, atol=1e-9)
    identity = np.broadcast_to(np.eye(shape.classes), (30, shape.classes, shape.classes))
    rows = jacobian_rows(network, activations, identity, free_blocks(shape, mask))
    inverse = np.linalg.inv(found + np.eye(curvature.size))
    expected = rows @ inverse @ rows.transpose(0, 2, 1)
    np.testing.assert_allclose(
        curvature.influences(network, activations, inverse), expected, atol=1e-9
    )


@pytest.fixture(params=[6, 30, 60])
def both_ways(request, monkeypatch):
    """A problem of six classes by classes and by rows; of few samples, or of 60 in blocks."""
    shape, samples = Shape(2, 3, 6), request.param
    network, X = random_network(shape, 1), random_samples(shape, 2, samples=samples)
    network.logits[:] = np.inf
    targets = np.eye(6)[np.arange(samples) % 6]
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = 0
    monkeypatch.setattr(BLOCKS, "FEWEST_SAMPLES", 8)
    monkeypatch.setattr(BLOCKS, "BLOCK_ELEMENTS", 1 if samples == 60 else 1 << 20)
    problems = []
    for many in (3, 100):
        monkeypatch.setattr(trainable, "MANY_CLASSES", many)
        model = trainable.Trainable(network, free, CrossEntropy().contrasts(6))
        prior = Prior(np.zeros_like(model.start), np.ones_like(model.start))
        weights = np.linspace(0.5, 2, samples)
        problems.append(LocalProblem(model, CrossEntropy(), X, targets, weights, prior))
    assert [problem.model.has_many_outputs for problem in problems] == [True, False]
    return problems


def test_systems_of_many_classes_are_the_same_by_rows(both_ways):
    start = both_ways[0].model.start
    systems = [problem.system(start) for problem in both_ways]
    np.testing.assert_allclose(systems[0].solve(0.1), systems[1].solve(0.1), atol=1e-10)


def test_leave_one_out_of_many_classes_is_the_same_by_rows(both_ways):
    found = [leave_one_out(problem, problem.model.start) for problem in both_ways]
    np.testing.assert_allclose(found[0].losses, found[1].losses, rtol=1e-8)
    assert found[0].effective_parameters == pytest.approx(found[1].effective_parameters)
