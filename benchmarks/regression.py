"""A number to predict: the default on 20 public tables, and what people use instead.

python benchmarks/regression.py [--splits 3] [--only airfoil,diabetes] [--systems unfis]
    [--again] [--jobs 1] [--quick] [--output benchmarks/results/regression.csv]

Random 70/30 splits of the tables of `regression_tables.py`, defaults of every system. RMSE is told
in times of an explainable boosting machine's on the same split: geometric means over tables of
those over splits. Ours also at 15 rules, on the path of the same fit. What is recorded is not
measured again, unless with `--again`; `--only` with nothing after it measures nothing.
"""

import argparse
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import markdown, output_path, read_rows, seconds_of, write_rows
from regression_tables import NAMES, available, load
from rivals import EBM, MEAN, REGRESSORS, RIDGE
from scoring import fit_quietly, parted, predictions_at, root_mean_square
from summary import Asked

from unfis import UNFISRegressor

OURS, FEW = "unfis", 15
AT_FEW = f"{OURS}, at {FEW} rules"
SYSTEMS = {OURS: lambda X: UNFISRegressor(), **REGRESSORS}
KEYS = ["table", "seed", "system"]
COLUMNS = [*KEYS, "rmse", "rmse_at_15", "rules", "conditions", "seconds"]
PLAIN = (RIDGE, MEAN)  # what a model must not be worse than
QUICK = ["ele_1", "diabetes"]


def run(name: str, seed: int, system: str) -> dict[str, object]:
    """One system on one split."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = parted(X, y, seed, classes=False)
    model = SYSTEMS[system](X_train)
    row = dict.fromkeys(COLUMNS) | {"table": name, "seed": seed, "system": system}
    row["seconds"] = seconds_of(lambda: fit_quietly(model, X_train, y_train))
    row["rmse"] = root_mean_square(model.predict(X_test), y_test)
    if system == OURS:
        row["rmse_at_15"] = root_mean_square(predictions_at(model, FEW, X_test), y_test)
        row |= {"rules": len(model.model_.rules.rules), "conditions": model.model_.rules.conditions}
    return row


def ratios(results: pd.DataFrame, base: str = EBM) -> pd.DataFrame:
    """RMSE of every system in times of one's, geometric means over the splits of each table."""
    wide = results.pivot_table("rmse", ["table", "seed"], "system", sort=False)
    ours = results[results["system"] == OURS].set_index(["table", "seed"])
    wide[AT_FEW] = ours["rmse_at_15"].astype(float)
    shared = wide.dropna(subset=[base])
    logs = np.log(shared.div(shared[base], axis=0))
    return np.exp(logs.groupby("table", sort=False).mean())


def worst_beside_plain(results: pd.DataFrame) -> pd.Series:
    """Ours in times of the better of ridge regression and the mean, by table."""
    means = results.pivot_table("rmse", "table", "system", sort=False)
    return (means[OURS] / means[list(PLAIN)].min(axis=1)).sort_values()


def asked(results: pd.DataFrame) -> Iterator[Asked]:
    """What is asked beside what was measured."""
    means = np.exp(np.log(ratios(results)).mean())
    for name, limit in ((AT_FEW, 1.05), (OURS, 1.01)):
        value = f"{means[name]:.3f} x {EBM}'s"
        yield Asked(name, f"<= {limit:g}", value, bool(means[name] <= limit))
    rules = results[results["system"] == OURS].groupby("table")["rules"].mean().mean()
    yield Asked("rules as chosen", "<= 25", f"{rules:.1f}", bool(rules <= 25))
    worst = worst_beside_plain(results)
    told = f"{worst.iloc[-1]:.3f} ({worst.index[-1]})"
    work = "worst table in times of the better of ridge regression and the mean"
    yield Asked(work, "<= 1.05", told, bool(worst.iloc[-1] <= 1.05))


def summary(results: pd.DataFrame) -> str:
    """Asked beside measured, then every table."""
    if not {OURS, EBM, *PLAIN} <= set(results["system"]):
        return results.groupby(["table", "system"])[["rmse", "seconds"]].mean().to_string()
    head = markdown(
        ["measure", "asked", "measured", "reached"], [a.cells() for a in asked(results)]
    )
    wide = ratios(results)[[OURS, AT_FEW, *REGRESSORS]]
    wide = pd.concat([wide, np.exp(np.log(wide).mean()).to_frame("geometric mean").T])
    ours = results[results["system"] == OURS].groupby("table", sort=False)
    sizes = ours[["rules", "conditions", "seconds"]].mean()
    wide = wide.join(pd.concat([sizes, sizes.mean().to_frame("geometric mean").T]))
    return f"{head}\n\nRMSE / {EBM}'s\n{wide.astype(float).round(3).to_string()}"


def recorded(path: Path) -> list[dict[str, object]]:
    """The rows of a file of results, with numbers where there are numbers."""
    measures = COLUMNS[len(KEYS) :]
    return [
        {
            **row,
            "seed": int(row["seed"]),
            **{name: float(row[name]) if row[name] else None for name in measures},
        }
        for row in read_rows(path)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--only", nargs="?", const="", default=",".join(available()))
    parser.add_argument("--systems", default="")
    parser.add_argument("--again", action="store_true", help="measure what is recorded again")
    parser.add_argument("--jobs", type=int, default=1, help="fits at a time")
    parser.add_argument("--quick", action="store_true", help="one split of two small tables")
    parser.add_argument("--output", type=Path)
    chosen = parser.parse_args()
    print("tables that are not here:", sorted(set(NAMES) - set(available())) or "none", flush=True)
    names = [name for name in chosen.only.split(",") if name]
    if chosen.quick:
        names = [name for name in QUICK if name in available()]
    if unknown := sorted(set(names) - set(available())):
        parser.error(f"--only has {', '.join(unknown)}; there are {', '.join(available())}")
    systems = [name for name in SYSTEMS if not chosen.systems or name in chosen.systems.split(",")]
    keys = list(product(names, range(1 if chosen.quick else chosen.splits), systems))
    path = output_path(chosen.output, "regression.csv", quick=chosen.quick)
    rows = recorded(path)
    if chosen.again:
        rows = [row for row in rows if tuple(row[key] for key in KEYS) not in set(keys)]
    done = {tuple(row[key] for key in KEYS) for row in rows}
    missing = [delayed(run)(*key) for key in keys if key not in done]
    for row in Parallel(n_jobs=chosen.jobs, return_as="generator_unordered")(missing):
        rows.append(row)
        rows.sort(key=lambda one: (NAMES.index(one["table"]), one["seed"], one["system"]))
        write_rows(path, rows)
        print(*(row[key] for key in KEYS), f"{row['rmse']:.4g}", sep=", ", flush=True)
    if rows:
        print(f"\n{summary(pd.DataFrame(rows))}\n\nrecorded in {path}")


if __name__ == "__main__":
    main()
