"""One test per equation of the paper's seven layers."""

import numpy as np
import pytest
from reference import SHAPES, logits, random_network, random_samples

from unfis.network import Parameters, Selection, forward, layers


def test_eq_parameter_vector_order_and_length():
    """pi = [m, sigma, s, alpha, theta], (3 + C) R n + (R + 1) C long; alpha by rule, class, j."""
    shape = SHAPES[2]
    rules, features, classes = shape
    assert shape.size == (3 + classes) * rules * features + (rules + 1) * classes
    network = Parameters.from_vector(np.arange(shape.size, dtype=float), shape)
    pairs = rules * features
    assert network.centres[0, 1] == 1  # m_2^1 follows m_1^1
    assert network.centres[1, 0] == features  # m_1^2 follows m_n^1
    assert network.widths[0, 0] == pairs
    assert network.logits[0, 0] == 2 * pairs
    assert network.consequents[0, 0, 0] == 3 * pairs  # alpha_{1,0}^1
    assert network.consequents[0, 1, 0] == 3 * pairs + features + 1  # alpha_{2,0}^1
    assert network.thresholds[-1] == shape.size - 1
    assert (network.to_vector() == np.arange(shape.size)).all()


def test_eq_varsigma():
    """vs = 1 / (1 + exp(-s)): by hand at 0 and ln 3, exact at the ends."""
    s = np.array([0.0, np.log(3.0), np.inf, -np.inf])
    np.testing.assert_allclose(Selection(s).degrees, [0.5, 0.75, 1.0, 0.0], rtol=1e-15)


def test_eq_fs():
    """mu = exp(-(x - m)^2 / (2 sigma^2)): at one deviation exp(-1/2)."""
    log_mu = layers.fuzzification_layer(np.array([[[2.0]]]), np.array([[2.0]]))
    np.testing.assert_allclose(log_mu, -0.5, rtol=1e-6)


def test_eq_muplus():
    """mu+ = (mu + eps) / ((1 - vs) mu + vs + eps): by hand mu = 1/2, vs = 1/2 gives 2/3."""
    mu = np.array([[[0.5]]])
    log_selected = layers.selection_layer(np.log(mu), mu, np.array([[0.5]]))
    np.testing.assert_allclose(np.exp(log_selected), 2 / 3, rtol=1e-7)


def test_eq_alphaplus_and_conseq():
    """y = alpha_0 + vs alpha x, the bias unselected: 1 + 0.5 * 4 * 3 = 7."""
    outputs = layers.consequent_layer(
        np.array([[3.0]]), np.array([[0.5]]), np.array([[[1.0, 4.0]]])
    )
    assert outputs == 7.0


def test_eq_lim():
    """vs = 0 gives mu+ = 1 and alpha+ = 0 exactly; vs = 1 gives mu+ = mu and alpha+ = alpha."""
    mu = np.array([[[1e-30, 0.3]]])
    out, inside = np.zeros((1, 2)), np.ones((1, 2))
    assert (layers.selection_layer(np.log(mu), mu, out) == 0).all()
    assert (layers.selection_layer(np.log(mu), mu, inside) == np.log(mu)).all()
    consequents = np.array([[[1.0, 4.0, 5.0]]])
    inputs = np.array([[3.0, 2.0]])
    assert layers.consequent_layer(inputs, out, consequents) == 1.0
    assert layers.consequent_layer(inputs, inside, consequents) == 23.0


def test_rule_and_normalisation_layers():
    """f = prod mu+, phi = f / sum f: products 1/8 and 3/8 give 1/4 and 3/4."""
    log_selected = np.log(np.array([[[0.25, 0.5], [0.75, 0.5]]]))
    log_firing = layers.rule_layer(log_selected)
    np.testing.assert_allclose(np.exp(log_firing), [[1 / 8, 3 / 8]])
    np.testing.assert_allclose(layers.normalisation_layer(log_firing), [[0.25, 0.75]])


def test_eq_output_is_a_softmax():
    """p = exp(z) / sum exp(z), z = sum_i phi_i y^i - theta."""
    z = layers.output_layer(
        np.array([[0.25, 0.75]]), np.array([[[4.0, 0.0], [0.0, 4.0]]]), np.array([1.0, 1.0])
    )
    np.testing.assert_allclose(z, [[0.0, 2.0]])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("selection", ["soft", "none", "mixed"])
@pytest.mark.parametrize("missing", [0.0, 0.4])
def test_forward_equals_the_paper_sample_by_sample(shape, selection, missing):
    network = random_network(shape, 1, selection)
    X = random_samples(shape, 2, missing=missing)
    expected = [logits(network.to_vector(), x, shape) for x in X]
    activations = forward(network, X)
    np.testing.assert_allclose(activations.logits, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(activations.strengths.sum(axis=1), 1)


def test_many_inputs_do_not_underflow():
    """10,000 inputs far from every centre: the product of memberships is below any float."""
    features = 10_000
    generator = np.random.default_rng(0)
    shape = SHAPES[1]._replace(features=features)
    for selection in ("soft", "none"):
        network = random_network(shape, 0, selection)
        activations = forward(network, 10 * generator.normal(size=(3, features)))
        assert np.exp(activations.log_firing).max() == 0
        assert np.isfinite(activations.logits).all()
        np.testing.assert_allclose(activations.strengths.sum(axis=1), 1)


def test_a_width_never_reaches_zero():
    """sigma = 0 and sigma < 0 are sets of positive width; sigma and -sigma are the same set."""
    deviations = np.array([[[0.5]]])
    log_zero = layers.fuzzification_layer(deviations, np.zeros((1, 1)))
    assert np.isfinite(log_zero).all()
    plus = layers.fuzzification_layer(deviations, np.ones((1, 1)))
    minus = layers.fuzzification_layer(deviations, -np.ones((1, 1)))
    assert plus == minus


def test_missing_is_the_tautology_set():
    """A missing input gives the network in which that input is out of every rule."""
    shape = SHAPES[2]
    network = random_network(shape, 3)
    X = random_samples(shape, 4)
    X[:, 1] = np.nan
    logits_out = network.logits.copy()
    logits_out[:, 1] = -np.inf
    without = Parameters(
        network.centres, network.widths, logits_out, network.consequents, network.thresholds
    )
    filled = np.where(np.isnan(X), 123.0, X)
    np.testing.assert_allclose(
        forward(network, X).logits, forward(without, filled).logits, atol=1e-12
    )
