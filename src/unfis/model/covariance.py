"""The covariance of what a training has learned, by the curvature of what it minimised (Laplace).

H^-1 with H = dZ' S dZ summed over the samples + the prior's precision, in which a weight of 2 is
two samples. Where classes are weighted, the objective is curved as if there were more samples of
some than there are; so much less sure than that it is H^-1 G H^-1, with G the variance of the
objective's gradient.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.linalg import cho_solve, cholesky, qr, solve_triangular

from unfis.arrays import Array, softmax
from unfis.learning.loop import Learner
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import ModelProblem
from unfis.learning.system import least_damping
from unfis.model.fitted import FittedModel
from unfis.model.rows import TrainingRows
from unfis.model.training import network_to_train, prior_of
from unfis.model.uncertainty import Uncertainty
from unfis.network import Parameters, Trainable

# Of more parameters the covariance would be most of a model file.
MOST_UNCERTAIN = 200
# The curvature of more samples would be nearly the same.
ENOUGH_SAMPLES = 20_000


class WeightedClasses(CrossEntropy):
    """Cross-entropy with the variance of its gradient in z in place of the curvature.

    Of classes with weights c, and probabilities p that were learned with them, a class comes up
    with the probability q_y ~ p_y / c_y, and the gradient is then c_y (e_y - p).
    """

    def __init__(self, class_weights: Array) -> None:
        self._class_weights = class_weights

    def roots(self, outputs: Array, targets: Array) -> tuple[Array, None]:
        """A row sqrt(q_y) c_y (e_y - p) for each class; what weighs the sample itself is undone."""
        weights, p = self._class_weights, softmax(outputs)
        q = p / weights
        q /= q.sum(axis=1, keepdims=True)
        scale = np.sqrt(q / (targets @ weights)[:, None]) * weights
        return scale[:, :, None] * (np.eye(len(weights)) - p[:, None, :]), None


def with_uncertainty(model: FittedModel, learner: Learner, rows: TrainingRows) -> FittedModel:
    """A trained model that knows how far its rows leave it open, if it minimised their loss."""
    if not learner.keeps_curvature or learner.objective is not None:
        return model
    network = network_to_train(model)
    problem = rows.problem(network, model.objective, prior_of(model, network))
    return replace(model, uncertainty=training_uncertainty(problem, model.class_weights()))


def training_uncertainty(problem: ModelProblem, class_weights: list[float]) -> Uncertainty | None:
    """How far samples leave a network open at its start; None where too much of it was learned."""
    network = problem.model
    assert isinstance(network, Trainable)
    if not 0 < len(network.start) <= MOST_UNCERTAIN:
        return None
    factor = cholesky(curvature_of(problem, network.start), lower=True)
    if class_weights:
        objective = WeightedClasses(np.array(class_weights))
        varied = problem.with_objective(objective)
        root = cho_solve((factor, True), cholesky(curvature_of(varied, network.start), lower=True))
    else:
        root = solve_triangular(factor, np.eye(len(factor)), lower=True).T
    changes = np.array([beside_first_class(network.change(one)).to_vector() for one in root.T]).T
    positions = np.flatnonzero(changes.any(axis=1))
    triangle = qr(changes[positions].T, mode="r")[0][: len(positions)]
    return Uncertainty(positions, triangle.T)


def curvature_of(problem: ModelProblem, vector: Array) -> Array:
    """The curvature at a vector, prior included, hardly damped: (parameters, parameters)."""
    stride = -(-problem.samples // ENOUGH_SAMPLES)
    some = None if stride == 1 else problem.subset(slice(None, None, stride))
    system = problem.system(vector, some, np.zeros_like(vector))
    if system.gram is None:
        matrix = system.rows.T @ system.rows
    else:
        matrix = np.tril(system.gram) + np.tril(system.gram, -1).T
    diagonal = system.curvature_diagonal()
    np.fill_diagonal(matrix, diagonal + least_damping(diagonal))
    return np.asarray(matrix)


def beside_first_class(change: Parameters) -> Parameters:
    """A change of parameters that does the same to probabilities, and nothing to the first class.

    Of the consequents of each rule; a threshold of all classes does nothing.
    """
    change.consequents[:] -= change.consequents[:, :1].copy()
    change.thresholds[:] -= change.thresholds[0]
    return change
