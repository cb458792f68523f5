"""Layers of neurons against the same neuron written out, and elements that are drawn."""

import numpy as np
import pytest

from unfis_paper.compared.neurons import (
    draw_halved_uninorms,
    draw_null_uninorms,
    draw_two_uninorms,
    draw_uninorms,
    neuron_outputs,
    with_constant,
)
from unfis_paper.compared.operators import two_uninorm, weighted_degrees

GENERATOR = np.random.RandomState(0)
X, CENTRES = GENERATOR.normal(size=(7, 3)), GENERATOR.normal(size=(4, 3))
ELEMENTS = draw_two_uninorms(GENERATOR, 4)
WEIGHTS = GENERATOR.uniform(size=(4, 3))


def written_out(x, centre, width, weights, elements):
    value = None
    for j in range(3):
        degree = np.exp(-((x[j] - centre[j]) ** 2) / (2 * width**2))
        part = weighted_degrees(np.array(degree), weights[j], elements)
        value = part if value is None else two_uninorm(value, part, *elements)
    return float(value)


def test_a_layer_is_its_neurons():
    found = neuron_outputs(X, CENTRES, 0.8, WEIGHTS, ELEMENTS)
    expected = [
        [
            written_out(x, *neuron)
            for neuron in zip(CENTRES, [0.8] * 4, WEIGHTS, ELEMENTS, strict=True)
        ]
        for x in X
    ]
    np.testing.assert_allclose(found, expected)
    assert with_constant(found).shape == (7, 5)
    assert (with_constant(found)[:, 0] == 1).all()


def test_and_of_all_inputs_is_a_product_of_memberships():
    elements = np.tile([0.0, 0.0, 1.0], (4, 1))
    found = neuron_outputs(X, CENTRES, 0.8, 1.0, elements)
    squares = ((X[:, None] - CENTRES) ** 2).sum(axis=2)
    np.testing.assert_allclose(found, np.exp(-squares / (2 * 0.8**2)))


@pytest.mark.parametrize(
    "draw", [draw_uninorms, draw_null_uninorms, draw_two_uninorms, draw_halved_uninorms]
)
def test_elements_that_are_drawn_are_in_order(draw):
    elements = draw(np.random.RandomState(1), 100)
    assert elements.shape == (100, 3)
    assert (np.diff(elements, axis=1) >= 0).all()
    assert elements.min() >= 0
    assert elements.max() <= 1
    if draw is draw_halved_uninorms:
        assert elements[:, 0].max() <= 0.5 <= elements[:, 2].min()
    if draw is draw_null_uninorms:
        assert not elements[:, 0].any()
