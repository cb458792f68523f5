"""A made table with a rare class, and answers to rows of one."""

import numpy as np
import pandas as pd
from scipy.special import expit

from unfis.evaluation.performance import performance


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


def loans(strength, rows=1000, rare=20):
    """Classes of which the second is rare, and probabilities that know of it so much."""
    codes = np.repeat([0, 1], [rows - rare, rare])
    logits = np.random.RandomState(0).standard_normal(rows) + strength * codes - 4
    share = 1 / (1 + np.exp(-logits))
    return codes, np.column_stack([1 - share, share])


def measured(codes, shares, answers=None, costs=(), classes=("no", "yes")):
    answers = shares.argmax(axis=1) if answers is None else answers
    return performance(list(classes), codes, shares, answers, costs)


def outcomes_of(rows=4000, intercept=0.0, slope=1.0):
    """Log-odds, and outcomes that come true by others."""
    generator = np.random.RandomState(0)
    log_odds = generator.randn(rows) * 1.5 - 1
    return log_odds, generator.random_sample(rows) < expit(intercept + slope * log_odds)
