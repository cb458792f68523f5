import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.network import Shape, forward, jacobian_rows
from unfis.network.jacobian import gradient_sums
from unfis.network.parameters import free_blocks

SHAPES = [Shape(1, 1, 2), Shape(3, 4, 3), Shape(2, 6, 2)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("decided", [False, True])
def test_sums_are_those_of_the_rows(shape, decided):
    network, X = random_network(shape, 1), random_samples(shape, 2)
    if decided:
        network.logits[:] = np.where(np.arange(shape.features) % 2, -np.inf, np.inf)
    X[0, 0] = np.nan
    activations = forward(network, X)
    residuals = np.random.default_rng(3).normal(size=(len(X), shape.classes))
    free = np.random.default_rng(4).random(shape.size) < 0.7
    rows = jacobian_rows(network, activations, residuals[:, None, :], free_blocks(shape, free))
    found = gradient_sums(network, activations, residuals, free)
    np.testing.assert_allclose(found, rows.sum(axis=(0, 1)), atol=1e-12)
