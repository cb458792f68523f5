"""FittedModel: everything a fit has learned, as a value that nothing changes, and its origin."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.columns import TableColumns, numbers_read
from unfis.data.frames import check_names, is_frame
from unfis.data.notation import Notation
from unfis.data.samples import Samples, TrainingSample
from unfis.learning.objective import CrossEntropy, Objective
from unfis.model.settings import Settings
from unfis.network import Parameters, network_logits
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
from unfis.ties import ranked

if TYPE_CHECKING:
    from unfis.learning.problem import Prior
    from unfis.model.edit import EditReport
    from unfis.selection import Stage

# What the history has of each iteration.
HISTORY = ("loss", "step", "damping", "seconds")
# The modules of the packages that a model is learned with.
PACKAGES = {"unfis": "unfis", "numpy": "numpy", "scipy": "scipy", "scikit-learn": "sklearn"}


@dataclass(frozen=True)
class Origin:
    """What a model file holds beside the model."""

    rows: int  # how many rows were learned from
    fingerprint: str  # SHA-256 of their values and classes
    target: str | None = None  # name of the column of classes, None if it had none
    # What was measured on rows that were not learned from, as the user gave it.
    held_out: Mapping[str, Any] | None = None
    versions: Mapping[str, str] = field(default_factory=dict)  # of the packages it was learned with

    @classmethod
    def of(cls, sample: TrainingSample) -> Origin:
        """The origin of a model that was learned here and now."""
        # By the modules: a package need not be installed to be imported.
        versions = {name: import_module(module).__version__ for name, module in PACKAGES.items()}
        versions["python"] = platform.python_version()
        return cls(sample.total, fingerprint(sample), versions=versions)


def fingerprint(sample: TrainingSample) -> str:
    """SHA-256 of the training rows that a model keeps: their values, classes and number."""
    # Adding 0 makes -0 and 0 the same, and so are all kinds of NaN.
    values = np.where(np.isnan(sample.values), np.nan, sample.values + 0.0)
    digest = hashlib.sha256(f"{sample.total} {values.shape}".encode())
    digest.update(np.ascontiguousarray(values, dtype="<f8").tobytes())
    digest.update(sample.codes.astype("<i8").tobytes())
    return digest.hexdigest()


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
    scorecard: Scorecard | None = None  # how effects count in points, None where they are exact
    # The rules, where they came with the network; otherwise they are made of it.
    known_rules: RuleBase | None = None
    known_origin: Origin | None = None  # where a model comes from that was read from a file

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
        return extract_rules(
            self.network,
            columns.inputs,
            columns.classes,
            self.sample,
            columns.notation,
            self.scorecard,
            self._class_weights(),
        )

    def _class_weights(self) -> list[float]:
        """By how much each class was weighted in learning; none if not."""
        if self.settings.class_weight is None:
            return []
        rows, count = self.sample, len(self.classes)
        weights = rows.weights, self.learned_weights(rows)
        before, after = (np.bincount(rows.codes, w, count) for w in weights)
        return list(map(float, np.divide(after, before, out=np.ones(count), where=before > 0)))

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
    def feature_importances(self) -> Array:
        """What it costs to know an input in no row, in nats of loss per training row, (inputs,)."""
        return np.array([variable.importance for variable in self.rules.variables])

    @property
    def chosen_without_folds(self) -> bool:
        """Whether there were too few rows to cross-validate the choice."""
        return bool(self.choices.get("by") == "information criterion")

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
            known_rules=None,
            known_origin=None,
        )

    def with_notation(self, notation: Notation) -> FittedModel:
        """The same model, which reads text in another notation."""
        rules = self.known_rules and replace(self.known_rules, notation=notation)
        columns = replace(self.columns, notation=notation)
        return replace(self, columns=columns, known_rules=rules)

    def logits(self, values: Array) -> Array:
        """z of rows of values, shape (rows, classes)."""
        return network_logits(self.network, self.columns.matrix(values))

    def probabilities(self, values: Array) -> Array:
        """The probability of each class for rows of values, shape (rows, classes)."""
        return self.objective.predictions(self.logits(values))

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class for each row of a table with the model's columns."""
        columns = self.columns
        if is_frame(X) and columns.names is not None:
            check_names(list(X.columns), list(columns.names))
        elif np.ndim(X) != 2 or np.shape(X)[1] != len(columns.inputs):
            wanted = f"{len(columns.inputs)} columns, as in training"
            raise ValueError(f"X must be a table of {wanted}; got the shape {np.shape(X)}.")
        return self.probabilities(columns.values(X, self.settings.unseen_categories))

    def coverage(self, values: Array) -> Array:
        """How well the rules cover rows of values, (rows,); 0 where they are unlike any known."""
        return self.rules.covered(self.rules.arrays.evaluate(values))

    def explain(self, values: Array, n_jobs: int | None = None) -> Explanations:
        """The predictions of rows of values taken apart."""
        return explain_rows(self.rules, values, self.sample, n_jobs)

    def reading(self, rows: TrainingSample) -> Reading:
        """What a person gets who reads the rules, measured on rows."""
        return read_rules(self.rules, rows.values, rows.codes, rows.weights)

    def importance(self, rows: TrainingSample) -> dict[str, float]:
        """What it costs to know an input in no row, in nats of loss per row, the dearest first."""
        arrays, inputs = self.rules.arrays, self.columns.inputs
        costs = importances(arrays, arrays.evaluate(rows.values), rows.codes, rows.weights)
        every = [costs.get(j, 0.0) for j in range(len(inputs))]
        return {inputs[j].name: every[j] for j in ranked([-cost for cost in every])}
