"""Bins: round knots between values, the rows in them, and what conditions are there."""

from decimal import ROUND_FLOOR, Decimal

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from search.tables import LIMITS, columns

from unfis.rules import Kinds, Trapezoid, Unknown
from unfis.search.bins import KindBins, NumberBins, distinct, round_between


def test_round_numbers_by_hand():
    low = np.array([5.03, 0.9, 999.0, -3.7, 0.12, 0.0, -0.4, 61.0, 4.4])
    high = np.array([5.13, 1.1, 1001.0, -3.2, 0.14, 0.004, 0.3, 62.0, 5.2])
    # Fives come before twos, and those before ones.
    expected = [5.1, 1.0, 1000.0, -3.5, 0.14, 0.004, 0.0, 62.0, 5.0]
    np.testing.assert_allclose(round_between(low, high), expected, atol=1e-15)


def trailing(number, low):
    """The greatest k such that a multiple of 10^k lies above low and up to the number."""
    for k in range(12, -14, -1):
        step = Decimal(1).scaleb(k)
        if (number / step).to_integral_value(ROUND_FLOOR) * step > low:
            return k
    raise AssertionError


@given(st.integers(-(10**7), 10**7), st.integers(1, 10**6), st.integers(-6, 3))
def test_a_round_number_is_in_between_and_has_the_fewest_digits(low, width, exponent):
    low, high = (Decimal(number).scaleb(exponent) for number in (low, low + width))
    found = Decimal(repr(float(round_between(np.array([float(low)]), np.array([float(high)]))[0])))
    assert low < found <= high
    step = Decimal(1).scaleb(trailing(high, low))
    assert found % step == 0


@given(st.floats(-1e200, 1e200), st.floats(-1e200, 1e200))
def test_a_round_number_is_in_between_whatever_the_floats(low, high):
    assume(low < high)
    (found,) = round_between(np.array([low]), np.array([high]))
    assert low < found <= high


@settings(max_examples=60)
@given(columns())
def test_rows_are_in_the_bins_of_their_values(column):
    values, weights = column
    bins = NumberBins.of(0, values, weights, LIMITS)
    known = ~np.isnan(values)
    assert (np.diff(bins.knots) > 0).all()
    assert len(bins.knots) <= LIMITS.fine_bins
    assert bins.missing == (not known.all())
    first, last = np.append(-np.inf, bins.knots), np.append(bins.knots, np.inf)
    codes = bins.codes.astype(int)
    assert (codes[~known] == len(first)).all()
    assert (first[codes[known]] <= values[known]).all()
    assert (values[known] < last[codes[known]]).all()
    for code in range(len(first)):
        inside = known & (codes == code)
        assert bins.weights[code] == weights[inside].sum()
        if inside.any():
            mean = np.average(values[inside], weights=weights[inside])
            np.testing.assert_allclose(bins.means[code], mean, rtol=1e-9)
    assert known.any() <= (bins.weights > 0).all()


@settings(max_examples=30)
@given(columns())
def test_few_values_have_a_bin_each(column):
    values, weights = column
    bins = NumberBins.of(0, values, weights, LIMITS)
    distinct = np.unique(values[~np.isnan(values)])
    assert bins.crisp == (len(distinct) <= LIMITS.crisp_values)
    if bins.crisp:
        np.testing.assert_array_equal(bins.knots, distinct[1:])
    if len(distinct) <= LIMITS.fine_bins:
        assert len(bins.knots) == max(len(distinct) - 1, 0)


def test_many_values_have_bins_of_few_rows_and_of_fewer_at_the_ends():
    values = np.random.default_rng(0).normal(size=20_000)
    bins = NumberBins.of(0, values, np.ones(20_000), LIMITS)
    assert len(bins.knots) >= 0.9 * LIMITS.fine_bins
    assert bins.weights.max() <= 3 * 20_000 / LIMITS.fine_bins
    assert bins.weights[:5].max() < np.median(bins.weights)
    assert bins.weights[-5:].max() < np.median(bins.weights)
    assert max(len(f"{knot:g}") for knot in bins.knots) <= len("-0.0002")


@settings(max_examples=30)
@given(columns())
def test_a_weight_of_2_is_a_row_twice(column):
    values, weights = column
    counts = weights.astype(int)
    weighted = NumberBins.of(0, values, weights, LIMITS)
    repeated = NumberBins.of(0, np.repeat(values, counts), np.ones(counts.sum()), LIMITS)
    np.testing.assert_array_equal(weighted.knots, repeated.knots)
    np.testing.assert_array_equal(np.repeat(weighted.codes, counts), repeated.codes)
    np.testing.assert_array_equal(weighted.coarse, repeated.coarse)
    np.testing.assert_allclose(weighted.means, repeated.means, rtol=1e-12)


