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


def numbers_of_any_size():
    """Columns whose squares, and some whose sums, no double holds."""
    generator = np.random.default_rng(4)
    base = generator.normal(size=(150, 5))
    table = pd.DataFrame(
        {
            "tiny": 1e-200 * base[:, 0],
            "least": 1e-280 * (5 + base[:, 1]),
            "usual": base[:, 2],
            "huge": 1e200 * base[:, 3],
            "most": 1e280 * (base[:, 4] - 7),
        }
    )
    table.loc[3:9, "tiny"] = 0.0
    table.loc[10:19, "huge"] = np.nan
    return table, np.where(base @ [1, 1, 0.5, 1, 1] > 0, "high", "low")


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
