"""A small problem that all tests of the selection share."""

import numpy as np
import pytest

from unfis.data.samples import Samples
from unfis.learning.objective import CrossEntropy
from unfis.network.combination import AVERAGED
from unfis.network.start import kmeans_start
from unfis.selection.stage import Task


def make_samples(rows=120, inputs=6, seed=0):
    """Two classes told apart by the first two inputs; the others are noise."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, inputs))
    y = (X[:, 0] + X[:, 1] + 0.3 * generator.normal(size=rows) > 0).astype(int)
    return Samples(X, np.eye(2)[y], np.ones(rows))


def make_task(samples, inputs=None, combination=AVERAGED, **settings):
    settings.setdefault("objective", CrossEntropy())
    inputs = inputs or [slice(j, j + 1) for j in range(samples.X.shape[1])]
    return Task(samples, inputs, start=kmeans_start, combination=combination, **settings)


def squares(rows=400, seed=0):
    """Two classes in opposite quarters of a square, and an input of noise."""
    generator = np.random.default_rng(seed)
    X = generator.uniform(-1.7, 1.7, size=(rows, 3))
    return Samples(X, np.eye(2)[((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)], np.ones(rows))


@pytest.fixture
def task():
    return make_task(make_samples(), ridge=0.3)
