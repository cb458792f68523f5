import numpy as np
from reference import SHAPES, random_network, random_samples

from unfis.network import Selection, forward

MIXED = Selection.from_plain([["in", "out", 0.0], [1.5, "out", "in"]])


def test_in_out_and_learned():
    inside = [[True, False, True], [True, False, True]]
    np.testing.assert_array_equal(MIXED.in_condition, inside)
    np.testing.assert_array_equal(MIXED.in_consequent, inside)
    np.testing.assert_array_equal(MIXED.learned, [[False, False, True], [True, False, False]])
    np.testing.assert_array_equal(MIXED.used, [True, False, True])
    np.testing.assert_allclose(MIXED.degrees.condition[0], [1.0, 0.0, 0.5])


def test_plain_and_back():
    assert MIXED.plain() == [["in", "out", 0.0], [1.5, "out", "in"]]
    assert Selection.from_plain(MIXED.plain()).plain() == MIXED.plain()


def test_if_and_then_apart():
    apart = Selection.from_plain([["in", "if", "then", "out"]])
    assert apart.plain() == [["in", "if", "then", "out"]]
    np.testing.assert_array_equal(apart.in_condition, [[True, True, False, False]])
    np.testing.assert_array_equal(apart.in_consequent, [[True, False, True, False]])
    np.testing.assert_array_equal(apart.used, [True, True, True, False])
    np.testing.assert_array_equal(apart.degrees.consequent, [[1.0, 0.0, 1.0, 0.0]])
    assert apart.without(0, slice(0, 3)).plain() == [["out"] * 4]


def test_other_selections_leave_this_one():
    assert MIXED.all_in().plain() == [["in", "out", "in"]] * 2
    assert MIXED.without(1, slice(0, 2)).plain() == [["in", "out", 0.0], ["out", "out", "in"]]
    decided = Selection.decided(np.array([[True, False]]))
    assert decided.plain() == [["in", "out"]]
    np.testing.assert_array_equal(decided.degrees.condition, [[1.0, 0.0]])
    assert MIXED.plain() == [["in", "out", 0.0], [1.5, "out", "in"]]


def test_what_is_out_says_nothing():
    """Out of the IF and of the THEN: whatever its value, the network answers the same."""
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    for rule in range(shape.rules):
        network = network.with_selection(network.selection.without(rule, slice(1, 2)))
    assert not network.consequents[:, :, 2].any()
    other = X.copy()
    other[:, 1] += 3.0
    np.testing.assert_array_equal(forward(network, X).logits, forward(network, other).logits)
