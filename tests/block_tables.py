"""A table of all kinds of columns, cut into blocks, and what makes two models the same."""

import numpy as np
import pandas as pd

from unfis import UNFISNetworkClassifier


def quick(**settings):
    """A model that is quickly learned."""
    settings = {"n_rules": 2, "selection": "none", "random_state": 0, **settings}
    return UNFISNetworkClassifier(**settings)


def cut(X, y, length, *weights):
    """The blocks of a table."""
    for start in range(0, len(X), length):
        part = slice(start, start + length)
        yield X[part], y[part], *(weight[part] for weight in weights)


def assert_same(one, other, X):
    """Two models are the same, bit for bit."""
    np.testing.assert_array_equal(one.parameters_.to_vector(), other.parameters_.to_vector())
    np.testing.assert_array_equal(one.classes_, other.classes_)
    assert one.classes_.dtype == other.classes_.dtype
    assert [vars(column) | {"offsets": None, "scales": None} for column in one.inputs_] == [
        vars(column) | {"offsets": None, "scales": None} for column in other.inputs_
    ]
    np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))
    assert one.origin_ == other.origin_
    np.testing.assert_array_equal(one.model_.ends, other.model_.ends)


def numbers(rows, dtype=np.float64, seed=0):
    """Sixteen numbers, some missing, and two classes."""
    generator = np.random.RandomState(seed)
    X = generator.normal(size=(rows, 16)).astype(dtype)
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * X[:, 2] > 0, "yes", "no")
    X[generator.rand(rows, 16) < 0.02] = np.nan
    return X, y


def clinic(rows=900):
    """All kinds of columns, whose categories and classes come unevenly."""
    generator = np.random.RandomState(0)
    frame = pd.DataFrame({"age": generator.randint(18, 90, rows)})
    frame["dose"] = generator.normal(5, 2, rows)
    frame.loc[frame["dose"] > 8, "dose"] = np.nan
    frame["ward"] = generator.choice(["west", "north", "east", None], rows)
    frame.loc[: rows // 3, "ward"] = "west"  # the last in order comes first
    frame["smoker"] = generator.choice([True, False, None], rows)
    frame["stage"] = generator.choice(["II", "I", "III"], rows)
    frame["stage"] = frame["stage"].astype("category")
    risk = (frame["age"] > 50) + (frame["ward"] == "east").astype(int) + (frame["dose"] > 6)
    classes = np.where(risk > 1, "ill", np.where(generator.rand(rows) < 0.2, "unsure", "well"))
    classes[: rows // 3] = "well"
    return frame, pd.Series(classes)
