"""Layers joined into matrix products say what they say one by one."""

import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.network import Shape, forward, layers


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("apart", [1.0, 100.0])
def test_products_are_the_layers_one_by_one(missing, apart):
    shape = Shape(3, 5, 2)
    network, X = random_network(shape, 1), random_samples(shape, 2, samples=50)
    network.centres[:] *= apart
    network.logits[:] = np.where(np.arange(15).reshape(3, 5) % 3, np.inf, -np.inf)
    X = X * apart + 7.0
    X[np.random.default_rng(3).random(X.shape) < missing] = np.nan
    activations = forward(network, X)
    log_memberships = layers.fuzzification_layer(activations.deviations, network.widths)
    one_by_one = layers.rule_layer(
        layers.selection_layer(log_memberships, None, activations.selection)
    )
    np.testing.assert_allclose(activations.log_firing, one_by_one, rtol=1e-10, atol=1e-10)


def test_centres_far_apart_keep_their_digits():
    """Multiplied out, half a width beside a centre ten million widths away would be lost."""
    network = random_network(Shape(2, 1, 2), 1)
    network.centres[:] = [[0.0], [1e10]]
    network.widths[:] = 1.0
    network.logits[:] = np.inf
    found = forward(network, np.array([[1e10 + 0.5]])).log_firing
    np.testing.assert_allclose(found[0, 1], -0.125, rtol=1e-5)


def test_no_features_are_left():
    """Every input out of every rule: rules say what they say of all samples alike."""
    network = random_network(Shape(2, 3, 2), 1).only_features(np.zeros(3, dtype=bool))
    activations = forward(network, np.empty((4, 0)))
    np.testing.assert_array_equal(activations.log_firing, 0.0)
    np.testing.assert_allclose(activations.rule_outputs, [network.consequents[:, :, 0]] * 4)
