"""ModelClassifier: an estimator with one FittedModel, which `fit` makes and which it asks.

A fit happens on a draft, which the estimator becomes only at the end: a fit that fails or is
interrupted leaves the old model whole.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array, log_softmax
from unfis.data.blocks import comes_in_blocks
from unfis.data.columns import TableColumns
from unfis.data.target import class_weights
from unfis.estimators.advice import few_rows_words
from unfis.estimators.callbacks import CallbackSupportMixin, FitTasks, with_callbacks
from unfis.estimators.progress import ProgressLine, ending, too_little_time, watch_of
from unfis.estimators.tables import Read, check_table, describe_columns, read_labelled
from unfis.learning.loop import IterationRecord, Learner
from unfis.learning.objective import CrossEntropy, Objective
from unfis.learning.watch import Watch
from unfis.model.begin import Fit
from unfis.model.checking import check_learner, check_settings
from unfis.model.fit import fit, fit_batch
from unfis.model.fitted import FittedModel
from unfis.model.rows import LocalRows, TrainingRows
from unfis.model.settings import TABLE, Settings
from unfis.model_file import write_model
from unfis.model_file.text import unless_readable
from unfis.serial.messages import warn_user

Answer = TypeVar("Answer")
TOO_FEW_ROWS = (
    "There are too few different rows to cross-validate (fewer than 10, or not two classes of at "
    "least two): conditions and rules were chosen by an information criterion instead, which is "
    "less reliable. Give more rows, or choose n_rules and max_conditions yourself."
)


class ReadRows(Protocol):
    """Rows that were read, wherever they are."""

    @property
    def columns(self) -> TableColumns:
        """Of the table."""

    def training_rows(self, class_weight: Any, objective: Objective) -> TrainingRows:
        """What is learned from, the classes weighted."""


def training_rows(read: Read, class_weight: Any, objective: Objective) -> LocalRows:
    """What is learned from of a table that was read here, the classes weighted."""
    columns, rows = read
    weights = class_weights(class_weight, columns.classes, rows.codes, rows.weights)
    return LocalRows.of(columns, rows, weights, objective)


def warn_of_choice(model: FittedModel, watch: Watch, stays: str = "", *, chosen: bool) -> None:
    """Warn of what was left out for lack of time, or else of rows, and whether that stays."""
    if watch.left_out:
        warn_user(too_little_time(watch) + stays * chosen, ConvergenceWarning)
    elif chosen and model.chosen_without_folds:
        warn_user(TOO_FEW_ROWS + stays)


def asked(ask: Callable[[FittedModel], Answer], doc: str) -> Answer:
    """A property of an estimator that asks its model; of the answer's type to who reads types."""
    return cast(Answer, property(lambda self: ask(self._fitted), doc=doc))


