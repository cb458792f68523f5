"""The systems of this project: as the paper prints them, scaled, and by default."""

from __future__ import annotations

from functools import partial
from typing import Any

from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, ShuffleSplit

from unfis.benchmark.systems import System
from unfis.estimator import UNFISClassifier
from unfis.learning import LM, SGD, GqLM, Learner, Momentum, TrustRegion

PRINTED = ("UNFIS, as printed", "FNN, as printed")
SCALED = ("UNFIS, scaled", "FNN, scaled")
DEFAULT, SOFT = "unfis", "unfis, soft"
# Step sizes that are tried, as many for each learner, in so many epochs of a quarter held out.
GRIDS: dict[str, tuple[Learner, str, tuple[float, ...]]] = {
    "GqLM": (GqLM(), "damping", (1e1, 1e2, 1e3, 1e4)),
    "LM": (LM(), "damping", (1e-2, 1e0, 1e2, 1e4)),
    "SGD": (SGD(), "learning_rate", (1e-3, 1e-2, 1e-1, 1e0)),
    "Momentum": (Momentum(), "learning_rate", (1e-3, 1e-2, 1e-1, 1e0)),
    "TrustRegion": (TrustRegion(max_iter=100), "damping", (1e-2, 1e0, 1e2, 1e4)),
}
LEARNERS = tuple(f"{name}, tuned" for name in GRIDS)
TUNING_EPOCHS = 25
HELD_OUT = 0.25


def size_of(model: Any) -> dict[str, float]:
    """Rules, their conditions, and the paper's number of active features, n_af = sum_j vs_j."""
    selections = expit(model.parameters_.logits)
    return {
        "rules": float(len(model.selected_)),
        "conditions": float(model.selected_.sum()),
        "active": float(selections.sum(axis=1).mean()),
    }


class TunedNetwork(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The network as printed, by a learner whose step size is chosen on the training part.

    Each step size is tried for a quarter of the epochs, since all of them for all would take an
    hour; the best one by the loss of what was held out then learns on the whole training part.
    """

    def __init__(self, learner: str, seed: int) -> None:
        self.learner, self.seed = learner, seed

    def fit(self, X: Any, y: Any) -> TunedNetwork:
        """Choose the step size, and learn."""
        learner, name, values = GRIDS[self.learner]
        network = UNFISClassifier.paper(learner=learner, random_state=self.seed)
        short = {"learner__max_iter": [min(TUNING_EPOCHS, learner.max_iter)]}
        split = ShuffleSplit(1, test_size=HELD_OUT, random_state=self.seed)
        grid = {f"learner__{name}": list(values), **short}
        search = GridSearchCV(
            network, grid, scoring="neg_log_loss", cv=split, refit=False, error_score=-1e300
        )
        step = search.fit(X, y).best_params_[f"learner__{name}"]
        self.network_ = network.set_params(**{f"learner__{name}": step}).fit(X, y)
        self.classes_ = self.network_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """The most probable classes."""
        return self.network_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of the classes."""
        return self.network_.predict_proba(X)


def as_printed(seed: int, *, selection: str, scale: bool = False) -> UNFISClassifier:
    """The paper's configuration: its start, learner and hyperparameters."""
    return UNFISClassifier.paper(selection=selection, scale=scale, random_state=seed)


OURS = (
    System(PRINTED[0], partial(as_printed, selection="soft"), coded=True, size=size_of),
    System(PRINTED[1], partial(as_printed, selection="none"), coded=True, size=size_of),
    System(SCALED[0], partial(as_printed, selection="soft", scale=True), coded=True, size=size_of),
    System(SCALED[1], partial(as_printed, selection="none", scale=True), coded=True, size=size_of),
    System(DEFAULT, lambda seed: UNFISClassifier(), size=size_of),
    System(SOFT, lambda seed: UNFISClassifier(selection="soft"), size=size_of),
    *(
        System(name, partial(TunedNetwork, learner), coded=True)
        for name, learner in zip(LEARNERS, GRIDS, strict=True)
    ),
)
