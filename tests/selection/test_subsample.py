from functools import reduce

import numpy as np
import pytest

from unfis.data.samples import Samples
from unfis.learning.objective import CrossEntropy
from unfis.selection import folds


def subsample(samples, most):
    return folds.subsample(samples, CrossEntropy(), most)


@pytest.fixture
def samples():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(5000, 3))
    X[::7, 1] = np.nan
    codes = (generator.random(5000) < 0.01).astype(int)
    return Samples(X, np.eye(2)[codes], np.ones(5000))


def rows_of(samples):
    return {tuple(row) for row in np.nan_to_num(samples.X, nan=9.0).tolist()}


def test_few_samples_are_all_drawn(samples):
    np.testing.assert_array_equal(subsample(samples, 5000).X, samples.X)


def test_neither_the_order_of_rows_nor_of_inputs_decides(samples):
    some = subsample(samples, 500)
    assert 400 < len(some.X) < 600
    order = np.random.default_rng(1).permutation(5000)
    assert rows_of(subsample(samples.part(order), 500)) == rows_of(some)
    turned = subsample(samples._replace(X=samples.X[:, ::-1]), 500)
    assert rows_of(turned._replace(X=turned.X[:, ::-1])) == rows_of(some)


def test_same_rows_are_one_and_rare_classes_kept(samples):
    twice = Samples(*(np.concatenate([part, part]) for part in samples))
    some = subsample(twice, 500)
    assert len(np.unique(np.nan_to_num(some.X), axis=0)) == len(some.X)
    rare = some.targets[:, 1] == 1
    assert rare.sum() == samples.targets[:, 1].sum()
    assert 450 < (~rare).sum() < 550
    # A rare row counts as it does among all; the others weigh as large a part as they do there.
    np.testing.assert_allclose(some.weights[rare], 2.0)
    np.testing.assert_allclose(
        some.weights[rare].sum() / some.weights.sum(), samples.targets[:, 1].mean()
    )


def test_a_class_of_few_that_is_not_rare_is_drawn_with_fewest_rows():
    generator = np.random.default_rng(3)
    codes = np.r_[np.repeat(np.arange(40), 150), np.repeat(40, 60)]
    targets = np.eye(41)[codes]
    some = subsample(Samples(generator.normal(size=(6060, 3)), targets, np.ones(6060)), 500)
    assert some.targets[:, 40].sum() == folds.FEWEST_OF_STRATUM
    assert (some.weights == 1).all()


def test_few_different_rows_are_all_there_with_their_weights():
    """However often a row comes, and in however many classes."""
    generator = np.random.default_rng(2)
    X = (generator.random((5000, 2)) < 0.1).astype(float)
    codes = (generator.random(5000) < 0.3).astype(int)
    some = subsample(Samples(X, np.eye(2)[codes], np.ones(5000)), 1000)
    assert len(some.X) == 8
    assert some.weights.sum() == 5000
    for row, target, weight in zip(*some, strict=True):
        assert weight == ((row == X).all(axis=1) & (codes == target.argmax())).sum()


def test_the_last_digits_do_not_decide(samples):
    nearly = samples._replace(X=samples.X * (1 + 1e-15))
    assert rows_of(subsample(nearly, 500)._replace(X=subsample(nearly, 500).X.round(9))) == rows_of(
        subsample(samples, 500)._replace(X=subsample(samples, 500).X.round(9))
    )


def test_what_is_0_but_for_rounding_is_0(samples):
    """A value that is its column's mean comes to 0 on one machine, to 2e-16 on another."""
    X = samples.X.copy()
    X[::2, 0] = 0.0
    nearly = X.copy()
    nearly[::2, 0] = np.random.default_rng(1).choice([0.0, 2e-16, -2e-16], size=2500)
    some, other = (subsample(samples._replace(X=table), 500) for table in (X, nearly))
    np.testing.assert_allclose(some.X, other.X, rtol=0, atol=1e-15)
    # But what is small in a column of small values is something.
    small = Samples(1e-12 * samples.X[:, :1], samples.targets, samples.weights)
    assert len(subsample(small, 500).X) > 400


def test_huge_values_are_hashed_without_a_warning():
    rows = np.array([[1e300, 0.0], [-1e300, 0.0], [np.nan, -0.0], [np.nan, 0.0]])
    for of_columns in (False, True):
        hashes = folds.value_hashes(rows, folds.largest_sizes(rows), of_columns=of_columns)
        assert len(set(hashes[:3])) == 3
        assert hashes[2] == hashes[3]


def test_hashes_know_whose_values_they_are_if_they_shall():
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    one, other = folds.value_hashes(rows, np.ones(2), of_columns=True)
    assert one != other
    one, other = folds.value_hashes(rows, np.ones(2), of_columns=False)
    assert one == other


@pytest.mark.parametrize("rare", [False, True])
@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_what_is_drawn_from_parts_is_what_is_drawn_from_all(parts, rare):
    generator = np.random.RandomState(0)
    X = generator.normal(size=(6060, 3)).round(1)
    codes = (generator.rand(6060) < (0.01 if rare else 0.4)).astype(int)
    samples = Samples(X, np.eye(2)[codes], generator.rand(6060))
    expected, objective = subsample(samples, 500), CrossEntropy()
    rows = np.split(np.arange(6060), np.sort(generator.randint(0, 6060, parts - 1)))
    apart = [samples.part(one) for one in rows if len(one)]
    totals = reduce(
        folds.SampleTotals.joined, [folds.SampleTotals.of(one, objective) for one in apart]
    )
    joined = None
    for one in apart:
        possible = folds.may_be_drawn(one, totals, objective, 500)
        both = [possible] if joined is None else [joined, possible]
        joined = Samples(*(np.concatenate(arrays) for arrays in zip(*both, strict=True)))
        joined = folds.may_be_drawn(joined, totals, objective, 500)
    found = folds.drawn(joined, totals, objective, 500)
    np.testing.assert_array_equal(found.X, expected.X)
    np.testing.assert_array_equal(found.targets, expected.targets)
    np.testing.assert_allclose(found.weights, expected.weights, rtol=1e-12)
    assert len(found.X) < 3000
