"""Made tables with numbers, kinds and missing values, and estimators fitted to them."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from unfis import UNFISClassifier, UNFISRegressor

TASKS = ("two", "three", "number", "count")


def table(seed, rows=80):
    """A frame with columns of all sorts, and a signal in it."""
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "TSH": np.round(generator.gamma(2, 2, rows), 1),
            "age": generator.integers(18, 90, rows).astype(float),
            "dose": generator.normal(size=rows),
            "smoker": generator.integers(0, 2, rows).astype(float),
        }
    )
    kinds = generator.integers(0, 4, rows)
    signal = 2.0 * (X["TSH"] > 4) + (X["age"] > 50) * (X["dose"] > 0) + (kinds == 2) - 1.5
    X = X.mask(generator.random(X.shape) < 0.1)
    known = generator.random(rows) > 0.1
    X["ward"] = pd.Categorical(np.where(known, np.array(list("ABCD"))[kinds], None))
    return X, 2 * signal.to_numpy() + generator.logistic(size=rows)


def fitted(task, X, signal, **settings):
    """An estimator for a task, and its targets."""
    settings = {"max_rules": 5, **settings}
    if task in ("two", "three"):
        y = np.digitize(signal, [0.0] if task == "two" else [-1.0, 1.5])
        y = np.array(["low", "middle", "high"])[y]
        return UNFISClassifier(**settings).fit(X, y), y
    y = np.rint(np.exp(np.clip(signal / 2, -3, 3))) if task == "count" else signal
    loss = "poisson" if task == "count" else "squared_error"
    return UNFISRegressor(loss=loss, **settings).fit(X, y), y


@st.composite
def cases(draw, tasks=TASKS):
    """A task, a frame and its signal."""
    X, signal = table(draw(st.integers(0, 2**32 - 1)))
    return draw(st.sampled_from(tasks)), X, signal
