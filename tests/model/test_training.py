"""Training goes on without the slopes that an expert does not allow."""

import numpy as np
import pandas as pd

from unfis import UNFISClassifier
from unfis.learning.damped import TrustRegion
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.model.training import as_allowed, network_to_train, prior_of, trained_as_allowed


def problem_of(model):
    network = network_to_train(model)
    return LocalProblem(network, model.objective, *model.kept_samples, prior_of(model, network))


def turned():
    """A model with signs, whose training rows have since turned round."""
    draw = np.random.default_rng(1)
    X = pd.DataFrame(draw.normal(size=(200, 3)), columns=list("abc"))
    y = X["a"] + X["b"] + 0.3 * draw.logistic(size=200) > 0
    fitted = UNFISClassifier(n_rules=1, monotonic_cst={"a": 1, "b": 1}, points="exact").fit(X, y)
    model = fitted.model_
    assert model.in_consequent[0, :2].all()
    return model


def test_slopes_of_the_wrong_sign_are_taken_out_with_their_prior():
    model = turned()
    problem = problem_of(model)
    network = model.network.with_vector(model.network.to_vector())
    network.consequents[0, :, 1] *= -1
    allowed, fewer = as_allowed(model, network, problem)
    assert not allowed.selection.in_consequent[0, 0]
    assert not allowed.consequents[0, :, 1].any()
    assert allowed.selection.in_consequent[0, 1]
    assert len(fewer.prior.mean) == len(problem.prior.mean) - 1 == len(fewer.model.start)
    same, unchanged = as_allowed(model, model.network, problem)
    assert same is model.network
    assert unchanged is problem


def test_training_ends_where_all_signs_are_right():
    model = turned()
    other = problem_of(model)
    targets = model.kept_samples.targets[:, ::-1]  # now more of either means less
    problem = LocalProblem(
        other.model, model.objective, model.kept_samples.X, targets, other.weights, other.prior
    )
    calls = []

    def trained(network, problem):
        calls.append(network)
        return train(TrustRegion(), problem, network.start, np.random.RandomState(0))

    network, _, outcome = trained_as_allowed(model, problem, trained)
    found = network.parameters(outcome.vector)
    assert len(calls) > 1
    assert not found.selection.in_consequent[0, :2].any()
