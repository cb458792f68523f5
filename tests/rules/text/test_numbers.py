import numpy as np
import pytest

from unfis.rules.text.numbers import (
    Distribution,
    as_given,
    percent,
    resolved_decimals,
    rounded,
    signed,
)


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([4.9, 5.1, 6.0, 7.2], 1),  # as measured
        ([10, 20, 35], 0),
        ([0.00012, 0.00345, 0.0071], 4),  # as fine as the spread needs
        (np.linspace(0, 1, 77), 2),
        (np.linspace(0, 1000, 77), 0),
        ([3.0, 3.0], 0),
        ([0.25, 0.5, 12], 1),
    ],
)
def test_decimals_are_what_the_data_resolves(values, decimals):
    values = np.array(values)
    assert resolved_decimals(values, np.ptp(values)) == decimals


def test_numbers_in_words():
    assert rounded(1.6999, 1) == "1.7"
    assert rounded(-0.01, 1) == "0.0"
    assert rounded(1723456789.4, 0) == "1723456789"
    assert rounded(1.5e18, 0) == "1.5e+18"
    assert rounded(0.0000123456, 7) == "1.23e-05"
    assert rounded(2.03456e-15, 18) == "2.035e-15"
    assert rounded(0.0, 2) == "0.00"
    assert rounded(0.0, 202) == "0"
    assert rounded(0.25, 202) == f"{0.25:.17f}"
    assert rounded(1.23456e-200, 203) == "1.235e-200"


def test_values_as_they_stand_in_the_table():
    assert as_given(10.75, 1) == "10.75"
    assert as_given(10.0, 1) == "10.0"
    assert as_given(1 / 3, 1) == "0.333"


def test_what_is_added():
    assert [signed(x) for x in (1.234, -0.5, -0.001, 0.0)] == ["+1.23", "-0.50", "+0.00", "+0.00"]


def test_percent_is_0_only_of_nothing_and_100_only_of_all():
    assert [percent(p) for p in (0.005, 0.995, 0.9949)] == ["under 1 %", "over 99 %", "99 %"]
    assert percent(0.905) == percent(np.nextafter(0.905, 1)) == percent(181 / 200) == "91 %"
    found = [percent(p, 1) for p in (0, 0.0004, 0.0006, 0.414, 0.9996, 1)]
    assert found == ["0.0 %", "under 0.1 %", "0.1 %", "41.4 %", "over 99.9 %", "100.0 %"]


def test_percent():
    assert [percent(p) for p in (0, 0.001, 0.414, 0.999, 1, 1 - 1e-16)] == [
        "0 %",
        "under 1 %",
        "41 %",
        "over 99 %",
        "100 %",
        "100 %",
    ]


def test_shares_and_quantiles():
    values = Distribution(np.array([3.0, 1.0, np.nan, 1.0, 2.0]), np.array([1.0, 1, 9, 1, 1]))
    assert values.values.tolist() == [1, 2, 3]
    assert values.shares.tolist() == [0.5, 0.25, 0.25]
    assert (values.up_to(1), values.up_to(0.9), values.up_to(9)) == (0.5, 0, 1)
    assert (values.below(1), values.below(2), values.below(9)) == (0, 0.5, 1)
    assert values.quantiles([0.0, 0.5, 0.51, 0.75, 1.0]) == [1, 1, 2, 2, 3]


def test_weights_are_repeated_rows():
    values, weights = np.array([5.0, 1.0, 4.0, 2.0]), np.array([1, 3, 2, 1])
    weighted = Distribution(values, weights.astype(float))
    repeated = Distribution(np.repeat(values, weights), np.ones(7))
    assert weighted.shares.tolist() == repeated.shares.tolist()
    shares = np.linspace(0, 1, 15)
    assert weighted.quantiles(shares) == repeated.quantiles(shares)


def test_nothing_known():
    nothing = Distribution(np.array([np.nan]), np.ones(1))
    assert len(nothing.values) == len(nothing.shares) == 0
