from dataclasses import replace

import numpy as np
from reference import SHAPES, random_network, random_samples

from unfis.network import (
    Parameters,
    Trainable,
    forward,
    jacobian_rows,
    network_logits,
    select_all,
    trainable,
)


def test_fixed_parameters_keep_their_values():
    shape = SHAPES[1]
    network = random_network(shape, 0)
    free = np.zeros(shape.size, dtype=bool)
    free[[0, 5]] = True
    model = Trainable(network, free)
    moved = model.parameters(np.array([7.0, 8.0])).to_vector()
    assert moved[[0, 5]].tolist() == [7.0, 8.0]
    np.testing.assert_array_equal(moved[~free], network.to_vector()[~free])
    np.testing.assert_array_equal(model.start, network.to_vector()[free])


def test_logits_in_blocks_are_those_at_once(monkeypatch):
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1, samples=50)
    at_once = forward(network, X).logits
    monkeypatch.setattr(trainable, "BLOCK_ELEMENTS", 100)
    monkeypatch.setattr(trainable, "FEWEST_SAMPLES", 1)
    np.testing.assert_allclose(network_logits(network, X), at_once, rtol=1e-13)


def test_select_all_puts_every_input_in():
    network = select_all(random_network(SHAPES[1], 0))
    assert (forward(network, random_samples(SHAPES[1], 1)).selection == 1).all()


def test_features_out_of_every_rule_cost_nothing_and_change_nothing():
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    logits = np.where(np.arange(shape.features) % 2, np.inf, -np.inf) * np.ones((shape.rules, 1))
    network = replace(network, logits=logits)
    used = network.used
    assert used.tolist() == [bool(j % 2) for j in range(shape.features)]
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = 0
    for block in (free.centres, free.widths):
        block[:, ~used] = 0
    free.consequents[:, :, 1:][:, :, ~used] = 0
    model = Trainable(network, free.to_vector().astype(bool))
    activations = forward(network, X)
    linear = model.linearise(model.start, X)
    logits, rows = linear.logits, linear.rows
    np.testing.assert_allclose(logits, activations.logits, atol=1e-12)
    np.testing.assert_allclose(model.logits(model.start, X), activations.logits, atol=1e-12)
    weights = np.broadcast_to(np.eye(shape.classes), (len(X), shape.classes, shape.classes))
    expected = jacobian_rows(network, activations, weights, model.free)
    np.testing.assert_allclose(rows(weights), expected, atol=1e-12)
    np.testing.assert_allclose(network_logits(network, X), activations.logits, atol=1e-12)
