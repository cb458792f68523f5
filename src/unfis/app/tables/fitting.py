"""A model fitted on a table and measured on rows held out: in words, and for programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from unfis.additive.model import FittedModel
from unfis.additive.model_file.writing import document_of
from unfis.additive.text.names import visible
from unfis.additive.text.numbers import numbered
from unfis.app.tables.asked import held_out_rows
from unfis.app.tables.evaluation import measured, predictions
from unfis.app.tables.figures import figure_sentences
from unfis.app.tables.inputs import PreparedTable
from unfis.app.tables.roles import Role
from unfis.app.tables.table import Table
from unfis.data import Notation
from unfis.evaluation.errors import Errors
from unfis.evaluation.performance import Performance

WIDEST_NAME = 40  # names of columns are shown so wide
# What programs get of the rules; the fields are described in unfis.additive.model_file.
RULE_FIELDS = ("task", "link", "target", "classes", "start", "unit", "rules", "inputs", "costs")


class FitReport(NamedTuple):
    """What there is to say of a model that was fitted on a table."""

    model: Any  # a fitted estimator
    table: str  # its name and size, in words
    roles: list[Role]
    target: str
    performance: Performance | Errors | None  # on rows held out, None if there are none
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
        lines += ["", self.model.rules_, ""]
        if self.performance:
            lines += figure_sentences(self.performance, "held-out row")
        return "\n".join(lines)

    @property
    def plain(self) -> dict[str, Any]:
        """What was learned, for programs."""
        return {
            "target": self.target,
            "rows": self.model.model_.origin.rows,
            "columns": [role._asdict() for role in self.roles],
            "held_out": self.held_out,
            "rules": rules_data(self.model.model_),
        }


def rules_data(model: FittedModel) -> dict[str, Any]:
    """The rules of a model for programs."""
    document = document_of(model) | {"classes": model.columns.classes.tolist()}
    return {name: document[name] for name in RULE_FIELDS}


def fit_table(
    model: Any, table: Table, prepared: PreparedTable, fraction: float, seed: int,
    threshold: float | str | None = None,
) -> FitReport:  # fmt: skip
    """Fit an estimator on all rows but those held out, on which it is then measured.

    A classifier answers by its costs, or by a threshold of its second class.
    """
    import pandas as pd

    name, is_number = prepared.target.name, prepared.target.is_number
    held = held_out_rows(len(prepared.y), None if is_number else prepared.y, fraction, seed)
    weights = None if prepared.weights is None else prepared.weights[~held]
    # By name, or words that the user wants kept would be refused where they hardly repeat.
    model.set_params(categorical_features=prepared.categories)
    model.fit(prepared.X[~held], pd.Series(prepared.y[~held], name=name), sample_weight=weights)
    model = with_notation(model, table.notation)
    if threshold is not None:
        model = model.with_decision(threshold=threshold)
    split = {"fraction": fraction, "seed": seed, "table": table.fingerprint}
    found = None
    if held.any():
        found = measured(model, prepared.y[held], predictions(model, prepared.X[held]))
    words = f"{table.name}: {numbered(len(table), 'row')}"
    return FitReport(model, words, prepared.roles, name, found, split)


def with_notation(model: Any, notation: Notation) -> Any:
    """The estimator, which reads text as the table has it."""
    fitted = model.model_
    model.model_ = replace(fitted, columns=replace(fitted.columns, notation=notation))
    return model
