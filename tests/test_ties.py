import numpy as np
import pytest

from unfis.ties import (
    ROUNDING,
    first_greatest,
    first_least,
    first_nearest,
    is_less,
    ranked,
    rounded_likelihoods,
)

# What one machine's sums come to, and another's.
LAST_DIGITS = np.array([0.0, 4e-16, -2e-16, 7e-16])


def test_the_first_of_those_that_are_tied():
    assert first_least([3.0, 1.0 + 2e-16, 1.0, 2.0]) == 1
    assert first_greatest([3.0, 7.0, 7.0 + 1e-14, 2.0]) == 1
    assert first_least([3.0, 1.0, 1.0 - 1e-6]) == 2
    assert first_least([[0.0, -1e-16], [1.0, 0.0]]).tolist() == [0, 1]
    assert first_least([np.inf, np.inf]) == 0
    assert first_least([np.inf, 3.0]) == 1


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e6, 1e200])
def test_last_digits_do_not_decide_whatever_the_size(size):
    values = size * np.array([2.0, 1.0, 1.0, 3.0, 1.0])
    for shift in LAST_DIGITS:
        nearly = values * (1 + shift * np.arange(5))
        assert first_least(nearly) == 1
        assert ranked(nearly).tolist() == [1, 2, 4, 0, 3]
        assert ranked(-nearly).tolist() == [3, 0, 1, 2, 4]
        assert not is_less(nearly[2], nearly[1])
        assert is_less(nearly[1], nearly[0])


def test_what_is_ranked_in_short_steps_is_one_rank():
    """Each is tied with the next: then so are all, wherever one would draw a line."""
    steps = 0.9 * ROUNDING * np.array([2.0, 0.0, 3.0, 1.0])
    assert ranked(steps).tolist() == [0, 1, 2, 3]
    assert ranked([]).tolist() == []
    assert ranked([np.inf, 1.0]).tolist() == [1, 0]


def test_anything_is_less_than_no_loss_yet():
    assert is_less(1e300, np.inf)
    assert not is_less(np.inf, np.inf)


def test_the_first_of_the_nearest_in_any_unit():
    for unit in (1e-12, 1.0, 1e12):
        distances = unit * np.array([[3.0, 2.0, 2.0 - 1e-12, 4.0], [0.5, 0.4, 0.3, 0.3]])
        assert first_nearest(distances).tolist() == [1, 2]
    assert first_nearest([1e-12, 0.0]) == 1


@pytest.mark.parametrize(
    ("value", "kept"),
    [(0.1234564999, 0.123456), (1 - 1e-9, 1.0), (0.00012345678, 0.000123457), (0.0, 0.0)],
)
def test_likelihoods_have_six_digits(value, kept):
    assert rounded_likelihoods(np.array([value])).tolist() == [kept]
    assert rounded_likelihoods(np.array([kept])).tolist() == [kept]


def test_what_is_less_than_a_float_can_scale_is_nothing():
    assert rounded_likelihoods(np.array([1e-300, 5e-324])).tolist() == [0.0, 0.0]
