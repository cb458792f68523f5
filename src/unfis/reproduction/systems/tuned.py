"""The paper's network by each learner, its step size chosen on the training part."""

from __future__ import annotations

from functools import partial
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, ShuffleSplit

from unfis.estimators.classifier import UNFISClassifier
from unfis.learning.damped import LM, TrustRegion
from unfis.learning.epochs import SGD, GqLM, Momentum
from unfis.learning.loop import Learner
from unfis.reproduction.systems.system import ComparedSystem

# The step sizes that are tried, seven for each learner. On 32 rows with little curvature, a step of
# GqLM is 32 / (0.001 C damping) mean gradients, about 1e4 / damping, and one of Momentum ten times
# its rate: the first three rows are the same steps, from 100 mean gradients to 1e-4. The other two
# learners adapt their damping, so that theirs is only the first one.
FIRST_DAMPINGS = (1e-6, 1e-3, 1e0, 1e3, 1e6, 1e9, 1e12)
GRIDS: dict[str, tuple[Learner, str, tuple[float, ...]]] = {
    "GqLM": (GqLM(), "damping", (1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8)),
    "SGD": (SGD(), "learning_rate", (1e2, 1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4)),
    "Momentum": (Momentum(), "learning_rate", (1e1, 1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5)),
    "LM": (LM(), "damping", FIRST_DAMPINGS),
    "TrustRegion": (TrustRegion(max_iter=100), "damping", FIRST_DAMPINGS),
}
TUNING_EPOCHS = 25
TUNING_SHARE = 0.25
TUNED = ", tuned"
TUNED_LEARNERS = tuple(
    f"{name}{TUNED}" for name in ("GqLM", "LM", "SGD", "Momentum", "TrustRegion")
)


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
        network = UNFISClassifier.paper(learner=learner, random_state=self.seed)
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


TUNED_NETWORKS = tuple(
    ComparedSystem(
        name,
        partial(tuned, name.removesuffix(TUNED)),
        coded=True,
        observe=lambda model, X, y: {"step": model.step_},
    )
    for name in TUNED_LEARNERS
)
