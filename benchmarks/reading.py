"""What a person gets who reads the rules of a default fit, and whether it is true.

python benchmarks/reading.py [--splits 30] [--only iris,rings] [--quick] [--output file.csv]

Random 70/30 splits, seeds 0 to 29, default settings, of the eight sets and of made tables with
curved borders. Read on the held-out rows: IF conditions per rule, empty ones, parts, accuracy, the
strongest rule alone, printed percentages, directions, classes that no rule comes to.
"""

import argparse
import warnings
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed
from measuring import output_path, write_rows
from sklearn.model_selection import train_test_split
from tables import CURVED, available, load

from unfis import UNFISClassifier

GROUPS = {"sets": available(), "curved borders": CURVED}
# Of each measure what is printed, and its decimals.
MEASURES = {
    "rules": ("rules", 1),
    "conditions_per_rule": ("IF conditions per rule", 2),
    "empty": ("empty conditions, %", 1),
    "parts": ("parts", 1),
    "accuracy": ("accuracy, %", 2),
    "agreement": ("strongest rule alone: same answer, %", 1),
    "alone_accuracy": ("strongest rule alone: accuracy, %", 2),
    "distance_training": ("percentages against training rows led", 3),
    "distance": ("percentages against held-out rows led", 3),
    "directions": ("directions that hold, %", 1),
    "alike": ("pairs of rules that read alike", 2),
    "unreachable": ("classes that no rule comes to", 2),
}


def run(name, seed):
    """A default fit on one split, read on its held-out rows."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = UNFISClassifier().fit(X_train, y_train)
        training, found = model.reading(X_train, y_train), model.reading(X_test, y_test)
    group = next(group for group, names in GROUPS.items() if name in names)
    return {"group": group, "set": name, "seed": seed, **measures(training, found)}


def measures(training, found):
    """The numbers of a reading, shares of rows and conditions in per cent; None where unknown."""
    held = [direction.holds for direction in found.directions]
    return {
        "rules": found.rules,
        "conditions_per_rule": found.conditions / found.rules,
        # Of a model without conditions none is empty, and none counts in the mean.
        "empty": 100 * found.empty if found.conditions else None,
        "parts": found.parts,
        "accuracy": 100 * found.accuracy,
        "agreement": 100 * found.agreement,
        "alone_accuracy": 100 * found.alone_accuracy,
        "distance_training": training.distance,
        "distance": found.distance,
        "directions": 100 * sum(held) / len(held) if held else None,
        "alike": len(found.alike),
        "unreachable": len(found.unreachable),
    }


def summary(results):
    """Means of each set over its splits, with the mean and the largest of the sets, by group."""
    texts = []
    for group, part in results.groupby("group", sort=False):
        means = part.groupby("set", sort=False)[list(MEASURES)].mean().T
        table = means.assign(mean=means.mean(axis=1), largest=means.max(axis=1)).astype(object)
        for name, (_, decimals) in MEASURES.items():
            table.loc[name] = [f"{value:.{decimals}f}" for value in table.loc[name]]
        texts.append(f"{group}\n{table.rename(index=lambda name: MEASURES[name][0]).to_string()}")
    return "\n\n".join(texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=30)
    parser.add_argument(
        "--only", default=",".join(name for names in GROUPS.values() for name in names)
    )
    parser.add_argument("--quick", action="store_true", help="one split of iris and of the rings")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = ["iris", "rings"] if arguments.quick else arguments.only.split(",")
    splits = 1 if arguments.quick else arguments.splits
    jobs = (delayed(run)(name, seed) for name in names for seed in range(splits))
    rows = Parallel(n_jobs=2)(jobs)
    path = output_path(arguments.output, "reading.csv", quick=arguments.quick)
    write_rows(path, rows)
    print(summary(pd.DataFrame(rows)))
    print(f"\nrecorded in {path}")


if __name__ == "__main__":
    main()
