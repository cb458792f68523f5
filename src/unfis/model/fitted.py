"""FittedModel: all that a fit has learned, as a frozen value that predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.columns import TableColumns
from unfis.data.costs import Costs, least_costly
from unfis.data.origin import Origin
from unfis.fitting import FittedRules, SearchedRows
from unfis.fitting.evidence import Evidence, evidence_of
from unfis.fitting.fingerprint import rows_fingerprint
from unfis.fitting.fit import SearchRequest
from unfis.fitting.rows import AllRows, LocalRows
from unfis.model.audit import Audit, audit_of
from unfis.model.batches import after_batch
from unfis.model.calibration import Calibration, check_confidence
from unfis.model.caveats import set_caveats
from unfis.model.decision import decision_costs
from unfis.model.edit import Edit, Edited, Rows, edited
from unfis.model.estimate import PointEstimate
from unfis.model.ranges import Ranges
from unfis.rules import RuleModel
from unfis.search.constraints import Constraints
from unfis.text import Names, listing


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
    calibration: Calibration | None = None  # by rows held out; None of an edited model
    estimate: PointEstimate | None = None  # of the points, and how sure; None of very many
    ranges: Ranges | None = None  # of the values that training had
    # What the searched rows showed of each length, of a model from a file; () of others.
    path_evidence: tuple[tuple[Evidence, ...], ...] = ()

    @classmethod
    def of(
        cls, columns: TableColumns, names: Names, found: FittedRules, rows: AllRows,
        settings: Mapping[str, Any], request: SearchRequest, costs: Costs = (),
    ) -> Self:  # fmt: skip
        """What a fit has found, with what all rows show of each rule."""
        length, folds, searched = found.length, found.folds, found.searched
        at_length = [fold[length] for fold in folds]
        evidence = evidence_of(found.model, at_length, searched, rows)
        given = frozenset(range(len(request.given)))
        fixed = frozenset(n for n in given if not np.isnan(request.given[n].points))
        is_weighted = settings.get("class_weight") is not None
        calibration = Calibration.of(found.model, at_length, searched, class_weight=is_weighted)
        estimate = PointEstimate.of(
            found.model, fixed, request.constraints, found.ridge, rows, class_weight=is_weighted
        )
        return cls(
            columns, names, found.model, length, evidence, found.path, folds, searched,
            found.losses, found.ridge, settings, request.constraints,
            Origin.of(rows.count, rows_fingerprint(rows)), given, fixed, costs, calibration,
            estimate, Ranges.of_rows(rows),
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
            raise ValueError(
                "An edited model has no path, nor has one after batches. Choose a length first."
            )
        longest = len(self.path) - 1
        if not 0 <= length <= longest:
            raise ValueError(
                f"The path has models of 0 to {longest} rules; got {length!r}. Choose one of them."
            )
        if self.searched is None:
            evidence, rules = self.evidence_at(length), self.path[length]
            found = replace(self, rules=rules, length=length, evidence=evidence)
            # A file has these of its own length alone.
            same = length == self.length
            return found if same else replace(found, calibration=None, estimate=None)
        found = self._with_rules(self.path[length], length, Rows(*self.searched[:3]))
        at_length = [fold[length] for fold in self.folds]
        calibration = Calibration.of(
            found.rules, at_length, self.searched, class_weight=self.has_class_weight
        )
        return replace(found, calibration=calibration)

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
        before = replace(self, given=found.given, fixed=found.fixed, path=(), calibration=None)
        return before._with_rules(found.rules, self.length, rows)  # noqa: SLF001 - its own class

    def _with_rules(self, rules: RuleModel, length: int, fitted: Rows) -> Self:
        """Other rules, with what the searched rows show of them, fitted to rows."""
        rows = self.searched or SearchedRows(*fitted, np.zeros((0, len(fitted.targets))))
        evidence = self._evidence(rules, length, rows)
        estimate = PointEstimate.of(
            rules, self.fixed, self.constraints, self.ridge, LocalRows(*fitted),
            class_weight=self.has_class_weight,
        )  # fmt: skip
        return replace(self, rules=rules, length=length, evidence=evidence, estimate=estimate)

    def _evidence(self, rules: RuleModel, length: int, rows: SearchedRows) -> tuple[Evidence, ...]:
        at_length = [fold[length] for fold in self.folds]
        return evidence_of(rules, at_length, rows, LocalRows(*rows[:3]))

    @property
    def has_class_weight(self) -> bool:
        """Whether the weights of rows were multiplied by their class."""
        return self.settings.get("class_weight") is not None

    @property
    def held_out(self) -> Calibration:
        """The calibration; ValueError where there is none."""
        if self.calibration is None:
            raise ValueError(
                "There are no answers to rows that were held out, by which sets and intervals are "
                "calibrated: the model was edited, or learned from too few rows, or is of another "
                "length than its file. Ask the model before that, or fit on more rows."
            )
        return self.calibration

    def fold_predictions(self, values: Array) -> Array:
        """What the folds' models of this length predict, (folds, rows, ...)."""
        if not self.folds:
            raise ValueError("This model has no folds: it was learned from too few rows.")
        return np.array([fold[self.length].predictions(values) for fold in self.folds])

    def probability_intervals(self, values: Array, confidence: float) -> Array:
        """Between which probabilities each class is, if these are the right rules."""
        check_confidence(confidence)
        if self.estimate is None:
            raise ValueError(
                "Intervals are not known of a model with very many points, or of another length "
                "than its file. Fit anew with fewer max_rules, or save the model of that length."
            )
        return self.estimate.intervals(self.rules, self.fixed, values, confidence)

    def number_intervals(self, values: Array, confidence: float) -> Array:
        """Between which numbers each row is, (rows, 2); counts are at least 0."""
        found = self.held_out.intervals(self.predictions(values), confidence)
        return np.maximum(found, 0.0) if self.rules.link == "exp" else found

    def probability_sets(self, values: Array, confidence: float) -> Mask:
        """Which classes each row may be of, (rows, classes)."""
        return self.held_out.sets(self.predictions(values), confidence)

    def with_decision(self, costs: Any, threshold: Any) -> Self:
        """The same model, which answers by other costs or by a threshold."""
        classes = self.columns.classes.tolist()
        found = decision_costs(costs, threshold, classes, self.costs, self.calibration)
        return replace(self, costs=found, settings={**self.settings, "costs": found or None})

    def coverage(self, values: Array) -> Array:
        """The share of the model's inputs whose value is like training's, (rows,)."""
        return self._ranges.coverage(self.rules, values)

    def caveats(self, values: Array, confidence: float) -> list[str]:
        """Why each row's answer is not to be relied on; "" where nothing speaks against it."""
        check_confidence(confidence)
        found = self._ranges.caveats(self.rules, self.names, values)
        if len(self.columns.classes):
            probabilities, held_out = self.predictions(values), self.held_out
            sets, limits = held_out.sets(probabilities, confidence), held_out.thresholds(confidence)
            answers = self.answers(probabilities)
            more = set_caveats(sets, answers, limits, self.names, confidence)
            found = [[*one, *other] for one, other in zip(found, more, strict=True)]
        return ["; ".join(one) for one in found]

    @property
    def _ranges(self) -> Ranges:
        if self.ranges is None:
            raise ValueError("What values training had is not known of this model.")
        return self.ranges

    def audit(self, rows: Rows) -> Audit:
        """Whether the rules are what they say, on rows."""
        return audit_of(self.rules, self.names, self.evidence, rows)

    def learn_more(self, rows: Rows) -> FittedModel:
        """The model after one more batch of rows: the same rules, other points."""
        return after_batch(self, rows)

    @property
    def text(self) -> str:
        """The rules in words."""
        return listing(self.rules, self.names, self.evidence, self.costs)
