"""What do directions that an expert is sure of cost, and are they kept?

python benchmarks/monotone.py [--splits 10] [--only loans,heart] [--quick] [--output f.csv]

Random 70/30 splits by class. Each table is fitted with the directions of its inputs and without
(defaults otherwise), and measured on the rows held out: accuracy, balanced accuracy, ROC AUC and
log loss. Then 10,000 pairs of rows drawn from the columns of the table, one of each pair with more
of what may only raise the probability: a pair in which it falls by more than 1e-12 is a violation.
The made tables are monotone by construction; of the public ones the directions are those that
textbooks give, set down before anything was measured.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import output_path, write_rows
from public_tables import folder, read_table
from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split
from tables import available, load
from two_class_tables import Table, drawn, numbers
from unbalanced_tables import loans

from unfis import UNFISClassifier

PAIRS = 10_000
ROUNDING = 1e-12
WITHIN = 0.5  # points of accuracy that directions may cost where they are true
MEASURES = ("accuracy", "balanced", "auc", "loss")


class Source(NamedTuple):
    """A table, and which way each input counts for the class that is 1."""

    load: Callable[[], Table]
    signs: dict[str, int]
    made: bool = True  # monotone by construction


def sums(seed: int) -> Table:
    """Log odds that are a sum, of numbers and of truth values."""
    draw = np.random.default_rng(seed)
    X = numbers(draw.normal(size=(1000, 6))).assign(flag=draw.random(1000) < 0.4)
    odds = X["x0"] + 0.7 * X["x1"] - X["x2"] - 0.5 * X["x3"] + X["flag"]
    return X, drawn(odds.to_numpy(), draw)


def steps(seed: int) -> Table:
    """Points for thresholds that are passed: monotone, but no slope is."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(1000, 6))
    passed = X[:, :4] > [0, 0.5, -0.5, 0]
    return numbers(X), drawn(passed @ [2.5, -2.5, 2, -2], draw)


def saturating(seed: int) -> Table:
    """Doses of which ever more adds ever less."""
    draw = np.random.default_rng(seed)
    X = draw.gamma(1.5, 2.0, size=(1000, 5))
    return numbers(X), drawn(2 * np.log1p(X[:, 0]) - 2 * np.sqrt(X[:, 1]) + 1.5, draw)


def together(seed: int) -> Table:
    """A product of two risks beside a third that has no direction."""
    draw = np.random.default_rng(seed)
    X = draw.uniform(0, 2, size=(1000, 4))
    return numbers(X), drawn(2.5 * X[:, 0] * X[:, 1] + 3 * np.sin(3 * X[:, 2]) - 2.5, draw)


def in_one_group(seed: int) -> Table:
    """A risk that counts in one of three wards alone."""
    draw = np.random.default_rng(seed)
    X = numbers(draw.normal(size=(1000, 4))).assign(ward=draw.choice(["a", "b", "c"], 1000))
    odds = 3 * X["x0"] * (X["ward"] == "a") - X["x1"] + (X["ward"] == "b")
    return X, drawn(odds.to_numpy(), draw)


def coded(name: str, yes: str) -> Table:
    """One of the eight sets, with 1 for a class."""
    X, y = load(name)
    return X, (y == yes).astype(int)


def breast_cancer() -> Table:
    """Malignant is 1."""
    X, y = load("breast cancer")
    return X, 1 - y


def pima() -> Table:
    """Diabetes is 1."""
    X, y = read_table(folder() / "pima.dat")
    return X, (y == y.value_counts().idxmin()).astype(int)


LOANS = {
    **{"income": -1, "debt_ratio": 1, "late_payments": 1},
    **{"score": -1, "years_employed": -1, "owner": -1},
}
SIZES = ("radius", "perimeter", "area", "concavity", "concave points", "texture")
HEART = {
    **{"age": 1, "resting_blood_pressure": 1, "serum_cholestoral": 1, "oldpeak": 1},
    **{"maximum_heart_rate_achieved": -1, "number_of_major_vessels": 1},
}
SOURCES = {
    "loans": Source(lambda: coded_loans(5000, 0.017, 1), LOANS),
    "frequent loans": Source(lambda: coded_loans(2000, 0.3, 5), LOANS),
    "sums": Source(lambda: sums(0), {"x0": 1, "x1": 1, "x2": -1, "x3": -1, "flag": 1}),
    "steps": Source(lambda: steps(1), {"x0": 1, "x1": -1, "x2": 1, "x3": -1}),
    "saturating": Source(lambda: saturating(2), {"x0": 1, "x1": -1}),
    "together": Source(lambda: together(3), {"x0": 1, "x1": 1}),
    "in one group": Source(lambda: in_one_group(4), {"x0": 1, "x1": -1}),
    "heart": Source(lambda: coded("heart", "presence"), HEART, made=False),
    "haberman": Source(
        lambda: coded("haberman", "died_within_5_years"),
        {"age": 1, "positive_axillary_nodes": 1},
        made=False,
    ),
    "breast cancer": Source(
        breast_cancer,
        {f"{when} {size}": 1 for when in ("mean", "worst") for size in SIZES},
        made=False,
    ),
    # Glucose, body mass, pedigree and age.
    "pima": Source(pima, {"x2": 1, "x6": 1, "x7": 1, "x8": 1}, made=False),
}


