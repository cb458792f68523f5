"""Data sets for the benchmarks: three of scikit-learn's, five more from the folder UNFIS_DATA."""

import os
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from unfis.datasets import load_dataset

SHIPPED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
FROM_FOLDER = ["haberman", "cryotherapy", "heart", "autism", "thyroid"]


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Inputs and target of a set."""
    if name in SHIPPED:
        return SHIPPED[name](return_X_y=True, as_frame=True)
    data = load_dataset(name)
    return data.frame, data.target


def available() -> list[str]:
    """The names of the sets that can be loaded here."""
    folder = os.environ.get("UNFIS_DATA")
    found = [n for n in FROM_FOLDER if folder and (Path(folder) / f"{n}.csv").exists()]
    return [*SHIPPED, *found]
