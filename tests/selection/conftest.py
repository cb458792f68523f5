"""A small problem that all tests of the selection share."""

import numpy as np
import pytest

from unfis.data.samples import Samples
from unfis.initialisation.start import kmeans_start
from unfis.learning.objective import CrossEntropy
from unfis.selection import Elimination


def make_samples(rows=120, inputs=6, seed=0):
    """Two classes told apart by the first two inputs; the others are noise."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, inputs))
    y = (X[:, 0] + X[:, 1] + 0.3 * generator.normal(size=rows) > 0).astype(int)
    return Samples(X, np.eye(2)[y], np.ones(rows))


def make_elimination(samples, longest=None, keeps_idle=True, **settings):
    settings.setdefault("objective", CrossEntropy())
    inputs = [slice(j, j + 1) for j in range(samples.X.shape[1])]
    longest = len(inputs) if longest is None else longest
    return Elimination(samples, kmeans_start, inputs, longest, keeps_idle, **settings)


@pytest.fixture
def elimination():
    return make_elimination(make_samples(), ridge=0.3)
