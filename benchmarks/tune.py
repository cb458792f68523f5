"""What a change of the search does on the tables it may be tuned on.

python benchmarks/tune.py [--jobs 1] [--splits 2] [--only bupa,yacht] [--kind classes|numbers]
                          [--max-rules N] [--at N] [--seeds-from 0] [--fit-rivals]

The tables of `tuning_tables.py`, random 70/30 splits. Rivals are shown as far as they are in a file
beside, which is not recorded; `--fit-rivals` fits those that are missing (the explainable boosting
machine with four bags in place of 14, for its time). `--at` shows the model of so many rules on the
same path.
"""

import argparse
import time
from itertools import product
from pathlib import Path
from tempfile import gettempdir

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import read_rows, seconds_of, write_rows
from rivals import CLASSIFIERS, EBM, REGRESSORS, ebm_classifier, ebm_regressor
from scoring import at_length, fit_quietly, parted, predictions, predictions_at, scores_of
from tuning_tables import CLASSES, NUMBERS, load

from unfis import UNFISClassifier, UNFISRegressor

OURS = "ours"
FASTER = {"outer_bags": 4}
OF_CLASSES = CLASSIFIERS | {EBM: lambda X: ebm_classifier(X, **FASTER)}
OF_NUMBERS = REGRESSORS | {EBM: lambda X: ebm_regressor(X, **FASTER)}
KEYS = ["table", "seed", "system"]
MEASURES = ["accuracy", "log_loss", "auc", "rmse"]
COLUMNS = [*KEYS, *MEASURES, "rules", "conditions", "seconds"]
DECIMALS = {"accuracy": 1, "log_loss": 3, "auc": 3}


def ours(name, max_rules):
    """Our estimator for a table."""
    kind = UNFISClassifier if name in CLASSES else UNFISRegressor
    return kind(max_rules=max_rules)


def run(name, seed, system, max_rules=None, at=None):
    """One system on one split."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = parted(X, y, seed, classes=name in CLASSES)
    rivals = OF_CLASSES if name in CLASSES else OF_NUMBERS
    model = ours(name, max_rules) if system == OURS else rivals[system](X_train)
    seconds = seconds_of(lambda: fit_quietly(model, X_train, y_train))
    row = dict.fromkeys(COLUMNS) | {"table": name, "seed": seed, "system": system}
    row["seconds"] = seconds
    if system == OURS:
        shown = model.model_.rules if at is None else at_length(model, at)
        row |= {"rules": len(shown.rules), "conditions": shown.conditions}
        length = model.model_.length if at is None else at
        return row | scores_of(model, predictions_at(model, length, X_test), y_test)
    return row | scores_of(model, predictions(model, X_test), y_test)


def recorded(path):
    """The rows of a file, with numbers where there are numbers."""
    return [
        {
            **row,
            "seed": int(row["seed"]),
            **{name: float(row[name]) if row[name] else None for name in COLUMNS[3:]},
        }
        for row in read_rows(path)
    ]


def fit_rivals(path, names, seeds, jobs):
    """Measure what is not in the file of rivals."""
    rows = recorded(path)
    done = {tuple(row[key] for key in KEYS) for row in rows}
    wanted = [
        (name, seed, system)
        for name, seed in product(names, seeds)
        for system in (CLASSIFIERS if name in CLASSES else REGRESSORS)
    ]
    missing = [delayed(run)(*one) for one in wanted if one not in done]
    for row in Parallel(n_jobs=jobs, return_as="generator_unordered")(missing):
        rows.append(row)
        write_rows(path, rows)
        print("rival:", *(row[key] for key in KEYS), f"{row['seconds']:.1f} s", flush=True)


def told(value, decimals=2):
    return "" if pd.isna(value) else f"{value:.{decimals}f}"


def summary_of_classes(results):
    """Every table's scores beside the rivals', and the means."""
    texts = []
    for measure, decimals in DECIMALS.items():
        wide = results.pivot_table(measure, "table", "system", sort=False, dropna=False)
        wide = wide[[name for name in (OURS, *CLASSIFIERS) if name in wide]]
        wide = pd.concat([wide, wide.mean().to_frame("MEAN").T])
        own = results[results["system"] == OURS].groupby("table", sort=False)
        sizes = own[["rules", "conditions", "seconds"]].mean()
        wide = wide.join(pd.concat([sizes, sizes.mean().to_frame("MEAN").T]).astype(float))
        wide = wide.map(lambda value, d=decimals: told(value, d))
        texts.append(f"{measure}\n{wide.to_string()}")
    return "\n\n".join(texts)


def summary_of_numbers(results):
    """RMSE of every system divided by EBM's, geometric means last."""
    wide = results.pivot_table("rmse", ["table", "seed"], "system", sort=False)
    if EBM not in wide:
        return f"RMSE; no rival is measured yet\n{wide.to_string()}"
    ratios = np.log(wide.div(wide[EBM], axis=0)).groupby("table", sort=False).mean()
    ratios = ratios[[name for name in (OURS, *REGRESSORS) if name in ratios]]
    ratios = np.exp(pd.concat([ratios, ratios.mean().to_frame("GEOMETRIC MEAN").T]))
    own = results[results["system"] == OURS].groupby("table", sort=False)
    sizes = own[["rules", "conditions", "seconds"]].mean()
    sizes = pd.concat([sizes, sizes.mean().to_frame("GEOMETRIC MEAN").T]).astype(float)
    return f"RMSE / EBM's\n{ratios.join(sizes).map(told).to_string()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--splits", type=int, default=2)
    parser.add_argument("--seeds-from", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", choices=["classes", "numbers"])
    parser.add_argument("--max-rules", type=int)
    parser.add_argument("--at", type=int, help="the model of so many rules on the path")
    parser.add_argument("--fit-rivals", action="store_true")
    parser.add_argument("--rivals", type=Path, default=Path(gettempdir()) / "tune-rivals.csv")
    parser.add_argument("--output", type=Path, help="where our rows go as a CSV")
    arguments = parser.parse_args()
    kinds = {"classes": CLASSES, "numbers": NUMBERS, None: (*CLASSES, *NUMBERS)}
    names = arguments.only.split(",") if arguments.only else kinds[arguments.kind]
    if unknown := sorted(set(names) - {*CLASSES, *NUMBERS}):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(kinds[None])}")
    seeds = range(arguments.seeds_from, arguments.seeds_from + arguments.splits)
    if arguments.fit_rivals:
        fit_rivals(arguments.rivals, names, seeds, arguments.jobs)
    began = time.perf_counter()
    jobs = (
        delayed(run)(name, seed, OURS, arguments.max_rules, arguments.at)
        for name, seed in product(names, seeds)
    )
    rows = Parallel(n_jobs=arguments.jobs)(jobs)
    if arguments.output:
        write_rows(arguments.output, rows)
    results = pd.DataFrame([*rows, *recorded(arguments.rivals)])
    results = results[results["seed"].isin(seeds)]
    for kind, summary in ((CLASSES, summary_of_classes), (NUMBERS, summary_of_numbers)):
        part = results[results["table"].isin([name for name in names if name in kind])]
        if len(part):
            print(f"\n{summary(part)}")
    print(f"\nall of ours: {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
