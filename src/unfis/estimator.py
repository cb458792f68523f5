"""UNFISClassifier: joins preprocessing, start, network and learner; holds no algorithm of its own.

`fit` goes: check -> encode the table -> start -> train -> adopt. It happens on a draft, which the
estimator becomes only at the end: a fit that fails or is interrupted leaves the old model whole.
"""

from __future__ import annotations

import copy
import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from unfis.arrays import Array
from unfis.callbacks import CallbackSupportMixin, FitTasks, with_callbacks
from unfis.columns import check_frame, has_text, is_frame, refuse_dates, take_rows
from unfis.initialisation import STARTS
from unfis.learning import GqLM, Learner, Outcome, Record
from unfis.learning.progress import ProgressLine
from unfis.learning.threads import suitable_threads
from unfis.network import Parameters, Trainable, network_logits
from unfis.preprocessing import TableEncoder
from unfis.settings import check_settings, check_unchanged, unchangeable_settings
from unfis.training import (
    Memory,
    Samples,
    hold_out,
    learn,
    learn_batch,
    memory_of,
    start_prior,
    trainable,
)
from unfis.validation import (
    check_classes,
    check_labels,
    check_same_classes,
    check_weights,
    class_weights,
    encode_labels,
)


class UNFISClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier of fuzzy rules, each of which selects its inputs (UNFIS).

    p = softmax(sum_i phi_i(x) y^i(x) - theta): every rule i weighs in by how well x fits its
    conditions, phi_i, with its own linear (or constant) opinion y^i on each class.

    Parameters
    ----------
    n_rules : int, default=3
        Number of rules.
    selection : {"soft", "none"}, default="soft"
        "soft" is the paper's UNFIS: a selection neuron per rule and input. "none" is its FNN: every
        input in every rule.
    consequents : {"linear", "constant"}, default="linear"
        Whether a rule's opinion depends on the inputs or names the classes outright.
    learner : {"trust-region", "gqlm", "lm", "sgd", "momentum"} or Learner, default="trust-region"
        The training algorithm, by name or as an object with its own parameters, such as
        `GqLM(damping=100.0)`. To search `learner__damping`, give an object.
    initialisation : {"k-means", "knn"}, default="k-means"
        How the rules start; "knn" is the paper's.
    scale : bool, default=True
        Whether inputs are standardised. The paper's results are those of raw inputs. Without it
        the prior and the smallest width, 0.001, are in the inputs' own units.
    ridge : float, default=0.15
        Strength of the prior: on the consequents, and on the antecedents' distance from their
        start. One rule without selection is logistic regression with C = 1 / ridge (of two
        classes, 2 / ridge).
    class_weight : dict, "balanced" or None, default=None
        Factors on the weights of the classes' samples.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories: those of a data frame that are text, categorical or enum by
        dtype, none, or the ones named by name, position or mask.
    unseen_categories : {"missing", "error"}, default="missing"
        What a category is that was not seen in training.
    early_stopping : bool, default=False
        Whether to hold out samples and keep the parameters that predict them best.
    validation_fraction : float, default=0.1
        The part held out for early stopping.
    warm_start : bool, default=False
        Whether `fit` goes on from the last fit's parameters. Rules, selection, consequents, scale
        and columns must be the same.
    random_state : int, RandomState or None, default=None
        Source of shuffles, of the paper's random start and of held-out samples.
    verbose : bool, default=False
        Whether to show a progress line on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if the table had names.
    inputs_ : list of Input
        Each input's kind and categories, and its columns in the network.
    parameters_ : Parameters
        The learned network, in standardised units where `scale`.
    history_ : dict of lists
        Per iteration: loss (the objective per unit of weight), length of the step, damping,
        seconds.
    n_iter_ : int
    converged_ : bool

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from unfis import UNFISClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = UNFISClassifier().fit(X, y)
    >>> clf.converged_
    True
    >>> print(f"{clf.score(X, y):.2f}")
    0.97
    """

    classes_: NDArray[Any]
    _columns: list[Any] | None

    def __init__(
        self,
        n_rules: int = 3,
        *,
        selection: str = "soft",
        consequents: str = "linear",
        learner: str | Learner = "trust-region",
        initialisation: str = "k-means",
        scale: bool = True,
        ridge: float = 0.15,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        unseen_categories: str = "missing",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.n_rules = n_rules
        self.selection = selection
        self.consequents = consequents
        self.learner = learner
        self.initialisation = initialisation
        self.scale = scale
        self.ridge = ridge
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.unseen_categories = unseen_categories
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, **overrides: Any) -> UNFISClassifier:
        """The paper's configuration: raw inputs, KNN start, GqLM, two rules, no prior."""
        paper = {
            "n_rules": 2,
            "selection": "soft",
            "consequents": "linear",
            "learner": GqLM(),
            "initialisation": "knn",
            "scale": False,
            "ridge": 0.0,
        }
        return cls(**{**paper, **overrides})

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> UNFISClassifier:
        """Learn the rules.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            NaN (or null) where a value is missing.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 counts as the row twice, one of 0 as no row.

        Returns
        -------
        self : UNFISClassifier
        """
        learner = check_settings(self)
        tasks = FitTasks(self, learner.max_iter, X, y, sample_weight)
        draft = copy.copy(self)
        goes_on = self.warm_start and hasattr(self, "parameters_")
        samples = draft._samples(X, y, sample_weight, goes_on=goes_on)
        generator = check_random_state(self.random_state)
        validation = None
        if self.early_stopping:
            samples, validation = hold_out(samples, self.validation_fraction, generator)
        progress = ProgressLine(type(learner).__name__, learner.max_iter) if self.verbose else None

        def monitor(number: int, parameters: Parameters, record: Record) -> bool:
            if progress is not None:
                progress.update(number, record)
            return tasks.iteration(lambda: {**vars(draft), "parameters_": parameters})

        with progress or nullcontext(), suitable_threads(samples.size_of_network(self.n_rules)):
            network = draft._network(samples, generator, goes_on=goes_on)
            prior = start_prior(network, draft._start, self.ridge)
            outcome = learn(learner, network, samples, prior, generator, monitor, validation)
        draft._memory = memory_of(learner, outcome, prior, float(samples.weights.sum()))
        draft._record(network.parameters(outcome.vector), outcome)
        tasks.end(lambda: dict(vars(draft)))
        self._adopt(draft)
        if progress is not None:
            progress.close("converged" if outcome.converged else "not converged")
        if outcome.advice:
            warnings.warn(outcome.advice, ConvergenceWarning, stacklevel=3)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> UNFISClassifier:
        """Go on learning with one more batch of rows.

        The first call fixes classes, categories, scale and start. Learners of epochs then take one
        pass over each batch. Second-order learners minimise the batch's objective, held near what
        earlier batches (or a `fit`) taught by the curvature they left behind. Neither stops early
        nor shows a progress line.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes; needed in the first call unless y holds them all.

        Returns
        -------
        self : UNFISClassifier
        """
        learner = check_settings(self)
        draft = copy.copy(self)
        goes_on = hasattr(self, "parameters_")
        samples = draft._samples(X, y, None, goes_on=goes_on, classes=classes)
        generator = check_random_state(self.random_state)
        with suitable_threads(samples.size_of_network(self.n_rules)):
            network = draft._network(samples, generator, goes_on=goes_on)
            if goes_on:
                memory = self._memory
            else:
                memory = Memory("", start_prior(network, draft._start, self.ridge), 0.0, None)
            outcome = learn_batch(learner, network, samples, memory, generator)
        weight = memory.weight + float(samples.weights.sum())
        draft._memory = memory_of(learner, outcome, memory.prior, weight)
        draft._record(network.parameters(outcome.vector), outcome)
        self._adopt(draft)
        if outcome.advice and (learner.keeps_curvature or not outcome.records):
            warnings.warn(outcome.advice, ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X: Any) -> Array:
        """The logits z, shape (n_samples, n_classes); of two classes z_1 - z_0, (n_samples,)."""
        logits = self._logits(X)
        return logits[:, 1] - logits[:, 0] if logits.shape[1] == 2 else logits

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, shape (n_samples,)."""
        logits = self._logits(X)  # checks that the estimator is fitted, before classes_ is read
        return np.asarray(self.classes_[logits.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, (n_samples, n_classes)."""
        return np.asarray(softmax(self._logits(X), axis=1))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each class's probability, shape (n_samples, n_classes)."""
        return np.asarray(log_softmax(self._logits(X), axis=1))

    def _logits(self, X: Any) -> Array:
        check_is_fitted(self, "parameters_")
        table = self._check_table(X, reset=False)
        matrix = self._encoder.transform(table, self.unseen_categories)
        return network_logits(self.parameters_, matrix)

    def _check_table(self, X: Any, *, reset: bool) -> Any:
        """Check names, shape and numbers of a table; data frames stay what they are."""
        if is_frame(X):
            check_frame(X, None if reset else self._columns)
            validate_data(self, X, reset=reset, skip_check_array=True)
            if reset:
                self._columns = list(X.columns)
            return X
        if reset:
            self._columns = None
        refuse_dates(X)
        mixed = not isinstance(self.categorical_features, str | None)
        if not reset:
            mixed = any(column.kind == "category" for column in self.inputs_)
        if not mixed and not has_text(X):
            return validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite=False)
        # Categories are read from an array's objects; other text will be named by its column.
        objects = np.asarray(X, dtype=object)
        return validate_data(self, objects, reset=reset, dtype=None, ensure_all_finite=False)

    def _samples(
        self, X: Any, y: Any, weights: Any, *, goes_on: bool, classes: Any = None
    ) -> Samples:
        """Check and encode training data; learn its classes, columns and scale if they are new."""
        if y is None:
            validate_data(self, X, y, skip_check_array=True)  # says that y is needed
        table = self._check_table(X, reset=not goes_on)
        labels = check_labels(y, table.shape[0])
        weights = check_weights(weights, len(labels))
        kept = np.flatnonzero(weights)
        if len(kept) < len(labels):  # a weight of 0 is no row
            table, labels, weights = take_rows(table, kept), labels[kept], weights[kept]
        if goes_on:
            check_unchanged(self)
            check_same_classes(classes, self.classes_)
            matrix = self._encoder.transform(table, self.unseen_categories)
        else:
            self.classes_ = check_classes(labels if classes is None else classes)
            if self.n_rules > len(labels):
                raise ValueError(
                    f"n_rules must be at most the number of rows, got n_rules={self.n_rules} for "
                    f"{len(labels)} rows."
                )
            matrix = self._learn_columns(table, weights)
        codes = encode_labels(labels, self.classes_)
        weights = class_weights(self.class_weight, self.classes_, codes, weights)
        return Samples(matrix, np.eye(len(self.classes_))[codes], weights)

    def _learn_columns(self, table: Any, weights: Array) -> Array:
        """Learn kinds, categories and scales of a table's columns and return its matrix."""
        self._encoder = TableEncoder(self.categorical_features, self.scale)
        names = [str(n) for n in self._columns or (f"x{j}" for j in range(self.n_features_in_))]
        matrix = self._encoder.fit_transform(table, names, weights)
        self.inputs_ = self._encoder.inputs
        return matrix

    def _network(
        self, samples: Samples, generator: np.random.RandomState, *, goes_on: bool
    ) -> Trainable:
        """The network to be trained: the last one, or a new start."""
        if not goes_on:
            self._start = STARTS[self.initialisation](*samples, self.n_rules, generator)
            self._fitted_with = unchangeable_settings(self)
        start = self.parameters_ if goes_on else self._start
        return trainable(start, self.selection, self.consequents)

    def _record(self, parameters: Parameters, outcome: Outcome) -> None:
        """Keep what the training came to."""
        self.parameters_ = parameters
        self.history_ = {
            name: [float(getattr(record, name)) for record in outcome.records]
            for name in Record._fields
        }
        self.n_iter_ = len(outcome.records)
        self.converged_ = outcome.converged

    def _adopt(self, draft: UNFISClassifier) -> None:
        """Become what a draft has learned."""
        self.__dict__ = draft.__dict__
