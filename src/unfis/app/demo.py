"""The story that `unfis demo` tells, on tables that are always there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unfis.app.report import write_report
from unfis.app.report.baselines import plain_models
from unfis.app.tables import prepare, read_table
from unfis.app.tables.evaluation import accuracy_words, held_out_rows
from unfis.app.tables.fitting import Fitted, fit_table
from unfis.app.tables.inputs import PreparedTable
from unfis.arrays import Mask
from unfis.estimators.classifier import UNFISClassifier
from unfis.rules import RuleBase
from unfis.rules.text.explanation import Explanation
from unfis.rules.text.numbers import numbered
from unfis.serial.files import write_whole
from unfis.ties import first_least

TARGET = "target"
FRACTION, SEED = 0.3, 0


class Story(NamedTuple):
    """Rules fitted on a table, beside plain models, and the row that was hardest to decide."""

    fitted: Fitted
    held: Mask  # the rows held out, (rows,)
    others: dict[str, float]  # how often plain models are right on them
    row: int  # the hardest of them, counted from 0 in the table
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        model, table, prepared, held_out = self.fitted
        assert held_out is not None
        beside = [f"  {name:20s} {100 * score:5.1f} %" for name, score in self.others.items()]
        lines = [
            f"{table.name}: {numbered(len(table), 'row')}, of which {held_out['rows']} are held "
            "out",
            "",
            str(model.rules_),
            "",
            "Right on the held-out rows:",
            f"  {'These rules':20s} {accuracy_words(held_out)}",
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
            "held_out": self.fitted.held_out,
            "others": self.others,
            "rules": self.fitted.model.rules_.to_dict(),
            "explained": {"row": self.row + 1, **self.explanation.to_dict()},
        }

    def write_report(self, path: Path) -> None:
        """Write a report on the rows held out."""
        prepared, rows = self.fitted.prepared, np.flatnonzero(self.held)
        write_report(
            path,
            self.fitted.model,
            prepared.X.iloc[rows],
            prepared.y[rows],
            rows=(rows + 1).tolist(),
            held_out=True,
        )


def tell(name: str, table: Path, model: Path) -> Story:
    """Write a table and a model fitted on it, compare and explain it."""
    write_demo_table(name, table)
    read = read_table(table)
    prepared = prepare(read, TARGET)
    fitted = fit_table(UNFISClassifier(), read, prepared, FRACTION, SEED)
    fitted.model.save(model, target=TARGET, held_out=fitted.held_out)
    held = held_out_rows(prepared.y, FRACTION, SEED)
    # Of the file, which has no training rows: their numbers would say nothing here.
    row, explanation = hardest(UNFISClassifier.from_file(model), prepared, held)
    return Story(fitted, held, plain_scores(fitted.model.rules_, prepared, held), row, explanation)


def write_demo_table(name: str, path: Path) -> None:
    """Write one of scikit-learn's tables as CSV: iris, wine or breast-cancer."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")(as_frame=True)
    frame = bunch.data.assign(**{TARGET: bunch.target_names[bunch.target]})
    write_whole(path, frame.to_csv(index=False, lineterminator="\n"))


def plain_scores(base: RuleBase, prepared: PreparedTable, held: Mask) -> dict[str, float]:
    """How often a decision tree and a logistic regression are right on the rows held out."""
    values, y = base.read(prepared.X), prepared.y.astype(str)
    models = plain_models(base)
    return {
        name: float(models[name].fit(values[~held], y[~held]).score(values[held], y[held]))
        for name in ("Decision tree", "Logistic regression")
    }


def hardest(model: UNFISClassifier, prepared: PreparedTable, held: Mask) -> tuple[int, Explanation]:
    """The row held out that was the hardest to decide, and why."""
    rows = np.flatnonzero(held)
    row = int(rows[first_least(model.predict_proba(prepared.X.iloc[rows]).max(axis=1))])
    return row, model.explain(prepared.X.iloc[[row]])[0]
