import numpy as np

from unfis.rules.distribution import Distribution


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
