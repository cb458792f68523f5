import numpy as np
import pytest

from unfis.selection import folds
from unfis.selection.folds import drawn
from unfis.training import Samples


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
    np.testing.assert_array_equal(drawn(samples, 5000).X, samples.X)


def test_neither_the_order_of_rows_nor_of_inputs_decides(samples):
    some = drawn(samples, 500)
    assert 400 < len(some.X) < 600
    order = np.random.default_rng(1).permutation(5000)
    assert rows_of(drawn(samples.part(order), 500)) == rows_of(some)
    turned = drawn(samples._replace(X=samples.X[:, ::-1]), 500)
    assert rows_of(turned._replace(X=turned.X[:, ::-1])) == rows_of(some)


def test_same_rows_are_drawn_together_and_rare_classes_kept(samples):
    twice = Samples(*(np.concatenate([part, part]) for part in samples))
    some = drawn(twice, 1000)
    _, counts = np.unique(np.nan_to_num(some.X), axis=0, return_counts=True)
    assert (counts == 2).all()
    assert some.targets[:, 1].sum() >= folds.FEWEST_OF_CLASS


def test_minus_zero_is_zero():
    rows = np.array([[0.0, 1.0], [-0.0, 1.0]])
    hashes = folds.value_hashes(rows)
    assert hashes[0] == hashes[1]
