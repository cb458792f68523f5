"""A model fitted on a table and measured on rows held out: in words, and for programs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unfis.app.requests import RequestError
from unfis.app.tables.evaluation import held_out_rows, measured_on
from unfis.app.tables.figures import performance_sentences, verdict
from unfis.app.tables.inputs import PreparedTable
from unfis.app.tables.roles import Role
from unfis.app.tables.table import Table
from unfis.estimators.classifier import UNFISClassifier
from unfis.evaluation.performance import Performance
from unfis.rules.text.numbers import numbered
from unfis.rules.text.words import visible

WIDEST_NAME = 40  # names of columns are shown so wide


class FitReport(NamedTuple):
    """What is told of a model that was fitted on a table."""

    model: UNFISClassifier
    table: str  # its name and size, in words
    roles: list[Role]
    target: str
    performance: Performance | None  # on rows held out, None if there are none
    split: dict[str, Any]  # how to find the same rows again
    note: str = ""  # what a reader must know of the columns

    @property
    def held_out(self) -> dict[str, Any] | None:
        """What a model file keeps of the rows held out."""
        return None if self.performance is None else self.performance.to_dict() | self.split

    @property
    def words(self) -> str:
        """What was learned, in words."""
        names = [visible(role.name) for role in self.roles]
        width = min(WIDEST_NAME, max(map(len, names)))
        lines = [f"{self.table}, {numbered(len(names), 'column')}"]
        lines += [self.note] if self.note else []
        for name, role in zip(names, self.roles, strict=True):
            lines.append(f"  {name:{width}s}  {role.role:8s}  {visible(role.reason)}")
        lines += ["", str(self.model.rules_), ""]
        if self.performance:
            lines += performance_sentences(self.performance, "held-out row")
            lines += verdict(self.performance)
        return "\n".join(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """What was learned, for programs."""
        return {
            "target": self.target,
            "rows": self.model.origin_.rows,
            "columns": [role._asdict() for role in self.roles],
            "held_out": self.held_out,
            "rules": self.model.rules_.to_dict(),
        }


def fit_table(
    model: UNFISClassifier, table: Table, prepared: PreparedTable, fraction: float, seed: int
) -> FitReport:
    """Fit a model on all rows but those held out, on which it is then measured."""
    held = held_out_rows(prepared.y, fraction, seed)
    learned = int((~held).sum())
    if isinstance(model.n_rules, int) and model.n_rules > learned:
        raise RequestError(
            f"`rules` must be at most {learned:,}, the rows to learn from, got {model.n_rules}."
        )
    weights = None if prepared.weights is None else prepared.weights[~held]
    # By name, or words that the user wants kept would be refused where they hardly repeat.
    model.set_params(categorical_features=prepared.categories)
    model.fit(prepared.X[~held], prepared.y[~held], sample_weight=weights)
    model.model_ = model.model_.with_notation(table.notation)
    split = {"fraction": fraction, "seed": seed, "table": table.fingerprint}
    measured = None
    if held.any():
        codes = np.searchsorted(model.classes_, prepared.y[held])
        measured = measured_on(model, model.predict_proba(prepared.X[held]), codes)
    name = f"{table.name}: {numbered(len(table), 'row')}"
    return FitReport(model, name, prepared.roles, prepared.target.name, measured, split)
