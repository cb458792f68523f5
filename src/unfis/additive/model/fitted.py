"""FittedModel: all that a fit has learned, as a value that predicts with numpy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from unfis.additive.fitting import FittedRules, SearchedRows
from unfis.additive.fitting.evidence import Evidence, evidence_of
from unfis.additive.fitting.fit import Request
from unfis.additive.model.edit import Edit, Edited, Rows, edited
from unfis.additive.model.origin import Origin
from unfis.additive.rules import RuleModel
from unfis.additive.search.constraints import Constraints
from unfis.additive.text import Names, listing
from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.data.costs import Costs, least_costly


@dataclass(frozen=True, eq=False)
class FittedModel:
    """The rules, the columns that they read, and what else is known of them.

    Another length of the path is another FittedModel, and so is one that is edited.
    """

    columns: TableColumns  # the table's columns, how they are read, and the classes
    names: Names  # of inputs, categories, outputs and the target
    rules: RuleModel
    length: int  # of the rules on the path
    evidence: tuple[Evidence, ...]  # of each rule
    path: tuple[RuleModel, ...]  # the rules of every length, from none on
    folds: tuple[tuple[RuleModel, ...], ...]  # each fold's, by length
    # All rows that were learned from, or those drawn of very many; None of a model from a file.
    searched: SearchedRows | None
    losses: Array | None  # of these, each by the folds that had not seen it, (lengths, rows)
    ridge: float
    settings: Mapping[str, Any]  # of the fit, as plain data
    constraints: Constraints  # which way inputs count, and which may stand in one rule
    origin: Origin
    given: frozenset[int] = frozenset()  # which of the rules a person has written or changed
    fixed: frozenset[int] = frozenset()  # which of them have points that a person has set
    costs: Costs = ()  # of wrong answers; none where all cost the same
    # Scores of rows that were held out (for conformal sets and intervals) have their place here.
    # What the searched rows showed of each length, of a model from a file; () of others.
    path_evidence: tuple[tuple[Evidence, ...], ...] = ()

    @classmethod
    def of(
        cls, columns: TableColumns, names: Names, found: FittedRules, values: Array,
        targets: Array, weights: Array, settings: Mapping[str, Any], request: Request,
        costs: Costs = (),
    ) -> Self:  # fmt: skip
        """What a fit has found, with what all rows show of each rule."""
        length, folds, searched = found.length, found.folds, found.searched
        at_length = [fold[length] for fold in folds]
        evidence = evidence_of(found.model, at_length, searched, values, targets, weights)
        given = frozenset(range(len(request.given)))
        fixed = frozenset(n for n in given if not np.isnan(request.given[n].points))
        return cls(
            columns, names, found.model, length, evidence, found.path, folds, searched,
            found.losses, found.ridge, settings, request.constraints, Origin.of(values, targets),
            given, fixed, costs,
        )  # fmt: skip

    def points(self, values: Array) -> Array:
        """The sum of the points of each output for rows of values, (rows, outputs)."""
        return self.rules.points(values)

    def predictions(self, values: Array) -> Array:
        """The probability of each class, (rows, classes), or the number, (rows,)."""
        return self.rules.predictions(values)

    def answers(self, probabilities: Array) -> NDArray[np.intp]:
        """The positions of the classes that are expected to cost least, (rows,)."""
        return least_costly(probabilities, self.costs)

    def at(self, length: int) -> Self:
        """The model of so many rules on the path, with what the searched rows show of it."""
        if not self.path:
            raise ValueError("An edited model has no path. Choose a length first, then edit.")
        longest = len(self.path) - 1
        if not 0 <= length <= longest:
            raise ValueError(
                f"The path has models of 0 to {longest} rules; got {length!r}. Choose one of them."
            )
        evidence = self.evidence_at(length)
        return replace(self, rules=self.path[length], length=length, evidence=evidence)

    def evidence_at(self, length: int) -> tuple[Evidence, ...]:
        """What the searched rows show of the rules of a length on the path."""
        if self.path_evidence:
            return self.path_evidence[length]
        return self._evidence(self.path[length], length, self.training_rows())

    def training_rows(self) -> SearchedRows:
        """The rows that were searched; ValueError where a file did not keep them."""
        if self.searched is None:
            raise ValueError("A model file keeps no training rows. Give X and y.")
        return self.searched

    def edit(self, edit: Edit, rows: Rows | None = None) -> Self:
        """The model after an edit, its points fitted to rows, or to those that were searched."""
        rows = rows or Rows(*self.training_rows()[:3])
        found = edited(
            edit, Edited(self.rules, self.given, self.fixed), self.columns, self.constraints, rows,
            self.ridge, whole=self.settings["points"] == "whole",
        )  # fmt: skip
        searched = self.searched or SearchedRows(*rows, np.zeros((0, len(rows.targets))))
        evidence = self._evidence(found.rules, self.length, searched)
        return replace(
            self, rules=found.rules, evidence=evidence, given=found.given, fixed=found.fixed,
            path=(), path_evidence=(),
        )  # fmt: skip

    def _evidence(self, rules: RuleModel, length: int, rows: SearchedRows) -> tuple[Evidence, ...]:
        at_length = [fold[length] for fold in self.folds]
        return evidence_of(rules, at_length, rows, rows.values, rows.targets, rows.weights)

    @property
    def text(self) -> str:
        """The rules in words."""
        return listing(self.rules, self.names, self.evidence)
