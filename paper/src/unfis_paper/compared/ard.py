"""Pruning of neurons by automatic relevance determination, through scikit-learn.

Certain: the method (MacKay; Tipping). Each class indicator is regressed on the outputs of the
neurons, a neuron has a precision of its own, and one above 1e4 is dropped. Chosen: the threshold,
which is scikit-learn's and which no publication of the compared systems gives; that a neuron stays
if it counts for any class; that all stay if none does.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import ARDRegression

from unfis.arrays import Array, Mask

HIGHEST_PRECISION = 1e4


def relevant_neurons(Z: Array, targets: Array) -> Mask:
    """Which columns of Z count for any column of the targets, shape (neurons,)."""
    relevant = np.zeros(Z.shape[1], dtype=bool)
    if len(Z) < 2:
        return ~relevant
    # Of two classes the second indicator is the first one turned over.
    for target in targets.T[: 1 if targets.shape[1] == 2 else None]:
        if np.ptp(target) == 0:
            continue
        model = ARDRegression(threshold_lambda=HIGHEST_PRECISION, fit_intercept=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            relevant |= model.fit(Z, target - target.mean()).coef_ != 0
    return relevant if relevant.any() else ~relevant
