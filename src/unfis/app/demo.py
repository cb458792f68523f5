"""The story that `unfis demo` tells, on tables that are always there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from unfis.app.report.baselines import plain_models
from unfis.app.requests import FitRequest
from unfis.app.run import run_fit
from unfis.app.tables import read_table
from unfis.app.tables.evaluation import Asked, asked_of
from unfis.app.tables.figures import share_words
from unfis.app.tables.fitting import FitReport
from unfis.estimators.classifier import UNFISClassifier
from unfis.model_file import read_model
from unfis.rules.text.explanation import Explanation
from unfis.serial.files import write_whole
from unfis.ties import first_least

TARGET = "target"


class Story(NamedTuple):
    """Rules fitted on a table, beside plain models, and the row that was hardest to decide."""

    fitted: FitReport
    others: dict[str, float]  # how often plain models are right on the rows held out
    row: int  # the hardest of them, counted from 1 in the table
    label: Any  # its class
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        measured = self.fitted.performance
        assert measured is not None
        beside = [f"  {name:20s} {100 * score:5.1f} %" for name, score in self.others.items()]
        lines = [
            f"{self.fitted.table}, of which {measured.confusion.sum()} are held out",
            "",
            str(self.fitted.model.rules_),
            "",
            "Right on the held-out rows:",
            f"  {'These rules':20s} {share_words(measured.accuracy)}",
            *beside,
            "",
            f"The hardest of them to decide, row {self.row}, which is {self.label}:",
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
            "explained": {"row": self.row, **self.explanation.to_dict()},
        }


def tell(name: str, table: Path, model: Path) -> Story:
    """Write a table and a model fitted on it, compare it, explain the row it is least sure of."""
    write_demo_table(name, table)
    fitted = run_fit(FitRequest(table=str(table), target=TARGET))
    fitted.model.save(model, target=TARGET, held_out=fitted.held_out)
    # Of the file, which has no training rows: their numbers would say nothing here.
    loaded = UNFISClassifier.of_model(read_model(model))
    asked = asked_of(loaded, read_table(table), None)
    assert asked.codes is not None
    hardest = first_least(loaded.predict_proba(asked.X).max(axis=1))
    return Story(
        fitted,
        plain_scores(loaded, asked),
        int(asked.rows[hardest]),
        loaded.classes_[asked.codes[hardest]],
        loaded.explain(asked.X.iloc[[hardest]])[0],
    )


def write_demo_table(name: str, path: Path) -> None:
    """Write one of scikit-learn's tables as CSV: iris, wine or breast-cancer."""
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name.replace('-', '_')}")(as_frame=True)
    frame = bunch.data.assign(**{TARGET: bunch.target_names[bunch.target]})
    write_whole(path, frame.to_csv(index=False, lineterminator="\n"))


def plain_scores(model: UNFISClassifier, asked: Asked) -> dict[str, float]:
    """How often a decision tree and a logistic regression are right on the rows held out."""
    assert asked.training is not None
    assert asked.codes is not None
    base, (X, y) = model.rules_, asked.training
    labels, models = model.classes_[asked.codes], plain_models(base)
    return {
        name: float(models[name].fit(base.read(X), y).score(base.read(asked.X), labels))
        for name in ("Decision tree", "Logistic regression")
    }
