"""Tables of every kind, and what their models' files hold."""

import json
from functools import cache

import numpy as np
import pandas as pd

from unfis import UNFISClassifier, UNFISRegressor
from unfis.model_file.text import checksum


@cache
def table():
    """Numbers, a truth value and categories, some missing, and three answers to them."""
    generator = np.random.default_rng(4)
    X = pd.DataFrame(
        {
            "age (years)": generator.integers(18, 90, 240).astype(float),
            "dose": generator.normal(2, 1, 240).round(2),
            "smoker": generator.random(240) < 0.4,
            "ward": pd.Categorical(generator.choice(["east", "größe", 'w"est'], 240)),
        }
    )
    X.loc[::9, "dose"] = np.nan
    score = (X["age (years)"] > 50) * 2.0 + 2 * (X["ward"] == "east") + X["smoker"]
    score += generator.normal(0, 0.7, 240)
    two = pd.Series(np.where(score > 2, "yes", "no"), name="ill")
    three = np.digitize(score, [1.5, 3])
    return X, {"two": two, "three": three, "number": score.rename("score"), "count": three}


GIVEN = [{"if": {"ward": ["east"], "dose": [2, None]}, "then": "yes", "points": 2}]
SETTINGS = {
    "two": {
        "costs": {"yes": 3.0},
        "class_weight": {"yes": 2.0, "no": 1.0},
        "monotonic_cst": {0: 1},
        "interaction_cst": [["age (years)", "smoker"], ["ward", "dose"]],
        "given_rules": GIVEN,
        "categorical_features": np.array(["ward"]),
    },
    "three": {"points": "exact", "costs": 1 - np.eye(3)},
    "number": {"max_rules": 6, "ridge": np.float64(0.5)},
    "count": {"loss": "poisson"},
}


@cache
def fitted(kind):
    """A model of one of the answers."""
    X, answers = table()
    maker = UNFISClassifier if kind in ("two", "three") else UNFISRegressor
    return maker(**{"max_rules": 5} | SETTINGS[kind]).fit(X, answers[kind])


def signed(document):
    """A document with the checksum of what it is now."""
    return document | {"checksum": checksum(document)}


def document_of(estimator, folder):
    """What an estimator's file holds, as plain data."""
    estimator.save(folder / "m.json", target="answer", held_out={"rows": 3, "accuracy": 0.5})
    return json.loads((folder / "m.json").read_text(encoding="utf-8"))
