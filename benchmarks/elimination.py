"""How few inputs the paper's network needs: accuracy along elimination's path.

python benchmarks/elimination.py [--splits 10] [--output benchmarks/results/elimination.csv]

Two rules, the ridge chosen as always. Accuracy on the held-out 30 % of the longest network on each
path that has at most so many pairs of rule and input; nothing is chosen between the lengths.
"""

import argparse
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import train_test_split
from tables import available, load

from unfis import UNFISNetworkClassifier
from unfis.network.elimination import eliminate

LENGTHS = (2, 4, 8, 12, 16)  # pairs
RULES = 2


def run(name, seed):
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    net = UNFISNetworkClassifier(RULES).fit(X_train, y_train)
    rows = [{"set": name, "seed": seed, "pairs": "soft", "accuracy": net.score(X_test, y_test)}]
    path = eliminate(net.model_, X_train, y_train)
    values = net.model_.columns.values(X_test)
    for length in LENGTHS:
        model = next(one for one in path if one.selected.sum() <= length)
        answers = net.classes_[model.probabilities(values).argmax(axis=1)]
        accuracy = (answers == y_test).mean()
        rows.append({"set": name, "seed": seed, "pairs": length, "accuracy": accuracy})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    jobs = (delayed(run)(name, seed) for seed in range(arguments.splits) for name in available())
    results = pd.DataFrame([row for rows in Parallel(n_jobs=2)(jobs) for row in rows])
    results["accuracy"] *= 100
    if arguments.output:
        results.round(6).to_csv(arguments.output, index=False)
    print("mean accuracy of so many pairs")
    means = results.groupby(["set", "pairs"], sort=False)["accuracy"].mean()
    print(means.unstack().round(1).to_string())


if __name__ == "__main__":
    main()
