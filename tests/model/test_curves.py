"""Curves and maps: sums of rules over the values of their inputs."""

from dataclasses import replace
from math import inf

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis import UNFISClassifier
from unfis.model.curves import (
    curve,
    curves_of,
    maps_of,
    pair_map,
    same_runs,
    scale_of,
    sums,
)
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown


@pytest.fixture(scope="module")
def fitted():
    """A model of a number, a category, few whole numbers and a pair of values."""
    generator = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "size": generator.integers(0, 101, 300) / 10,
            "kind": pd.Categorical(generator.choice(["elm", "fir", "oak"], 300)),
            "stage": generator.integers(1, 5, 300),
            "sex": generator.integers(1, 3, 300),
        }
    )
    return UNFISClassifier(max_rules=1).fit(X, X["size"] > 5).model_


def with_rules(model, *rules):
    return replace(model, rules=RuleModel(tuple(rules), (0.0,), 1.0, "logistic"), evidence=())


def rule(points, *conditions, output=0):
    return Rule(conditions, output, points)


def test_a_step_stands_twice_and_a_slope_once(fitted):
    step = rule(2.0, Trapezoid(0, 3.0, 3.0))
    slope = rule(4.0, Trapezoid(0, 5.0, 7.0))
    one = curve(with_rules(fitted, step, slope), 0)
    below = np.nextafter(3.0, -inf)
    low, high = one.scale.values
    assert one.places.tolist() == [low, below, 3.0, 5.0, 7.0, high]
    assert one.points.tolist() == [[0.0, 0.0, 2.0, 2.0, 6.0, 6.0]]


def test_few_values_are_places(fitted):
    rules = [
        rule(1.0, Kinds(1, (0, 2))),
        rule(3.0, Trapezoid(2, 3.0, 3.0)),
        rule(-1.0, Trapezoid(3, c=1.5, d=1.5)),
    ]
    model = with_rules(fitted, *rules)
    kind, stage, sex = (curve(model, j) for j in (1, 2, 3))
    assert kind.scale.labels == ("elm", "fir", "oak")
    assert kind.points.tolist() == [[1.0, 0.0, 1.0]]
    assert same_runs(kind) == [[0, 2], [1]]
    assert stage.scale.labels == ("1", "2", "3", "4")
    assert stage.points.tolist() == [[0.0, 0.0, 3.0, 3.0]]
    assert same_runs(stage) == [[0, 1], [2, 3]]
    assert sex.scale.labels == ("1", "2")
    assert sex.points.tolist() == [[-1.0, 0.0]]
    assert kind.shares.sum() == pytest.approx(1.0)
    assert not len(kind.borders)


def test_the_sum_of_a_missing_value(fitted):
    rules = [rule(2.0, Trapezoid(0, 3.0, 3.0, unknown=0.25)), rule(-1.0, Unknown(0))]
    one, other = (curve(with_rules(fitted, *rules[:n]), 0) for n in (2, 1))
    assert one.unknown.tolist() == [-0.5]
    assert one.is_unknown
    assert not other.is_unknown


def test_the_most_important_input_is_first(fitted):
    rules = [rule(1.0, Trapezoid(0, 5.0, 5.0)), rule(-4.0, Trapezoid(3, 1.5, 1.5))]
    found = curves_of(with_rules(fitted, *rules))
    assert [one.input for one in found] == [3, 0]
    held = fitted.searched.values[:, 0] >= 5
    assert found[1].importance == pytest.approx(held.std())


def test_the_histogram_has_the_rows_of_the_range(fitted):
    one = curve(with_rules(fitted, rule(1.0, Trapezoid(0, 5.0, 5.0))), 0)
    assert one.shares.sum() == pytest.approx(1.0)
    assert one.borders[[0, -1]].tolist() == one.scale.values.tolist()
    last = curve(with_rules(fitted, rule(1.0, Trapezoid(0, 10.0, 10.0))), 0)
    assert last.scale.values[1] > 10


def test_a_map_has_exact_borders_and_finer_cells_on_slopes(fitted):
    both = rule(6.0, Trapezoid(0, 3.0, 3.0), Trapezoid(2, 2.5, 2.5))
    slope = rule(1.0, Trapezoid(0, 5.0, 7.0), Kinds(1, (1,)))
    model = with_rules(fitted, both, slope, rule(0.5, Trapezoid(0, 4.0, 4.0)))
    first, second = maps_of(model)
    assert (first.inputs, second.inputs) == ((0, 2), (0, 1))
    assert first.borders[0][1] == 3.0
    assert first.borders[1].tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5]
    assert first.points.tolist() == [[0, 0], [0, 0], [0, 6], [0, 6]]
    assert len(second.borders[0]) == 19
    alone = pair_map(model, (0, 2), 0, singles=True)
    assert alone.points[:, -1].tolist() == [0.5, 0.5, 6.5, 6.5]
    assert pair_map(model, (2, 0), 0).points.tolist() == first.points.T.tolist()


def test_without_rows_the_columns_give_a_range(fitted):
    rules = [rule(1.0, Trapezoid(0, 5.0, 5.0)), rule(2.0, Kinds(1, (0,)))]
    model = replace(with_rules(fitted, *rules), searched=None)
    size, kind = (curve(model, j) for j in (0, 1))
    low, high = size.scale.values
    assert low < 1
    assert high > 9
    assert not len(size.shares)
    assert not len(kind.shares)
    assert size.importance == pytest.approx(0.5)
    assert [one.input for one in curves_of(model)] == [1, 0]


borders = st.lists(st.integers(-5, 15), min_size=4, max_size=4).map(sorted)


@settings(max_examples=40)
@given(st.lists(st.tuples(borders, st.integers(-9, 9)), min_size=1, max_size=6))
def test_between_places_the_sum_is_a_straight_line(fitted, shapes):
    shapes = [(a, b, c, d + (b == d), points) for (a, b, c, d), points in shapes]
    rules = [rule(float(p), Trapezoid(0, a, b, c, d)) for a, b, c, d, p in shapes]
    one = curve(with_rules(fitted, *rules), 0)
    assert (np.diff(one.places) >= 0).all()
    between = np.linspace(*one.scale.values, 203)
    drawn = np.interp(between, one.places, one.points[0])
    known = ~np.isin(between, one.places)
    np.testing.assert_allclose(drawn[known], sums(rules, {0: between[known]}), atol=1e-9)


def test_a_long_tail_is_cut_where_no_border_is(fitted):
    values = fitted.searched.values.copy()
    values[0, 0] = 1e6
    model = replace(fitted, searched=fitted.searched._replace(values=values))
    assert scale_of(with_rules(model, rule(1.0, Trapezoid(0, 5.0, 5.0))), 0).values[1] < 20
    assert scale_of(with_rules(model, rule(1.0, Trapezoid(0, 9e5, 9e5))), 0).values[1] > 9e5
