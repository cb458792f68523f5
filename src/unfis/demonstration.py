"""Tables that are always there, and what plain models make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from unfis.arrays import Mask
from unfis.files import write_whole
from unfis.report.baselines import plain_models
from unfis.rules.explanation import Explanation
from unfis.tables.inputs import Prepared

TARGET = "target"


def write_demo_table(name: str, path: Path) -> None:
    """Write one of scikit-learn's tables as CSV: iris, wine or breast-cancer."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")(as_frame=True)
    frame = bunch.data.assign(**{TARGET: bunch.target_names[bunch.target]})
    write_whole(path, frame.to_csv(index=False, lineterminator="\n"))


def plain_scores(model: Any, prepared: Prepared, held: Mask) -> dict[str, float]:
    """How often a decision tree and a logistic regression are right on the rows held out."""
    values, y = model.rules_.read(prepared.X), prepared.y.astype(str)
    models = plain_models(model.rules_)
    return {
        name: float(models[name]().fit(values[~held], y[~held]).score(values[held], y[held]))
        for name in ("Decision tree", "Logistic regression")
    }


def hardest(model: Any, prepared: Prepared, held: Mask) -> tuple[int, Explanation]:
    """The row held out that was the hardest to decide, its place in the table, and why."""
    rows = np.flatnonzero(held)
    row = int(rows[model.predict_proba(prepared.X.iloc[rows]).max(axis=1).argmin()])
    return row, model.explain(prepared.X.iloc[[row]])[0]