@settings(max_examples=30)
@given(columns(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(column, random):
    values, weights = column
    order = random.sample(range(len(values)), len(values))
    one = NumberBins.of(0, values, weights, LIMITS)
    other = NumberBins.of(0, values[order], weights[order], LIMITS)
    np.testing.assert_array_equal(one.knots, other.knots)
    np.testing.assert_array_equal(one.codes[order], other.codes)


@settings(max_examples=30)
@given(columns())
def test_coarse_bins_are_made_of_fine_ones(column):
    values, weights = column
    bins = NumberBins.of(0, values, weights, LIMITS)
    coarse, known = bins.coarse_map, ~np.isnan(values)
    assert len(bins.coarse) <= LIMITS.coarse_bins
    assert (np.diff(coarse) >= 0).all()
    assert np.flatnonzero(np.diff(coarse)).tolist() == bins.coarse.tolist()
    np.testing.assert_allclose(
        bins.coarse_weights,
        np.bincount(coarse[bins.codes[known]], weights[known], len(bins.coarse) + 1),
    )
    mass = bins.coarse_weights @ bins.coarse_means
    np.testing.assert_allclose(mass, weights[known] @ values[known], rtol=1e-9, atol=1e-9)
    for knot in range(len(bins.knots)):
        below = weights[known][values[known] < bins.knots[knot]].sum() / weights[known].sum()
        np.testing.assert_allclose(bins.below[knot], below, atol=1e-12)


@settings(max_examples=30)
@given(columns(), st.data())
def test_conditions_in_bins_are_conditions_of_rows(column, data):
    """Of few values exactly, of many where edges are sharp and at knots."""
    values, weights = column
    bins = NumberBins.of(0, values, weights, LIMITS)
    assume(len(bins.knots) > 0)
    knot = st.integers(0, len(bins.knots) - 1)
    ends = bins.knots[sorted(data.draw(st.tuples(knot, knot, knot, knot)))].tolist()
    if not bins.crisp:
        ends = [ends[0], ends[0], ends[3], ends[3]]
    condition = Trapezoid(0, *ends, unknown=0.25)
    in_bins = bins.table(condition)[bins.codes]
    np.testing.assert_allclose(in_bins, condition.degrees(values), atol=1e-12)
    missing = Unknown(0)
    np.testing.assert_array_equal(bins.table(missing)[bins.codes], missing.degrees(values))


def test_what_was_never_missing_counts_as_the_rows_do_on_average():
    values, weights = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 1.0, 1.0, 5.0])
    condition = Trapezoid(0, 1.0, 3.0)
    whole = NumberBins.of(0, values, weights, LIMITS)
    assert whole.with_usual(condition) == Trapezoid(0, 1.0, 3.0, unknown=6.5 / 8)
    part = NumberBins.of(0, np.append(values, np.nan), np.append(weights, 1.0), LIMITS)
    assert part.with_usual(condition) == condition


@pytest.mark.parametrize("unknown", [0.0, 1.0])
def test_kinds_have_a_bin_each_and_missing_values_the_last(unknown):
    values = np.array([2.0, 0.0, np.nan, 1.0, 2.0])
    bins = KindBins.of(0, values, 3)
    assert bins.codes.tolist() == [2, 0, 3, 1, 2]
    assert bins.missing
    assert not KindBins.of(0, values[3:], 3).missing
    condition = Kinds(0, (0, 2), unknown)
    np.testing.assert_array_equal(bins.table(condition)[bins.codes], condition.degrees(values))


def test_copies_and_constant_columns_are_left_out():
    values = np.array([2.0, 0.0, 1.0, 2.0])
    made = [values, np.full(4, 3.0), values, 10 * values, np.full(4, np.nan), [1, 1, 1, np.nan]]
    bins = [NumberBins.of(j, np.asarray(one), np.ones(4), LIMITS) for j, one in enumerate(made)]
    kinds = [KindBins.of(6 + j, one, 3) for j, one in enumerate([values, values, np.zeros(4)])]
    # In another unit a number is no copy: its slopes may be others.
    assert [one.input for one in distinct([*bins, *kinds])] == [0, 3, 5, 6]
