"""The number of rules and the ridge, chosen by leave-one-out."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis import UNFISNetworkClassifier
from unfis.data.samples import Samples
from unfis.learning.watch import FitWatch
from unfis.network.choice import RIDGES, Choice
from unfis.network.start import kmeans_start


def samples(X, y):
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    return Samples(X, np.eye(y.max() + 1)[y], np.ones(len(y)))


def rings(rows=400):
    """A ring around a disc, which two rules cannot tell apart by lines."""
    generator = np.random.RandomState(0)
    X = generator.normal(size=(rows, 2))
    return X, (np.hypot(*X.T) > 1.2).astype(int)


def choice(X, y, numbers=(1, 2, 3), ridges=RIDGES, **settings):
    inputs = [slice(j, j + 1) for j in range(X.shape[1])]
    return Choice(samples(X, y), inputs, kmeans_start, numbers, ridges, **settings)


def test_no_other_ridge_of_its_neighbours_predicts_better():
    X, y = load_iris(return_X_y=True)
    best = choice(X, y, (2,)).best()
    assert best.n_rules == 2
    others = [choice(X, y, (2,), (ridge,)).best().loss for ridge in RIDGES]
    assert best.loss == pytest.approx(min(others), rel=0.05)


def test_more_rules_are_taken_only_if_they_are_clearly_better():
    X, y = rings()
    several = choice(X, y, range(1, 4)).best()
    assert several.n_rules > 1
    generator = np.random.RandomState(1)
    line = generator.normal(size=(300, 2))
    noisy = (line[:, 0] + generator.normal(size=300) > 0).astype(int)
    assert choice(line, noisy, range(1, 7)).best().n_rules <= 2


def test_losses_are_of_each_sample_and_their_mean():
    X, y = rings(100)
    found = choice(X, y, (2,), (0.1,)).best()
    assert found.losses.shape == (100,)
    assert found.loss == pytest.approx(found.losses.mean())
    assert found.ridge == 0.1


def test_of_very_many_inputs_those_are_in_that_tell_classes_apart():
    X, y = load_iris(return_X_y=True)
    noise = np.random.RandomState(0).normal(size=(150, 30))
    task = choice(np.hstack([X, noise]), y, most_parameters=20)
    _, network = task.begin(2)
    inside = network.selection.inside
    assert inside.sum(axis=1).tolist() == [2, 2]
    assert np.flatnonzero(inside[0]).tolist() == [2, 3]  # the petals


def test_a_class_between_two_others_is_told_by_its_square():
    x = np.linspace(-1, 1, 60)
    X = np.column_stack([x, np.tile([0.0, 1.0], 30)])
    y = (np.abs(x) < 0.5).astype(int)
    scores = choice(X, y).scores
    assert scores[0] > 0.3
    assert scores[1] < 0.1


def test_of_inputs_that_tell_nothing_all_are_in():
    X = np.tile([[0.0, 1.0]], (20, 1)) + np.zeros((20, 1))
    table = Samples(X, np.eye(2)[np.arange(20) % 2], np.ones(20))
    task = Choice(table, [slice(0, 1), slice(1, 2)], kmeans_start, (2,), (1.0,))
    assert task.best_inputs(1).all()


def test_processes_choose_the_same():
    X, y = rings()
    one, two = (choice(X, y, range(1, 4), n_jobs=jobs).best() for jobs in (None, 2))
    assert (one.n_rules, one.ridge) == (two.n_rules, two.ridge)
    np.testing.assert_array_equal(one.losses, two.losses)


def test_how_far_it_is_is_told_and_rises():
    told = []
    choice(*rings(), range(1, 4), watch=FitWatch(None, told.append)).best()
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert any("number of rules, 3 of at most 3" in progress.doing for progress in told)


def test_constant_rules_look_for_a_ridge_each():
    X, y = rings()
    found = choice(X, y, range(1, 4), consequents="constant").best()
    assert found.n_rules > 1
    assert not found.network.consequents[:, :, 1:].any()


def test_the_estimator_records_what_was_chosen():
    net = UNFISNetworkClassifier().fit(*load_iris(return_X_y=True))
    assert set(net.choices_) == {"n_rules", "ridge", "by", "loss"}
    assert net.choices_["ridge"] in RIDGES
    assert net.choices_["n_rules"] == len(net.rules_)
