"""A made table with a rare class, and models of it."""

import functools

import numpy as np
import pandas as pd

from unfis import UNFISClassifier


def rare_table(rows=1200, seed=0):
    """Loans, of which about 7 % are not paid back: the more debt and the less income the more."""
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "income": np.round(generator.normal(40, 12, rows), 3),
            "debt": np.round(generator.gamma(2.0, 3.0, rows), 4),
            "branch": generator.choice(["north", "south"], rows),
        }
    )
    odds = -3.2 - 0.06 * (X["income"] - 40) + 0.25 * (X["debt"] - 6)
    return X, np.where(generator.random(rows) < 1 / (1 + np.exp(-odds)), "yes", "no")


@functools.cache
def rare_model():
    """A scorecard of half of the table, and the other half."""
    X, y = rare_table()
    clf = UNFISClassifier(1, ridge=0.3).fit(X.iloc[::2], y[::2])
    return clf, X.iloc[1::2].reset_index(drop=True), y[1::2]
