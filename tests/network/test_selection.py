import numpy as np
from reference import SHAPES, random_network, random_samples

from unfis.network import Selection, forward

TWO_CLASSES = np.zeros((2, 2, 4))
MIXED = Selection.from_plain([["in", "out", 0.0], [1.5, "out", "in"]], TWO_CLASSES)


def test_in_out_and_learned():
    inside = [[True, False, True], [True, False, True]]
    np.testing.assert_array_equal(MIXED.in_condition, inside)
    np.testing.assert_array_equal(MIXED.in_consequent, inside)
    np.testing.assert_array_equal(MIXED.learned, [[False, False, True], [True, False, False]])
    np.testing.assert_array_equal(MIXED.used, [True, False, True])
    np.testing.assert_allclose(MIXED.degrees.condition[0], [1.0, 0.0, 0.5])


def test_plain_and_back():
    assert MIXED.plain() == [["in", "out", 0.0], [1.5, "out", "in"]]
    assert Selection.from_plain(MIXED.plain(), TWO_CLASSES).plain() == MIXED.plain()


def test_if_and_then_apart():
    apart = Selection.from_plain([["in", "if", "then", "out"]], np.zeros((1, 2, 5)))
    assert apart.plain() == [["in", "if", "then", "out"]]
    np.testing.assert_array_equal(apart.in_condition, [[True, True, False, False]])
    np.testing.assert_array_equal(apart.in_consequent, [[True, False, True, False]])
    np.testing.assert_array_equal(apart.in_classes, [[[True, False, True, False]]])
    np.testing.assert_array_equal(apart.used, [True, True, True, False])
    np.testing.assert_array_equal(apart.degrees.consequent, [[1.0, 0.0, 1.0, 0.0]])
    assert apart.without(0, slice(0, 3)).plain() == [["out"] * 4]


def test_classes_apart():
    """Of several classes an input is in a THEN for those it adds something to."""
    consequents = np.zeros((2, 3, 4))
    consequents[0, 1, 1] = consequents[0, :2, 3] = 2.0
    consequents[1, :, 2] = -1.0
    plain = [["in", "if", "then"], ["if", "then", "out"]]
    by_class = Selection.from_plain(plain, consequents)
    assert by_class.plain() == plain
    inside = np.array([[[0, 0, 1], [1, 0, 1], [0, 0, 0]], [[0, 1, 0]] * 3], dtype=bool)
    np.testing.assert_array_equal(by_class.in_classes, inside)
    np.testing.assert_array_equal(by_class.in_consequent, inside.any(axis=1))
    np.testing.assert_array_equal(by_class.degrees.consequent, inside.any(axis=1).astype(float))
    again = Selection.decided(by_class.in_condition, by_class.in_classes)
    np.testing.assert_array_equal(again.all_in().in_classes, inside)
    silent = Selection.from_plain(plain, np.zeros((2, 3, 4)))  # as of constant consequents
    assert silent.plain() == plain
    assert (silent.in_classes == silent.in_consequent[:, None, :]).all()
    fewer = by_class.without(0, slice(2, 3))
    assert fewer.plain() == [["in", "if", "out"], plain[1]]
    np.testing.assert_array_equal(fewer.in_classes[1], inside[1])
    np.testing.assert_array_equal(by_class.in_classes, inside)  # which is as it was


def test_slopes_of_other_classes_are_0():
    """And the network with some of its inputs, or of its rules, has their classes."""
    shape = SHAPES[2]
    inside = np.random.default_rng(3).random((shape.rules, shape.classes, shape.features)) < 0.5
    condition = np.ones((shape.rules, shape.features), dtype=bool)
    network = random_network(shape, 0).with_selection(Selection.decided(condition, inside))
    assert not network.consequents[:, :, 1:][~inside].any()
    assert network.consequents[:, :, 1:][inside].all()
    kept = np.arange(shape.features) > 0
    np.testing.assert_array_equal(network.only_features(kept).slopes, inside[:, :, kept])
    np.testing.assert_array_equal(network.only_rules(np.array([1])).slopes, inside[[1]])


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
