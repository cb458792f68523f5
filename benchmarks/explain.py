"""What it takes to explain 10,000 rows, in times of predict_proba on them.

python benchmarks/explain.py [--repeats 15] [--output benchmarks/results/explain.csv]

Predictions and explanations are measured in turns, on rows drawn from each set with repetition, as
arrays where the set has only numbers. "whole" also looks for the training rows most like each row,
which an explanation does when it is asked for them.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from tables import available, load

from unfis import UNFISClassifier

ROWS = 10_000
MODELS = {"default": UNFISClassifier()}


def table(name):
    if name == "10,000 x 20":
        return make_classification(10_000, 20, n_informative=10, random_state=0)
    X, y = load(name)
    numbers = all(pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes)
    return (X.to_numpy(dtype=float) if numbers else X), y


def seconds(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def measure(name, kind, repeats):
    X, y = table(name)
    model = MODELS[kind].fit(X, y)
    places = np.random.RandomState(0).randint(len(X), size=ROWS)
    rows = X.iloc[places] if hasattr(X, "iloc") else X[places]
    works = {
        "predict_proba": lambda: model.predict_proba(rows),
        "explain": lambda: model.explain(rows),
        "whole": lambda: model.explain(rows).neighbours,
    }
    times = pd.DataFrame(
        [{work: seconds(run) for work, run in works.items()} for _ in range(repeats + 1)]
    ).iloc[1:]  # the first time extracts the rules
    ratios = times.div(times["predict_proba"], axis=0)
    return {
        "set": name,
        "model": kind,
        "conditions": int(model.selected_.sum()),
        "predict_ms": 1000 * times["predict_proba"].median(),
        "explain_ratio": ratios["explain"].median(),
        "explain_ratio_largest": ratios["explain"].max(),
        "whole_ratio": ratios["whole"].median(),
        "whole_ratio_largest": ratios["whole"].max(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    results = pd.DataFrame(
        measure(name, kind, arguments.repeats)
        for name in [*available(), "10,000 x 20"]
        for kind in MODELS
    ).round(2)
    if arguments.output:
        results.to_csv(arguments.output, index=False)
    print(results.to_string(index=False))


if __name__ == "__main__":
    main()
