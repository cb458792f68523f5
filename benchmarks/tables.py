"""Data sets for the benchmarks: three of scikit-learn's, five more from the folder UNFIS_DATA.

The folder holds one CSV per set, the class in its last column `target`.
"""

import os
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

SHIPPED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
FROM_FOLDER = ["haberman", "cryotherapy", "heart", "autism", "thyroid"]
# Autism's class is computed from its score, and the case number says nothing.
LEFT_OUT = {"autism": ["Case_No", "Qchat-10-Score"]}


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Inputs and target of a set."""
    if name in SHIPPED:
        return SHIPPED[name](return_X_y=True, as_frame=True)
    table = pd.read_csv(Path(os.environ["UNFIS_DATA"]) / f"{name}.csv")
    return table.drop(columns=["target", *LEFT_OUT.get(name, [])]), table["target"]


def available() -> list[str]:
    """The names of the sets that can be loaded here."""
    folder = os.environ.get("UNFIS_DATA")
    found = [n for n in FROM_FOLDER if folder and (Path(folder) / f"{n}.csv").exists()]
    return [*SHIPPED, *found]
