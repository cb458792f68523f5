import numpy as np

from unfis.data.samples import mean_within, weighted_deviation, weighted_mean


def test_weighted_moments_skip_what_is_missing():
    X = np.array([[1.0, np.nan], [3.0, np.nan], [np.nan, np.nan]])
    weights = np.array([1.0, 3.0, 5.0])
    np.testing.assert_allclose(weighted_mean(X, weights), [2.5, np.nan])
    np.testing.assert_allclose(weighted_deviation(X, weights), [np.sqrt(0.75), 0.0])


def test_moments_of_what_is_whole_are_those_of_repeated_rows():
    generator = np.random.default_rng(0)
    X, counts = generator.normal(size=(20, 3)), generator.integers(1, 4, size=20)
    repeated = np.repeat(X, counts, axis=0)
    np.testing.assert_allclose(weighted_mean(X, counts.astype(float)), repeated.mean(axis=0))
    np.testing.assert_allclose(weighted_deviation(X, counts.astype(float)), repeated.std(axis=0))


def test_no_weight_has_no_mean():
    assert np.isnan(weighted_mean(np.ones((2, 3)), np.zeros(2))).all()


def test_a_constant_does_not_deviate():
    """Nor does it if its mean is one digit beside it, as it is here in half of the cases."""
    generator = np.random.default_rng(0)
    for rows in range(2, 200):
        weights = generator.uniform(0.1, 3.0, size=rows)
        assert weighted_deviation(np.full((rows, 2), [0.1, -3.3]), weights).tolist() == [0.0, 0.0]
    nearly = 1e6 + np.array([[0.0], [1e-6]])
    assert weighted_deviation(nearly, np.ones(2))[0] > 0


def test_a_mean_is_never_beyond_the_values():
    """Shares of weights add up to 1 only up to rounding, which is another one on each machine."""
    generator = np.random.default_rng(0)
    for rows in range(2, 200):
        weights = generator.uniform(0.1, 3.0, size=rows)
        assert mean_within(np.ones(rows), weights) == 1.0
    assert mean_within(np.array([1.0, 3.0]), np.array([1.0, 3.0])) == 2.5
