"""The tables and models that the tests of the report share."""

import functools

import numpy as np
import pandas as pd
from rare_tables import rare_table
from sklearn.datasets import load_diabetes, load_iris

from unfis import UNFISClassifier, UNFISRegressor

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "{{7*7}}",
    "${window.hacked=1}",
    "line\u2028break\u2029 'one' \"two\" & &amp;",
    "__proto__",
    "x" * 300,
]
LONG = [f"{kind} disease of unknown_origin no. {n}" for n in range(4) for kind in "ABC"]


def clinic(rows=200):
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
        }
    )
    for place, name in enumerate(table.columns):
        table.loc[generator.random(rows) < 0.05 + 0.03 * place, name] = None
    return table, np.where(score > 0.5, "ill", "well")


def twelve(rows=600):
    """A table of twelve classes with long names."""
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(rows, 4)).round(2))
    X.columns = [f"measurement of substance number {n} (mg per litre)" for n in range(4)]
    scores = X.to_numpy() @ generator.normal(size=(4, 12)) * 3
    return X, np.array(LONG)[scores.argmax(axis=1)]


def hostile(rows=120):
    """A table whose names, categories and classes are what a page must not run."""
    generator = np.random.default_rng(0)
    table = pd.DataFrame({name: generator.normal(size=rows).round(2) for name in HOSTILE[:4]})
    table[HOSTILE[4]] = generator.choice(HOSTILE, rows)
    table[HOSTILE[5]] = pd.Categorical(generator.choice(HOSTILE[::-1], rows))
    table[HOSTILE[6]] = generator.random(rows) < 0.5
    table[HOSTILE[7]] = generator.normal(size=rows) * 1e6
    score = table[HOSTILE[0]] + table[HOSTILE[6]] + 2 * (table[HOSTILE[4]] == HOSTILE[2])
    score += table[HOSTILE[7]] / 1e6 - 0.5 * table[HOSTILE[3]]
    labels = np.array(HOSTILE)[[2, 5, 7]][np.digitize(score, [-0.5, 1.2])]
    table.loc[generator.random(rows) < 0.1, HOSTILE[0]] = np.nan
    table.loc[generator.random(rows) < 0.1, HOSTILE[4]] = None
    return table, labels


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, y.map(dict(enumerate(["setosa", "versicolor", "virginica"]))).to_numpy()


def diabetes():
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    return X, y.rename("progression")


TABLES = {
    "clinic": clinic, "twelve": twelve, "hostile": hostile, "iris": iris, "diabetes": diabetes,
    "rare": rare_table,
}  # fmt: skip


@functools.cache
def fitted(name):
    """A model of every other row, these rows with their targets, and the others with theirs."""
    X, y = TABLES[name]()
    estimator = UNFISRegressor if name == "diabetes" else UNFISClassifier
    learned, other = (X.iloc[::2], y[::2]), (X.iloc[1::2].reset_index(drop=True), y[1::2])
    return estimator(max_rules=24 if name == "twelve" else 8).fit(*learned), learned, other
