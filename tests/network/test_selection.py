import numpy as np
from reference import SHAPES, random_network, random_samples

from unfis.network import Selection, forward
from unfis.network.selection import IN, OUT

MIXED = Selection(np.array([[IN, OUT, 0.0], [1.5, OUT, IN]]))


def test_in_out_and_learned():
    np.testing.assert_array_equal(MIXED.inside, [[True, False, True], [True, False, True]])
    np.testing.assert_array_equal(MIXED.out, ~MIXED.inside)
    np.testing.assert_array_equal(MIXED.learned, [[False, False, True], [True, False, False]])
    np.testing.assert_array_equal(MIXED.used, [True, False, True])
    np.testing.assert_allclose(MIXED.degrees[0], [1.0, 0.0, 0.5])


def test_other_selections_leave_this_one():
    np.testing.assert_array_equal(MIXED.all_in().logits, [[IN, OUT, IN]] * 2)
    np.testing.assert_array_equal(Selection.decided(MIXED.inside).degrees, [[1, 0, 1]] * 2)
    assert MIXED.logits[1, 0] == 1.5


def test_what_is_out_says_nothing():
    """Out of the IF and of the THEN: whatever its value, the network answers the same."""
    shape = SHAPES[2]
    network, X = random_network(shape, 0), random_samples(shape, 1)
    logits = network.logits.copy()
    logits[:, 1] = OUT
    network = network.with_selection(Selection(logits))
    assert not network.consequents[:, :, 2].any()
    other = X.copy()
    other[:, 1] += 3.0
    np.testing.assert_array_equal(forward(network, X).logits, forward(network, other).logits)
