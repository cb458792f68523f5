"""Do sets of classes hold what they promise, in each class, and how large are they?

python benchmarks/conformal.py [--splits 30] [--only iris,loans] [--own] [--quick] [--output f.csv]

Random 70/30 splits by class, seeds 0 to 29, of the eight sets and of tables with a rare class. Sets
of `predict_set` at 95 % beside MAPIE's around the same model ("lac" score; a fifth of the training
rows held back to calibrate, for all classes together and one by one, and five folds) and
ex-fuzzy's own where it is installed. Nothing is tuned on the rows that measure.
"""

import argparse
import importlib.util
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import output_path, write_rows
from sklearn.model_selection import StratifiedKFold, train_test_split
from tables import available, load
from unbalanced_tables import MEASURED
from unbalanced_tables import available as available_unbalanced

from unfis import UNFISClassifier
from unfis_paper.reproduction.systems.peers import unscaled

CONFIDENCE = 0.95
CALIBRATION = 0.2  # of the training rows, for those who must hold some back
# Coverage may be so many standard errors below what was promised.
ERRORS = 2.0


def own_sets(train, test, seed):
    """Those of the estimator."""
    return UNFISClassifier().fit(*train).predict_set(test, CONFIDENCE)


def held_back(train, seed):
    """A model of four fifths of the rows, and the others."""
    X, y = train
    parts = train_test_split(X, y, test_size=CALIBRATION, random_state=seed, stratify=y)
    return UNFISClassifier().fit(parts[0], parts[2]), parts[1], parts[3]


def split_sets(train, test, seed):
    """MAPIE's by rows held back, of all classes together."""
    model, X, y = held_back(train, seed)
    return calibrated(model, X, y, test)


def calibrated(model, X, y, test):
    """MAPIE's sets around a fitted model."""
    from mapie.classification import SplitConformalClassifier

    mapie = SplitConformalClassifier(model, confidence_level=CONFIDENCE, prefit=True)
    return mapie.conformalize(X, y).predict_set(test)[1][:, :, 0]


def split_sets_by_class(train, test, seed):
    """The same, each class by its own rows; in all sets where it has too few of them."""
    model, X, y = held_back(train, seed)
    found = np.ones((len(test), len(model.classes_)), dtype=bool)
    for code in model.classes_:
        if (y == code).sum() > 1 / (1 - CONFIDENCE):
            found[:, code] = calibrated(model, X[y == code], y[y == code], test)[:, code]
    return found


def cross_sets(train, test, seed):
    """MAPIE's by five folds, of all classes together."""
    from mapie.classification import CrossConformalClassifier

    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    mapie = CrossConformalClassifier(UNFISClassifier(), confidence_level=CONFIDENCE, cv=folds)
    return mapie.fit_conformalize(*train).predict_set(test)[1][:, :, 0]


def fuzzy_sets(train, test, seed):
    """ex-fuzzy's, of its own model."""
    from ex_fuzzy.conformal import ConformalFuzzyClassifier

    X, y = train
    coding = unscaled().fit(X)
    X, test = (np.asarray(coding.transform(rows), dtype=float) for rows in (X, test))
    parts = train_test_split(X, y, test_size=CALIBRATION, random_state=seed, stratify=y)
    model = ConformalFuzzyClassifier(random_state=seed)
    model.fit(parts[0], np.asarray(parts[2]), parts[1], np.asarray(parts[3]))
    found = np.zeros((len(test), int(y.max()) + 1), dtype=bool)
    for row, codes in enumerate(model.predict_set(test, alpha=1 - CONFIDENCE)):
        found[row, [int(code) for code in codes]] = True
    return found


SYSTEMS = {
    "unfis": own_sets,
    "MAPIE, split": split_sets,
    "MAPIE, split by class": split_sets_by_class,
    "MAPIE, five folds": cross_sets,
    "ex-fuzzy": fuzzy_sets,
}
NEEDS = {"MAPIE": "mapie", "ex-fuzzy": "ex_fuzzy"}


def installed():
    """The systems that can run here."""
    needed = {name: NEEDS.get(name.split(",")[0], "unfis") for name in SYSTEMS}
    return [name for name in SYSTEMS if importlib.util.find_spec(needed[name])]


def run(name, seed, systems):
    """How many rows of each class have it in their set, by each system, on one split."""
    X, labels = MEASURED[name]() if name in MEASURED else load(name)
    classes, codes = np.unique(np.asarray(labels), return_inverse=True)
    y = pd.Series(codes, index=X.index)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    rows = []
    for system in systems:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                sets = np.asarray(SYSTEMS[system]((X_train, y_train), X_test, seed))
            except Exception as error:  # another's: what failed is no number of it
                print(f"{name}, {seed}, {system}: {error}")
                continue
        for code, label in enumerate(classes):
            of_class = sets[np.asarray(y_test) == code]
            rows.append(
                {
                    **{"set": name, "seed": seed, "system": system, "class": label},
                    **{"rows": len(of_class), "covered": int(of_class[:, code].sum())},
                    "classes_in_sets": int(of_class.sum()),
                }
            )
    return rows


def summary(results):
    """Coverage by class and mean size of each system, with standard errors over the splits."""
    results = results.assign(coverage=100 * results["covered"] / results["rows"])
    by_class = results.groupby(["set", "system", "class"], sort=False)["coverage"]
    classes = by_class.agg(["mean", "sem"]).fillna(0.0).reset_index()
    classes["low"] = classes["mean"] < 100 * CONFIDENCE - ERRORS * classes["sem"]
    sums = results.groupby(["set", "system", "seed"], sort=False)[
        ["rows", "covered", "classes_in_sets"]
    ].sum()
    sums = sums.assign(
        size=sums["classes_in_sets"] / sums["rows"], all=100 * sums["covered"] / sums["rows"]
    )
    whole = sums.groupby(["set", "system"], sort=False)[["size", "all"]].agg(["mean", "sem"])
    lines = []
    for (name, system), found in whole.iterrows():
        own = classes[(classes["set"] == name) & (classes["system"] == system)]
        told = ", ".join(
            f"{one['class']} {one['mean']:.1f} ({one['sem']:.1f}){' LOW' * one['low']}"
            for _, one in own.iterrows()
        )
        size, error = found["size"]
        lines.append(f"{name:24s} {system:22s} size {size:.3f} ({error:.3f})  covered {told}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=30)
    unbalanced = [name for name in available_unbalanced() if name in MEASURED]
    parser.add_argument("--only", default=",".join([*available(), *unbalanced]))
    parser.add_argument("--own", action="store_true", help="our sets alone")
    parser.add_argument("--quick", action="store_true", help="one split of iris")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = ["iris"] if arguments.quick else arguments.only.split(",")
    splits = 1 if arguments.quick else arguments.splits
    systems = ["unfis"] if arguments.own else installed()
    jobs = (delayed(run)(name, seed, systems) for name in names for seed in range(splits))
    rows = [row for rows in Parallel(n_jobs=2)(jobs) for row in rows]
    path = output_path(arguments.output, "conformal.csv", quick=arguments.quick)
    write_rows(path, rows)
    print(summary(pd.DataFrame(rows)))
    print(f"\nrecorded in {path}")


if __name__ == "__main__":
    main()
