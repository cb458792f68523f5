from types import SimpleNamespace

import numpy as np
import pytest

from unfis.learning.local_problem import LocalProblem
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior


class SoftmaxRegression:
    """A model that is not a fuzzy network: z = X W. Learners must work on it all the same."""

    def __init__(self, features, classes):
        self.shape = (features, classes)

    def outputs(self, vector, X):
        return X @ vector.reshape(self.shape)

    def prepared(self, X):
        return X

    def linearise(self, vector, X):
        def rows(weights):
            return np.einsum("kj,krc->krjc", X, weights).reshape(*weights.shape[:2], -1)

        def sums(residuals):
            return (X.T @ residuals).ravel()

        outputs = self.outputs(vector, X)
        return SimpleNamespace(outputs=outputs, rows=rows, sums=sums)

    def block_length(self, rows_per_sample):
        return 17


@pytest.fixture
def regression():
    """A problem of softmax regression with a ridge, and its start."""
    generator = np.random.default_rng(3)
    X = generator.normal(size=(120, 4))
    scores = X @ generator.normal(size=(4, 3)) + generator.normal(size=(120, 3))
    targets = np.eye(3)[scores.argmax(axis=1)]
    prior = Prior(np.zeros(12), np.full(12, 0.5))
    return LocalProblem(
        SoftmaxRegression(4, 3), CrossEntropy(), X, targets, np.ones(120), prior
    ), np.zeros(12)
