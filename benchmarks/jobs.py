"""Pieces of work on large tables that are measured in a process of their own."""

import resource
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from measuring import gathered, peak_memory, peaks, seconds_of
from sklearn.base import clone
from sklearn.datasets import make_classification

FEW_ROWS, FEW_INPUTS = 200, 20  # of the fit that comes before all measurements
MOST_FITS, LONG = 5, 2.0  # fits of a short one, until they took so many seconds together
CALLS = 50


def write_table(
    folder: Path, rows: int, inputs: int, classes: int = 2, dtype: str = "float64"
) -> None:
    """A table to learn from and a tenth as many rows (or 1,000) to test on, as files.

    Whoever reads them holds them and nothing else, whereas making them takes several times as much.
    """
    held_out = max(rows // 10, 1000)
    informative = min(10, inputs)
    X, y = make_classification(
        rows + held_out,
        inputs,
        n_informative=informative,
        n_redundant=min(2, inputs - informative),
        n_classes=classes,
        random_state=0,
    )
    X = X.astype(dtype)
    for name, part in {"learned": slice(rows), "test": slice(rows, None)}.items():
        np.save(folder / f"{name}_X.npy", X[part])
        np.save(folder / f"{name}_y.npy", y[part])


def read_table(folder: Path, name: str = "learned") -> tuple[Any, Any]:
    """Inputs and target of the rows to learn from, or of those to test on."""
    return np.load(folder / f"{name}_X.npy"), np.load(folder / f"{name}_y.npy")


def first_fit(model: Any, X: Any, y: Any) -> None:
    """A small fit, so that imports and the start of threads are not part of the measured one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clone(model).fit(X[:FEW_ROWS, :FEW_INPUTS].copy(), y[:FEW_ROWS])


def fit(model: Any, folder: Path) -> dict[str, float]:
    """Seconds, memory and accuracy of a fit; short fits several times."""
    X, y = read_table(folder)
    first_fit(model, X, y)
    before = peak_memory()
    seconds = [seconds_of(lambda: model.fit(X, y))]
    above = peak_memory() - before
    while len(seconds) < MOST_FITS and sum(seconds) < LONG:
        seconds.append(seconds_of(lambda: clone(model).fit(X, y)))
    X_test, y_test = read_table(folder, "test")
    probabilities = model.predict_proba(X_test)
    return {
        "seconds": float(np.median(seconds)),
        "memory": float(above),
        "data": float(X.nbytes),
        "accuracy": 100 * float((model.classes_[probabilities.argmax(axis=1)] == y_test).mean()),
    }


def fit_file(model: Any, path: Path, test: Path, memory: int) -> dict[str, float]:
    """Seconds, memory that is in no file, and accuracy of a fit of a Parquet file under a limit."""
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    reading, read = [], model._read  # noqa: SLF001 - no public name is between reading and search

    def timed(*given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        found = read(*given, **named)
        reading.append(time.perf_counter() - began)
        return found

    model._read = timed  # noqa: SLF001
    with peaks("RssAnon", "VmData") as most:
        seconds = seconds_of(lambda: model.fit(path, "outcome"))
    import pandas as pd  # imported late: others are measured without it

    table = pd.read_parquet(test)
    labels = table.pop("outcome")
    return {
        "seconds": seconds,
        "reading_seconds": reading[0],
        "anonymous": float(most["RssAnon"]),
        "reserved": float(most["VmData"]),
        "accuracy": 100 * float((model.predict(table) == labels).mean()),
    }


def predict_many(models: dict[str, Any], folder: Path, learned: int, rounds: int) -> dict[str, Any]:
    """Seconds of predict_proba of all rows, of models that learned from the first of them."""
    X, y = read_table(folder)
    for model in models.values():
        model.fit(X[:learned], y[:learned]).predict_proba(X[:learned])
    works = {
        name: partial(seconds_of, partial(model.predict_proba, X)) for name, model in models.items()
    }
    return gathered(works, rounds)


def predict_few(models: dict[str, Any], folder: Path, rounds: int) -> dict[str, Any]:
    """Seconds of predict of one row and of 1,000: medians of many calls, in turns."""
    X, y = read_table(folder)
    works = {
        f"{name}, {size}": partial(median_call, partial(model.fit(X, y).predict, rows))
        for name, model in models.items()
        for size, rows in {"1 row": X[:1], "1,000 rows": X[:1000]}.items()
    }
    return gathered(works, rounds)


def median_call(work: Callable[[], object]) -> float:
    """Seconds of one of many calls."""
    return float(np.median([seconds_of(work) for _ in range(CALLS)]))
