import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.learning import CrossEntropy, Prior, Problem
from unfis.network import Shape, forward, jacobian_rows, trainable
from unfis.network.curvature import ClassCurvature
from unfis.network.parameters import Parameters, free_blocks


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
    found = curvature.in_order(curvature.sums(network, activations, weights))
    rows = jacobian_rows(network, activations, weights, free_blocks(shape, mask))
    rows = rows.reshape(-1, int(mask.sum()))
    assert curvature.size == mask.sum()
    np.testing.assert_allclose(found, rows.T @ rows, atol=1e-9)


def test_systems_of_many_classes_are_the_same_by_rows(monkeypatch):
    shape = Shape(2, 3, 6)
    network, X = random_network(shape, 1), random_samples(shape, 2, samples=60)
    targets = np.eye(6)[np.arange(60) % 6]
    systems = []
    for many in (3, 100):
        monkeypatch.setattr(trainable, "MANY_CLASSES", many)
        model = trainable.Trainable(network, Parameters.from_vector(np.ones(shape.size), shape))
        prior = Prior(np.zeros_like(model.start), np.ones_like(model.start))
        problem = Problem(model, X, targets, np.linspace(0.5, 2, 60), prior)
        systems.append(problem.system(CrossEntropy(), model.start))
    np.testing.assert_allclose(np.tril(systems[0].gram), np.tril(systems[1].gram), atol=1e-10)
    np.testing.assert_allclose(systems[0].rhs, systems[1].rhs, atol=1e-10)
