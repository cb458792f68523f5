"""A model fitted on a table and measured on rows held out: in words, and for programs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unfis.app.request import RequestError
from unfis.app.tables.evaluation import held_out_rows, measured_on
from unfis.app.tables.inputs import PreparedTable
from unfis.app.tables.table import Table
from unfis.arrays import Mask
from unfis.estimators.classifier import UNFISClassifier
from unfis.model.performance import Performance
from unfis.rules.text.numbers import numbered
from unfis.rules.text.words import visible

WIDEST_NAME = 40  # names of columns are shown so wide


class Fitted(NamedTuple):
    """A model that was fitted on a table."""

    model: UNFISClassifier
    table: Table
    prepared: PreparedTable
    held: Mask  # the rows held out, (rows,)
    performance: Performance | None  # on them, None if there are none
    split: dict[str, Any]  # how to find the same rows again

    @property
    def held_out(self) -> dict[str, Any] | None:
        """What a model file keeps of the rows held out."""
        return None if self.performance is None else self.performance.to_dict() | self.split

    @property
    def words(self) -> str:
        """What was learned, in words."""
        names = [visible(role.name) for role in self.prepared.roles]
        width = min(WIDEST_NAME, max(map(len, names)))
        rows, columns = numbered(len(self.table), "row"), numbered(len(names), "column")
        lines = [f"{self.table.name}: {rows}, {columns}"]
        for name, role in zip(names, self.prepared.roles, strict=True):
            lines.append(f"  {name:{width}s}  {role.role:8s}  {visible(role.reason)}")
        lines += ["", str(self.model.rules_), ""]
        if self.performance:
            lines += self.performance.sentences("held-out row")
        return "\n".join(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """What was learned, for programs."""
        return {
            "target": self.prepared.target.name,
            "rows": self.model.origin_.rows,
            "columns": [role._asdict() for role in self.prepared.roles],
            "held_out": self.held_out,
            "rules": self.model.rules_.to_dict(),
        }


def fit_table(
    model: UNFISClassifier, table: Table, prepared: PreparedTable, fraction: float, seed: int
) -> Fitted:
    """Fit a model on all rows but those held out, on which it is then measured."""
    if not 0 <= fraction < 1:
        raise RequestError(f"--test must be at least 0 and below 1, got {fraction:g}.")
    held = held_out_rows(prepared.y, fraction, seed)
    learned = int((~held).sum())
    if isinstance(model.n_rules, int) and model.n_rules > learned:
        raise RequestError(
            f"--rules must be at most {learned:,}, the rows to learn from, got {model.n_rules}."
        )
    weights = None if prepared.weights is None else prepared.weights[~held]
    # By name, or words that the user wants kept would be refused where they hardly repeat.
    model.set_params(categorical_features=prepared.categories)
    model.fit(prepared.X[~held], prepared.y[~held], sample_weight=weights)
    model.model_ = model.model_.with_notation(table.notation)
    split = {"fraction": fraction, "seed": seed, "table": table.fingerprint}
    if not held.any():
        return Fitted(model, table, prepared, held, None, split)
    codes = np.searchsorted(model.classes_, prepared.y[held])
    measured = measured_on(model, model.predict_proba(prepared.X[held]), codes)
    return Fitted(model, table, prepared, held, measured, split)
