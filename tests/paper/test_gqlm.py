"""Algorithm 1, checked against its own lines written out."""

import numpy as np
from printed_derivatives import MENDED, probability_derivatives
from reference import SHAPES, random_network, random_samples
from scipy.optimize import minimize

from unfis import GqLM, UNFISNetworkClassifier
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import QuasiCrossEntropy
from unfis.learning.problem import Prior
from unfis.network import Parameters, forward
from unfis.network.prior import trainable


def algorithm_1(network, X, targets, *, damping, eta, smoothing, batch_size, max_iter, generator):
    """The paper's loop, with J_c and Xi_c as matrices."""
    shape, pi = network.shape, network.to_vector()
    classes, moving = shape.classes, np.zeros(shape.size)
    for _ in range(max_iter):
        order = generator.permutation(len(X))
        for start in range(0, len(X), batch_size):
            rows = order[start : start + batch_size]
            network = Parameters.from_vector(pi, shape)
            J = np.array([probability_derivatives(network, x, **MENDED) for x in X[rows]])
            p = forward(network, X[rows]).probabilities
            gram = sum(J[:, c].T @ J[:, c] + damping * np.eye(len(pi)) for c in range(classes))
            rhs = sum(J[:, c].T @ (targets[rows, c] / p[:, c]) for c in range(classes))
            step = np.linalg.solve(gram, rhs) / eta
            moving = smoothing * moving + (1 - smoothing) * step
            pi = pi + moving
    return pi


def problem_of(shape, seed, samples):
    """A random network and samples as a Problem without a prior, as in the paper."""
    model = trainable(QuasiCrossEntropy(), random_network(shape, seed), "soft", "linear")
    X = random_samples(shape, seed + 1, samples=samples)
    targets = np.eye(shape.classes)[np.arange(samples) % shape.classes]
    nothing = Prior(np.zeros_like(model.start), np.zeros_like(model.start))
    return LocalProblem(model, QuasiCrossEntropy(), X, targets, np.ones(samples), nothing)


def test_gqlm_is_algorithm_1_to_the_letter():
    problem = problem_of(SHAPES[2], 21, 23)
    network, X, targets = problem.model.fixed, problem.X, problem.targets
    settings = {"damping": 50.0, "eta": 1e-2, "smoothing": 0.8, "batch_size": 5, "max_iter": 3}
    expected = algorithm_1(network, X, targets, **settings, generator=np.random.RandomState(0))
    outcome = train(GqLM(**settings), problem, problem.model.start, np.random.RandomState(0))
    found = problem.model.parameters(outcome.vector).to_vector()
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


def test_eq_lm7_drops_a_factor_of_one_half():
    """The minimiser of eq. (lm5), g' d + eta d' (sum_c J_c' J_c + lambda I) d, is half the step."""
    shape = SHAPES[1]
    problem = problem_of(shape, 41, 8)
    start = problem.model.start
    learner = GqLM(smoothing=0.0, damping=0.5, eta=0.1)
    step = learner.direction().step(problem, start, np.zeros_like(start))
    system = problem.system(start)
    penalty = system.rows.T @ system.rows + 2 * 0.5 * np.eye(len(start))

    def printed_loss(change):
        return -system.rhs @ change + 0.1 * change @ penalty @ change

    lowest = minimize(printed_loss, np.zeros_like(start), tol=1e-10).x
    np.testing.assert_allclose(lowest, step / 2, atol=1e-4)


def test_defaults_are_the_papers_table():
    expected = {"damping": 1e3, "eta": 1e-3, "smoothing": 0.9, "batch_size": 32, "max_iter": 100}
    assert GqLM().get_params() == expected
    paper = UNFISNetworkClassifier.paper()
    assert paper.learner.get_params() == expected
    assert (paper.n_rules, paper.selection, paper.consequents) == (2, "soft", "linear")
    assert (paper.scale, paper.ridge, paper.initialisation) == (False, 0.0, "knn")
    assert UNFISNetworkClassifier.paper(n_rules=5).n_rules == 5


def test_at_the_printed_damping_gqlm_is_a_gradient_step():
    """errata, measured 4: C lambda dwarfs the curvature, so the step is the gradient / C."""
    problem = problem_of(SHAPES[2], 31, 32)
    start = problem.model.start
    learner = GqLM(smoothing=0.0)
    step = learner.direction().step(problem, start, np.zeros_like(start))
    gradient = -problem.gradient(start)
    np.testing.assert_allclose(step, gradient / 3, rtol=0.1, atol=0.01 * np.abs(step).max())
