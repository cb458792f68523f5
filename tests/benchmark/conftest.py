import numpy as np
import pandas as pd
import pytest

from unfis.benchmark.ours import DEFAULT, LEARNERS, PRINTED, SCALED, SOFT
from unfis.benchmark.paper import SETS

SYSTEMS = (*PRINTED, *SCALED, DEFAULT, SOFT, "tree")


@pytest.fixture
def results():
    """Results of five runs that are made up, and a peer that is not installed."""
    generator = np.random.default_rng(0)
    rows = []
    names = {*SETS.values(), "autism", "autism-17"}
    for name in sorted(names):
        for place, system in enumerate((*SYSTEMS, *LEARNERS)):
            for seed in range(5):
                accuracy = 0.95 - 0.02 * place + 0.005 * generator.normal()
                rows.append(
                    {
                        "set": name,
                        "system": system,
                        "seed": seed,
                        "accuracy": accuracy,
                        "balanced_accuracy": accuracy - 0.01,
                        "rules": 2.0,
                        "conditions": 6.0,
                        "active": 1.5,
                        "fit_seconds": 0.1,
                        "error": None,
                    }
                )
    absent = {"set": "iris", "system": "xanfis", "seed": 0, "error": "not installed: xanfis"}
    return pd.DataFrame([*rows, absent])
