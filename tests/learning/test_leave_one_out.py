from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis.learning.damped import TrustRegion
from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior
from unfis.network import select_all
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start


def fitted(rules, rows, ridge=0.3, weights=None):
    """A network trained to the end on some rows of iris, and its problem."""
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    targets, weights = np.eye(3)[y], np.ones(150) if weights is None else weights
    start = select_all(kmeans_start(X, targets, np.ones(150), rules))
    network = trainable(CrossEntropy(), start, "none", "linear")
    prior = start_prior(network, start, ridge, "linear")
    problem = LocalProblem(network, CrossEntropy(), X[rows], targets[rows], weights[rows], prior)
    learner = TrustRegion(tol=1e-10)
    outcome = train(learner, problem, network.start, np.random.RandomState(0))
    return network, problem, outcome.vector, (X, targets)


@pytest.mark.parametrize("rules", [1, 2])
def test_it_predicts_what_leaving_a_sample_out_gives(rules):
    rows = np.arange(150)
    network, problem, vector, (X, targets) = fitted(rules, rows)
    approximate = leave_one_out(problem, vector).losses
    left_out = [3, 60, 70, 106, 119, 133]  # easy ones and the hardest ones
    exact = []
    for row in left_out:
        others, _, without, _ = fitted(rules, np.delete(rows, row))
        logits = others.outputs(without, X[[row]])
        exact.append(CrossEntropy().losses(logits, targets[[row]])[0])
    inside = CrossEntropy().losses(network.outputs(vector, X[left_out]), targets[left_out])
    np.testing.assert_allclose(approximate[left_out], exact, rtol=0.15)
    assert (np.array(exact) > inside).all()


def test_by_hand():
    """A mean of logits with a prior, two samples, far from certainty: quadratic for small steps.

    One free logit v of two classes (z = (v, 0)), prior precision 1000 holds it at 0: K = 1 / H with
    H = 1000 + 2 / 4; leaving a sample of class 0 out moves v by -K r / (1 - S K), r = 1/2, S = 1/4.
    """

    class Line:
        def outputs(self, vector, X):
            return np.column_stack([np.full(len(X), vector[0]), np.zeros(len(X))])

        def prepared(self, X):
            return X

        def linearise(self, vector, X):
            return SimpleNamespace(
                outputs=self.outputs(vector, X),
                rows=lambda weights: weights[:, :, :1],
                sums=lambda residuals: residuals[:, :1].sum(axis=0),
            )

        def block_length(self, rows_per_sample):
            return 1

    prior = Prior(np.zeros(1), np.full(1, 1000.0))
    problem = LocalProblem(Line(), CrossEntropy(), np.zeros((2, 1)), np.eye(2), np.ones(2), prior)
    result = leave_one_out(problem, np.zeros(1))
    gain = 1 / 1000.5
    moved = gain * 0.5 / (1 - 0.25 * gain)
    # The sample of class 0 has pulled v up, that of class 1 down, each by as much.
    np.testing.assert_allclose(result.losses, np.log1p(np.exp(moved)), rtol=1e-6)
    assert result.effective_parameters == pytest.approx(2 * 0.25 * gain, rel=1e-5)


def test_effective_parameters_fall_with_the_ridge():
    counts = []
    for ridge in (0.01, 1.0, 100.0):
        _, problem, vector, _ = fitted(1, np.arange(150), ridge)
        counts.append(leave_one_out(problem, vector).effective_parameters)
    assert 10 > counts[0] > counts[1] > counts[2] > 2


def test_a_weight_is_a_row_repeated():
    """Leaving a row of weight 2 out leaves both of its copies out."""
    weights = np.ones(150)
    weights[70] = 2.0
    _, problem, vector, (X, targets) = fitted(1, np.arange(150), weights=weights)
    others, _, without, _ = fitted(1, np.delete(np.arange(150), 70))
    exact = CrossEntropy().losses(others.outputs(without, X[[70]]), targets[[70]])[0]
    assert leave_one_out(problem, vector).losses[70] == pytest.approx(exact, rel=0.2)
