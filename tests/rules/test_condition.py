"""Degrees of conditions: sharp edges, shoulders, kinds, missing values."""

from dataclasses import FrozenInstanceError
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfis.rules import Kinds, Trapezoid, Unknown

CASES = {
    "all four borders": (
        Trapezoid(0, 1, 3, 5, 9),
        {0: 0, 1: 0, 2: 0.5, 3: 1, 4: 1, 5: 1, 6: 0.75, 8: 0.25, 9: 0, 99: 0, -inf: 0, inf: 0},
    ),
    "a triangle": (Trapezoid(0, 1, 2, 2, 4), {1: 0, 1.5: 0.5, 2: 1, 3: 0.5, 4: 0}),
    "a rising shoulder": (
        Trapezoid(0, 1, 3),
        {-inf: 0, 1: 0, 2: 0.5, 3: 1, 1e300: 1, inf: 1, nan: 0},
    ),
    "a falling shoulder": (
        Trapezoid(0, c=1, d=3, unknown=1),
        {-inf: 1, -1e300: 1, 1: 1, 1.5: 0.75, 3: 0, inf: 0, nan: 1},
    ),
    "a sharp edge includes its value": (Trapezoid(0, 2, 2), {1.9999: 0, 2: 1, 3: 1}),
    "a sharp end is just below its value": (Trapezoid(0, c=2, d=2), {1.9999: 1, 2: 0, 3: 0}),
    "a sharp range": (Trapezoid(0, 2, 2, 4, 4), {1.9: 0, 2: 1, 3.9: 1, 4: 0}),
    "one value of few": (Trapezoid(0, 2, 2, 3, 3), {1: 0, 2: 1, 3: 0}),
    "no border at all": (Trapezoid(0, unknown=0.25), {-inf: 1, 0: 1, inf: 1, nan: 0.25}),
    "kinds": (Kinds(0, (1, 4)), {0: 0, 1: 1, 2: 0, 4: 1, nan: 0}),
    "kinds that the table does not know": (Kinds(0, (1, 4), unknown=0.5), {9: 0, nan: 0.5}),
    "unknown": (Unknown(0), {-inf: 0, 0: 0, inf: 0, nan: 1}),
}


@pytest.mark.parametrize(("condition", "expected"), CASES.values(), ids=CASES)
def test_degrees(condition, expected):
    values = np.array([*expected], dtype=float)
    np.testing.assert_array_equal(condition.degrees(values), [*expected.values()])


borders = st.lists(st.integers(-8, 8), min_size=4, max_size=4).map(sorted)


@given(borders, st.lists(st.integers(-20, 20), min_size=1, max_size=20))
def test_degrees_are_from_0_to_1_and_rise_then_fall(ends, values):
    values = np.sort(np.array(values) / 2)
    degrees = Trapezoid(0, *map(float, ends)).degrees(values)
    assert ((degrees >= 0) & (degrees <= 1)).all()
    rising, falling = values <= ends[1], values >= ends[2]
    assert (np.diff(degrees[rising]) >= 0).all()
    assert (np.diff(degrees[falling]) <= 0).all()


@given(st.integers(-8, 8), st.integers(0, 8), st.integers(-40, 40), st.booleans())
def test_two_ranges_that_meet_share_each_value(low, width, value, missing):
    """A falling shoulder is 1 less the rising one of the same borders."""
    values = np.array([np.nan if missing else value / 4])
    rising = Trapezoid(0, low, low + width, unknown=0.25)
    falling = Trapezoid(0, c=low, d=low + width, unknown=0.75)
    np.testing.assert_array_equal(rising.degrees(values) + falling.degrees(values), 1.0)


def test_edges_are_where_the_degree_changes():
    assert Trapezoid(0, 1, 2, 3, 4).edges == ((1, 2), (3, 4))
    assert Trapezoid(0, 1, 2).edges == ((1, 2),)
    assert Trapezoid(0, c=3, d=4).edges == ((3, 4),)
    assert Trapezoid(0).edges == ()


def test_falling_borders_are_refused():
    with pytest.raises(ValueError, match="rising borders; got 2, 1, inf, inf"):
        Trapezoid(0, 2, 1)


@pytest.mark.parametrize("condition", [Trapezoid(0, 1, 2), Kinds(0, (1,)), Unknown(0)])
def test_conditions_are_values(condition):
    assert condition == type(condition)(**vars(condition))
    assert hash(condition) == hash(type(condition)(**vars(condition)))
    with pytest.raises(FrozenInstanceError):
        condition.input = 1
