"""Every erratum: the print fails the check that its correction passes."""

import numpy as np
import pytest
from printed_derivatives import MENDED, probability_derivatives
from reference import SHAPES, random_network, random_samples

from unfis.learning.objective import CrossEntropy, QuasiCrossEntropy
from unfis.network import Parameters, forward, jacobian_rows

SHAPE = SHAPES[2]


def numeric_derivatives(network, x, step=1e-6):
    """dp/dpi of one sample by central differences, shape (classes, parameters)."""
    pi = network.to_vector()
    columns = []
    for k in range(len(pi)):
        change = step * (np.arange(len(pi)) == k)
        plus = Parameters.from_vector(pi + change, network.shape)
        minus = Parameters.from_vector(pi - change, network.shape)
        ahead, behind = forward(plus, x[None]), forward(minus, x[None])
        columns.append((ahead.probabilities[0] - behind.probabilities[0]) / (2 * step))
    return np.array(columns).T


def error(**choices):
    network, x = random_network(SHAPE, 5), random_samples(SHAPE, 6)[0]
    printed = probability_derivatives(network, x, **{**MENDED, **choices})
    return np.abs(printed - numeric_derivatives(network, x)).max()


def test_mended_derivatives_are_right():
    assert error() < 1e-8


@pytest.mark.parametrize("erratum", ["off_diagonal", "selection_sign", "bias"])
def test_each_printed_derivative_is_wrong(erratum):
    assert error(**{erratum: False}) > 1e-3


def test_all_printed_derivatives_together_are_wrong():
    assert error(off_diagonal=False, selection_sign=False, epsilon=False, bias=False) > 1e-2


def test_epsilon_matters_where_mu_underflows():
    """At mu below epsilon mu+ is flat; without epsilon the slope d log mu+/d log mu is still 1."""
    network = random_network(SHAPES[1], 5)
    x = np.array([60.0, 0.1, 0.2])
    exact = numeric_derivatives(network, x, 1e-5)
    kept = probability_derivatives(network, x, **MENDED)
    dropped = probability_derivatives(network, x, **{**MENDED, "epsilon": False})
    centre = np.s_[:, [0, network.shape.features]]  # the centres of the far input
    assert np.abs(kept[centre] - exact[centre]).max() < 1e-8
    assert np.abs(dropped[centre] - exact[centre]).max() > 1e-3


def test_output_as_printed_is_no_probability():
    """z / sum z leaves [0, 1]; the soft-max that the text and eq. (j1) imply does not."""
    activations = forward(random_network(SHAPE, 5), random_samples(SHAPE, 6))
    printed = activations.logits / activations.logits.sum(axis=1, keepdims=True)
    assert printed.min() < 0
    assert activations.probabilities.min() > 0
    np.testing.assert_allclose(activations.probabilities.sum(axis=1), 1)


def test_eqs_lm7_and_lm8_in_compact_form():
    """sum_c J_c' J_c = dZ' S^2 dZ and sum_c J_c' Xi_c P*_c = dZ' (P* - p), summed over samples."""
    network, X = random_network(SHAPE, 7), random_samples(SHAPE, 8)
    targets = np.eye(3)[[0, 1, 2, 0, 1, 2]]
    activations = forward(network, X)
    p = activations.probabilities
    dZ = jacobian_rows(network, activations, np.broadcast_to(np.eye(3), (6, 3, 3)))
    J = np.array([probability_derivatives(network, x, **MENDED) for x in X])
    gram = sum(J[:, c].T @ J[:, c] for c in range(3))
    rhs = sum(J[:, c].T @ (targets[:, c] / p[:, c]) for c in range(3))
    roots, _ = QuasiCrossEntropy().roots(activations.logits, targets)
    assert roots.shape == (6, 2, 3)  # C - 1 rows per sample
    rows = np.einsum("krc,kcp->krp", roots, dZ).reshape(12, -1)
    np.testing.assert_allclose(rows.T @ rows, gram, atol=1e-10)
    residuals = CrossEntropy().residuals(activations.logits, targets)
    np.testing.assert_allclose(np.einsum("kc,kcp->p", residuals, dZ), rhs, atol=1e-10)
