"""Sums in bins: those of a loop over the rows, and sums of the sums of blocks of rows."""

from dataclasses import replace

import numpy as np
import pytest
from search.tables import LIMITS

from unfis.search.bins import KindBins, NumberBins
from unfis.search.sums import BinSums

WIDTH = LIMITS.coarse_bins + 2


@pytest.fixture(scope="module")
def made():
    """Bins of three numbers and two categories, some missing, and columns to add up."""
    generator = np.random.default_rng(0)
    rows = 3_000
    values = generator.normal(size=(rows, 3))
    values[:, 1] = np.round(values[:, 1])
    values[generator.random(values.shape) < 0.1] = np.nan
    kinds = generator.integers(0, 4, size=(rows, 2)).astype(float)
    kinds[:, 1] = np.where(generator.random(rows) < 0.2, np.nan, kinds[:, 1] % 2)
    bins = [NumberBins.of(j, values[:, j], np.ones(rows), LIMITS) for j in range(3)]
    bins[1:1] = [KindBins.of(3, kinds[:, 0], 4), KindBins.of(4, kinds[:, 1], 2)]
    return bins, generator.normal(size=(rows, 5))


def test_sums_are_those_of_a_loop(made):
    bins, columns = made
    sums = BinSums(bins, WIDTH, len(columns))
    numbers, kinds = sums.of_numbers(columns), sums.of_kinds(columns)
    for one, found in zip((bins[0], *bins[3:]), numbers, strict=True):
        place = np.append(one.coarse_map, WIDTH - 1)[one.codes]
        expected = [columns[place == code].sum(axis=0) for code in range(WIDTH)]
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    for one, found in zip(bins[1:3], kinds, strict=True):
        expected = np.zeros(found.shape)
        for code, row in zip(one.codes, columns, strict=True):
            expected[code] += row
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)


def part(bins, rows):
    """The bins of some rows alone."""
    return [replace(one, codes=one.codes[rows]) for one in bins]


def test_sums_of_blocks_are_the_sums_of_the_whole(made):
    bins, columns = made
    whole, blocks = BinSums(bins, WIDTH, len(columns)), np.array_split(np.arange(len(columns)), 7)
    parts = [(BinSums(part(bins, rows), WIDTH, len(rows)), columns[rows]) for rows in blocks]
    for sums in (BinSums.of_numbers, BinSums.of_kinds):
        added = sum(sums(block, own) for block, own in parts)
        np.testing.assert_allclose(added, sums(whole, columns), rtol=1e-10, atol=1e-10)


def test_every_row_is_in_one_bin_of_every_input(made):
    bins, columns = made
    sums = BinSums(bins, WIDTH, len(columns))
    for found in (sums.of_numbers(columns), sums.of_kinds(columns)):
        every = np.broadcast_to(columns.sum(axis=0), (len(found), columns.shape[1]))
        np.testing.assert_allclose(found.sum(axis=1), every, rtol=1e-10, atol=1e-10)


def test_no_numbers_and_no_categories(made):
    bins, columns = made
    assert BinSums(bins[1:3], WIDTH, len(columns)).of_numbers(columns).shape[0] == 0
    assert BinSums(bins[3:], WIDTH, len(columns)).of_kinds(columns).shape[0] == 0
