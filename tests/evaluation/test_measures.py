import numpy as np
import pytest

from unfis.evaluation.measures import Rate, mean_of_rows, mean_of_shares, wilson


def test_wilson_against_known_values():
    """Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=1e-4)


def test_a_rate_is_of_rows():
    assert Rate(15, 148).value == 15 / 148
    assert Rate(15, 148).interval == wilson(15 / 148, 148)
    assert np.isnan([Rate(0, 0).value, *Rate(0, 0).interval]).all()


def test_the_mean_of_shares():
    """One share is Wilson's; always "no" of 20 and 980 rows may find some, but few, by chance."""
    found = mean_of_shares(np.array([15 / 148]), np.array([148.0]), 0.5)
    assert found[:3] == pytest.approx((15 / 148, 0.0624, 0.1605), abs=1e-4)
    found = mean_of_shares(np.array([1.0, 0.0]), np.array([980.0, 20.0]), 0.5)
    assert found.value == 0.5
    assert found.low == pytest.approx(0.5 - 0.0039 / 2, abs=1e-4)
    assert found.high == pytest.approx(0.5 + 0.1611 / 2, abs=1e-4)


def test_the_mean_of_rows():
    found = mean_of_rows(np.array([0.0, 1.0, 2.0, 3.0]), 2.0)
    reach = 1.96 * np.sqrt(5 / 3) / 2
    assert found == pytest.approx((1.5, 1.5 - reach, 1.5 + reach, 2.0), abs=1e-3)
    assert mean_of_rows(np.array([0.1, 5.0]), 1.0).low == 0
    assert mean_of_rows(np.array([0.3]), 1.0)[:3] == (0.3, 0.3, 0.3)
