"""Sets of kinds: which there are, their sums, their prices."""

from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis.rules import Kinds
from unfis.search.bins import KindBins
from unfis.search.kinds import KindSets

MISSING = 5  # the code of missing values, after five kinds


def category(missing=True):
    return KindBins(3, np.zeros(0, np.int16), MISSING, missing)


@pytest.fixture
def sets():
    """Two categories: kinds 0 to 4 and missing values, by a ratio; and one of two kinds."""
    ratio = np.array([[0.1, 0.5, -0.3, 0.4, 0.0, 0.2], [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]])
    held = np.array([[3.0, 2.0, 5.0, 1.0, 0.0, 4.0], [6.0, 9.0, 0.0, 0.0, 0.0, 0.0]])
    return KindSets(ratio[:, None], held)


def test_sets_begin_with_the_greatest_ratio_and_leave_one_kind(sets):
    """The order is 1, 3, missing, 0, 2; no row has kind 4."""
    tried = [
        (1,), (1, 3), (1, 3, MISSING), (0, 1, 3, MISSING),  # the first ones
        (3,), (MISSING,), (0,),  # each by itself; kind 2 is all but the first four
    ]  # fmt: skip
    prices = [log(comb(5, size)) for size in (1, 2, 3, 4)] + [log(5)] * 3
    found = {}
    for place in np.flatnonzero(np.isfinite(sets.prices[0])):
        condition = sets.condition([category()], (0, place))
        codes = condition.kinds + (MISSING,) * int(condition.unknown)
        found[tuple(sorted(codes))] = sets.prices[0, place]
    assert found == pytest.approx(dict(zip(tried, prices, strict=True)))


def test_of_two_kinds_there_is_nothing_to_choose(sets):
    (place,) = np.flatnonzero(np.isfinite(sets.prices[1]))
    assert sets.prices[1, place] == 0
    condition = sets.condition([category(), category()], (1, place))
    assert condition == Kinds(3, (1,))
    assert sets.condition([category()] * 2, (1, place), others=True) == Kinds(3, (0,))


def test_the_other_kinds_are_those_that_rows_have(sets):
    place = (0, 1)
    assert sets.condition([category()], place) == Kinds(3, (1, 3), 0.0)
    assert sets.condition([category()], place, others=True) == Kinds(3, (0, 2), 1.0)


def test_a_category_of_one_kind_has_no_sets():
    sets = KindSets(np.array([[[0.5, 0.0]]]), np.array([[4.0, 0.0]]))
    assert not np.isfinite(sets.prices).any()


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_sums_are_those_over_the_kinds_of_a_set(seed):
    generator = np.random.default_rng(seed)
    ratio = generator.normal(size=(2, MISSING + 1))
    held = generator.integers(0, 4, size=ratio.shape).astype(float)
    values = generator.normal(size=(2, 3, MISSING + 1)) * (held > 0)[:, None]
    sets = KindSets(ratio[:, None], held)
    sums = sets.sums(values)
    for row in range(2):
        for place in np.flatnonzero(np.isfinite(sets.prices[row])):
            condition = sets.condition([category()] * 2, (row, place))
            codes = list(condition.kinds) + [MISSING] * int(condition.unknown)
            expected = values[row][:, codes].sum(axis=-1)
            np.testing.assert_allclose(sums[row, :, place], expected, atol=1e-12)


@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1))
def test_the_best_set_of_all_is_among_the_first_ones(seed):
    """The set of greatest r^2 / (h - h^2 / H), of any size; it or its complement is tried."""
    generator = np.random.default_rng(seed)
    slopes, curvature = generator.normal(size=MISSING), generator.uniform(0.5, 5.0, MISSING)
    slopes -= curvature * slopes.sum() / curvature.sum()  # as at the best start
    total = curvature.sum()

    def gain(slope, square):
        return slope**2 / (square - square**2 / total)

    every = [
        gain(slopes[list(codes)].sum(), curvature[list(codes)].sum())
        for size in range(1, MISSING)
        for codes in combinations(range(MISSING), size)
    ]
    sets = KindSets((slopes / curvature)[None, None], curvature[None])
    tried = np.isfinite(sets.prices[0])
    found = gain(*(sets.sums(one[None, None])[0, 0][tried] for one in (slopes, curvature)))
    np.testing.assert_allclose(found.max(), max(every))
