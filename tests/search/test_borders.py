"""Borders: found again near where data was made, and always borders that may be printed."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from search.tables import LIMITS, columns, random_targets, search_table, state_with

from unfis.objective import CrossEntropyOfTwo, HalfSquaredError
from unfis.rules import Trapezoid
from unfis.search.bins import NumberBins
from unfis.search.borders import with_better_borders
from unfis.search.state import Draft, State


def moved(values, targets, objective, condition):
    """The condition with better borders, of a rule that is not there yet."""
    table = search_table([values], targets, np.ones(len(values)), objective)
    draft = with_better_borders(State.begin(table), 0, Draft(0, (condition,)), 0)
    return draft.conditions[0]


def uniform(rows=1000):
    return np.random.default_rng(0).uniform(0, 10, rows)


def test_a_slope_is_found_again():
    values = uniform()
    targets = 4 * np.clip((values - 3) / 2, 0, 1)
    noise = np.random.default_rng(1).normal(0, 0.3, len(values))
    found = moved(values, targets + noise, HalfSquaredError(), Trapezoid(0, 0.6, 8.2))
    np.testing.assert_allclose([found.a, found.b], [3, 5], atol=0.4)
    assert found.d == np.inf


@pytest.mark.parametrize("start", [1.2, 8.5])
def test_a_sharp_step_is_found_again(start):
    values = uniform()
    knots = NumberBins.of(0, values, np.ones(len(values)), LIMITS).knots
    near = float(knots[np.searchsorted(knots, start)])
    found = moved(values, 1.0 * (values >= 6.3), HalfSquaredError(), Trapezoid(0, near, near))
    assert found.a == found.b
    np.testing.assert_allclose(found.a, 6.3, atol=0.1)


def test_a_fuzzy_step_of_two_classes_is_narrowed_to_where_it_is():
    values = uniform(2000)
    chance = np.where(values > 7, 0.9, 0.1)
    targets = (np.random.default_rng(2).random(2000) < chance).astype(float)
    found = moved(values, targets, CrossEntropyOfTwo(), Trapezoid(0, c=2.0, d=5.0))
    assert 6.5 < found.c < 7 < found.d < 7.5
    assert found.a == -np.inf


def test_a_band_is_found_again():
    values = uniform()
    targets = 3.0 * ((values > 4) & (values < 6))
    noise = np.random.default_rng(3).normal(0, 0.3, len(values))
    found = moved(values, targets + noise, HalfSquaredError(), Trapezoid(0, 2, 3, 7, 8.2))
    np.testing.assert_allclose([found.a, found.b, found.c, found.d], [4, 4, 6, 6], atol=0.4)


@settings(max_examples=40)
@given(columns(), st.data())
def test_borders_stay_borders(column, data):
    """They rise and are knots; a shoulder stays one, of many values a sharp edge sharp."""
    values, weights = column
    generator = np.random.default_rng(len(values))
    targets = random_targets("two", generator, len(values), np.nan_to_num(values) > 1)
    table = search_table([values], targets, weights, CrossEntropyOfTwo())
    assume(table.numbers)  # a constant has no borders
    bins, shapes = table.numbers[0], table.shapes[0]
    tried = [n for n in range(len(shapes.prices)) if shapes.edges[n, 0] >= 0]
    assume(tried)
    condition = shapes.condition(data.draw(st.sampled_from(tried)))
    found = with_better_borders(State.begin(table), 0, Draft(0, (condition,)), 0).conditions[0]
    assert (found.input, found.unknown) == (condition.input, condition.unknown)
    assert len(found.edges) == len(condition.edges)
    assert all(end in bins.knots for edge in found.edges for end in edge)
    if not bins.crisp:
        for before, after in zip(condition.edges, found.edges, strict=True):
            assert (before[0] == before[1]) == (after[0] == after[1])


def test_only_the_condition_that_is_named_moves_in_the_place_of_its_rule():
    generator = np.random.default_rng(4)
    one, other = generator.uniform(0, 10, size=(2, 1000))
    both = np.clip((one - 3) / 2, 0, 1) * (other > 5)
    targets = 4 * both + generator.normal(0, 0.3, 1000)
    table = search_table([one, other], targets, np.ones(1000), HalfSquaredError())
    draft = Draft(0, (Trapezoid(0, 1.0, 7.0), Trapezoid(1, 4.8, 5.2)))
    state = state_with(table, [draft])
    found = with_better_borders(state, 0, draft, 0, 0)
    assert found.conditions[1] == draft.conditions[1]
    first = found.conditions[0]
    np.testing.assert_allclose([first.a, first.b], [3, 5], atol=0.5)
    after = state.changed([[(0, found)]])
    assert after.fit.losses[0] < state.fit.losses[0]


def test_edges_are_no_narrower_than_rows_can_tell():
    values = uniform()
    targets = 1.0 * (values >= 6.3)
    found = moved(values, targets, HalfSquaredError(), Trapezoid(0, 4.0, 8.0))
    on_edge = np.mean((values > found.a) & (values < found.b))
    assert on_edge > LIMITS.narrowest_edge * 0.8
