import copy

import numpy as np
import pytest
from joblib import cpu_count, parallel_config
from rule_tables import AVERAGED_KINDS
from scipy import spatial

from unfis.rules.explain.explanations import nearest_points, points_of


@pytest.mark.parametrize("kind", ["decisive", "soft", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_a_training_row_is_most_like_itself(model, name, kind):
    clf, X, _ = model(name, kind)
    places, distances = clf.explain(X).neighbours
    np.testing.assert_allclose(distances[:, 0], 0, atol=1e-7)
    assert (np.diff(distances, axis=1) >= 0).all()
    assert (clf.explain(X)[5].neighbours[0].row == 5) or distances[5, 1] < 1e-7
    assert places.shape == (len(X), 3)


@pytest.mark.parametrize("kind", ["decisive", *AVERAGED_KINDS])
def test_rows_that_the_rules_cannot_tell_apart_are_one_point(model, kind):
    clf, X, _ = model("iris", kind)
    arrays = clf.rules_.arrays
    values = clf.model_.columns.values(X)
    other = values.copy()
    other[:, ~clf.selected_.any(axis=0)] = 1000
    one = points_of(arrays, arrays.evaluate(values), values)
    two = points_of(arrays, arrays.evaluate(other), other)
    np.testing.assert_array_equal(one, two)


def test_an_input_of_the_then_alone_tells_rows_apart(model):
    clf, X, _ = model("iris", "single rule without IF")
    arrays = clf.rules_.arrays
    values = clf.model_.columns.values(X)
    other = values.copy()
    other[:, arrays.used[0]] += 1
    one = points_of(arrays, arrays.evaluate(values), values)
    two = points_of(arrays, arrays.evaluate(other), other)
    assert (np.linalg.norm(one - two, axis=1) > 0.01).all()


def test_nearest_against_all_distances():
    generator = np.random.default_rng(0)
    known, points = generator.normal(size=(50, 4)), generator.normal(size=(9, 4))
    places, distances = nearest_points(known, points, 3)
    every = np.linalg.norm(points[:, None] - known, axis=2)
    np.testing.assert_array_equal(places, np.argsort(every, axis=1)[:, :3])
    np.testing.assert_allclose(distances, np.sort(every, axis=1)[:, :3])


def test_fewer_rows_than_wanted():
    places, distances = nearest_points(np.zeros((2, 1)), np.ones((4, 1)), 3)
    assert places.shape == distances.shape == (4, 2)


def test_the_threads_are_as_many_as_n_jobs(model, monkeypatch):
    clf, X, _ = model("iris")
    asked = []

    class Spy(spatial.cKDTree):
        def query(self, *arguments, workers, **others):
            asked.append(workers)
            return super().query(*arguments, workers=workers, **others)

    monkeypatch.setattr(spatial, "cKDTree", Spy)
    found = []
    for n_jobs in (None, 1, 2, -1):
        found.append(clone_of(clf, n_jobs).explain(X)[:20].neighbours)
    with parallel_config(n_jobs=3):
        found.append(clone_of(clf, None).explain(X)[:20].neighbours)
    assert asked == [1, 1, 2, cpu_count(), 3]
    for places, distances in found:
        np.testing.assert_array_equal(places, found[0][0])
        np.testing.assert_array_equal(distances, found[0][1])


def clone_of(clf, n_jobs):
    """A fitted copy with another n_jobs."""
    return copy.copy(clf).set_params(n_jobs=n_jobs)


def test_neighbours_mostly_share_the_class(model):
    clf, X, y = model("wine")
    explained = clf.explain(X)
    second = explained.neighbours[0][:, 1]
    assert np.mean(np.asarray(y)[second] == np.asarray(y)) > 0.9
