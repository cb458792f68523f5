"""Training rows that meet the same rules."""

from dataclasses import replace

import numpy as np
import pytest
from explain.tables import fitted, table
from scipy.spatial.distance import cdist


@pytest.mark.parametrize("task", ["two", "three", "number"])
def test_against_all_distances(task):
    X, signal = table(7, rows=300)
    estimator, y = fitted(task, X, signal)
    added = estimator.contributions(X)
    predicted = estimator.predict(X)
    right = np.abs(predicted - y) if task == "number" else predicted == y
    every = cdist(added, added, "cityblock")
    for n, one in enumerate(estimator.explain(X)[:40]):
        limit = np.sort(every[n])[9]
        near = np.flatnonzero(every[n] <= limit + 1e-9)
        assert one.neighbours.rows == len(near) >= 10
        assert one.neighbours.distance == pytest.approx(limit)
        found = one.neighbours.error if task == "number" else one.neighbours.right
        assert found == pytest.approx(right[near].mean())
        assert len(one.neighbours.examples) == 3
        for example in one.neighbours.examples:
            assert example.target in y[near]
            assert set(example.values) <= set(X.columns)


def test_without_rows_there_are_none():
    X, signal = table(8)
    estimator, _ = fitted("two", X, signal)
    estimator.model_ = replace(estimator.model_, searched=None)
    one = estimator.explain(X)[0]
    assert one.neighbours is None
    assert "training" not in str(one)
    assert estimator.feature_importances_.max() > 0
