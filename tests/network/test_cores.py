"""Sets with a core, which hold wholly within it."""

from dataclasses import replace

import numpy as np
import pytest

from unfis.learning.objective import CrossEntropy
from unfis.network import Parameters, Selection, Shape, forward, network_logits
from unfis.network.combination import AVERAGED
from unfis.network.layers import deviations_from
from unfis.network.prior import trainable


def network(reaches=True, seed=0):
    """Two rules with conditions on two of three inputs, and one otherwise."""
    draw = np.random.default_rng(seed)
    shape = Shape(3, 3, 2)
    found = Parameters.from_vector(draw.normal(size=shape.size), shape)
    condition = np.array([[True, True, False], [False, True, False], [False, False, False]])
    selection = Selection.decided(condition, np.ones((3, 1, 3), dtype=bool))
    found = replace(found, combination=AVERAGED).with_selection(selection)
    if not reaches:
        return found
    ends = np.zeros((2, 3, 3))
    ends[:, 0, 0] = 0.0, np.inf
    ends[:, 0, 1] = 0.4, 0.2
    return replace(found, reaches=ends)


def test_deviations_count_from_the_nearer_end():
    reaches = np.array([[[0.5, np.inf, 0.0]], [[1.0, 0.0, 0.0]]])
    X = np.array([[-2.0, -9.0, 1.0], [0.3, 0.0, -1.0], [1.5, 2.0, 0.0], [np.nan, 1.0, 1.0]])
    missing = np.isnan(X)
    found = deviations_from(np.nan_to_num(X), missing, np.zeros((1, 3)), reaches)[:, 0]
    expected = [[-1.5, 0, 1], [0, 0, -1], [0.5, 2, 0], [0, 1, 1]]
    np.testing.assert_allclose(found, expected)


def test_within_its_core_a_rule_holds_wholly():
    found = network()
    centre = found.centres[0]
    X = np.array([[centre[0] + 1e6, centre[1] + 0.1, 5.0], [centre[0] - 3.0, centre[1], 5.0]])
    firing = forward(found, X).log_firing
    assert firing[0, 0] == 0
    assert firing[1, 0] < 0


def test_no_reach_is_the_gaussian_set():
    plain = network(reaches=False)
    cored = replace(plain, reaches=np.zeros((2, 3, 3)))
    X = np.random.default_rng(1).normal(size=(40, 3))
    X[::7, 1] = np.nan
    np.testing.assert_allclose(network_logits(cored, X), network_logits(plain, X), atol=1e-12)
    assert not cored.given.any()


def test_given_sets_are_not_learned_and_derivatives_are_those_of_differences():
    found = network()
    assert found.given.tolist() == [[True, True, False], [False] * 3, [False] * 3]
    model = trainable(CrossEntropy(), found, "decisive", "linear")
    # Centre and width of one condition, biases and slopes of a contrast, a threshold.
    assert len(model.start) == 2 + 3 * 4 + 1
    X = np.random.default_rng(2).normal(size=(30, 3))
    linearised = model.linearise(model.start, model.prepared(X))
    direction = np.random.default_rng(3).normal(size=len(model.start))
    residuals = np.random.default_rng(4).normal(size=(30, 2))
    ahead, behind = (model.outputs(model.start + h * direction, X) for h in (1e-6, -1e-6))
    expected = (residuals * (ahead - behind)).sum() / 2e-6
    assert linearised.sums(residuals) @ direction == pytest.approx(expected, rel=1e-5)


def test_what_a_rule_says_may_be_held():
    opinions = np.array([True, False, False])
    model = trainable(CrossEntropy(), network(), "decisive", "linear", None, opinions)
    moved = model.parameters(model.start + 1.0)
    np.testing.assert_array_equal(moved.consequents[0], model.fixed.consequents[0])
    np.testing.assert_array_equal(moved.thresholds, model.fixed.thresholds)
    assert (moved.consequents[1] != model.fixed.consequents[1]).all()


def test_parts_of_the_network_keep_their_cores():
    found = network()
    assert found.only_rules(np.array([2, 0])).reaches[1, 1, 0] == np.inf
    assert found.only_features(np.array([False, True, True])).reaches.shape == (2, 3, 2)
    assert found.with_vector(found.to_vector()).reaches is found.reaches
