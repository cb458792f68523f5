"""Printed ranges: where they lie, and that rounding leaves no row out that was inside."""

import numpy as np
import pytest

from unfis.rules import Condition, Variable
from unfis.rules.borders import Limit, Limits, border_between, in_words
from unfis.rules.text.numbers import Distribution


@pytest.mark.parametrize(
    ("inner", "outer", "both", "decimals", "border"),
    [
        (1.9, 3.0, False, 1, 2.5),  # below 2.5
        (1.8, 1.7, False, 1, 1.7),  # above 1.7, which leaves 1.7 out
        (59.0, 60.0, False, 0, 60.0),  # below 60
        (60.0, 59.0, True, 0, 60.0),  # from 60 on
        (59.0, 60.0, True, 0, 59.0),  # to 59
        (0.31, 0.32, False, 1, 0.32),  # in a digit more
    ],
)
def test_a_border_parts_two_values(inner, outer, both, decimals, border):
    assert border_between(inner, outer, both, decimals) == border


@pytest.mark.parametrize("both", [False, True])
def test_where_no_border_parts_two_values_the_inner_one_stays_inside(both):
    generator = np.random.default_rng(0)
    for inner in generator.normal(size=200):
        assert border_between(inner, inner + 1e-7, both, 1) > inner
        assert border_between(inner, inner - 1e-7, both, 1) < inner


def test_limits_tell_the_rows_led_from_the_rest():
    """One rule leads where a number is below 3 and another above 5; the start is no matter."""
    values = np.arange(10.0)
    first, second = np.meshgrid(values, values)
    first, second = first.ravel(), second.ravel()
    led = ((first < 3) & (second > 5)).astype(float)
    limits = Limits([Limit(first, 8.0), Limit(-second, 0.0)], led, 1 - led)
    assert limits.chosen() == [2.0, -6.0]


def test_a_limit_that_tells_nothing_apart_is_open():
    values = np.arange(100.0)
    led = np.ones(100)
    led[99] = 0  # one row in a hundred is not worth a word
    assert Limits([Limit(values, 50.0)], led, 1 - led).chosen() == [np.inf]


def test_nine_tenths_of_the_rows_led_are_inside_whatever_it_costs():
    """A rule that leads on few rows here and there: the range is wide, not narrow."""
    values = np.arange(1000.0)
    led = (values % 50 == 0).astype(float)
    limits = Limits([Limit(values, 10.0)], led, 1 - led)
    inside = limits.inside(limits.chosen())
    assert led[inside].sum() >= 0.9 * led.sum()


def test_of_many_kinds_the_most_frequent_are_named_and_all_are_accepted():
    kinds = tuple("abcdefghijkl")
    cuts = (0.0, 2.0, 6.0, 9.0)
    variable = Variable("kind", "category", kinds, 0.0, 1.0, 0.0, 11.0, cuts, (), 0, "e", 0.0)
    rows = Distribution(np.array([0, 1, 2, 3, 4, 4, 4, 5, 5, 6.0]), np.ones(10))
    degrees = (1.0,) * 6 + (0.1,) * 6
    told = in_words(Condition("kind", "category", 1.0, degrees=degrees), variable, rows, [-0.5])
    assert told.term == "e, f, a or 3 more"
    assert told.accepted == kinds[:6]
