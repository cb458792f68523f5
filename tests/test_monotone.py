"""What an expert has made sure of holds for every pair of rows."""

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier


@pytest.mark.parametrize("seed", range(3))
def test_ten_thousand_pairs_of_rows_keep_to_the_signs(seed):
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(generator.normal(size=(300, 4)), columns=list("abcd"))
    # The truth is not monotone in what must be, so that a fit would break the constraint.
    odds = 2 * np.sin(2 * X["a"]) - X["b"] ** 2 + X["c"] * X["d"]
    y = np.where(odds + generator.logistic(size=300) > 0, "yes", "no")
    model = UNFISClassifier(monotonic_cst={"a": 1, "b": -1}).fit(X, y)
    low = pd.DataFrame(generator.normal(scale=3, size=(10_000, 4)), columns=list("abcd"))
    high = low.assign(
        a=low["a"] + generator.exponential(size=10_000),
        b=low["b"] - generator.exponential(size=10_000),
    )
    rise = model.predict_proba(high)[:, 1] - model.predict_proba(low)[:, 1]
    assert rise.min() >= -1e-12
