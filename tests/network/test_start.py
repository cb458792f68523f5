from itertools import product

import numpy as np
import pytest

from unfis.network.prior import prior_precision
from unfis.network.start import STARTS, knn_start, nearest_shares, start_by_name

# Two groups of four on a line, around 0 and 10, one class each.
LINE = np.array([-1.0, 0.0, 0.2, 1.0, 9.0, 10.0, 10.2, 11.0])[:, None]
TARGETS = np.eye(2)[[0] * 4 + [1] * 4]


def start(name, X=LINE, targets=TARGETS, weights=None, n_rules=2):
    weights = np.ones(len(X)) if weights is None else weights
    return start_by_name(name, np.random.RandomState(0))(X, targets, weights, n_rules)


def test_knn_start_by_hand():
    """Centres are samples: the one of each group that is nearest to the rest of its group."""
    network = start("knn")
    np.testing.assert_allclose(np.sort(network.centres.ravel()), [0.0, 10.0])
    np.testing.assert_allclose(network.widths, LINE[:4].std(), rtol=1e-12)
    np.testing.assert_allclose(np.sort(network.consequents[:, 0, 0]), [0.0, 1.0])
    assert 0 < np.abs(network.consequents[:, :, 1:]).max() < 0.1
    assert 0 < np.abs(network.logits).max() < 0.1
    assert not network.thresholds.any()


def test_kmeans_start_by_hand():
    """Centres are means, widths deviations (times sqrt(n) = 1), nothing is random."""
    network = start("k-means")
    np.testing.assert_allclose(np.sort(network.centres.ravel()), [0.05, 10.05])
    np.testing.assert_allclose(network.widths, LINE[:4].std(), rtol=1e-12)
    assert not network.logits.any()
    assert not network.consequents[:, :, 1:].any()


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("n_rules", [1, 2, 5])
def test_weights_are_repetitions_and_order_does_not_matter(name, n_rules):
    generator = np.random.default_rng(0)
    X = generator.normal(size=(30, 3))
    targets = np.eye(3)[generator.integers(3, size=30)]
    counts = generator.integers(1, 4, size=30)
    twice = generator.permutation(np.repeat(np.arange(30), counts))
    weighted = start(name, X, targets, counts.astype(float), n_rules)
    repeated = start(name, X[twice], targets[twice], None, n_rules)
    order = np.argsort(weighted.centres[:, 0]), np.argsort(repeated.centres[:, 0])
    np.testing.assert_allclose(weighted.centres[order[0]], repeated.centres[order[1]])
    np.testing.assert_allclose(weighted.widths[order[0]], repeated.widths[order[1]])


@pytest.mark.parametrize("name", STARTS)
@pytest.mark.parametrize("n_rules", [2, 3, 5])
def test_last_digits_do_not_decide(name, n_rules):
    """Points of a lattice have many that are as near as others."""
    X = np.array(list(product([-1.0, 0.0, 1.0], repeat=3)))
    targets = np.eye(2)[(X.sum(axis=1) > 0).astype(int)]
    generator = np.random.default_rng(0)
    usual = start(name, X, targets, None, n_rules)
    for _ in range(20):
        nearly = start(name, X + 1e-15 * generator.normal(size=X.shape), targets, None, n_rules)
        np.testing.assert_allclose(nearly.centres, usual.centres, rtol=0, atol=1e-9)
        np.testing.assert_allclose(nearly.widths, usual.widths, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", STARTS)
def test_few_distinct_samples_and_constant_or_missing_inputs(name):
    """More rules than distinct samples, a constant and an empty column: all is finite."""
    X = np.column_stack([np.repeat([0.0, 1.0], 5), np.full(10, 7.0), np.full(10, np.nan)])
    X[3, 0] = np.nan
    network = start(name, X, np.eye(2)[np.arange(10) % 2], None, 4)
    assert np.isfinite(network.to_vector()).all()
    assert (network.widths > 0).all()


@pytest.mark.parametrize("name", STARTS)
def test_missing_values_do_not_make_groups_of_their_own(name):
    """A raw column around 2000, a third of it missing: groups follow the other column."""
    X = np.column_stack([np.repeat([0.0, 50.0], 6), 2000.0 + np.arange(12)])
    X[::3, 1] = np.nan
    network = start(name, X, np.eye(2)[np.repeat([0, 1], 6)])
    np.testing.assert_allclose(np.sort(network.centres[:, 0]), [0.0, 50.0])


def test_knn_start_on_many_samples_looks_among_some(monkeypatch):
    monkeypatch.setattr("unfis.network.start.MOST_CANDIDATES", 5)
    network = start("knn")
    assert set(network.centres.ravel()) <= set(LINE.ravel())
    assert abs(np.diff(network.centres.ravel())[0]) > 5


def test_nearest_shares_by_hand():
    """Weight 2.5 of samples at distance 0, 1, 1, 2: all of the first, 0.75 of each tied one."""
    shares = nearest_shares(np.array([1.0, 0.0, 2.0, 1.0]), np.ones(4), 2.5)
    np.testing.assert_allclose(shares, [0.75, 1.0, 0.0, 0.75])


def test_prior_leaves_thresholds_free_and_counts_in_widths():
    network = knn_start(LINE, TARGETS, np.ones(8), 2, np.random.RandomState(0))
    precision = prior_precision(network, 0.1, "linear")
    assert (precision.consequents == 0.1).all()
    assert not precision.thresholds.any()
    wide = prior_precision(
        knn_start(10 * LINE, TARGETS, np.ones(8), 2, np.random.RandomState(0)), 0.1, "linear"
    )
    np.testing.assert_allclose(wide.centres, precision.centres / 100, rtol=1e-6)
    assert not prior_precision(network, 0.0, "linear").to_vector().any()


def test_a_large_ridge_shrinks_the_consequents_and_lets_the_sets_move():
    network = knn_start(LINE, TARGETS, np.ones(8), 2, np.random.RandomState(0))
    usual, large = (prior_precision(network, ridge, "linear") for ridge in (0.15, 15.0))
    np.testing.assert_array_equal(usual.centres, large.centres)
    assert (large.consequents == 100 * usual.consequents).all()
    constant = prior_precision(network, 0.15, "constant")
    assert (constant.centres < usual.centres).all()
