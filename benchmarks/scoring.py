"""How good probabilities and numbers are on rows that were held out."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

LEAST_PROBABILITY = 1e-6  # of a forest that is sure and wrong the logarithm has no end


def class_scores(classes: Any, probabilities: np.ndarray, y: pd.Series) -> dict[str, float]:
    """Accuracy in per cent, log loss, and ROC AUC (of several classes the mean of one by one)."""
    truth = y.to_numpy()
    clipped = np.clip(probabilities, LEAST_PROBABILITY, None)
    clipped /= clipped.sum(axis=1, keepdims=True)
    there = [c for c, label in enumerate(classes) if 0 < (truth == label).sum() < len(truth)]
    if len(classes) == 2:
        there = there[-1:]
    areas = [roc_auc_score(truth == classes[c], probabilities[:, c]) for c in there]
    return {
        "accuracy": 100 * float((classes[probabilities.argmax(axis=1)] == truth).mean()),
        "log_loss": float(log_loss(truth, clipped, labels=classes)),
        "auc": float(np.mean(areas)),
    }


def root_mean_square(predicted: np.ndarray, y: pd.Series) -> float:
    """The root of the mean squared error."""
    return float(np.sqrt(np.mean((np.asarray(predicted) - y.to_numpy()) ** 2)))


def number_scores(predicted: np.ndarray, y: pd.Series) -> dict[str, float]:
    """Of predicted numbers."""
    return {"rmse": root_mean_square(predicted, y)}


def scores_of(model: Any, predicted: np.ndarray, y: pd.Series) -> dict[str, float]:
    """Of probabilities, if there is one for each class, or of numbers."""
    if hasattr(model, "classes_"):
        return class_scores(model.classes_, predicted, y)
    return number_scores(predicted, y)


def predictions(model: Any, X: pd.DataFrame) -> np.ndarray:
    """The probabilities of a classifier, or the numbers of a regressor."""
    return model.predict_proba(X) if hasattr(model, "classes_") else model.predict(X)


def at_length(model: Any, rules: int) -> Any:
    """The model of no more rules on the path."""
    path = model.model_.path
    return path[min(rules, len(path) - 1)]


def predictions_at(model: Any, rules: int, X: pd.DataFrame) -> np.ndarray:
    """What the model of no more rules on the path predicts."""
    return at_length(model, rules).predictions(values_of(model, X))


def values_of(model: Any, X: pd.DataFrame) -> np.ndarray:
    """A table as the numbers that the model's rules read."""
    return model._values(X)  # noqa: SLF001  # no public name has them


def parted(X: pd.DataFrame, y: pd.Series, seed: int, *, classes: bool) -> list[Any]:
    """A random 70/30 split, with classes in proportion."""
    return train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y if classes else None)


def fit_quietly(model: Any, X: pd.DataFrame, y: pd.Series) -> Any:
    """A fitted model; what it warns of is measured as it is."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)
