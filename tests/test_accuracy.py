"""How well the default predicts: the mean over four random 70/30 splits, seeds 0 to 3."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from tables import FROM_FOLDER, load

from unfis import UNFISClassifier, UNFISRegressor

AT_LEAST = {"iris": 95.0, "wine": 96.5, "breast cancer": 95.0, "heart": 79.5, "thyroid": 93.5}


def mean_score(estimator, X, y, stratify=None):
    scores = []
    for seed in range(4):
        parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=stratify)
        X_train, X_test, y_train, y_test = parts
        scores.append(estimator.fit(X_train, y_train).score(X_test, y_test))
    return np.mean(scores)


@pytest.mark.parametrize(("name", "least"), AT_LEAST.items())
def test_classes_are_told_apart(name, least):
    folder = os.environ.get("UNFIS_DATA", "")
    if name in FROM_FOLDER and not (Path(folder) / f"{name}.csv").is_file():
        pytest.skip(f"{name}.csv is not in the folder UNFIS_DATA={folder!r}")
    X, y = load(name)
    assert 100 * mean_score(UNFISClassifier(), X, y, stratify=y) >= least


def test_numbers_are_predicted():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    assert mean_score(UNFISRegressor(), X, y) >= 0.36
