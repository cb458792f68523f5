"""Mean accuracy of soft selection over 30 random 70/30 splits, seeds 0 to 29."""

import os
from pathlib import Path

import numpy as np
import pytest
from networks import RuleNetwork
from sklearn.model_selection import train_test_split
from tables import FROM_FOLDER, load

AT_LEAST = {
    "iris": 95.5,
    "wine": 98.0,
    "breast cancer": 96.5,
    "haberman": 74.0,
    "cryotherapy": 86.0,
    "heart": 82.0,
    "autism": 99.5,
    "thyroid": 96.5,
}


@pytest.mark.filterwarnings("ignore:.*categories that were not seen:UserWarning")
@pytest.mark.parametrize(("name", "goal"), AT_LEAST.items())
def test_soft_selection_reaches(name, goal):
    folder = os.environ.get("UNFIS_DATA", "")
    if name in FROM_FOLDER and not (Path(folder) / f"{name}.csv").is_file():
        pytest.skip(f"{name}.csv is not in the folder UNFIS_DATA={folder!r}")
    X, y = load(name)
    scores = []
    for seed in range(30):
        X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
        clf = RuleNetwork(3, selection="soft", ridge=0.15).fit(X_train, y_train)
        scores.append(clf.score(X_test, y_test))
    # Two decisions of all may fall the other way in another machine's arithmetic.
    margin = 100 * 2 / (30 * len(y_test))
    assert 100 * np.mean(scores) >= goal - margin
