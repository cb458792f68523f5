"""Rules that name a class outright: is the chosen number of them as good as the best fixed one?

python benchmarks/constant_rules.py [--splits 4] [--only iris,wine] [--output file.csv]

Mean accuracy over random 70/30 splits of `consequents="constant"` with `max_rules=6`, where the
number of rules is chosen, beside each fixed number from 2 to 6.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import train_test_split
from tables import available, load

from unfis import UNFISClassifier

NUMBERS = ["auto", 2, 3, 4, 5, 6]


def measured(name, seed, n_rules):
    """The rules and the accuracy of one fit."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(
        X, np.asarray(y), test_size=0.3, random_state=seed
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = UNFISClassifier(n_rules, consequents="constant", max_rules=6).fit(X_train, y_train)
    return {
        "set": name,
        "seed": seed,
        "n_rules": str(n_rules),
        "rules": len(clf.rules_),
        "accuracy": round(100 * clf.score(X_test, y_test), 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = arguments.only.split(",") if arguments.only else available()
    seeds = range(arguments.splits)
    runs = product(names, seeds, NUMBERS)
    found = pd.DataFrame(Parallel(-1)(delayed(measured)(*run) for run in runs))
    if arguments.output:
        found.to_csv(arguments.output, index=False)
    table = found.pivot_table("accuracy", "n_rules", "set").loc[[str(n) for n in NUMBERS], names]
    table["mean"] = table.mean(axis=1)
    print(table.round(1).to_string())
    best = table["mean"].drop("auto").max()
    print(f"\nchosen {table.loc['auto', 'mean']:.1f}, best fixed number {best:.1f}")


if __name__ == "__main__":
    main()
