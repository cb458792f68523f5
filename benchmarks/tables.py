"""Data sets for the benchmarks: three of scikit-learn's, five from UNFIS_DATA, four made ones."""

import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from unfis_paper.datasets import load_dataset

SHIPPED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
FROM_FOLDER = ["haberman", "cryotherapy", "heart", "autism", "thyroid"]


# Points that no straight line parts, and how many of them a table has.
CURVED = ["rings", "moons", "checkerboard", "xor"]
MADE_ROWS = 400


def made(name: str, rows: int = MADE_ROWS) -> tuple[pd.DataFrame, pd.Series]:
    """A table of two inputs whose classes have curved or broken borders, always the same one."""
    generator = np.random.default_rng(CURVED.index(name))
    if name in ("rings", "moons"):
        codes = np.arange(rows) % (3 if name == "rings" else 2)
        angles = generator.uniform(0, 2 * np.pi if name == "rings" else np.pi, rows)
        points = np.column_stack([np.cos(angles), np.sin(angles)])
        if name == "rings":  # one around another
            points *= (codes + 0.5)[:, None]
        else:  # one turned round and put into the other
            points = np.where(codes[:, None] == 1, [1.0, 0.5] - points, points)
        points += generator.normal(scale=0.15, size=points.shape)
    else:
        squares = 3 if name == "checkerboard" else 2
        points = generator.uniform(0, squares, size=(rows, 2))
        codes = np.floor(points).sum(axis=1).astype(int) % 2
        points += generator.normal(scale=0.05, size=points.shape)
    return pd.DataFrame(points, columns=["across", "up"]), pd.Series(codes, name="target")


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Inputs and target of a set."""
    if name in SHIPPED:
        return SHIPPED[name](return_X_y=True, as_frame=True)
    if name in CURVED:
        return made(name)
    data = load_dataset(name)
    return data.frame, data.target


def available() -> list[str]:
    """The names of the sets that can be loaded here."""
    folder = os.environ.get("UNFIS_DATA")
    found = [n for n in FROM_FOLDER if folder and (Path(folder) / f"{n}.csv").exists()]
    return [*SHIPPED, *found]
