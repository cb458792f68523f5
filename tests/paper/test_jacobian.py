"""The Jacobian of every block, against finite differences and automatic differentiation."""

import numpy as np
import pytest
from reference import SHAPES, logits, random_network, random_samples

from unfis.learning.objective import CrossEntropy
from unfis.network import Parameters, forward, jacobian_rows
from unfis.network.parameters import free_blocks
from unfis.network.prior import free_parameters, trainable

CASES = [
    (shape, selection, consequents, missing)
    for shape in SHAPES
    for selection in ("soft", "none", "mixed")
    for consequents in ("linear", "constant")
    for missing in (0.0, 0.4)
]


def case(shape, selection, consequents, missing):
    """The network as the estimator would train it, its free parameters and samples."""
    kind = "none" if selection == "none" else "soft"
    network = trainable(CrossEntropy(), random_network(shape, 11, selection), kind, consequents)
    return network, random_samples(shape, 12, missing=missing)


def exact(network, X):
    """dZ over the free parameters, shape (samples, classes, free)."""
    classes = network.fixed.shape.classes
    rows = network.linearise(network.start, network.prepared(X)).rows
    return rows(np.broadcast_to(np.eye(classes), (len(X), classes, classes)))


@pytest.mark.parametrize(("shape", "selection", "consequents", "missing"), CASES)
def test_every_block_equals_finite_differences(shape, selection, consequents, missing):
    network, X = case(shape, selection, consequents, missing)
    start, step = network.start, 1e-5
    numeric = np.empty((len(X), shape.classes, len(start)))
    for k in range(len(start)):
        change = step * (np.arange(len(start)) == k)
        difference = network.outputs(start + change, X) - network.outputs(start - change, X)
        numeric[:, :, k] = difference / (2 * step)
    scale = np.abs(numeric).max()
    assert np.abs(exact(network, X) - numeric).max() <= 1e-6 * scale


@pytest.mark.parametrize(("shape", "selection", "consequents", "missing"), CASES)
def test_every_block_equals_the_complex_step(shape, selection, consequents, missing):
    """Im z(pi + ih) / h of the second implementation has no cancellation: 1e-10."""
    network, X = case(shape, selection, consequents, missing)
    pi = network.fixed.to_vector().astype(complex)
    free = free_parameters(network.fixed, consequents).to_vector() > 0
    blocks = free_blocks(shape, free)
    identity = np.broadcast_to(np.eye(shape.classes), (len(X), shape.classes, shape.classes))
    found = jacobian_rows(network.fixed, forward(network.fixed, X), identity, blocks)
    derivatives = []
    for k in np.flatnonzero(free):
        moved = pi.copy()
        moved[k] += 1e-30j
        derivatives.append([np.imag(logits(moved, x, shape)) / 1e-30 for x in X])
    expected = np.array(derivatives).transpose(1, 2, 0)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_rows_are_the_jacobian_weighted():
    """B dZ for any B, and the same columns whether or not others are free."""
    shape = SHAPES[2]
    network, X = random_network(shape, 1), random_samples(shape, 2)
    activations = forward(network, X)
    identity = np.broadcast_to(np.eye(3), (6, 3, 3))
    dZ = jacobian_rows(network, activations, identity)
    np.testing.assert_allclose(jacobian_rows(network, activations, None), dZ, atol=1e-14)
    weights = np.random.default_rng(0).normal(size=(6, 2, 3))
    rows = jacobian_rows(network, activations, weights)
    np.testing.assert_allclose(rows, weights @ dZ, atol=1e-12)
    free = np.random.default_rng(1).random(shape.size) < 0.5
    some = jacobian_rows(network, activations, weights, free_blocks(shape, free))
    np.testing.assert_array_equal(some, rows[:, :, free])


def test_a_missing_input_has_no_derivative():
    shape = SHAPES[2]
    network, X = random_network(shape, 1), random_samples(shape, 2)
    X[:, 2] = np.nan
    identity = np.broadcast_to(np.eye(3), (6, 3, 3))
    dZ = jacobian_rows(network, forward(network, X), identity)
    for sample in dZ:
        for derivative in sample:
            blocks = Parameters.from_vector(derivative, shape)
            assert not blocks.centres[:, 2].any()
            assert not blocks.widths[:, 2].any()
            assert not blocks.logits[:, 2].any()
            assert not blocks.consequents[:, :, 3].any()
