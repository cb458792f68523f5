import numpy as np
from sklearn.preprocessing import scale

from unfis.data.samples import Samples
from unfis.learning.objective import CrossEntropy
from unfis.selection.folds import deduplicated, every_kth, fold_numbers

NAN = np.nan


def test_same_rows_become_one_of_their_joint_weight():
    X = np.array([[1.0, NAN], [0, 2], [1, NAN], [1, NAN], [0, 2]])
    targets = np.eye(2)[[0, 1, 0, 1, 1]]
    found = deduplicated(Samples(X, targets, np.array([1.0, 2, 3, 4, 5])))
    np.testing.assert_array_equal(found.X, [[0, 2], [1, NAN], [1, NAN]])
    np.testing.assert_array_equal(found.targets.argmax(axis=1), [1, 1, 0])
    np.testing.assert_array_equal(found.weights, [7, 4, 4])


def test_the_order_of_rows_does_not_matter():
    generator = np.random.default_rng(0)
    samples = Samples(generator.normal(size=(30, 2)), np.eye(2)[np.arange(30) % 2], np.ones(30))
    order = generator.permutation(30)
    for one, other in zip(deduplicated(samples), deduplicated(samples.part(order)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_rows_with_the_same_inputs_share_a_fold_and_classes_are_spread():
    generator = np.random.default_rng(0)
    X = generator.integers(0, 4, size=(200, 2)).astype(float)
    X[::3] += generator.normal(size=(67, 2))
    samples = deduplicated(Samples(X, np.eye(3)[generator.integers(0, 3, 200)], np.ones(200)))
    folds = fold_numbers(samples, CrossEntropy())
    for row in np.unique(samples.X, axis=0):
        assert len(set(folds[(row == samples.X).all(axis=1)])) == 1
    assert set(folds) == {0, 1, 2, 3, 4}
    distinct = samples.part(np.flatnonzero(~(samples.X.round() == samples.X).all(axis=1)))
    codes = fold_numbers(distinct, CrossEntropy())
    for members in distinct.targets.T:
        counts = np.bincount(codes[members > 0], minlength=5)
        assert counts.max() - counts.min() <= 1


def test_last_digits_of_rows_that_are_as_far_do_not_decide():
    """Standardised truth values of equal frequency make many such rows, in whatever unit."""
    generator = np.random.default_rng(0)
    half = generator.integers(0, 2, size=(150, 6)).astype(float)
    X = np.vstack([half, 1 - half])
    targets = np.eye(2)[(X.sum(axis=1) > 2).astype(int)]
    factors, shifts = generator.uniform(0.3, 3, size=6), generator.uniform(-2, 2, size=6)
    usual, other = (
        fold_numbers(deduplicated(Samples(scale(table), targets, np.ones(300))), CrossEntropy())
        for table in (X, factors * X + shifts)
    )
    np.testing.assert_array_equal(usual, other)


def test_a_class_of_one_row_is_never_held_out():
    samples = deduplicated(
        Samples(np.arange(21.0)[:, None], np.eye(3)[[0] * 10 + [1] * 10 + [2]], np.ones(21))
    )
    folds = fold_numbers(samples, CrossEntropy())
    assert folds[-1] == -1
    assert (folds[:-1] >= 0).all()


def test_too_few_rows():
    few = Samples(np.arange(9.0)[:, None], np.eye(2)[np.arange(9) % 2], np.ones(9))
    assert fold_numbers(few, CrossEntropy()) is None
    lonely = Samples(np.arange(20.0)[:, None], np.eye(2)[[0] * 19 + [1]], np.ones(20))
    assert fold_numbers(lonely, CrossEntropy()) is None


def test_some_rows_are_in_proportion_where_no_class_is_rare():
    codes = np.array([0] * 700 + [1] * 300)
    samples = Samples(np.arange(1000.0)[:, None], np.eye(2)[codes], np.ones(1000))
    few, _ = every_kth(samples, CrossEntropy(), 100)
    assert few.targets.sum(axis=0).tolist() == [70, 30]
    assert (few.weights == 1).all()


def test_of_a_rare_class_with_many_rows_some_are_taken():
    codes = np.array([0] * 95_000 + [1] * 5000)
    samples = Samples(np.arange(100_000.0)[:, None], np.eye(2)[codes], np.ones(100_000))
    few, _ = every_kth(samples, CrossEntropy(), 2000)
    counts = few.targets.sum(axis=0)
    assert counts.tolist() == [1000, 1000]
    np.testing.assert_allclose(few.weights @ few.targets / few.weights.sum(), [0.95, 0.05])


def test_some_rows_keep_every_class():
    codes = np.array([0] * 990 + [1] * 10)
    samples = Samples(np.arange(1000.0)[:, None], np.eye(2)[codes], np.ones(1000))
    few, others = every_kth(samples, CrossEntropy(), 100)
    assert few.targets.sum(axis=0).tolist() == [90, 10]
    np.testing.assert_allclose(few.weights, [11.0] * 90 + [1.0] * 10)
    both = np.vstack([few.X, others.X])
    assert sorted(map(tuple, both)) == sorted(map(tuple, samples.X))
    few, others = every_kth(samples, CrossEntropy(), 1000)
    np.testing.assert_array_equal(few.X, samples.X)
    assert not len(others.X)
