"""The average of the rules' probabilities: what it says, and its derivatives."""

from dataclasses import replace

import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.arrays import softmax
from unfis.learning.objective import contrast_basis
from unfis.network import Parameters, Selection, Shape, Trainable, forward, jacobian_rows
from unfis.network.combination import AVERAGED
from unfis.network.jacobian import gradient_sums

SHAPES = [Shape(1, 2, 2), Shape(2, 3, 2), Shape(3, 4, 3)]


def averaged_network(shape, seed, otherwise=True):
    """A decided network whose inputs are in the IF, in the THEN, in both or in neither."""
    generator = np.random.default_rng(seed)
    condition, consequent = generator.random((2, shape.rules, shape.features)) < 0.6
    condition[:, 0] |= True
    if otherwise:
        condition[-1] = False
    start = replace(random_network(shape, seed), combination=AVERAGED)
    return start.with_selection(Selection.decided(condition, consequent[:, None, :]))


def by_classes(shape, seed):
    """The same, in which inputs are in the THEN for some classes alone."""
    network = averaged_network(shape, seed)
    inside = np.random.default_rng(seed).random(network.consequents[:, :, 1:].shape) < 0.5
    inside &= network.selection.in_classes
    return network.with_selection(Selection.decided(network.selection.in_condition, inside))


def probabilities_by_hand(network, x):
    """p of one sample, written out."""
    firing, said = [], []
    inside, slopes = network.selection.in_condition, network.selection.in_classes
    for i in range(network.shape.rules):
        f, y = 1.0, network.consequents[i, :, 0] - network.thresholds
        for j in range(network.shape.features):
            if np.isnan(x[j]):
                continue
            if inside[i, j]:
                variance = network.widths[i, j] ** 2 + 1e-6
                f *= np.exp(-((x[j] - network.centres[i, j]) ** 2) / (2 * variance))
            y = y + slopes[i, :, j] * network.consequents[i, :, 1 + j] * x[j]
        firing.append(f)
        said.append(softmax(y))
    if len(firing) > 1 and not inside[-1].any():
        firing[-1] = np.prod([1 - f for f in firing[:-1]])
    return sum(f * q for f, q in zip(firing, said, strict=True)) / sum(firing)


@pytest.mark.parametrize("otherwise", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_answer_is_the_average_of_what_the_rules_say(shape, otherwise):
    network = averaged_network(shape, 3, otherwise)
    X = random_samples(shape, 4, samples=7, missing=0.2)
    found = np.exp(forward(network, X).logits)
    expected = [probabilities_by_hand(network, x) for x in X]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_answer_of_rules_whose_inputs_speak_for_some_classes():
    network = by_classes(Shape(3, 4, 3), 3)
    X = random_samples(network.shape, 4, samples=7, missing=0.2)
    expected = [probabilities_by_hand(network, x) for x in X]
    np.testing.assert_allclose(np.exp(forward(network, X).logits), expected, rtol=1e-12)


def test_the_otherwise_rule_is_as_strong_as_another_that_holds_by_half():
    network = averaged_network(Shape(2, 1, 2), 1)
    half = network.centres[0] + np.sqrt(2 * np.log(2) * (network.widths[0] ** 2 + 1e-6))
    np.testing.assert_allclose(forward(network, half[None]).strengths, 0.5, rtol=1e-12)


@pytest.mark.parametrize("otherwise", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_derivatives_are_those_of_finite_differences(shape, otherwise):
    network = averaged_network(shape, 5, otherwise)
    X = random_samples(shape, 6, missing=0.1)
    rows = jacobian_rows(network, forward(network, X), None)
    vector = network.to_vector()
    learned = np.isfinite(vector)
    for k in np.flatnonzero(learned):
        step = np.zeros_like(vector)
        step[k] = 1e-6
        up, down = (forward(network.with_vector(vector + s), X).logits for s in (step, -step))
        np.testing.assert_allclose(rows[:, :, k], (up - down) / 2e-6, atol=2e-8, rtol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradients_are_sums_of_rows(shape):
    network = averaged_network(shape, 7)
    X = random_samples(shape, 8)
    activations = forward(network, X)
    residuals = np.random.default_rng(0).normal(size=activations.logits.shape)
    free = np.isfinite(network.to_vector())
    rows = jacobian_rows(network, activations, residuals[:, None, :])[:, 0]
    found = gradient_sums(network, activations, residuals, free)
    np.testing.assert_allclose(found, rows.sum(axis=0)[free], atol=1e-10)


@pytest.mark.parametrize("shape", SHAPES[1:])
def test_a_vector_of_contrasts_says_the_same(shape):
    network = averaged_network(shape, 9)
    X = random_samples(shape, 10)
    selection = network.selection
    free = Parameters.from_vector(np.ones(shape.size), shape)
    free.logits[:] = 0
    free.centres[:] = free.widths[:] = selection.in_condition
    free.consequents[:, :, 1:] = selection.in_consequent[:, None, :]
    trainable = Trainable(network, free, contrast_basis(shape.classes))
    np.testing.assert_allclose(
        trainable.outputs(trainable.start, X), forward(network, X).logits, atol=1e-12
    )
    moved = trainable.start + 0.1
    expected = forward(trainable.parameters(moved), X).logits
    np.testing.assert_allclose(trainable.outputs(moved, X), expected, atol=1e-12)
    linearised = trainable.linearise(trainable.start, trainable.prepared(X))
    rows = linearised.rows(np.broadcast_to(np.eye(shape.classes), (len(X), *[shape.classes] * 2)))
    for k in range(len(moved)):
        step = np.zeros(len(moved))
        step[k] = 1e-6
        up, down = (trainable.outputs(trainable.start + s, X) for s in (step, -step))
        np.testing.assert_allclose(rows[:, :, k], (up - down) / 2e-6, atol=2e-8, rtol=1e-6)


def test_a_rule_that_holds_wholly_leaves_nothing_to_the_otherwise_rule():
    network = averaged_network(Shape(3, 2, 2), 11)
    at_centre = network.centres[:1].copy()
    found = forward(network, at_centre)
    assert found.strengths[0, 2] < 1e-20
    assert np.isfinite(jacobian_rows(network, found, None)).all()
    beyond = forward(network, np.full((1, 2), 1e6))
    np.testing.assert_allclose(beyond.strengths[0], [0, 0, 1], atol=1e-12)
    assert np.isfinite(jacobian_rows(network, beyond, None)).all()
