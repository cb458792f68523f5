"""Classifiers of scikit-learn, behind standardised numbers and one-hot categories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from unfis_paper.reproduction.systems.adapter import ComparedSystem, standardised


def encoded(model: Any) -> Any:
    """A model of scikit-learn's behind standardised numbers and one-hot categories."""
    return make_pipeline(standardised(), model)


def support_vectors(seed: int) -> Any:
    """An SVM with probabilities; SVC's own are deprecated."""
    return encoded(CalibratedClassifierCV(SVC(random_state=seed), ensemble=False))


def size_of_trees(trees: Iterable[Any]) -> dict[str, float]:
    """Leaves of all trees, and the splits that lead to them."""
    depths = np.concatenate([leaf_depths(tree.tree_) for tree in trees])
    return {"rules": len(depths), "conditions": int(depths.sum())}


def leaf_depths(tree: Any) -> Any:
    """How many splits lead to each leaf."""
    return tree.compute_node_depths()[tree.children_left < 0] - 1  # the root's depth is 1


SCIKIT_LEARN = (
    ComparedSystem("logistic regression", lambda seed: encoded(LogisticRegression(max_iter=5000))),
    ComparedSystem(
        "tree",
        lambda seed: encoded(DecisionTreeClassifier(max_depth=4, random_state=seed)),
        observe=lambda model, X, y: size_of_trees([model[-1]]),
    ),
    ComparedSystem(
        "random forest",
        lambda seed: encoded(RandomForestClassifier(200, random_state=seed)),
        observe=lambda model, X, y: size_of_trees(model[-1].estimators_),
    ),
    ComparedSystem(
        "histogram boosting",
        lambda seed: encoded(HistGradientBoostingClassifier(random_state=seed)),
    ),
    ComparedSystem("SVM", support_vectors),
)
