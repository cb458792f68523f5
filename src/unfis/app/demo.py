"""The story that `unfis demo` tells, on tables that are always there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unfis.app.report import write_report
from unfis.app.report.baselines import plain_models
from unfis.app.tables import prepare, read_table
from unfis.app.tables.figures import share_words
from unfis.app.tables.fitting import Fitted, fit_table
from unfis.estimators.classifier import UNFISClassifier
from unfis.rules.text.explanation import Explanation
from unfis.serial.files import write_whole
from unfis.ties import first_least

TARGET = "target"
FRACTION, SEED = 0.3, 0


class Story(NamedTuple):
    """Rules fitted on a table, beside plain models, and the row that was hardest to decide."""

    fitted: Fitted
    others: dict[str, float]  # how often plain models are right on the rows held out
    row: int  # the hardest of them, counted from 0 in the table
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        report, prepared, held = self.fitted
        measured = report.performance
        assert measured is not None
        beside = [f"  {name:20s} {100 * score:5.1f} %" for name, score in self.others.items()]
        lines = [
            f"{report.table}, of which {held.sum()} are held out",
            "",
            str(report.model.rules_),
            "",
            "Right on the held-out rows:",
            f"  {'These rules':20s} {share_words(measured.accuracy)}",
            *beside,
            "",
            f"The hardest of them to decide, row {self.row + 1}, which is {prepared.y[self.row]}:",
            "",
            str(self.explanation),
        ]
        return "\n".join(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """All of it for programs."""
        return {
            "held_out": self.fitted.report.held_out,
            "others": self.others,
            "rules": self.fitted.model.rules_.to_dict(),
            "explained": {"row": self.row + 1, **self.explanation.to_dict()},
        }

    def write_report(self, path: Path) -> None:
        """Write a report on the rows held out."""
        prepared, rows = self.fitted.prepared, np.flatnonzero(self.fitted.held)
        write_report(
            path,
            self.fitted.model,
            prepared.X.iloc[rows],
            prepared.y[rows],
            rows=(rows + 1).tolist(),
            held_out=True,
        )


def tell(name: str, table: Path, model: Path) -> Story:
    """Write a table and a model fitted on it, compare it, explain the row it is least sure of."""
    write_demo_table(name, table)
    read = read_table(table)
    prepared = prepare(read, TARGET)
    fitted = fit_table(UNFISClassifier(), read, prepared, FRACTION, SEED)
    fitted.model.save(model, target=TARGET, held_out=fitted.report.held_out)
    # Of the file, which has no training rows: their numbers would say nothing here.
    asked, held = UNFISClassifier.from_file(model), np.flatnonzero(fitted.held)
    row = int(held[first_least(asked.predict_proba(prepared.X.iloc[held]).max(axis=1))])
    return Story(fitted, plain_scores(fitted), row, asked.explain(prepared.X.iloc[[row]])[0])


def write_demo_table(name: str, path: Path) -> None:
    """Write one of scikit-learn's tables as CSV: iris, wine or breast-cancer."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")(as_frame=True)
    frame = bunch.data.assign(**{TARGET: bunch.target_names[bunch.target]})
    write_whole(path, frame.to_csv(index=False, lineterminator="\n"))


def plain_scores(fitted: Fitted) -> dict[str, float]:
    """How often a decision tree and a logistic regression are right on the rows held out."""
    base, held = fitted.model.rules_, fitted.held
    values, y = base.read(fitted.prepared.X), fitted.prepared.y.astype(str)
    models = plain_models(base)
    return {
        name: float(models[name].fit(values[~held], y[~held]).score(values[held], y[held]))
        for name in ("Decision tree", "Logistic regression")
    }
