"""Which rows are searched hinges on no order, no chance, and not on how a table is cut."""

import numpy as np
import pytest
from additive.fitting.tables import Cut
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.additive.fitting.draw import drawn_rows, range_borders
from unfis.additive.fitting.rows import LocalRows
from unfis.additive.objective import CrossEntropyOfTwo, HalfSquaredError

TWO, NUMBER = CrossEntropyOfTwo(), HalfSquaredError()


def made(seed=0, rows=5_000, rare=0.3):
    """Values of three inputs, some missing, two classes, and weights."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, 3))
    values[generator.random(values.shape) < 0.05] = np.nan
    targets = (generator.random(rows) < rare).astype(float)
    return values, targets, generator.choice([0.5, 1.0, 3.0], rows)


def lines(drawn):
    """Rows with what goes with them, for comparison."""
    return np.column_stack([*drawn.rows[:3], drawn.strata, drawn.weights])


def rising(found):
    return found[np.lexsort(found.T)]


def test_few_rows_are_all_drawn():
    table = made()
    drawn = drawn_rows(LocalRows(*table), TWO, 5_000)
    np.testing.assert_array_equal(drawn.rows.values, table[0])
    np.testing.assert_array_equal(drawn.weights, table[2])
    assert drawn.total == table[2].sum()


@pytest.mark.parametrize("objective", [TWO, NUMBER])
@pytest.mark.parametrize("parts", [1, 2, 7, 300])
def test_however_the_table_is_cut(objective, parts):
    values, targets, weights = made()
    if objective is NUMBER:
        targets = np.random.default_rng(1).lognormal(size=5_000).round(2)
    expected = drawn_rows(LocalRows(values, targets, weights), objective, 600)
    found = drawn_rows(Cut(values, targets, weights, parts=parts), objective, 600)
    assert 550 <= len(expected.strata) <= 600
    np.testing.assert_allclose(lines(found), lines(expected), rtol=1e-12)


@pytest.mark.parametrize("parts", [2, 9])
def test_rows_that_are_the_same_are_in_several_blocks(parts):
    values, targets, weights = made()
    values, targets = np.nan_to_num(values[:, :2]).round(), np.zeros(5_000)
    expected = drawn_rows(LocalRows(values, targets, weights), TWO, 600)
    found = drawn_rows(Cut(values, targets, weights, parts=parts), TWO, 600)
    np.testing.assert_allclose(lines(found), lines(expected), rtol=1e-12)


def test_of_rows_that_are_the_same_as_many_are_drawn_as_of_others():
    """Two inputs of two values: each of the four kinds of rows is there in its proportion."""
    generator = np.random.default_rng(0)
    values = generator.integers(0, 2, size=(20_000, 2)).astype(float)
    rows = LocalRows(values, generator.integers(0, 2, 20_000), np.ones(20_000))
    kinds = drawn_rows(rows, TWO, 2_000).rows.values @ [2, 1]
    np.testing.assert_allclose(np.bincount(kinds.astype(int)) / len(kinds), 0.25, atol=0.05)


@pytest.mark.parametrize("seed", range(3))
def test_no_order_counts(seed):
    values, targets, weights = made(seed)
    expected = lines(drawn_rows(LocalRows(values, targets, weights), TWO, 500))
    order = np.random.default_rng(seed).permutation(5_000)
    other = drawn_rows(LocalRows(values[order], targets[order], weights[order]), TWO, 500)
    np.testing.assert_allclose(rising(lines(other)), rising(expected), rtol=1e-12)
    columns = lines(drawn_rows(LocalRows(values[:, [1, 2, 0]], targets, weights), TWO, 500))
    np.testing.assert_array_equal(columns[:, [2, 0, 1, 3, 4, 5, 6]], expected)


@pytest.mark.parametrize("rare", [3, 40])
def test_rare_strata_are_drawn_whole(rare):
    values, targets, weights = made()
    targets = (np.arange(5_000) < rare).astype(float)
    drawn = drawn_rows(LocalRows(values, targets, weights), TWO, 1_000)
    assert 950 <= len(drawn.strata) <= 1_000
    assert (drawn.strata == 1).sum() == rare


def test_drawn_rows_stand_for_all_of_their_stratum():
    values, targets, weights = made()
    factors = np.array([1.0, 7.0])
    drawn = drawn_rows(LocalRows(values, targets, weights).weighted(factors), TWO, 500)
    every = np.bincount(targets.astype(int), weights) * factors
    found = np.bincount(drawn.strata, drawn.weights)
    np.testing.assert_allclose(found / found.sum(), every / every.sum())
    np.testing.assert_allclose(drawn.total, every.sum())
    plain = drawn_rows(LocalRows(values, targets, weights), TWO, 500)
    np.testing.assert_array_equal(drawn.rows.values, plain.rows.values)


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 400))
def test_ranges_begin_where_a_tenth_of_the_weight_more_is_reached(seed, rows):
    generator = np.random.default_rng(seed)
    targets = generator.choice([1.0, -1e-9, 1e9, 0.0], rows) * generator.normal(size=rows)
    targets = np.where(generator.random(rows) < 0.3, -7.5, targets)
    weights = generator.integers(1, 5, rows).astype(float)
    order = np.argsort(targets)
    reached = 10 * np.cumsum(weights[order])
    expected = [targets[order][reached >= n * weights.sum()][0] for n in range(1, 10)]
    cut = Cut(np.zeros((rows, 1)), targets, weights, parts=1 + rows // 50)
    np.testing.assert_array_equal(range_borders(cut), expected)
