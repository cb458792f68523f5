"""Nothing but the objective knows of classes: a number is learned and left out by the same code."""

import numpy as np
import pytest
from gaussian import Gaussian
from sklearn.linear_model import Ridge

from unfis.learning.damped import LM, TrustRegion
from unfis.learning.epochs import SGD, GqLM, Momentum
from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.network import select_all
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start

RIDGE = 0.7
WEIGHTS = np.linspace(0.5, 1.5, 60)


def one_rule(rows=slice(None), ridge=RIDGE):
    """One rule with all inputs in: linear regression, of which the threshold is not shrunk."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(60, 3))
    y = X @ [1.0, -2.0, 0.0] + 0.5 * generator.normal(size=60) + 3.0
    targets = Gaussian().encode(y, 1)
    start = select_all(kmeans_start(X, targets, WEIGHTS, 1))
    network = trainable(Gaussian(), start, "none", "linear")
    prior = start_prior(network, start, ridge, "linear")
    part = X[rows], targets[rows], WEIGHTS[rows]
    return network, LocalProblem(network, Gaussian(), *part, prior), X, y


def fitted(learner, rows=slice(None), ridge=RIDGE):
    network, problem, X, y = one_rule(rows, ridge)
    outcome = train(learner, problem, network.start, np.random.RandomState(0))
    return network, problem, outcome.vector, X, y


@pytest.mark.parametrize(
    ("learner", "close"),
    [
        (TrustRegion(tol=1e-12), 1e-8),
        (LM(tol=1e-12), 1e-8),
        (GqLM(damping=1e-3, eta=1.0, smoothing=0.5, batch_size=None), 1e-3),
        (SGD(learning_rate=0.5, batch_size=None, max_iter=2000), 1e-3),
        (Momentum(learning_rate=0.1, batch_size=None, max_iter=1000), 1e-3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_one_rule_is_ridge_regression(learner, close):
    """Its bias is shrunk and its threshold is not: together they are an intercept that is free."""
    network, _, vector, X, y = fitted(learner)
    expected = Ridge(alpha=RIDGE).fit(X, y, sample_weight=WEIGHTS).predict(X)
    np.testing.assert_allclose(network.outputs(vector, X)[:, 0], expected, atol=close)


def test_leave_one_out_of_ridge_regression_is_exact():
    _, problem, vector, X, y = fitted(TrustRegion(tol=1e-14))
    found = leave_one_out(problem, vector)
    for row in (0, 17, 59):
        rows = np.delete(np.arange(60), row)
        others = Ridge(alpha=RIDGE).fit(X[rows], y[rows], sample_weight=WEIGHTS[rows])
        exact = 0.5 * (y[row] - others.predict(X[[row]])[0]) ** 2
        assert found.losses[row] == pytest.approx(exact, rel=1e-4)
    # The trace of ridge regression's hat matrix, with the intercept.
    centred = X - np.average(X, axis=0, weights=WEIGHTS)
    gram = (WEIGHTS[:, None] * centred).T @ centred
    trace = np.trace(np.linalg.solve(gram + RIDGE * np.eye(3), gram)) + 1
    assert found.effective_parameters == pytest.approx(trace, rel=1e-4)
