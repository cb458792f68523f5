"""Ranking with a rare class: the default beside logistic regression and EBM.

python benchmarks/unbalanced.py [--runs 10] [--only loans,yeast5] [--tried] [--systems unfis]
                                [--again] [--jobs 2] [--quick] [--output FILE]

The tables of `unbalanced_tables.py`, random 70/30 splits with the classes in proportion. Of every
system the area under the ROC curve, average precision, log loss, balanced accuracy and seconds; of
ours also how much there is to read. `--tried` takes the tables on which the choice was tried in
place of those that were listed before anything was measured. What is recorded is not done again.
"""

import argparse
import warnings
from functools import partial
from itertools import product
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed
from many import OURS, READ, key_of, reading, with_mean
from measuring import markdown, output_path, read_rows, seconds_of, write_rows
from rivals import EBM, LINEAR, RIVALS, ebm_classifier
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    log_loss,
    roc_auc_score,
)
from sklearn.model_selection import train_test_split
from unbalanced_tables import MEASURED, TABLES, TRIED, available

from unfis import UNFISClassifier

SCORES = ["auc", "average_precision", "log_loss", "balanced_accuracy"]
MEASURES = [*SCORES, "seconds", *READ]
ALLOWED = 0.005  # less than the mean of logistic regression and EBM
QUICK = ["ecoli4"]
SYSTEMS = {OURS: lambda X: UNFISClassifier(), LINEAR: RIVALS[LINEAR], EBM: ebm_classifier}


def run(name, seed, system):
    """One system on one split."""
    X, y = TABLES[name]()
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        model = SYSTEMS[system](X_train)
        seconds = seconds_of(partial(model.fit, X_train, y_train))
        yes = model.predict_proba(X_test)[:, 1]
        found = reading(model) if system == OURS else dict.fromkeys(READ)
    is_yes = y_test == "yes"
    return {
        **{"table": name, "seed": seed, "system": system, "share": float((y == "yes").mean())},
        "auc": float(roc_auc_score(is_yes, yes)),
        "average_precision": float(average_precision_score(is_yes, yes)),
        "log_loss": float(log_loss(is_yes, yes)),
        "balanced_accuracy": float(balanced_accuracy_score(is_yes, yes > y_train.eq("yes").mean())),
        "seconds": seconds,
        **found,
    }


def summary(results):
    """Means over the runs of every table, and ours less the mean of the others."""
    texts = []
    systems = [name for name in SYSTEMS if name in set(results["system"])]
    for score in SCORES:
        wide = with_mean(results.pivot_table(score, "table", "system", sort=False)[systems])
        if set(SYSTEMS) == set(systems):
            wide["less their mean"] = wide[OURS] - wide[[LINEAR, EBM]].mean(axis=1)
        rows = [[name, *(f"{v:.4f}" for v in values)] for name, *values in wide.itertuples()]
        texts += [score, markdown(["table", *wide.columns], rows)]
        if score == "auc" and set(SYSTEMS) == set(systems):
            short = [name for name in wide.index[:-1] if wide["less their mean"][name] < -ALLOWED]
            texts.append(f"below their mean by more than {ALLOWED:g}: {', '.join(short) or 'none'}")
    if OURS in systems:
        own = results[results["system"] == OURS].groupby("table", sort=False)
        sizes = with_mean(own[["share", *READ, "seconds"]].mean())
        rows = [[name, *(f"{v:.3g}" for v in values)] for name, *values in sizes.itertuples()]
        texts.append(markdown(["table", *sizes.columns], rows))
    return "\n\n".join(texts)


def recorded(path):
    """The rows of a file of results, with numbers where there are numbers."""
    return [
        {
            **row,
            "seed": int(row["seed"]),
            "share": float(row["share"]),
            **{name: float(row[name]) if row[name] else None for name in MEASURES},
        }
        for row in read_rows(path)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default="", help="tables")
    parser.add_argument("--tried", action="store_true", help="the tables of the first trials")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--again", action="store_true", help="do what is recorded again")
    parser.add_argument("--jobs", type=int, default=2, help="fits at a time")
    parser.add_argument("--quick", action="store_true", help="one run of one small table")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    there = available()
    print("tables that are not here:", sorted(set(TABLES) - set(there)) or "none", flush=True)
    wanted = list(TRIED if arguments.tried else MEASURED)
    wanted = QUICK if arguments.quick else arguments.only.split(",") if arguments.only else wanted
    if unknown := sorted(set(wanted) - set(TABLES)):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(TABLES)}")
    seeds = range(1 if arguments.quick else arguments.runs)
    systems = arguments.systems.split(",")
    runs = list(product([name for name in wanted if name in there], seeds, systems))
    path = output_path(arguments.output, "unbalanced.csv", quick=arguments.quick)
    rows = recorded(path)
    if arguments.again:
        rows = [row for row in rows if key_of(row) not in set(runs)]
    done = {key_of(row) for row in rows}
    missing = [delayed(run)(*one) for one in runs if one not in done]
    names = list(TABLES)
    for row in Parallel(n_jobs=arguments.jobs, return_as="generator_unordered")(missing):
        rows.append(row)
        rows.sort(key=lambda row: (names.index(row["table"]), row["seed"], row["system"]))
        write_rows(path, rows)
        told = f"AUC {row['auc']:.4f}, {row['seconds']:.3g} s"
        print(*key_of(row), told, sep=", ", flush=True)
    if rows:
        print(f"\n{summary(pd.DataFrame(rows))}\n\nrecorded in {path}")


if __name__ == "__main__":
    main()
