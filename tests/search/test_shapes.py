"""Shapes: what may be tried on a number is what a rule then says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from search.tables import LIMITS, columns

from unfis.rules import Trapezoid, Unknown
from unfis.search.bins import NumberBins
from unfis.search.shapes import Shapes


def shapes_of(values, weights=None):
    values = np.asarray(values, dtype=float)
    bins = NumberBins.of(0, values, np.ones(len(values)) if weights is None else weights, LIMITS)
    return Shapes.of(bins, LIMITS)


@settings(max_examples=40)
@given(columns())
def test_degrees_are_those_of_the_conditions_at_the_means_of_coarse_bins(column):
    shapes = shapes_of(*column)
    bins = shapes.bins
    means = np.maximum(bins.coarse_means, np.append(-np.inf, bins.knots[bins.coarse]))
    for shape, degrees in enumerate(shapes.degrees):
        expected = shapes.condition(shape).degrees(np.append(means, np.nan))
        np.testing.assert_allclose(degrees, expected, atol=1e-9)


@settings(max_examples=40)
@given(columns())
def test_of_few_values_they_are_those_of_every_row(column):
    values, weights = column
    values = np.round(values % 4)
    shapes = shapes_of(values, weights)
    places = np.append(shapes.bins.coarse_map, -1)[shapes.bins.codes]
    for shape, degrees in enumerate(shapes.degrees):
        condition = shapes.condition(shape)
        np.testing.assert_allclose(degrees[places], condition.degrees(values), atol=1e-12)


@settings(max_examples=30)
@given(columns())
def test_a_falling_shoulder_is_1_less_a_rising_one(column):
    shapes = shapes_of(*column)
    for shape in np.flatnonzero(shapes.shoulder):
        rising, falling = shapes.condition(shape), shapes.condition(shape, falling=True)
        assert falling == Trapezoid(0, c=rising.a, d=rising.b, unknown=1.0 - rising.unknown)


@settings(max_examples=30)
@given(columns())
def test_no_condition_is_tried_twice(column):
    shapes = shapes_of(*column)
    tried = [shapes.condition(shape) for shape in range(len(shapes.prices))]
    assert len(set(tried)) == len(tried)


def kinds_of_shapes(conditions):
    known = [one for one in conditions if isinstance(one, Trapezoid)]
    return {
        "sharp": [one for one in known if one.a == one.b and one.d == np.inf],
        "fuzzy": [one for one in known if one.a < one.b and one.d == np.inf],
        "bands": [one for one in known if one.d < np.inf],
        "unknown": [one for one in conditions if isinstance(one, Unknown)],
    }


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        # Of k borders: k sharp shoulders, k (k - 1) / 2 fuzzy ones and as many sharp bands.
        ([1, 1], (0, 0, 0, 0)),
        ([0, 1], (1, 0, 0, 0)),
        ([0, 1, 2], (2, 1, 1, 0)),
        ([0, 1, 2, 3, 4], (4, 6, 6, 0)),
        ([0, 1, 2, np.nan], (4, 2, 2, 1)),  # each with and without unknown
        ([3, np.nan], (0, 0, 0, 1)),
    ],
)
def test_what_is_tried_of_few_values(values, counts):
    shapes = shapes_of(values)
    conditions = [shapes.condition(shape) for shape in range(len(shapes.prices))]
    assert tuple(map(len, kinds_of_shapes(conditions).values())) == counts


def test_bands_of_many_values_have_fuzzy_edges():
    shapes = shapes_of(np.random.default_rng(0).normal(size=2000))
    conditions = [shapes.condition(shape) for shape in range(len(shapes.prices))]
    bands = kinds_of_shapes(conditions)["bands"]
    assert len(bands) > 10
    assert all(one.a < one.b <= one.c < one.d for one in bands)


def test_prices_rise_with_how_many_shapes_there_are_to_choose_from():
    values = np.random.default_rng(0).normal(size=2000)
    many, two, four = shapes_of(values), shapes_of([0, 1]), shapes_of([0, 1, 2, 3])
    by_kind = {}
    for shape, price in enumerate(many.prices):
        condition = many.condition(shape)
        if condition.d < np.inf:
            kind = "band"
        elif condition.a == condition.b:
            kind = "sharp"
        else:
            kind = "fuzzy"
        by_kind.setdefault(kind, set()).add(price)
    assert all(len(prices) == 1 for prices in by_kind.values())
    fuzzy, sharp, band = (by_kind[kind].pop() for kind in ("fuzzy", "sharp", "band"))
    assert 0 < fuzzy < sharp < band
    assert two.prices.max() < four.prices.max() < band


def test_a_choice_of_what_missing_values_count_costs_more():
    values = np.random.default_rng(0).normal(size=500)
    whole, part = shapes_of(values), shapes_of(np.append(values, np.nan))
    prices = {part.condition(shape): price for shape, price in enumerate(part.prices)}
    for shape, price in enumerate(whole.prices):
        condition = whole.condition(shape)
        for unknown in (0.0, 1.0):
            assert prices[replace(condition, unknown=unknown)] > price
