"""The benchmark of directions counts what it says."""

import monotone
import numpy as np
import pandas as pd
import pytest


class Falling:
    """A model by which more of x means less."""

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(X["x"].to_numpy(dtype=float)))
        return np.column_stack([1 - p, p])


def test_pairs_that_break_a_direction_are_counted():
    X = pd.DataFrame({"x": np.arange(50.0) / 10, "z": np.arange(50) % 3})
    assert monotone.violations(Falling(), X, {"x": -1}, 0) == 0
    assert monotone.violations(Falling(), X, {"z": 1}, 0) == 0
    # Half of the pairs differ, but for those drawn alike.
    assert 0.4 < monotone.violations(Falling(), X, {"x": 1}, 0) / monotone.PAIRS < 0.5


def test_what_is_worse_than_allowed_is_marked():
    rows = [
        {"set": name, "seed": seed, "system": system, "accuracy": accuracy - seed}
        | dict.fromkeys(("balanced", "auc", "loss", "violations"), 0)
        for name, lost in (("sums", 0.6), ("steps", 0.4), ("heart", 0.6))
        for seed in range(3)
        for system, accuracy in (("free", 80.0), ("constrained", 80.0 - lost))
    ]
    lines = monotone.summary(pd.DataFrame(rows)).splitlines()
    # Of a public table nobody knows whether it is monotone.
    assert [" WORSE" in line for line in lines] == [True, False, False]


@pytest.mark.parametrize("name", [n for n in monotone.known() if monotone.SOURCES[n].made])
def test_directions_are_of_inputs_that_are_there(name):
    source = monotone.SOURCES[name]
    X, y = source.load()
    assert set(source.signs) <= set(X.columns)
    assert set(np.unique(y)) == {0, 1}
