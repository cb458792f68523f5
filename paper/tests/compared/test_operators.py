"""The operators: laws of logic by drawn values, special cases, and the traps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfis_paper.compared.operators import (
    conjunctive_shares,
    two_uninorm,
    uninorm_elements,
    weighted_degrees,
)


def null_uninorm(a, b, absorbing, neutral):
    """F(a, b; u, g): OR up to u, AND from u to g, OR above g; absorbing <= neutral."""
    return two_uninorm(a, b, 0.0, absorbing, neutral)


def nullnorm(a, b, absorbing):
    """V(a, b; u): OR up to u, AND above; u = 0 is AND, u = 1 is OR."""
    return two_uninorm(a, b, 0.0, absorbing, 1.0)


def uninorm(a, b, neutral):
    """U(a, b; g): AND up to g, OR above; g = 1 is AND, g = 0 is OR."""
    return two_uninorm(a, b, *uninorm_elements(neutral).T)


# Values that meet the elements exactly too.
UNIT = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))


def is_in_order(elements):
    """Whether e1 < z < e2, by more than rounding, or z is at an end."""
    first, absorbing, second = elements
    lower, upper = absorbing - first > 1e-3, second - absorbing > 1e-3
    return (lower or absorbing == 0) and (upper or absorbing == 1)


TRIPLES = st.tuples(UNIT, UNIT, UNIT).map(sorted).filter(is_in_order)
PAIRS = TRIPLES.map(lambda three: three[1:]).filter(lambda pair: is_in_order([0.0, *pair]))


def product(a, b):
    return a * b


def probabilistic_sum(a, b):
    return a + b - a * b


OPERATORS = st.one_of(
    UNIT.map(lambda g: lambda a, b: float(uninorm(a, b, g))),
    UNIT.map(lambda u: lambda a, b: float(nullnorm(a, b, u))),
    PAIRS.map(lambda pair: lambda a, b: float(null_uninorm(a, b, *pair))),
    TRIPLES.map(lambda three: lambda a, b: float(two_uninorm(a, b, *three))),
)


@given(OPERATORS, UNIT, UNIT)
def test_they_are_commutative_and_stay_between_0_and_1(operator, a, b):
    assert operator(a, b) == operator(b, a)
    assert -1e-12 <= operator(a, b) <= 1 + 1e-12


@given(OPERATORS, UNIT, UNIT, UNIT)
def test_they_are_increasing(operator, a, b, c):
    low, high = sorted([b, c])
    assert operator(a, low) <= operator(a, high) + 1e-9


def is_near_an_edge(values, edges):
    """Whether rounding may put a value on the other side of where an operator jumps."""
    return any(0 < abs(value - edge) < 1e-6 for value in values for edge in edges)


ELEMENTS = st.one_of(
    TRIPLES,
    PAIRS.map(lambda pair: [0.0, *pair]),
    UNIT.map(lambda u: [0.0, u, 1.0]),
    UNIT.map(lambda g: uninorm_elements(g).tolist()),
)


@given(ELEMENTS, UNIT, UNIT, UNIT)
def test_all_of_them_are_associative(three, a, b, c):
    def operator(x, y):
        return float(two_uninorm(x, y, *three))

    inner = operator(a, b), operator(b, c)
    if not is_near_an_edge((*inner, a, b, c), three):
        assert operator(inner[0], c) == pytest.approx(operator(a, inner[1]), abs=1e-6)


@given(UNIT, UNIT)
def test_the_neutral_element_of_a_uninorm(g, a):
    assert float(uninorm(a, g, g)) == pytest.approx(a, abs=1e-12)


@given(UNIT, UNIT)
def test_the_absorbing_element_of_a_nullnorm(u, a):
    assert float(nullnorm(a, u, u)) == pytest.approx(u, abs=1e-12)
    end = 0.0 if a <= u else 1.0
    assert float(nullnorm(a, end, u)) == pytest.approx(a, abs=1e-12)


@given(TRIPLES, UNIT)
def test_each_side_of_a_2_uninorm_has_its_neutral_element(three, a):
    first, absorbing, second = three
    neutral = first if a <= absorbing else second
    assert float(two_uninorm(a, neutral, *three)) == pytest.approx(a, abs=1e-12)
    assert float(two_uninorm(a, absorbing, *three)) == pytest.approx(absorbing, abs=1e-12)


@given(UNIT, UNIT, UNIT)
def test_special_cases(a, b, element):
    both, either = product(a, b), probabilistic_sum(a, b)
    for conjunction in (uninorm(a, b, 1.0), nullnorm(a, b, 0.0), null_uninorm(a, b, 0.0, 1.0)):
        assert float(conjunction) == pytest.approx(both, abs=1e-12)
    for disjunction in (
        uninorm(a, b, 0.0),
        nullnorm(a, b, 1.0),
        null_uninorm(a, b, 0.0, 0.0),
        null_uninorm(a, b, 1.0, 1.0),
    ):
        assert float(disjunction) == pytest.approx(either, abs=1e-12)
    assert null_uninorm(a, b, element, 1.0) == nullnorm(a, b, element)
    if element > 0.5:  # where a uninorm takes the smaller value too
        assert null_uninorm(a, b, 0.0, element) == uninorm(a, b, element)


def test_by_hand():
    """g = 0.6: 0.6 * 0.5 * 0.5, 0.6 + 0.4 * 0.75, and the smaller of values on both sides."""
    assert float(uninorm(0.3, 0.3, 0.6)) == pytest.approx(0.15)
    assert float(uninorm(0.8, 0.8, 0.6)) == pytest.approx(0.9)
    assert float(uninorm(0.3, 0.8, 0.6)) == 0.3
    assert float(uninorm(0.3, 0.8, 0.4)) == 0.8
    assert float(nullnorm(0.2, 0.2, 0.4)) == pytest.approx(0.3)
    assert float(nullnorm(0.7, 0.7, 0.4)) == pytest.approx(0.55)
    assert float(nullnorm(0.2, 0.7, 0.4)) == 0.4


def test_the_first_trap_the_larger_value_would_not_be_associative():
    """Between u and g on one side and above g on the other, as a program might have it."""
    u, g = 0.2, 0.7

    def with_larger(a, b):
        low, high = min(a, b), max(a, b)
        return high if u <= low < g < high else float(null_uninorm(a, b, u, g))

    def ours(a, b):
        return float(null_uninorm(a, b, u, g))

    values = np.linspace(0, 1, 11)
    triples = [(a, b, c) for a in values for b in values for c in values]

    def differences(operator):
        return [
            abs(operator(operator(a, b), c) - operator(a, operator(b, c))) for a, b, c in triples
        ]

    assert max(differences(ours)) < 1e-9
    assert max(differences(with_larger)) > 0.05


def test_the_second_trap_an_absorbing_element_makes_a_neuron_constant():
    """One input of weight 0 with e = z leaves z, whatever the others are; ours leaves it out."""
    elements = np.array([0.2, 0.5, 0.8])
    degrees = np.array([0.55, 0.6, 0.9])
    constant = two_uninorm(degrees, elements[1], *elements)
    assert (constant == elements[1]).all()
    left_out = weighted_degrees(np.full(3, 0.7), 0.0, elements)
    np.testing.assert_allclose(two_uninorm(degrees, left_out, *elements), degrees)


@given(TRIPLES, UNIT, UNIT)
def test_a_weight_of_0_is_neutral_and_one_of_1_changes_nothing(three, a, weight):
    elements = np.array(three)
    first, absorbing, second = three
    assert float(weighted_degrees(np.array(a), 1.0, elements)) == pytest.approx(a, abs=1e-12)
    neutral = float(weighted_degrees(np.array(a), 0.0, elements))
    assert neutral == (first if a < absorbing or absorbing >= 1 else second)
    between = float(weighted_degrees(np.array(a), weight, elements))
    assert min(a, neutral) - 1e-12 <= between <= max(a, neutral) + 1e-12


@pytest.mark.parametrize("g", [0.2, 0.5, 0.8])
def test_a_weight_of_0_is_neutral_in_a_uninorm_at_both_ends(g):
    neutral = weighted_degrees(np.array([0.0, 0.5, 1.0]), 0.0, uninorm_elements(g))
    np.testing.assert_array_equal(neutral, g)


def test_how_much_is_and():
    elements = np.vstack([uninorm_elements([1.0, 0.0, 0.7, 0.3]), [[0.2, 0.5, 0.8]]])
    np.testing.assert_allclose(conjunctive_shares(elements), [1, 0, 0.7, 0.3, 0.5])


def test_elements_of_several_neurons_are_taken_apart():
    elements = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    a, b = np.full((3, 2), 0.5), np.full((3, 2), 0.4)
    np.testing.assert_allclose(two_uninorm(a, b, *elements.T), [[0.2, 0.7]] * 3)