def coded_loans(rows: int, share: float, seed: int) -> Table:
    """Loans, 1 for those that are not paid back."""
    X, y = loans(rows, share, seed)
    return X, (y == "yes").astype(int)


def known() -> list[str]:
    """The tables that can be loaded here."""
    needed = {"heart": "heart" in available(), "haberman": "haberman" in available()}
    needed["pima"] = folder() is not None
    return [name for name in SOURCES if needed.get(name, True)]


def violations(model: UNFISClassifier, X: pd.DataFrame, signs: dict[str, int], seed: int) -> int:
    """In how many pairs of rows more of what may only raise a probability lowers it."""
    draw = np.random.default_rng(seed)
    low = pd.DataFrame({name: draw.choice(X[name], PAIRS) for name in X}).astype(X.dtypes)
    high = low.copy()
    for name, sign in signs.items():
        values = X[name].to_numpy(dtype=float)
        moved = draw.random(PAIRS) < 0.5
        step = sign * moved * np.abs(draw.choice(values, PAIRS) - draw.choice(values, PAIRS))
        found = low[name].to_numpy(dtype=float) + step
        high[name] = found > 0 if X[name].dtype == bool else found
    rise = model.predict_proba(high)[:, 1] - model.predict_proba(low)[:, 1]
    return int((rise < -ROUNDING).sum())


def run(name: str, seed: int) -> list[dict[str, object]]:
    """How good the fit with directions and that without them are, on one split."""
    source = SOURCES[name]
    X, y = source.load()
    parts = train_test_split(X, y, test_size=0.3, random_state=seed, stratify=y)
    rows = []
    for system, signs in (("free", None), ("constrained", source.signs)):
        model = UNFISClassifier(monotonic_cst=signs).fit(parts[0], parts[2])
        p, answers = model.predict_proba(parts[1])[:, 1], model.predict(parts[1])
        found = {
            "accuracy": 100 * float((answers == parts[3]).mean()),
            "balanced": 100 * float(balanced_accuracy_score(parts[3], answers)),
            "auc": float(roc_auc_score(parts[3], p)),
            "loss": float(log_loss(parts[3], np.clip(p, 1e-12, 1 - 1e-12))),
            "rules": len(model.model_.rules.rules),
            "violations": violations(model, X, source.signs, seed),
        }
        rows.append({"set": name, "seed": seed, "system": system, **found})
    return rows


def summary(results: pd.DataFrame) -> str:
    """Both fits of each table, and by how much accuracy changes (standard error over splits)."""
    lines = []
    for name, found in results.groupby("set", sort=False):
        free, own = (found[found["system"] == one] for one in ("free", "constrained"))
        change = own["accuracy"].to_numpy() - free["accuracy"].to_numpy()
        error = change.std(ddof=1) / np.sqrt(len(change)) if len(change) > 1 else 0.0
        told = ", ".join(
            f"{one} {free[one].mean():.{3 if one in ('auc', 'loss') else 2}f} -> "
            f"{own[one].mean():.{3 if one in ('auc', 'loss') else 2}f}"
            for one in MEASURES
        )
        mark = " WORSE" if SOURCES[name].made and change.mean() < -WITHIN else ""
        broken = f"pairs broken {free['violations'].sum()} -> {own['violations'].sum()}"
        lines.append(f"{name:15s} {change.mean():+.2f} ({error:.2f}){mark}  {told}; {broken}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--only", default=",".join(known()))
    parser.add_argument("--quick", action="store_true", help="one split of sums")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = ["sums"] if arguments.quick else arguments.only.split(",")
    splits = 1 if arguments.quick else arguments.splits
    jobs = (delayed(run)(name, seed) for name in names for seed in range(splits))
    rows = [row for rows in Parallel(n_jobs=2)(jobs) for row in rows]
    path = output_path(arguments.output, "monotone.csv", quick=arguments.quick)
    write_rows(path, rows)
    print(summary(pd.DataFrame(rows)))
    print(f"\nrecorded in {path}")


if __name__ == "__main__":
    main()
