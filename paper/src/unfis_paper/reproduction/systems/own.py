"""Our own systems: the paper's networks, the defaults, learners with tuned step sizes.

Beside their answers is measured how much there is to read, how far the selections went, and how
large the curvature is that GqLM adds its damping to.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import GridSearchCV, ShuffleSplit

from unfis import LM, SGD, GqLM, Momentum, TrustRegion, UNFISClassifier, UNFISNetworkClassifier
from unfis.arrays import Array
from unfis.network import Parameters, forward, jacobian_rows
from unfis_paper.reproduction.systems.adapter import ComparedSystem

DEFAULT, SOFT = "unfis", "unfis, soft"
PRINTED = ("UNFIS, as printed", "FNN, as printed")
# The same networks on the same codes, standardised: the scale is all that differs.
SCALED = ("UNFIS, scaled", "FNN, scaled")
# The step sizes that are tried, seven for each learner. On 32 rows with little curvature, a step of
# GqLM is 32 / (0.001 C damping) mean gradients, about 1e4 / damping, and one of Momentum ten times
# its rate: the first three rows are the same steps, from 100 mean gradients to 1e-4. The other two
# learners adapt their damping, so that theirs is only the first one.
FIRST_DAMPINGS = (1e-6, 1e-3, 1e0, 1e3, 1e6, 1e9, 1e12)
GRIDS: dict[str, tuple[Any, str, tuple[float, ...]]] = {
    "GqLM": (GqLM(), "damping", (1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8)),
    "LM": (LM(), "damping", FIRST_DAMPINGS),
    "SGD": (SGD(), "learning_rate", (1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4)),
    "Momentum": (Momentum(), "learning_rate", (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)),
    "TrustRegion": (TrustRegion(max_iter=100), "damping", FIRST_DAMPINGS),
}
TUNING_EPOCHS = 25
TUNING_SHARE = 0.25
TUNED = ", tuned"
TUNED_LEARNERS = tuple(f"{name}{TUNED}" for name in GRIDS)
# A selection counts as out of its rule below the first, and as in it above the second.
COUNTS_AS_OUT, COUNTS_AS_IN = 1e-3, 0.999
# So much damping that a step of GqLM leaves the start as it is.
STAYING = 1e15


def as_printed(seed: int, *, selection: str, scale: bool) -> UNFISNetworkClassifier:
    """The paper's configuration: its start, learner and hyperparameters."""
    return UNFISNetworkClassifier.paper(selection=selection, scale=scale, random_state=seed)


class TunedNetwork(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The network as printed, by a learner whose step size is chosen on the training part.

    Each step size is tried for a quarter of the epochs, since all of them for all would take hours;
    the best one by the loss of what was held out then learns on the whole training part.
    """

    def __init__(
        self,
        learner: str,
        seed: int,
        steps: tuple[float, ...],
        epochs: int = TUNING_EPOCHS,
        held_out: float = TUNING_SHARE,
    ) -> None:
        self.learner, self.seed = learner, seed
        self.steps, self.epochs, self.held_out = steps, epochs, held_out

    def fit(self, X: Any, y: Any) -> TunedNetwork:
        """Choose the step size, and learn."""
        learner, name, _ = GRIDS[self.learner]
        network = UNFISNetworkClassifier.paper(learner=learner, random_state=self.seed)
        grid = {f"learner__{name}": list(self.steps), "learner__max_iter": [self.epochs]}
        split = ShuffleSplit(1, test_size=self.held_out, random_state=self.seed)
        search = GridSearchCV(
            network, grid, scoring="neg_log_loss", cv=split, refit=False, error_score=-1e300
        )
        self.step_ = float(search.fit(X, y).best_params_[f"learner__{name}"])
        self.network_ = network.set_params(**{f"learner__{name}": self.step_}).fit(X, y)
        self.classes_ = self.network_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """The most probable classes."""
        return self.network_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of the classes."""
        return self.network_.predict_proba(X)


def tuned(learner: str, seed: int) -> TunedNetwork:
    """The paper's network by a learner with the best of its step sizes."""
    return TunedNetwork(learner, seed, GRIDS[learner][2])


def rules_and_conditions(model: UNFISClassifier, X: Any, y: Any) -> dict[str, float]:
    """How many rules and conditions there are to read, and conditions for each rule."""
    rules = model.model_.rules.rules
    conditions = float(sum(len(rule.conditions) for rule in rules))
    active = conditions / max(1, len(rules))
    return {"rules": float(len(rules)), "conditions": conditions, "active": active}


def size_of(model: UNFISNetworkClassifier, X: Any, y: Any) -> dict[str, float]:
    """Rules, their inputs, how far selections went, and the paper's n_af = sum_j vs_j."""
    inputs = [item.columns.start for item in model.inputs_]
    selections = model.parameters_.selection.degrees[:, inputs]
    return {
        "rules": float(len(selections)),
        "conditions": float(selections.size),
        "active": float(selections.sum(axis=1).mean()),
        "selections_out": float((selections < COUNTS_AS_OUT).sum()),
        "selections_in": float((selections > COUNTS_AS_IN).sum()),
    }


def size_and_curvature(model: UNFISNetworkClassifier, X: Any, y: Any) -> dict[str, float]:
    """The same, and the largest eigenvalue of sum_c J_c' J_c over mini-batches, as GqLM has them.

    At the start, which a model that hardly moves still has, and where the training ended.
    """
    still = clone(model).set_params(learner__damping=STAYING, learner__max_iter=1).fit(X, y)
    return {
        **size_of(model, X, y),
        "curvature_start": largest_curvature(still, X, y),
        "curvature_end": largest_curvature(model, X, y),
    }


def largest_curvature(model: UNFISNetworkClassifier, X: Any, y: Any) -> float:
    """The largest eigenvalue of sum_c J_c' J_c over mini-batches in the order of the rows."""
    offsets, scales = (
        np.concatenate([getattr(item, name) for item in model.inputs_])
        for name in ("offsets", "scales")
    )
    matrix = (np.asarray(X, dtype=float) - offsets) / scales
    size = model.get_params()["learner__batch_size"]
    batches = np.split(matrix, range(size, len(matrix), size))
    jacobians = (probability_jacobian(model.parameters_, rows) for rows in batches)
    return max(float(np.linalg.norm(jacobian, 2) ** 2) for jacobian in jacobians)


def probability_jacobian(parameters: Parameters, X: Array) -> Array:
    """dp/dpi of all rows and classes, shape (rows * classes, parameters)."""
    activations = forward(parameters, X)
    p = activations.probabilities
    spread = p[:, :, None] * (np.eye(p.shape[1]) - p[:, None, :])  # dp/dz
    return jacobian_rows(parameters, activations, spread).reshape(-1, parameters.shape.size)


PAPER_NETWORKS = tuple(
    ComparedSystem(
        name,
        partial(as_printed, selection=selection, scale=scale),
        coded=True,
        observe=size_and_curvature,
    )
    for names, scale in ((PRINTED, False), (SCALED, True))
    for name, selection in zip(names, ("soft", "none"), strict=True)
)
DEFAULTS = (
    ComparedSystem(DEFAULT, lambda seed: UNFISClassifier(), observe=rules_and_conditions),
    ComparedSystem(SOFT, lambda seed: UNFISNetworkClassifier(), observe=size_of),
)
TUNED_NETWORKS = tuple(
    ComparedSystem(
        name,
        partial(tuned, name.removesuffix(TUNED)),
        coded=True,
        observe=lambda model, X, y: {"step": model.step_},
    )
    for name in TUNED_LEARNERS
)
