"""Products with dZ against finite differences, the gradient's sums and the rows themselves."""

from dataclasses import replace

import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.learning.objective import CrossEntropy, contrast_basis
from unfis.network import Parameters, Selection, Shape, Trainable
from unfis.network import differential as differential_module
from unfis.network.combination import AVERAGED, MIXED_OUTPUTS

SHAPE = Shape(3, 4, 5)
SAMPLES = 40


def network_of(selection, combination):
    """Soft, all in, soft beside decided, or decided with a rule that has no IF."""
    if selection != "halves":
        return replace(random_network(SHAPE, 1, selection), combination=combination)
    condition, consequent = np.random.default_rng(0).random((2, 3, 4)) < 0.6
    condition[-1] = False
    network = replace(random_network(SHAPE, 1), combination=combination)
    return network.with_selection(Selection.decided(condition, consequent[:, None, :]))


def free_of(network):
    """1 for what may be learned: by class, since one slope of one class may not."""
    free = Parameters.from_vector(np.ones(SHAPE.size), SHAPE)
    free.logits[:] = network.selection.learned
    free.consequents[:, :, 1:] = network.selection.in_consequent[:, None, :]
    free.consequents[0, 1, 2] = 0
    free.widths[1, 1] = 0
    return free


@pytest.fixture(
    params=[
        (selection, combination)
        for selection in ("soft", "none", "mixed", "halves")
        for combination in (MIXED_OUTPUTS, AVERAGED)
    ],
    ids=lambda kind: f"{kind[0]}, {kind[1].name}",
)
def case(request):
    """A trainable network, samples with missing values, and the network near its start."""
    network = network_of(*request.param)
    model = Trainable(network, free_of(network), contrast_basis(SHAPE.classes))
    X = random_samples(SHAPE, 2, samples=SAMPLES, missing=0.1)
    return model, X, model.linearise(model.start, model.prepared(X))


def gram_of(near):
    """dZ' S dZ by the rows, and p."""
    roots, _ = CrossEntropy().roots(near.outputs, np.zeros_like(near.outputs))
    rows = near.rows(roots)
    rows = rows.reshape(-1, rows.shape[2])
    return rows.T @ rows, CrossEntropy().predictions(near.outputs)


def test_tangents_are_finite_differences(case):
    model, X, near = case
    vector = np.random.default_rng(3).normal(size=len(model.start))
    up, down = (model.outputs(model.start + step * vector, X) for step in (1e-6, -1e-6))
    found = near.differential.tangents(vector)
    np.testing.assert_allclose(found, (up - down) / 2e-6, atol=1e-8)


def test_sums_are_the_gradient_and_the_transposed_map(case):
    model, _, near = case
    generator = np.random.default_rng(4)
    vector, residuals = generator.normal(size=len(model.start)), generator.normal(size=(SAMPLES, 5))
    found = near.differential.sums(residuals)
    np.testing.assert_allclose(found, near.sums(residuals), atol=1e-12)
    tangents = near.differential.tangents(vector)
    assert found @ vector == pytest.approx((residuals * tangents).sum(), rel=1e-10)


def test_products_are_those_with_the_gram_matrix(case):
    model, _, near = case
    gram, _ = gram_of(near)
    curvature, products = CrossEntropy().curvature(near.outputs), near.differential
    vector = np.random.default_rng(5).normal(size=len(model.start))
    found = products.sums(curvature.times(products.tangents(vector)))
    np.testing.assert_allclose(found, gram @ vector, atol=1e-9)


def test_blocks_are_those_of_the_gram_matrix(case):
    """But for logits, whose consequents count by themselves, and averaged rules' thresholds."""
    model, _, near = case
    gram, probabilities = gram_of(near)
    *sets, consequents, thresholds = near.differential.blocks(probabilities, probabilities)
    *set_places, own, last = model.block_positions()
    for matrices, places in [*zip(sets, set_places, strict=True), (consequents, own)]:
        for matrix, place in zip(matrices, places, strict=True):
            known = (place >= 0) & (np.arange(len(place)) < 2 * SHAPE.features)
            expected = gram[np.ix_(place[known], place[known])]
            np.testing.assert_allclose(matrix[np.ix_(known, known)], expected, atol=1e-9)
    if near.activations.combination.by_class:
        expected = np.diagonal(gram)[last[:, 0]]
        np.testing.assert_allclose(thresholds[:, 0, 0], expected, atol=1e-9)
    every = np.concatenate([places[places >= 0] for places in (*set_places, own, last)])
    np.testing.assert_array_equal(np.sort(every), np.arange(len(model.start)))


def test_blocks_are_positive(case):
    _, _, near = case
    _, probabilities = gram_of(near)
    for matrices in near.differential.blocks(probabilities, probabilities):
        assert np.linalg.eigvalsh(matrices).min() > -1e-12


def test_blocks_of_many_inputs_are_those_of_some_samples(case, monkeypatch):
    """Every second sample, twice."""
    model, X, near = case
    _, probabilities = gram_of(near)
    monkeypatch.setattr(differential_module, "MANY_INPUTS", 2)
    found = near.differential.blocks(probabilities, probabilities)
    monkeypatch.undo()
    half = model.linearise(model.start, model.prepared(X[::2]))
    expected = half.differential.blocks(probabilities[::2], probabilities[::2])
    for matrices, others in zip(found, expected, strict=True):
        np.testing.assert_allclose(matrices, 2 * others, atol=1e-9)