def listed_by_name(values: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Copies of named lists, for the user to do with as they like."""
    return {name: list(one) for name, one in values.items()}


class ModelClassifier(
    CallbackSupportMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """A classifier with one FittedModel, `model_`."""

    categorical_features: Any
    class_weight: Any
    random_state: Any
    verbose: bool
    model_: FittedModel

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = self.categorical_features is not None
        # Text is a category by dtype in a data frame, but in an array only where it is named.
        tags.input_tags.string = not isinstance(self.categorical_features, str | None)
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the rules.

        A table that is larger than memory may come in blocks: the model is that of the same table
        in memory. Its values go to temporary files, as large as the table, in the folder that the
        environment variable TMPDIR names.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features), iterator, or path
            NaN (or null) where a value is missing. An iterator gives blocks (X, y) or
            (X, y, weights), all arrays or all data frames; a path is that of a Parquet file.
        y : array-like of shape (n_samples,), or str, default=None
            The classes; of a Parquet file the name of their column. None with an iterator.
        sample_weight : array-like of shape (n_samples,), or str, default=None
            A weight of 2 counts as the row twice, one of 0 as no row. Of a Parquet file the name of
            their column; None with an iterator.
        """
        self._fit(X, y, sample_weight, self._before)
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        before: FittedModel | None,
        read: Read | ReadRows | None = None,
    ) -> None:
        """Learn from a table, or from what was read of it already."""
        settings = self._settings
        learner = check_settings(settings)
        tasks = FitTasks(self, learner.max_iter, X, y, sample_weight)
        progress = ProgressLine(type(learner).__name__, learner.max_iter) if self.verbose else None
        watch = watch_of(settings.time_limit, None if progress is None else progress.begin)
        self._check_learnable(X, before)
        draft = copy.copy(self)
        known = None if before is None else before.columns
        read = read or read_labelled(draft, X, y, sample_weight, settings, known)
        job = self._job(settings, learner, read)._replace(watch=watch)

        def monitor(number: int, record: IterationRecord, now: Callable[[], FittedModel]) -> bool:
            if progress is not None:
                progress.update(number, record)
            return tasks.iteration(lambda: {**vars(draft), "model_": now()})

        with progress or nullcontext():
            found, outcome = fit(job, before, monitor)
            draft.model_ = self._answering(found, settings)
        tasks.end(lambda: dict(vars(draft)))
        self.__dict__ = draft.__dict__
        if progress is not None:
            progress.close(ending(outcome, watch))
        warn_of_choice(self.model_, watch, chosen=before is None)
        few = few_rows_words(self.classes_, job.rows.class_totals.rows)
        if few and before is None and not self.model_.chosen_without_folds:
            warn_user(few)
        if outcome.advice:
            warn_user(outcome.advice, ConvergenceWarning)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning with one more batch of rows.

        The first call fixes classes, categories, scale and start, and which inputs are in which
        rule. A second-order learner then minimises the batch's objective, held near what earlier
        batches (or a `fit`) taught by the curvature they left behind; one of epochs takes one pass
        over each batch.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes; needed in the first call unless y holds them all.
        """
        settings = self._settings
        learner = check_settings(settings)
        watch = watch_of(settings.time_limit)
        before: FittedModel | None = getattr(self, "model_", None)
        if before is not None:
            settings.check_shaped_as(before.settings)
        draft = copy.copy(self)
        known = None if before is None else before.columns
        if comes_in_blocks(X):
            check_table(draft, X, known)  # says that only fit and edit take them
        read = read_labelled(draft, X, y, None, settings, known, classes)
        job = self._job(settings, learner, read)._replace(watch=watch)
        found, outcome = fit_batch(job, before)
        draft.model_ = self._answering(found, settings)
        self.__dict__ = draft.__dict__
        warn_of_choice(
            self.model_,
            watch,
            " In a stream the conditions stay what the first batch made them.",
            chosen=before is None,
        )
        if outcome.advice and (learner.keeps_curvature or not outcome.records):
            warn_user(outcome.advice, ConvergenceWarning)
        return self

    def decision_function(self, X: Any) -> Array:
        """The logits z, shape (n_samples, n_classes); of two classes z_1 - z_0, (n_samples,)."""
        model = self._fitted
        logits = model.logits(self._values(X, model))
        return logits[:, 1] - logits[:, 0] if logits.shape[1] == 2 else logits

    def predict(self, X: Any) -> NDArray[Any]:
        """The class to answer for each row, (n_samples,): the most probable, or cheapest, one."""
        return np.asarray(self.classes_[self._fitted.answers(self.predict_proba(X))])

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, (n_samples, n_classes)."""
        model = self._fitted
        return model.probabilities(self._values(X, model))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each class's probability, shape (n_samples, n_classes)."""
        model = self._fitted
        return log_softmax(model.logits(self._values(X, model)))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        target: str | None = None,
        held_out: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the model to a file of JSON, which `load` reads: no training rows, no code.

        The same model gives the same bytes. A crash leaves what was there, and so does a model that
        could not be read back: it is checked as `load` would before anything is written.

        Parameters
        ----------
        path : the file
        target : name of the column of classes, for those who read the file
        held_out : what was measured on rows that were not learned from; text and numbers by name
        """
        model = self._fitted
        settings = self._settings.shaped_as(model.settings)
        with unless_readable(f"{os.fspath(path)} was not written, since it could not be read back"):
            self._check_settings(settings, model.classes)
        write_model(path, model, settings, target=target, held_out=held_out)

    @classmethod
    def of_model(cls, model: FittedModel) -> Self:
        """An estimator that has a model, with its settings."""
        settings = model.settings.plain()
        if "learner" in settings and not isinstance(settings["learner"], str):
            settings["learner"] = check_learner(settings["learner"])
        estimator = cls(**settings)
        estimator._check_settings(estimator._settings, model.classes)
        estimator.model_ = model
        describe_columns(estimator, model.columns)
        return estimator

    @property
    def _settings(self) -> Settings:
        """The parameters as they are now."""
        found = {name: getattr(self, name) for name in TABLE if hasattr(self, name)}
        if "learner" in found:  # a copy: the user may change its parameters after a fit
            found["learner"] = copy.copy(found["learner"])
        return Settings(**found)

    @property
    def _before(self) -> FittedModel | None:
        """The model that the next fit goes on with."""
        return None

    def _check_settings(self, settings: Settings, classes: NDArray[Any]) -> None:
        """Raise ValueError where settings are wrong, or are none for these classes."""
        check_settings(settings)

    def _answering(self, model: FittedModel, settings: Settings) -> FittedModel:
        """A fitted model as it answers by its settings."""
        return model

    def _job(self, settings: Settings, learner: Learner, read: Read | ReadRows) -> Fit:
        """What is learned of a table, and by what."""
        columns = read.columns
        self._check_settings(settings, columns.classes)
        generator, objective = check_random_state(self.random_state), CrossEntropy()
        rows: TrainingRows
        if isinstance(read, Read):
            rows = training_rows(read, self.class_weight, objective)
        else:
            rows = read.training_rows(self.class_weight, objective)
        return Fit(settings, learner, generator, columns, rows, objective)

    def _check_learnable(self, X: Any, before: FittedModel | None) -> None:
        """Raise ValueError, before X is read, where these settings cannot learn from it."""
        if before is not None:
            self._settings.check_shaped_as(before.settings)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    @property
    def _fitted(self) -> FittedModel:
        """The model; NotFittedError if there is none yet."""
        check_is_fitted(self)
        model: FittedModel = self.model_
        return model

    def _values(self, X: Any, model: FittedModel) -> Array:
        """The values of a table to predict, checked, shape (rows, inputs)."""
        columns = model.columns
        return columns.values(check_table(self, X, columns))

    def _read(self, X: Any, y: Any, sample_weight: Any = None) -> Read:
        """A table with labels, read by what was fitted."""
        return read_labelled(self, X, y, sample_weight, self._settings, self._fitted.columns)

    # What a fit has learned; the classes' docstrings have more of it.
    classes_ = asked(lambda model: model.classes, "The classes, in order.")
    inputs_ = asked(lambda model: list(model.columns.inputs), "The inputs, and their columns.")
    notation_ = asked(lambda model: model.columns.notation, "How text in tables is read.")
    parameters_ = asked(lambda model: model.network, "The learned network.")
    choices_ = asked(lambda model: dict(model.choices), "What was chosen, and by what.")
    history_ = asked(lambda model: listed_by_name(model.history), "What each iteration came to.")
    n_iter_ = asked(lambda model: model.n_iter, "How many iterations there were.")
    converged_ = asked(lambda model: model.converged, "Whether the training converged.")
    origin_ = asked(lambda model: model.origin, "The data and versions the model comes from.")
