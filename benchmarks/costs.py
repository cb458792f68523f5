"""What wrong answers cost on new rows: by the costs, by held-out answers too, tuned.

python benchmarks/costs.py [--runs 5] [--only loans,yeast5] [--dear 10] [--jobs 2] [--quick]
                           [--output FILE]

The tables of `unbalanced_tables.py`, random 70/30 splits with the classes in proportion. A missed
"yes" costs so many false alarms. The same model answers by `costs`, by `costs` and
`threshold="auto"`, and inside scikit-learn's TunedThresholdClassifierCV with the cost as its score
(five folds, so six fits). The cost per row of always the same answer stands beside them. What is
recorded is not done again.
"""

import argparse
import warnings
from contextlib import suppress
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from many import with_mean
from measuring import markdown, output_path, read_rows, write_rows
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from unbalanced_tables import MEASURED, TABLES, available

from unfis import UNFISClassifier

BY_COSTS, BY_HELD_OUT, TUNED, CONSTANT = "costs", "costs, auto", "tuned", "one answer"
SYSTEMS = [BY_COSTS, BY_HELD_OUT, TUNED, CONSTANT]
ALLOWED = 1.02  # of what the tuned threshold costs
QUICK = ["ecoli4"]


def cost_per_row(true, answered, dear):
    """A missed yes costs `dear`, a false alarm 1."""
    missed = (true == "yes") & (answered == "no")
    alarm = (true == "no") & (answered == "yes")
    return float(np.mean(dear * missed + 1.0 * alarm))


def run(name, seed, dear):
    """The costs on one split, of every system."""
    X, y = TABLES[name]()
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.3, random_state=seed, stratify=y
    )
    scorer = make_scorer(cost_per_row, greater_is_better=False, dear=dear)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of not having converged, and of few rows
        model = UNFISClassifier().fit(X_train, y_train)
        tuned = TunedThresholdClassifierCV(
            UNFISClassifier(), scoring=scorer, response_method="predict_proba", random_state=seed
        )
        with suppress(ValueError):  # a fold's model that says the same of all rows: not to be tuned
            tuned.fit(X_train, y_train)
    costs = {"yes": dear}
    answers = {
        BY_COSTS: model.with_decision(costs).predict(X_test),
        BY_HELD_OUT: model.with_decision(costs, threshold="auto").predict(X_test),
    }
    if hasattr(tuned, "best_threshold_"):
        answers[TUNED] = tuned.predict(X_test)
    found = {TUNED: None} | {name: cost_per_row(y_test, a, dear) for name, a in answers.items()}
    constant = min(cost_per_row(y_test, np.full(len(y_test), one), dear) for one in ("no", "yes"))
    return {"table": name, "seed": seed, "dear": dear, **found, CONSTANT: constant}


def summary(results):
    """Mean costs on every table, and in proportion to the tuned threshold's, where there is one."""
    results = results[results[TUNED].notna()]
    wide = with_mean(results.groupby("table", sort=False)[SYSTEMS].mean())
    rows = [[name, *(f"{v:.4f}" for v in values)] for name, *values in wide.itertuples()]
    mean = wide.loc["mean"]
    told = [
        f"{system}: {mean[system] / mean[TUNED]:.3f} of the tuned threshold's (allowed {ALLOWED})"
        for system in (BY_COSTS, BY_HELD_OUT)
    ]
    return "\n".join([markdown(["table", *SYSTEMS], rows), "", *told])


def recorded(path):
    """The rows of a file of results, with numbers where there are numbers."""
    return [
        {**row, "seed": int(row["seed"]), "dear": float(row["dear"])}
        | {name: float(row[name]) if row[name] else None for name in SYSTEMS}
        for row in read_rows(path)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="tables")
    parser.add_argument("--dear", type=float, default=10.0, help="false alarms for a missed yes")
    parser.add_argument("--jobs", type=int, default=2, help="splits at a time")
    parser.add_argument("--quick", action="store_true", help="one run of one small table")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    wanted = arguments.only.split(",") if arguments.only else list(MEASURED)
    wanted = QUICK if arguments.quick else wanted
    if unknown := sorted(set(wanted) - set(TABLES)):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(TABLES)}")
    here = [name for name in wanted if name in available()]
    seeds = range(1 if arguments.quick else arguments.runs)
    path = output_path(arguments.output, "costs.csv", quick=arguments.quick)
    rows = recorded(path)
    done = {(row["table"], row["seed"], row["dear"]) for row in rows}
    runs = [one for one in product(here, seeds, [arguments.dear]) if one not in done]
    calls = [delayed(run)(*one) for one in runs]
    for row in Parallel(n_jobs=arguments.jobs, return_as="generator")(calls):
        rows.append(row)
        write_rows(path, rows)
        print(*(f"{v:.4f}" if isinstance(v, float) else v for v in row.values()), flush=True)
    if rows:
        print(f"\n{summary(pd.DataFrame(rows))}\n\nrecorded in {path}")


if __name__ == "__main__":
    main()
