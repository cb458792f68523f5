"""Accuracy on many public tables: the default beside what people use instead.

python benchmarks/many.py [--runs 5] [--only vowel,pima] [--systems unfis] [--again] [--jobs 2]
                          [--quick] [--output benchmarks/results/many.csv]

The tables of `public_tables.py`, random 70/30 splits with the classes in proportion. Of every
system: accuracy, log-loss, seconds to fit; of ours also rules and conditions. What is recorded is
not done again, unless with `--again`. Tables that are not here are left out, and named.
"""

import argparse
import warnings
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import markdown, output_path, read_rows, seconds_of, write_rows
from public_tables import GROUPS, NAMES, available, load
from rivals import FOREST, LINEAR, RIVALS
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from unfis import UNFISClassifier

OURS = "unfis"
SYSTEMS = {OURS: lambda X: UNFISClassifier(), **RIVALS}
KEYS = ["table", "seed", "system"]
READ = ["rules", "conditions"]
MEASURES = ["accuracy", "seconds", *READ, "log_loss"]
SHORT = 0.5  # points less than logistic regression that are too many
QUICK = ["movement_libras", "sonar"]


def run(name, seed, system):
    """One system on one split."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged: it is measured as it is
        model = SYSTEMS[system](X_train)
        seconds = seconds_of(partial(model.fit, X_train, y_train))
        probabilities = model.predict_proba(X_test)
        found = reading(model) if system == OURS else dict.fromkeys(READ)
    answers = model.classes_[probabilities.argmax(axis=1)]
    return {
        **{"table": name, "classes": int(y.nunique()), "seed": seed, "system": system},
        "accuracy": 100 * float((answers == y_test.to_numpy()).mean()),
        "seconds": seconds,
        **found,
        "log_loss": float(log_loss(y_test, probabilities, labels=model.classes_)),
    }


def reading(model):
    """What there is to read."""
    rules = model.model_.rules
    return {"rules": len(rules.rules), "conditions": rules.conditions}


def means(results):
    """Means over the runs of every table, with all tables' means last."""
    systems = [name for name in SYSTEMS if name in set(results["system"])]
    wide = results.pivot_table("accuracy", "table", "system", sort=False)[systems]
    return with_mean(wide)


def with_mean(table):
    """A table with the mean of its rows below."""
    return pd.concat([table, table.mean().to_frame("mean").T])


def differences(results, rival):
    """Ours less a rival's accuracy on each table, with its standard error over runs."""
    wide = results.pivot_table("accuracy", ["table", "seed"], "system", sort=False)
    if not {OURS, rival} <= set(wide):
        return pd.DataFrame(columns=["difference", "error"], dtype=float)
    less = (wide[OURS] - wide[rival]).dropna().groupby("table", sort=False)
    return pd.DataFrame({"difference": less.mean(), "error": less.sem()})


def falls_short(difference, error):
    """Whether a difference is below what is allowed by more than two of its standard errors."""
    return bool(difference + 2 * error < -SHORT)  # NaN of one run is never


def plus_minus(error):
    """A standard error in words, none of one value."""
    return "" if np.isnan(error) else f" +- {error:.2f}"


def verdict(found, rival):
    """The mean difference over tables, with its standard error over them."""
    less = found["difference"]
    told = f"{less.mean():+.2f}{plus_minus(less.sem())}"
    return f"{OURS} less {rival}: mean {told} over {len(found)} tables"


def own_cells(found, forest, sizes, name):
    """A table's differences, and what there is to read."""
    less, error = found.loc[name] if name in found.index else (np.nan, np.nan)
    mark = "falls short" if falls_short(less, error) else ""
    told = "" if np.isnan(less) else f"{less:+.2f}{plus_minus(error)}"
    trees = f"{forest['difference'][name]:+.2f}" if name in forest.index else ""
    values = sizes.loc[name] if name in sizes.index else pd.Series(dtype=float)
    cells = ["" if np.isnan(value) else f"{value:.1f}" for value in values]
    return [name, told, mark, trees, *cells]


def summary(results):
    """Tables of five classes and more, then the others: means, differences, what is to be read."""
    texts = []
    for group, names in GROUPS.items():
        part = results[results["table"].isin(names)]
        if part.empty:
            continue
        there = [name for name in names if name in set(part["table"])]
        wide = means(part).loc[[*there, "mean"]]
        rows = [[name, *(f"{v:.2f}" for v in values)] for name, *values in wide.itertuples()]
        texts += [f"{group}: mean accuracy", markdown(["table", *wide.columns], rows)]
        if OURS not in wide:
            continue
        linear, forest = (differences(part, rival) for rival in (LINEAR, FOREST))
        sizes = part[part["system"] == OURS].groupby("table", sort=False)
        sizes = with_mean(sizes[[*READ, "seconds"]].mean())
        head = ["table", f"less {LINEAR}", f"below -{SHORT:g} by 2 errors", f"less {FOREST}"]
        cells = [own_cells(linear, forest, sizes, name) for name in [*there, "mean"]]
        texts.append(markdown([*head, *READ, "seconds"], cells))
        short = sum(falls_short(*row) for _, *row in linear.itertuples())
        texts += [
            "\n".join(
                verdict(found, rival)
                for rival, found in ((LINEAR, linear), (FOREST, forest))
                if len(found)
            ),
            f"tables below {LINEAR} by more than {SHORT:g} and two standard errors: {short}",
        ]
    return "\n\n".join(texts)


def recorded(path):
    """The rows of a file of results, with numbers where there are numbers."""
    return [
        {
            **row,
            **{name: int(row[name]) for name in ("classes", "seed")},
            **{name: float(row[name]) if row[name] else None for name in MEASURES},
        }
        for row in read_rows(path)
    ]


def key_of(row):
    return tuple(row[name] for name in KEYS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="tables")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--again", action="store_true", help="do what is recorded again")
    parser.add_argument("--jobs", type=int, default=2, help="fits at a time")
    parser.add_argument("--quick", action="store_true", help="one run of two small tables")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    there = available()
    print("tables that are not here:", sorted(set(NAMES) - set(there)) or "none", flush=True)
    wanted = QUICK if arguments.quick else arguments.only.split(",") if arguments.only else NAMES
    if unknown := sorted(set(wanted) - set(NAMES)):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(NAMES)}")
    systems = arguments.systems.split(",")
    if unknown := sorted(set(systems) - set(SYSTEMS)):
        parser.error(f"--systems has {', '.join(unknown)}; there are {', '.join(SYSTEMS)}")
    seeds = range(1 if arguments.quick else arguments.runs)
    runs = list(product([name for name in wanted if name in there], seeds, systems))
    path = output_path(arguments.output, "many.csv", quick=arguments.quick)
    rows = recorded(path)
    if arguments.again:
        rows = [row for row in rows if key_of(row) not in set(runs)]
    done = {key_of(row) for row in rows}
    missing = [delayed(run)(*one) for one in runs if one not in done]
    for row in Parallel(n_jobs=arguments.jobs, return_as="generator_unordered")(missing):
        rows.append(row)
        rows.sort(key=lambda row: (NAMES.index(row["table"]), row["seed"], row["system"]))
        write_rows(path, rows)
        told = f"{row['accuracy']:.2f} %, {row['seconds']:.3g} s"
        print(*key_of(row), told, sep=", ", flush=True)
    if rows:
        print(f"\n{summary(pd.DataFrame(rows))}\n\nrecorded in {path}")


if __name__ == "__main__":
    main()
