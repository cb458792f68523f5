"""Accuracy over random 70/30 splits, seeds 0 to 29: three rules, by selection and start.

python benchmarks/accuracy.py [--splits 30] [--output benchmarks/results/accuracy.csv]
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from tables import available, load

from unfis import UNFISNetworkClassifier


def encoded(model):
    """A model of scikit-learn's behind standardised numbers and one-hot categories."""
    texts = OneHotEncoder(handle_unknown="ignore")
    columns = make_column_transformer(
        (texts, lambda X: X.columns[[str(d) in ("str", "object", "category") for d in X.dtypes]]),
        remainder=StandardScaler(),
        sparse_threshold=0,
    )
    return make_pipeline(columns, model)


FIXED = {"n_rules": 3, "ridge": 0.15}
SYSTEMS = {
    "soft, k-means": UNFISNetworkClassifier(**FIXED),
    "none, k-means": UNFISNetworkClassifier(**FIXED, selection="none"),
    "soft, knn": UNFISNetworkClassifier(**FIXED, initialisation="knn"),
    "none, knn": UNFISNetworkClassifier(**FIXED, selection="none", initialisation="knn"),
    "soft, constant": UNFISNetworkClassifier(**FIXED, consequents="constant"),
    "logistic regression": encoded(LogisticRegression(max_iter=5000)),
    "random forest": encoded(RandomForestClassifier(200, random_state=0)),
}


def run(name, system, seed):
    X, y = load(name)
    parts = train_test_split(X, y, test_size=0.3, random_state=seed)
    X_train, X_test, y_train, y_test = parts
    model = clone(SYSTEMS[system])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        began = time.perf_counter()
        model.fit(X_train, y_train)
        seconds = time.perf_counter() - began
    return {
        "set": name,
        "system": system,
        "seed": seed,
        "accuracy": 100 * model.score(X_test, y_test),
        "log_loss": log_loss(y_test, model.predict_proba(X_test), labels=np.unique(y)),
        "seconds": seconds,
        "converged": not any(w.category is ConvergenceWarning for w in caught),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=30)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    jobs = (
        delayed(run)(name, system, seed)
        for name in available()
        for system in SYSTEMS
        for seed in range(arguments.splits)
    )
    results = pd.DataFrame(Parallel(n_jobs=2)(jobs))
    if arguments.output:
        results.round(6).to_csv(arguments.output, index=False)
    for value in ("accuracy", "log_loss", "converged", "seconds"):
        wide = results.pivot_table(value, "system", "set", sort=False)
        print(f"\nmean {value} over {arguments.splits} splits")
        print(wide.assign(mean=wide.mean(axis=1)).round(3).to_string())


if __name__ == "__main__":
    main()
