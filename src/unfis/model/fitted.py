"""FittedModel: everything a fit has learned, as a value that nothing changes, and its origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.columns import TableColumns, numbers_read
from unfis.data.costs import Costs, least_costly
from unfis.data.frames import check_names, is_frame
from unfis.data.held_out import HeldOutAnswers
from unfis.data.notation import Notation
from unfis.data.samples import Samples, TrainingSample
from unfis.learning.objective import CrossEntropy, Objective
from unfis.model.conformal import NOTHING_HELD_OUT, ConformalSets, check_confidence
from unfis.model.constraints import constraints_of
from unfis.model.origin import Origin
from unfis.model.settings import Settings
from unfis.model.uncertainty import USUAL_CONFIDENCE, Uncertainty
from unfis.network import Parameters, network_logits
from unfis.network.table_rules import NetworkRules
from unfis.rules import (
    Explanations,
    Reading,
    RuleBase,
    Scorecard,
    explain_rows,
    extract_rules,
    importances,
    read_rules,
)
from unfis.rules.given_reader import reread
from unfis.ties import ranked

if TYPE_CHECKING:
    from unfis.learning.problem import Prior
    from unfis.model.edit import EditReport
    from unfis.selection import Stage

# What the history has of each iteration.
HISTORY = ("loss", "step", "damping", "seconds")


@dataclass(frozen=True)
class Memory:
    """What a training leaves behind for the next batch of a stream."""

    weight: float = 0.0  # of all samples so far
    prior: Prior | None = None  # where training ended and how firmly; None is that of the start
    network: Parameters | None = None  # where training ended, before its numbers became points
    learner: str = ""  # the kind of learner whose state this is
    state: Any = None  # of a learner that goes on by its state, not by the prior


@dataclass(frozen=True, eq=False)
class FittedModel:
    """What a fit has learned. Going on with it, or editing it, makes another one.

    It predicts, gives its rules and explains with numpy alone.
    """

    settings: Settings  # of the fit
    columns: TableColumns  # the table's columns, how they are read, and the classes
    network: Parameters  # the learned parameters, in the units of the network
    start: Parameters  # where the prior holds the fuzzy sets
    fixed: Mask | None  # centres that an expert has fixed, (rules, columns); None if none are
    choices: Mapping[str, Any]  # what was chosen on the training rows
    # The networks that were compared, one entry of every list each; empty without elimination.
    path: Mapping[str, list[Any]]
    stages: tuple[Stage, ...]  # these networks; none of a model that was read from a file
    sample: TrainingSample  # the training rows that the model keeps
    memory: Memory  # what learning on needs of the learning so far
    # By which it was chosen, and what its outputs mean.
    objective: Objective = field(default_factory=CrossEntropy)
    history: Mapping[str, list[float]] = field(default_factory=dict)  # of each iteration, by name
    n_iter: int = 0
    converged: bool = False
    edits: EditReport | None = None  # what an expert has changed, None if nothing
    # The rules as an expert gave them, "" for a learned one; () if all were learned.
    given: tuple[str, ...] = ()
    scorecard: Scorecard | None = None  # how effects count in points, None where they are exact
    # How far the training rows leave the network open; None where that is not known.
    uncertainty: Uncertainty | None = None
    costs: Costs = ()  # what wrong answers cost; none where all cost the same
    # The rules, where they came with the network; otherwise they are made of it.
    known_rules: RuleBase | None = None
    known_origin: Origin | None = None  # where a model comes from that was read from a file
    # What the choice of the network, or a file, knows of rows that were held out.
    known_held_out: HeldOutAnswers | None = None

    @property
    def classes(self) -> NDArray[Any]:
        """The labels of the classes, in order, (classes,)."""
        return self.columns.classes

    @cached_property
    def rules(self) -> RuleBase:
        """The rules as plain data in the table's units."""
        if self.known_rules is not None:
            return self.known_rules
        columns = self.columns
        rules = extract_rules(
            self.network,
            columns.inputs,
            columns.classes,
            self.sample,
            columns.notation,
            self.scorecard,
            self.class_weights(),
            self.costs,
            reread(self.given, columns),
        )
        monotonic = self.column_signs[columns.starts()].astype(int).tolist()
        monotonic = tuple(monotonic) if any(monotonic) else ()
        return replace(rules, monotonic=monotonic)

    @property
    def network_rules(self) -> NetworkRules:
        """The network's rules as the paper writes them, in the table's units."""
        columns, ends = self.columns, self.sample.ends
        return NetworkRules.of(self.network, columns.inputs, columns.classes.tolist(), ends)

    def class_weights(self) -> list[float]:
        """By how much each class was weighted in learning; none if not."""
        if self.settings.class_weight is None:
            return []
        rows, count = self.sample, len(self.classes)
        weights = rows.weights, self.learned_weights(rows)
        before, after = (np.bincount(rows.codes, w, count) for w in weights)
        return list(map(float, np.divide(after, before, out=np.ones(count), where=before > 0)))

    @cached_property
    def column_signs(self) -> Array:
        """Which way columns must count in a THEN, 0 for either, (columns,)."""
        constraints = constraints_of(self.settings, self.columns)
        return constraints.of_columns([item.columns for item in self.columns.inputs])

    @cached_property
    def origin(self) -> Origin:
        """Where the model comes from: its data, and the versions it was learned with."""
        return self.known_origin or Origin.of(self.sample)

    @property
    def selected(self) -> Mask:
        """Which inputs are not out of which rules, shape (rules, inputs)."""
        return self.in_condition | self.in_consequent

    @property
    def in_condition(self) -> Mask:
        """Which inputs are not out of which rules' IF, shape (rules, inputs)."""
        return np.asarray(self.network.selection.in_condition[:, self.columns.starts()])

    @property
    def in_consequent(self) -> Mask:
        """Which inputs are not out of which rules' THEN, shape (rules, inputs)."""
        # Of a category some kinds may say nothing.
        inside = self.network.selection.in_consequent
        return np.logical_or.reduceat(inside, self.columns.starts(), axis=1)

    @property
    def parts(self) -> int:
        """What there is to read: conditions, and numbers of consequents that are not 0."""
        spans = [item.columns for item in self.columns.inputs]
        numbers = numbers_read(self.network.consequents[:, :, 1:] != 0, spans)
        return int(self.in_condition.sum() + numbers[self.in_consequent].sum())

    @property
    def chosen_without_folds(self) -> bool:
        """Whether there were too few rows to cross-validate the choice."""
        return bool(self.choices.get("by") == "information criterion")

    @cached_property
    def held_out(self) -> HeldOutAnswers | None:
        """What networks that had not seen them answered to training rows; None if that is unknown.

        Those that were compared with the chosen one; else by leave-one-out of the rows it keeps.
        """
        if self.known_held_out is not None or self.chosen_without_folds:
            return self.known_held_out
        if not len(self.sample.rows) or not self.objective.of_classes:
            return None
        from unfis.model.left_out import left_out_answers  # imported late: it imports this module

        return left_out_answers(self)

    @property
    def kept_samples(self) -> Samples:
        """The training rows that the model keeps as samples, weighted as they were learned from."""
        samples = self.columns.samples(self.sample, self.objective.encode)
        return samples._replace(weights=self.learned_weights(self.sample))

    def learned_weights(self, rows: TrainingSample) -> Array:
        """The weights of rows as they are learned from: those of their classes multiplied in."""
        if self.settings.class_weight is None:
            return rows.weights
        from unfis.data.target import class_weights  # imported late: it needs scikit-learn

        return class_weights(self.settings.class_weight, self.classes, rows.codes, rows.weights)

    def with_network(self, network: Parameters, weight: float) -> FittedModel:
        """The model with parameters that no training of it ended with, of rows of this weight."""
        return replace(
            self,
            network=network,
            memory=Memory(weight),
            history={name: [] for name in HISTORY},
            n_iter=0,
            converged=False,
            scorecard=None,
            uncertainty=None,
            known_rules=None,
            known_origin=None,
            known_held_out=None,
        )

    def with_notation(self, notation: Notation) -> FittedModel:
        """The same model, which reads text in another notation."""
        rules = self.known_rules and replace(self.known_rules, notation=notation)
        columns = replace(self.columns, notation=notation)
        return replace(self, columns=columns, known_rules=rules)

    def with_costs(self, costs: Costs) -> FittedModel:
        """The same model, which answers by what other costs of errors make least."""
        if costs == self.costs:
            return self
        # How often rules alone give these answers is known where there are rows to count on.
        rules = self.known_rules and replace(self.known_rules, costs=costs, alone=None)
        return replace(self, costs=costs, known_rules=rules)

    def logits(self, values: Array) -> Array:
        """z of rows of values, shape (rows, classes)."""
        return network_logits(self.network, self.columns.matrix(values))

    def probabilities(self, values: Array) -> Array:
        """The probability of each class for rows of values, shape (rows, classes)."""
        return self.objective.predictions(self.logits(values))

    def intervals(self, values: Array, confidence: float = USUAL_CONFIDENCE) -> Array | None:
        """Between which probabilities classes are, (rows, classes, 2); None if not known."""
        check_confidence(confidence)
        if self.uncertainty is None:
            return None
        return self.uncertainty.intervals(self.network, self.columns.matrix(values), confidence)

    def answers(self, probabilities: Array) -> NDArray[np.intp]:
        """The positions of the classes to answer, given their probabilities, (rows,)."""
        return least_costly(probabilities, self.costs)

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class for each row of a table with the model's columns."""
        columns = self.columns
        if is_frame(X) and columns.names is not None:
            check_names(list(X.columns), list(columns.names))
        elif np.ndim(X) != 2 or np.shape(X)[1] != len(columns.inputs):
            wanted = f"{len(columns.inputs)} columns, as in training"
            raise ValueError(f"X must be a table of {wanted}; got the shape {np.shape(X)}.")
        return self.probabilities(columns.values(X))

    def coverage(self, values: Array) -> Array:
        """How well the rules cover rows of values, (rows,); 0 where they are unlike any known."""
        return self.rules.covered(self.rules.arrays.evaluate(values))

    def conformal(self, confidence: float) -> ConformalSets:
        """What tells which classes rows may be of at this confidence, and what is in doubt."""
        check_confidence(confidence)
        if self.held_out is None:
            raise ValueError(NOTHING_HELD_OUT)
        return ConformalSets.of(self.classes, self.held_out, confidence)

    def explain(self, values: Array, n_jobs: int | None = None) -> Explanations:
        """The predictions of rows of values taken apart."""
        return explain_rows(self.rules, values, self.sample, n_jobs, self.intervals(values))

    def reading(self, rows: TrainingSample) -> Reading:
        """What a person gets who reads the rules, measured on rows."""
        return read_rules(self.rules, rows.values, rows.codes, rows.weights)

    def importance(self, rows: TrainingSample) -> dict[str, float]:
        """What it costs to know an input in no row, in nats of loss per row, the dearest first."""
        arrays, inputs = self.rules.arrays, self.columns.inputs
        costs = importances(arrays, arrays.evaluate(rows.values), rows.codes, rows.weights)
        every = [costs.get(j, 0.0) for j in range(len(inputs))]
        return {inputs[j].name: every[j] for j in ranked([-cost for cost in every])}
