"""The tables and models that the tests of rules share."""

import numpy as np
import pandas as pd
from tables import available, load

from unfis import UNFISClassifier

SOFT = {"n_rules": 2, "selection": "soft", "ridge": 0.15}
# Named as in its documentation, where its codes are categories and truth values.
HEART = {"chest_pain_type": "category", "thal": "category", "exercise_induced_angina": bool}


def named(name):
    """A table of the benchmarks, with names for classes and categories where it has codes."""
    X, y = load(name)
    if name == "iris":
        y = y.map(dict(enumerate(["setosa", "versicolor", "virginica"])))
    if name == "wine":
        y = y.map("cultivar {}".format)
    if name == "breast cancer":
        y = y.map({0: "malignant", 1: "benign"})
    if name == "heart":
        X = X.astype(HEART).assign(sex=X["sex"].map({0: "female", 1: "male"}))
    return X, y


def clinic(rows=120):
    """A table with missing values, two kinds of categories and a truth value."""
    generator = np.random.default_rng(5)
    age = generator.integers(18, 90, rows).astype(float)
    ward = generator.choice(["east", "north", "west"], rows)
    smoker = generator.random(rows) < 0.4
    pressure = (110 + 0.4 * age + 10 * generator.normal(size=rows)).round(1)
    score = 0.05 * (age - 50) + 1.5 * smoker + (ward == "east") + 0.3 * generator.normal(size=rows)
    table = pd.DataFrame(
        {
            "age (years)": age,
            "ward": pd.Categorical(ward),
            "smoker": pd.array(smoker, dtype="boolean"),
            "pressure (mmHg)": pressure,
            "sex": generator.choice(["female", "male"], rows),
        }
    )
    for place, name in enumerate(table.columns):
        table.loc[generator.random(rows) < 0.05 + 0.03 * place, name] = None
    return table, np.where(score > 0.5, "ill", "well")


def names_of_sets():
    """The sets that can be loaded here, and the clinic."""
    return [*available(), "clinic"]


def table_of(name):
    return clinic() if name == "clinic" else named(name)


def settings():
    """Kinds of models that a rule base must tell."""
    return {
        "decisive": UNFISClassifier(2, ridge=0.3),
        "soft": UNFISClassifier(**SOFT),
        "none": UNFISClassifier(**{**SOFT, "selection": "none"}),
        "constant": UNFISClassifier(**SOFT, consequents="constant"),
        "unscaled": UNFISClassifier(**{**SOFT, "ridge": 1.0}, scale=False),
        "one rule": UNFISClassifier(1, ridge=0.3),
        "three rules": UNFISClassifier(**{**SOFT, "n_rules": 3}),
    }
