"""Rows: folds hold each out once, and do not go by any order or by chance."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.additive.search.bins import NumberBins
from unfis.additive.search.limits import Limits
from unfis.additive.search.rows import Merged, fold_weights, row_hashes

FOLDS = 5
seeds = st.integers(0, 2**32 - 1)


def bins_of(values, weights=None):
    weights = np.ones(len(values)) if weights is None else weights
    return [NumberBins.of(j, column, weights, Limits()) for j, column in enumerate(values.T)]


def made(seed, rows=200):
    """Values of three inputs, some the same and some missing, and two classes."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(rows, 3))
    values[:, 1] = generator.integers(0, 4, rows)
    values[:, :2][generator.random((rows, 2)) < 0.05] = np.nan
    return values, generator.integers(0, 2, rows)


def held_out(values, strata, weights=None):
    """The share of each row that each fold holds out, (folds, rows)."""
    weights = np.ones(len(values)) if weights is None else weights
    walks = fold_weights(bins_of(values, weights), strata, weights, FOLDS)
    np.testing.assert_array_equal(walks[-1], weights)
    return 1 - walks[:-1] / weights


@settings(max_examples=30)
@given(seeds)
def test_every_row_is_held_out_exactly_once(seed):
    values, strata = made(seed)
    held = held_out(values, strata)
    assert ((held == 0) | (held == 1)).all()
    np.testing.assert_array_equal(held.sum(axis=0), 1.0)
    for stratum in (0, 1):
        counts = held[:, strata == stratum].sum(axis=1)
        assert counts.max() - counts.min() <= 1


@settings(max_examples=30)
@given(seeds)
def test_a_row_that_stands_for_several_is_held_out_in_parts(seed):
    values, strata = made(seed)
    weights = np.random.default_rng(seed).choice([1.0] * 6 + [2.0, 4.0, 40.0], len(values))
    held = held_out(values, strata, weights)
    np.testing.assert_allclose(held.sum(axis=0), 1.0)
    np.testing.assert_allclose(held[:, weights == 40], 1 / FOLDS)
    assert ((held[:, weights == 2] == 0) | (held[:, weights == 2] == 0.5)).all()


def changes(values):
    """The same table otherwise: in other orders, in other units, with columns that say no more."""
    order = np.random.default_rng(9).permutation(len(values))
    yield values, np.arange(len(values))
    yield values[order], order
    yield values[:, [2, 0, 1]], np.arange(len(values))
    yield values * [3.7, 1.0, 0.01] + [5.0, 0.0, 0.0], np.arange(len(values))
    yield values[:, [0, 1, 2, 0, 2]], np.arange(len(values))
    yield np.column_stack([values, np.full(len(values), 4.0)]), np.arange(len(values))


@settings(max_examples=20)
@given(seeds)
def test_folds_go_by_where_values_stand_alone(seed):
    values, strata = made(seed)
    expected = held_out(values, strata)
    for other, order in changes(values):
        np.testing.assert_array_equal(held_out(other, strata[order]), expected[:, order])


def test_hashes_are_apart():
    codes = [np.arange(10_000) % 100, np.arange(10_000) // 100]
    hashes = row_hashes(codes, (np.arange(10_000) < 17).astype(int))
    assert len(np.unique(hashes)) == 10_000
    low = (hashes % np.uint64(5)).astype(int)
    assert np.bincount(low).min() > 1_800


def test_folds_do_not_follow_an_input():
    values = np.random.default_rng(0).normal(size=(2_000, 2))
    held = held_out(values, np.zeros(2_000, int))
    for fold in held.astype(bool):
        assert abs(values[fold].mean(axis=0)).max() < 4 / np.sqrt(fold.sum())


def test_no_folds():
    values, strata = made(0, 3)
    np.testing.assert_array_equal(
        fold_weights(bins_of(values), strata, np.ones(3), 0), np.ones((1, 3))
    )


@settings(max_examples=30)
@given(seeds)
def test_the_same_rows_are_merged_to_one_with_their_weight(seed):
    generator = np.random.default_rng(seed)
    values = generator.integers(0, 3, size=(80, 2)).astype(float)
    targets, weights = generator.integers(0, 2, 80) / 2, generator.integers(1, 4, 80) / 2
    merged = Merged.of(bins_of(values), targets, weights)
    every = np.column_stack([values, targets])
    np.testing.assert_array_equal(every[merged.first][merged.place], every)
    assert len(merged.first) == len(np.unique(every, axis=0))
    for kind in range(len(merged.first)):
        assert merged.weights[kind] == weights[merged.place == kind].sum()
