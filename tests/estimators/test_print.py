"""What fitted estimators print is what they predict, by a reader of the text alone."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search.tables import random_targets
from text.reader import TextReader, unquoted

from unfis import UNFISClassifier, UNFISRegressor

KINDS = np.array(["red", "green or blue", "AND", "not x", "Größe"])
CLASSES = {"two": np.array(["well", "ill"]), "three": np.array(["a, b", "is no", "c"])}


@st.composite
def frames(draw):
    """A task, and a frame of numbers, whole ones and kinds, most with missing values."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    task, rows = draw(st.sampled_from(["two", "three", "number", "count"])), 90
    size = draw(st.sampled_from([1e-3, 1.0, 1e5]))
    X = pd.DataFrame(
        {
            "TSH (mU/l)": size * generator.gamma(2, 2, rows),
            "age": generator.integers(18, 90, rows).astype(float),
            "IF is": generator.integers(0, 2, rows).astype(float),
            "number 1": np.round(generator.normal(size=rows), 1),
        }
    )
    kinds = generator.integers(0, len(KINDS), rows)
    signal = 1.5 * (X["TSH (mU/l)"] > 5 * size) + (X["age"] > 50) * X["IF is"] + (kinds == 2)
    targets = random_targets(task, generator, rows, signal.to_numpy() - 1.0)
    if draw(st.booleans()):
        X = X.mask(generator.random(X.shape) < 0.1)
    known = generator.random(rows) > draw(st.sampled_from([0.0, 0.1]))
    X["colour"] = pd.Categorical(np.where(known, KINDS[kinds], None))
    if task in CLASSES:
        targets[:3] = [0.0, 1.0, targets[2]] if task == "two" else [0.0, 1.0, 2.0]
        targets = CLASSES[task][targets.astype(int)]
    return task, X, pd.Series(targets if task in CLASSES else size * targets, name="what")


def fitted(task, X, y):
    if task in CLASSES:
        return UNFISClassifier(max_rules=6).fit(X, y)
    loss = "poisson" if task == "count" else "squared_error"
    return UNFISRegressor(max_rules=6, loss=loss).fit(X, y)


def unseen(X):
    """Other rows: every column in an order of its own, and more missing values."""
    generator = np.random.default_rng(0)
    mixed = {name: X[name].iloc[generator.permutation(len(X))].to_numpy() for name in X}
    other = pd.DataFrame(mixed).astype(X.dtypes.to_dict())
    return other.mask(generator.random(other.shape) < 0.1)


@settings(max_examples=40)
@given(frames())
def test_a_reader_of_the_text_predicts_as_the_estimator_does(made):
    task, X, y = made
    estimator = fitted(task, X, y)
    reader, rows = TextReader(estimator.rules_), unseen(X).iloc[:40]
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    if not estimator.model_.rules.rules:
        assert "No rule is better than" in estimator.rules_
        return
    if task == "three":
        expected = [
            dict(zip(estimator.classes_, p, strict=True)) for p in estimator.predict_proba(rows)
        ]
    elif task == "two":
        expected = estimator.predict_proba(rows)[:, 1]
    else:
        expected = estimator.predict(rows)
    scale = float(np.abs(y).max()) if task not in CLASSES else 1.0
    for record, prediction in zip(records, expected, strict=True):
        found = reader.prediction(record)
        if task == "three":
            found = {unquoted(name): share for name, share in found.items()}
            assert found == pytest.approx(prediction, rel=2e-4, abs=2e-5)
        else:
            np.testing.assert_allclose(found, prediction, rtol=2e-4, atol=2e-5 * scale)
