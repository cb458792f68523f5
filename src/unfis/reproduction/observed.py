"""What is measured of this project's own models beside their answers.

How much there is to read, how far the selections went, and how large the curvature is that GqLM
adds its damping to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.base import clone

from unfis.estimators.classifier import UNFISClassifier
from unfis.initialisation.prior import trainable
from unfis.learning.local_problem import LocalProblem
from unfis.learning.objective import QuasiCrossEntropy
from unfis.learning.problem import Prior
from unfis.learning.system import NormalEquations

# A selection counts as out of its rule below the first, and as in it above the second.
OUT, IN = 1e-3, 0.999
# So much damping that a step of GqLM leaves the start as it is.
STAYING = 1e15


def size_of(model: UNFISClassifier, X: Any, y: Any) -> dict[str, float]:
    """Rules, their conditions, how far selections went, and the paper's n_af = sum_j vs_j."""
    inputs = [item.columns.start for item in model.inputs_]
    selections = expit(model.parameters_.logits[:, inputs])
    return {
        "rules": float(len(model.selected_)),
        "conditions": float(model.selected_.sum()),
        "active": float(selections.sum(axis=1).mean()),
        "selections_out": float((selections < OUT).sum()),
        "selections_in": float((selections > IN).sum()),
    }


def size_and_curvature(model: UNFISClassifier, X: Any, y: Any) -> dict[str, float]:
    """The same, and the largest eigenvalue of sum_c J_c' J_c over mini-batches, as GqLM has them.

    At the start, which a model that hardly moves still has, and where the training ended.
    """
    still = clone(model).set_params(learner__damping=STAYING, learner__max_iter=1).fit(X, y)
    return {
        **size_of(model, X, y),
        "curvature_start": largest_curvature(still, X, y),
        "curvature_end": largest_curvature(model, X, y),
    }


def largest_curvature(model: UNFISClassifier, X: Any, y: Any) -> float:
    """The largest eigenvalue of sum_c J_c' J_c over mini-batches in the order of the rows."""
    offsets, scales = (
        np.concatenate([getattr(item, name) for item in model.inputs_])
        for name in ("offsets", "scales")
    )
    matrix = (np.asarray(X, dtype=float) - offsets) / scales
    targets = np.eye(len(model.classes_))[np.searchsorted(model.classes_, np.asarray(y))]
    network = trainable(QuasiCrossEntropy(), model.parameters_, model.selection, "linear")
    weights, nothing = np.ones(len(matrix)), np.zeros(len(network.start))
    samples = matrix, targets, weights, Prior(nothing, nothing)
    problem = LocalProblem(network, QuasiCrossEntropy(), *samples)
    size = model.get_params()["learner__batch_size"]
    batches = np.split(np.arange(len(matrix)), range(size, len(matrix), size))
    systems = (problem.subset(rows).system(network.start) for rows in batches)
    return max(largest_eigenvalue(system) for system in systems)


def largest_eigenvalue(system: NormalEquations) -> float:
    """Of the curvature of the normal equations without a prior."""
    if system.gram is None:
        return float(np.linalg.norm(system.rows, 2) ** 2)
    return float(np.linalg.eigvalsh(system.gram)[-1])
