"""A training that was interrupted goes on where it was."""

import numpy as np
import pytest
from reference import random_samples

from unfis.learning.checkpoint import Checkpoint
from unfis.learning.damped import LM, TrustRegion
from unfis.learning.epochs import SGD
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy
from unfis.network import Shape
from unfis.network.prior import start_prior, trainable
from unfis.network.start import kmeans_start


def problem_of(learner):
    X = random_samples(Shape(2, 3, 3), 0, samples=200)
    objective = learner.objective or CrossEntropy()
    targets = objective.encode(np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7]), 3)
    start = kmeans_start(X, targets, np.ones(200), 2)
    network = trainable(objective, start, "none", "linear")
    prior = start_prior(network, start, 0.3, "linear")
    return LocalProblem(network, objective, X, targets, np.ones(200), prior)


def trained(learner, problem, checkpoint=None, stop_at=None):
    def monitor(number, vector, record):
        return number == stop_at

    generator = np.random.RandomState(0)
    start = problem.model.start
    return train(learner, problem, start, generator, monitor=monitor, checkpoint=checkpoint)


@pytest.mark.parametrize("learner", [TrustRegion(), TrustRegion(batch_size=50), LM()], ids=str)
@pytest.mark.parametrize("iterations", [1, 4])
def test_it_goes_on_to_the_same_end(tmp_path, learner, iterations):
    problem, checkpoint = problem_of(learner), Checkpoint(tmp_path / "fit.npz", "this")
    expected = trained(learner, problem)
    some = trained(learner, problem, checkpoint, stop_at=iterations)
    assert not np.array_equal(some.vector, expected.vector)
    rest = trained(learner, problem, checkpoint)
    assert len(some.records) + len(rest.records) == len(expected.records)
    np.testing.assert_array_equal(rest.vector, expected.vector)
    np.testing.assert_array_equal(rest.state.curvature, expected.state.curvature)


def test_other_learners_go_on_from_the_parameters(tmp_path):
    learner = SGD(max_iter=2)
    problem, checkpoint = problem_of(learner), Checkpoint(tmp_path / "fit.npz", "this")
    some = trained(learner, problem, checkpoint, stop_at=1)
    vector, state = checkpoint.resumed(learner, problem.model.start, "new")
    np.testing.assert_array_equal(vector, some.vector)
    assert state == "new"


def test_what_is_kept_of_other_parameters_or_another_fit(tmp_path):
    learner, path = TrustRegion(), tmp_path / "fit.npz"
    problem = problem_of(learner)
    trained(learner, problem, Checkpoint(path, "this"), stop_at=1)
    longer = np.append(problem.model.start, 0.0)
    found, state = Checkpoint(path, "this").resumed(learner, longer, "new")
    assert found is longer
    assert state == "new"
    with pytest.raises(ValueError, match="of a fit of other rows"):
        trained(learner, problem, Checkpoint(path, "another"))
    path.write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is no checkpoint of a fit, or is damaged"):
        trained(learner, problem, Checkpoint(path, "this"))
