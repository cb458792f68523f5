"""The benchmark of costs counts what it says."""

import costs
import numpy as np
import pandas as pd
import pytest


def test_a_missed_yes_is_dear():
    true = np.array(["yes", "yes", "no", "no"])
    answered = np.array(["yes", "no", "yes", "no"])
    assert costs.cost_per_row(true, answered, 10.0) == pytest.approx(11 / 4)


def test_the_tuned_threshold_is_what_others_are_held_to():
    rows = [
        {"table": "made", "seed": seed, "dear": 10.0}
        | {"costs": 0.2, "costs, auto": 0.21, "tuned": 0.2, "one answer": 0.4}
        for seed in range(2)
    ]
    told = costs.summary(pd.DataFrame(rows))
    assert "costs: 1.000 of the tuned threshold's (allowed 1.02)" in told
    assert "costs, auto: 1.050 of" in told
