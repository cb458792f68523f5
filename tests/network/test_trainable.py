from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from reference import SHAPES, random_network, random_samples

from unfis.arrays import softmax
from unfis.learning.objective import CrossEntropy
from unfis.network import (
    Parameters,
    Trainable,
    forward,
    jacobian_rows,
    network_logits,
    select_all,
)

# The module, whose name in the package is that of its function.
BLOCKS = import_module("unfis.network.forward")


def contrasts(shape):
    return CrossEntropy().contrasts(shape.classes)


def test_fixed_parameters_keep_their_values():
    shape = SHAPES[1]
    network = random_network(shape, 0)
    free = np.zeros(shape.size, dtype=bool)
    free[[0, 5]] = True
    model = Trainable(network, Parameters.from_vector(free.astype(float), shape), contrasts(shape))
    moved = model.parameters(np.array([7.0, 8.0])).to_vector()
    assert moved[[0, 5]].tolist() == [7.0, 8.0]
    np.testing.assert_array_equal(moved[~free], network.to_vector()[~free])
    np.testing.assert_array_equal(model.start, network.to_vector()[free])


@pytest.mark.parametrize("shape", SHAPES)
def test_contrasts_are_the_network_but_for_what_is_said_of_all_classes(shape):
    network, X = random_network(shape, 0), random_samples(shape, 1)
    model = Trainable(network, Parameters.from_vector(np.ones(shape.size), shape), contrasts(shape))
    assert len(model.start) == shape.size - (shape.features + 1) * shape.rules - 1
    change = np.random.default_rng(2).normal(size=len(model.start))
    moved = model.parameters(model.start + change)
    np.testing.assert_allclose(model.vector_of(moved), model.start + change, atol=1e-12)
    for name in ("consequents", "thresholds"):
        axis = getattr(network, name).ndim - 2 if name == "consequents" else 0
        means = [getattr(one, name).mean(axis=axis) for one in (network, moved)]
        np.testing.assert_allclose(*means, atol=1e-12)
    found, expected = (model.outputs(model.start + change, X), forward(moved, X).logits)
    np.testing.assert_allclose(softmax(found), softmax(expected), atol=1e-12)


def test_derivatives_of_contrasts_are_those_of_the_classes_turned():
    shape = SHAPES[1]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    everything = Parameters.from_vector(np.ones(shape.size), shape)
    model = Trainable(network, everything, contrasts(shape))
    linear = model.linearise(model.start, model.prepared(X))
    weights = np.random.default_rng(2).normal(size=(len(X), 2, shape.classes))
    weights -= weights.mean(axis=2, keepdims=True)  # as soft-max's are
    rows = jacobian_rows(network, forward(network, X), weights)
    turned = [
        model.vector_of(Parameters.from_vector(row, shape)) for row in rows.reshape(-1, shape.size)
    ]
    np.testing.assert_allclose(linear.rows(weights).reshape(len(turned), -1), turned, atol=1e-12)
    np.testing.assert_allclose(
        linear.sums(weights[:, 0]), linear.rows(weights)[:, 0].sum(axis=0), atol=1e-12
    )


def test_logits_in_blocks_are_those_at_once(monkeypatch):
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1, samples=50)
    at_once = forward(network, X).logits
    monkeypatch.setattr(BLOCKS, "BLOCK_ELEMENTS", 100)
    monkeypatch.setattr(BLOCKS, "FEWEST_SAMPLES", 1)
    np.testing.assert_allclose(network_logits(network, X), at_once, rtol=1e-13)


def test_select_all_puts_every_input_in():
    network = select_all(random_network(SHAPES[1], 0))
    assert (forward(network, random_samples(SHAPES[1], 1)).selection == 1).all()


def test_features_out_of_every_rule_cost_nothing_and_change_nothing():
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    logits = np.where(np.arange(shape.features) % 2, np.inf, -np.inf) * np.ones((shape.rules, 1))
    network = replace(network, logits=logits)
    used = network.selection.used
    assert used.tolist() == [bool(j % 2) for j in range(shape.features)]
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = 0
    for block in (free.centres, free.widths):
        block[:, ~used] = 0
    free.consequents[:, :, 1:][:, :, ~used] = 0
    model, activations = Trainable(network, free, contrasts(shape)), forward(network, X)
    linear = model.linearise(model.start, model.prepared(X))
    probabilities = softmax(activations.logits)
    np.testing.assert_allclose(softmax(linear.outputs), probabilities, atol=1e-12)
    np.testing.assert_allclose(softmax(model.outputs(model.start, X)), probabilities, atol=1e-12)
    assert linear.activations.inputs.shape[1] == used.sum()
    np.testing.assert_allclose(network_logits(network, X), activations.logits, atol=1e-12)


def test_a_selection_that_is_learned_may_leave_where_it_was_decided():
    """Powers are those of decided inputs; 40 is 1 to the last digit, and yet a logit to learn."""
    shape = SHAPES[1]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    network.logits[:] = 40.0
    model = Trainable(network, Parameters.from_vector(np.ones(shape.size), shape), contrasts(shape))
    moved = model.vector_of(replace(network, logits=np.full_like(network.logits, 0.5)))
    found = model.linearise(moved, model.prepared(X)).outputs
    np.testing.assert_allclose(found, model.outputs(moved, X), atol=1e-12)
