"""Which inputs may be where, and which slopes have the wrong sign."""

from dataclasses import replace

import numpy as np

from unfis.network import Parameters, Selection, Shape
from unfis.network.constraints import UNCONSTRAINED, Constraints, wrong_slopes


def network(slopes, inside=None):
    """Two classes and as many rules as slopes have rows, which are those of the second class."""
    slopes = np.asarray(slopes, dtype=float)
    shape = Shape(len(slopes), slopes.shape[1], 2)
    found = Parameters.from_vector(np.zeros(shape.size), shape)
    found.consequents[:, 0, 1:] = -1.0  # what both classes have in common counts for nothing
    found.consequents[:, 1, 1:] = slopes - 1.0
    inside = np.ones(slopes.shape, dtype=bool) if inside is None else np.asarray(inside)
    selection = Selection.decided(np.zeros(slopes.shape, dtype=bool), inside[:, None, :])
    return replace(found, logits=selection.logits, slopes=selection.slopes)


def test_a_constrained_input_is_in_no_condition_a_forbidden_one_nowhere():
    constraints = Constraints(frozenset({2}), {0: 1})
    assert constraints.in_condition(4).tolist() == [False, True, False, True]
    assert constraints.in_consequent(4).tolist() == [True, True, False, True]
    assert UNCONSTRAINED.in_condition(2).all()
    assert UNCONSTRAINED.in_consequent(2).all()


def test_all_columns_of_an_input_have_its_sign():
    constraints = Constraints(signs={0: -1, 2: 1})
    spans = [slice(0, 1), slice(1, 4), slice(4, 6)]
    assert constraints.of_columns(spans).tolist() == [-1, 0, 0, 0, 1, 1]


def test_a_slope_is_wrong_unless_it_has_its_sign():
    found = wrong_slopes(network([[0.5, 0.5, 0.5], [-0.5, -0.5, 0.0]]), np.array([1.0, -1.0, 1.0]))
    assert found.tolist() == [[False, True, False], [True, False, True]]


def test_what_is_out_or_free_is_never_wrong():
    found = network([[-1.0, -1.0]], [[False, True]])
    assert not wrong_slopes(found, np.array([1.0, 0.0])).any()
    assert not wrong_slopes(found, np.zeros(2)).any()
