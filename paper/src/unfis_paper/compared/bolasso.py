"""Choice of neurons by the Lasso on bootstrap samples, through scikit-learn.

F. Bach, "Bolasso: model consistent Lasso estimation through the bootstrap", ICML 2008. Certain: the
method; a neuron stays if its coefficient is not 0 in a share of the samples. Chosen, since no
publication of the compared systems gives them: 16 samples, a share of one half, and a penalty for
each class that cross-validation in five parts finds once, on all rows.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LassoCV
from sklearn.model_selection import KFold

from unfis.arrays import Array, Mask

SAMPLES = 16
NEEDED_SHARE = 0.5
PENALTY_FOLDS = 5
# Penalties from the least that leaves no neuron to a hundredth of it.
PENALTIES = np.logspace(0, -2, 20)
LASSO = {"max_iter": 500, "tol": 1e-3}


def chosen_neurons(
    Z: Array,
    targets: Array,
    generator: np.random.RandomState,
    samples: int = SAMPLES,
    share: float = NEEDED_SHARE,
) -> Mask:
    """Which columns of Z are chosen for any column of the targets; all if none is."""
    chosen = np.zeros(Z.shape[1], dtype=bool)
    centred = Z - Z.mean(axis=0)
    deviations = centred.std(axis=0)
    scaled = centred / np.where(deviations > 1e-12, deviations, 1.0)
    # Of two classes the second indicator is the first one turned over.
    for target in targets.T[: 1 if targets.shape[1] == 2 else None]:
        if len(Z) >= 2 * PENALTY_FOLDS and np.ptp(target) > 0:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                counts = bootstrap_counts(scaled, target, generator, samples)
            chosen |= counts >= share * samples
    return chosen if chosen.any() else ~chosen


def bootstrap_counts(
    Z: Array, target: Array, generator: np.random.RandomState, samples: int
) -> Array:
    """In how many bootstrap samples each column has a coefficient."""
    highest = np.abs(Z.T @ (target - target.mean())).max() / len(Z)
    if highest == 0:
        return np.zeros(Z.shape[1])
    folds = KFold(PENALTY_FOLDS, shuffle=True, random_state=generator.randint(2**31 - 1))
    penalty = LassoCV(alphas=highest * PENALTIES, cv=folds, **LASSO).fit(Z, target).alpha_
    counts = np.zeros(Z.shape[1])
    for _ in range(samples):
        rows = generator.randint(len(Z), size=len(Z))
        counts += Lasso(penalty, **LASSO).fit(Z[rows], target[rows]).coef_ != 0
    return counts
