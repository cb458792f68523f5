"""Layers 3 and 4 of a soft selection at once say what they say one by one."""

import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.network import Shape, forward, layers


@pytest.mark.parametrize("features", [1, 5, 33, 100])
@pytest.mark.parametrize("apart", [1.0, 100.0])
def test_products_are_the_layers_one_by_one(features, apart):
    """Far from all centres every factor is about eps, and a product of 100 of them underflows."""
    shape = Shape(3, features, 2)
    network, X = random_network(shape, 1), apart * random_samples(shape, 2, samples=50)
    X[0, 0] = np.nan
    activations = forward(network, X)
    log_memberships = layers.fuzzification_layer(activations.deviations, network.widths)
    vs = activations.selection
    selected = layers.selection_layer(log_memberships, np.exp(log_memberships), vs)
    expected = layers.rule_layer(selected)
    np.testing.assert_allclose(activations.log_firing, expected, rtol=1e-12, atol=1e-12)
