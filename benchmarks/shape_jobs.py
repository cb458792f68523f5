"""A fit of a table of `shape_tables.py`, measured in a process of its own."""

import warnings
from functools import partial
from statistics import median

import numpy as np
from jobs import FEW_INPUTS, FEW_ROWS, LONG, MOST_FITS
from measuring import seconds_of
from rivals import BOOSTING, LINEAR, RIVALS
from shape_tables import centres, parted

from unfis import UNFISClassifier

OURS = "unfis"


SYSTEMS = {
    OURS: lambda X: UNFISClassifier(),
    **{name: RIVALS[name] for name in (BOOSTING, LINEAR)},
}


def fit_table(table: str, system: str) -> dict[str, float]:
    """Seconds and accuracy of a fit, of ours also what there is to read; short fits several times.

    A fit of a small table of numbers comes first, so that imports and threads are there.
    """
    X, X_test, y, y_test = parted(table)
    make, seconds = SYSTEMS[system], []
    few, labels = centres(np.random.default_rng(0), FEW_ROWS, FEW_INPUTS, 2, FEW_INPUTS // 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        make(few).fit(few, labels)
        while not seconds or (len(seconds) < MOST_FITS and sum(seconds) < LONG):
            model = make(X)
            seconds.append(seconds_of(partial(model.fit, X, y)))
        found = {"seconds": median(seconds)}
        found["accuracy"] = 100 * float((model.predict(X_test) == y_test.to_numpy()).mean())
        if system == OURS:
            found["rules"] = float(len(model.model_.rules.rules))
            found["conditions"] = float(model.model_.rules.conditions)
    return found
