"""The story that `unfis demo` tells, on tables that are always there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unfis import load
from unfis.app.requests import FitRequest
from unfis.app.run import run_fit
from unfis.app.tables import read_table
from unfis.app.tables.asked import asked_of
from unfis.app.tables.evaluation import predictions
from unfis.app.tables.figures import figure_sentences
from unfis.app.tables.fitting import FitReport, rules_data
from unfis.explain import Explanation
from unfis.serial.files import write_whole
from unfis.text.numbers import number_words
from unfis.ties import first_least

TARGET = "target"


class Story(NamedTuple):
    """Rules fitted on a table, and the row that is hardest to predict."""

    fitted: FitReport
    row: int  # the hardest of them, counted from 1 in the table
    answer: Any  # its class or number
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        fitted, found = self.fitted, self.fitted.performance
        assert found is not None
        lines = [
            f"{fitted.table}. Rules that add up, learned from {fitted.model.model_.origin.rows}:",
            "",
            fitted.model.rules_,
            "",
            *figure_sentences(found, "held-out row"),
            "",
            f"The row that is hardest to predict is row {self.row}, which is {self.answer}:",
            "",
            str(self.explanation),
        ]
        return "\n".join(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """All of it for programs."""
        return {
            "held_out": self.fitted.held_out,
            "rules": rules_data(self.fitted.model.model_),
            "explained": {"row": self.row, **self.explanation.to_dict()},
        }


def tell(name: str, table: Path, model: Path) -> Story:
    """Write a table and a model fitted on it, and explain the row it is least sure of."""
    write_demo_table(name, table)
    fitted = run_fit(FitRequest(table=str(table), target=TARGET))
    fitted.model.save(model, target=TARGET, held_out=fitted.held_out)
    loaded = load(model)
    asked = asked_of(loaded, read_table(table), None)
    assert asked.y is not None
    found = predictions(loaded, asked.X)
    sure = found.max(axis=1) if found.ndim > 1 else -np.abs(found - asked.y)
    hardest = first_least(sure)
    return Story(
        fitted,
        int(asked.rows[hardest]),
        asked.y[hardest] if found.ndim > 1 else number_words(float(asked.y[hardest])),
        loaded.explain(asked.X.iloc[[hardest]])[0],
    )


def write_demo_table(name: str, path: Path) -> None:
    """Write one of scikit-learn's tables as CSV: iris, wine, breast-cancer or diabetes."""
    from sklearn import datasets

    if name == "diabetes":
        frame = datasets.load_diabetes(as_frame=True, scaled=False).frame
    else:
        bunch = getattr(datasets, f"load_{name.replace('-', '_')}")(as_frame=True)
        frame = bunch.data.assign(**{TARGET: bunch.target_names[bunch.target]})
    write_whole(path, frame.to_csv(index=False, lineterminator="\n"))
