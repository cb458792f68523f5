"""UNFISClassifier: joins preprocessing, start, network and learner; holds no algorithm of its own.

`fit` goes: check -> encode the table -> start -> train -> adopt. It happens on a draft, which the
estimator becomes only at the end: a fit that fails or is interrupted leaves the old model whole.
"""

from __future__ import annotations

import copy
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array, log_softmax, softmax
from unfis.data.samples import Samples
from unfis.data.training_sample import TrainingSample
from unfis.estimators.callbacks import CallbackSupportMixin, FitTasks, with_callbacks
from unfis.estimators.settings import (
    check_settings,
    check_unchanged,
    size_of_network,
    unchangeable_settings,
    wishes_of,
)
from unfis.initialisation.start import Start
from unfis.learning import GqLM, Learner, Outcome, Record
from unfis.learning.progress import ProgressLine
from unfis.messages import warn_user
from unfis.model.training import Memory, hold_out, learn, learn_batch, memory_of
from unfis.model_file import Keeping
from unfis.network import Parameters, network_logits
from unfis.parallel import suitable_threads
from unfis.selection import decide, merged

TOO_FEW_ROWS = (
    "There are too few different rows to cross-validate (fewer than 10, or not two classes of at "
    "least two): conditions and rules were chosen by an information criterion instead, which is "
    "less reliable. Give more rows, or choose n_rules and max_conditions yourself."
)


class UNFISClassifier(
    Keeping,
    CallbackSupportMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Classifier of fuzzy rules, each of which selects its inputs (UNFIS).

    p = softmax(sum_i phi_i(x) y^i(x) - theta): every rule i weighs in by how well x fits its
    conditions, phi_i, with its own linear (or constant) opinion y^i on each class.

    Parameters
    ----------
    n_rules : int or "auto", default="auto"
        Number of rules. "auto" takes two, or another number up to `max_rules` if the data clearly
        wants it; with decisive selection a rule that leads nowhere is dropped if it can be done
        without. A number is obeyed.
    max_rules : int, default=3
        The most rules that "auto" may choose.
    max_conditions : int or None, default=None
        The most conditions a rule may have; needs selection="decisive".
    tolerance : float, default=0.001
        How much cross-validated loss (nats per row) it may cost to be rid of one condition per
        rule; up to four are easily read, and every further one counts six times. 0 takes the
        least loss.
    selection : {"decisive", "soft", "none"}, default="decisive"
        "decisive": each input is in a rule or out of it, exactly, and as few are in as
        cross-validation finds enough. "soft" is the paper's UNFIS: a selection neuron per rule and
        input. "none" is its FNN: every input in every rule.
    consequents : {"linear", "constant"}, default="linear"
        Whether a rule's opinion depends on its inputs or names the classes outright.
    learner : {"trust-region", "gqlm", "lm", "sgd", "momentum"} or Learner, default="trust-region"
        The training algorithm, by name or as an object with its own parameters, such as
        `GqLM(damping=100.0)`. To search `learner__damping`, give an object.
    initialisation : {"k-means", "knn"}, default="k-means"
        How the rules start; "knn" is the paper's.
    scale : bool, default=True
        Whether inputs are standardised, whatever their size from 1e-290 to 1e290. The paper's
        results are those of raw inputs. Without it the prior and the smallest width, 0.001, are in
        the inputs' own units.
    ridge : float or "auto", default="auto"
        Strength of the prior: on the consequents, and (up to 0.15) on the antecedents' distance
        from their start. "auto" takes what predicts best in leave-one-out. One rule without
        selection is logistic regression with C = 1 / ridge (of two classes, 2 / ridge).
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
        Whether `fit` goes on from the last fit's parameters. Rules and their conditions, selection,
        consequents, scale and columns stay the same.
    n_jobs : int or None, default=None
        How many processes share the choice of rules and conditions, -1 for all cores: the folds,
        and the numbers of rules. None is one, which is faster for a fit of a few seconds. The model
        is the same. `explain` looks for similar training rows in so many threads.
    random_state : int, RandomState or None, default=None
        Source of shuffles, of the paper's random start, of held-out samples, and of the parts that
        training looks at first where there are more than 5,000 rows.
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
    notation_ : Notation
        How text in a table to predict spells numbers, truth values, and that a value is missing.
        The usual spellings, or those of the file that the command fitted the model on.
    selected_ : ndarray of bool of shape (n_rules, n_inputs)
        Which inputs are in which rule.
    choices_ : dict
        "n_rules" and "ridge"; if they were chosen on the training rows, "by" what. With decisive
        selection also "conditions" (of all rules together) and the "seconds" that the choice took;
        otherwise the leave-one-out "loss" of the network of all inputs by which it was made.
    path_ : dict of lists
        With decisive selection, one entry for each network on the way from many conditions to few:
        "rules", "conditions", "longest_rule", "ridge", "training_loss", "cv_loss",
        "cv_loss_error", "cv_accuracy", "cv_accuracy_error" (standard errors over the rows),
        "criterion" (in place of the cross-validated loss where there are too few rows) and
        "chosen". See `at`.
    parameters_ : Parameters
        The learned network, in standardised units where `scale`.
    rules_ : RuleBase
        The rules as plain data in the table's units; `print` it. Made when first asked for, from
        the network and up to 10,000 of its training rows, which the model keeps (and pickles) for
        that and for `explain`.
    feature_importances_ : ndarray of shape (n_features_in_,)
        What it costs to know an input in no row, in nats of loss per training row.
    edits_ : EditReport
        Only of a model made by `edit`.
    history_ : dict of lists
        Per iteration: loss (the objective per unit of weight), length of the step, damping,
        seconds.
    n_iter_ : int
    converged_ : bool

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from unfis import UNFISClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = UNFISClassifier().fit(X, y)
    >>> clf.selected_.sum(axis=1) < 6
    array([ True,  True])
    >>> print(f"{clf.score(X, y):.2f}")
    0.98
    >>> clf.at(conditions=2).selected_.sum(axis=1)
    array([1, 1])
    """

    def __init__(
        self,
        n_rules: int | str = "auto",
        *,
        max_rules: int = 3,
        max_conditions: int | None = None,
        tolerance: float = 0.001,
        selection: str = "decisive",
        consequents: str = "linear",
        learner: str | Learner = "trust-region",
        initialisation: str = "k-means",
        scale: bool = True,
        ridge: float | str = "auto",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        unseen_categories: str = "missing",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.n_rules = n_rules
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.tolerance = tolerance
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
        self.n_jobs = n_jobs
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
        tags.input_tags.categorical = self.categorical_features is not None
        # Text is a category by dtype in a data frame, but in an array only where it is named.
        tags.input_tags.string = not isinstance(self.categorical_features, str | None)
        return tags

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> UNFISClassifier:
        """Learn the rules.

        A table that is larger than memory may come in blocks: the model is that of the same table
        in memory. Its values go to temporary files, as large as the table, in the folder that the
        environment variable TMPDIR names. `early_stopping` needs the table in memory.

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

        Returns
        -------
        self : UNFISClassifier
        """
        goes_on = self.warm_start and hasattr(self, "parameters_")
        self._fit(X, y, sample_weight, goes_on=goes_on)
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        *,
        goes_on: bool,
        read: TrainingSample | None = None,
    ) -> None:
        """Learn from a table, or from what was read of it already."""
        learner = check_settings(self)
        tasks = FitTasks(self, learner.max_iter, X, y, sample_weight)
        self._check_learnable(X, goes_on=goes_on)
        draft = copy.copy(self)
        if read is None:
            read = draft._read_all(X, y, sample_weight, goes_on=goes_on)
        samples = draft._samples(read)
        generator = check_random_state(self.random_state)
        validation = None
        if self.early_stopping:
            # Same rows as one: then no copy of a row that is learned stops the learning.
            samples, validation = hold_out(merged(samples), self.validation_fraction, generator)
        progress = ProgressLine(type(learner).__name__, learner.max_iter) if self.verbose else None

        threads = suitable_threads(size_of_network(self, samples))
        with progress or nullcontext(), threads:
            start = draft._begin(samples, learner, generator, goes_on=goes_on)
            network = draft._trainable(start)
            prior = draft._prior(network)

            def monitor(number: int, vector: Array, record: Record) -> bool:
                if progress is not None:
                    progress.update(number, record)
                return tasks.iteration(
                    lambda: {**vars(draft), "parameters_": network.parameters(vector)}
                )

            outcome = learn(learner, network, samples, prior, generator, monitor, validation)
        draft._memory = memory_of(learner, outcome, prior, float(samples.weights.sum()))
        draft._record(network.parameters(outcome.vector), outcome)
        draft._keep_on_path(samples)
        tasks.end(lambda: dict(vars(draft)))
        self._adopt(draft)
        if progress is not None:
            progress.close("converged" if outcome.converged else "not converged")
        if self._chose_without_folds and not goes_on:
            warn_user(TOO_FEW_ROWS)
        if outcome.advice:
            warn_user(outcome.advice, ConvergenceWarning)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> UNFISClassifier:
        """Go on learning with one more batch of rows.

        The first call fixes classes, categories, scale and start, and which inputs are in which
        rule. Learners of epochs then take one pass over each batch. Second-order learners minimise
        the batch's objective, held near what earlier batches (or a `fit`) taught by the curvature
        they left behind. Neither stops early nor shows a progress line.

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
        goes_on = hasattr(self, "parameters_")
        if goes_on:
            check_unchanged(self)
        draft = copy.copy(self)
        read = draft._read(X, y, None, goes_on=goes_on, classes=classes)
        samples = draft._samples(read, follows=goes_on)
        generator = check_random_state(self.random_state)
        with suitable_threads(size_of_network(self, samples)):
            start = draft._begin(samples, learner, generator, goes_on=goes_on)
            network = draft._trainable(start)
            memory = self._memory if goes_on else Memory("", draft._prior(network), 0.0, None)
            outcome = learn_batch(learner, network, samples, memory, generator)
        weight = memory.weight + float(samples.weights.sum())
        draft._memory = memory_of(learner, outcome, memory.prior, weight)
        draft._record(network.parameters(outcome.vector), outcome)
        draft._keep_on_path(samples)
        self._adopt(draft)
        if self._chose_without_folds and not goes_on:
            stays = " In a stream the conditions stay what the first batch made them."
            warn_user(TOO_FEW_ROWS + stays)
        if outcome.advice and (learner.keeps_curvature or not outcome.records):
            warn_user(outcome.advice, ConvergenceWarning)
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
        return softmax(self._logits(X))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each class's probability, shape (n_samples, n_classes)."""
        return log_softmax(self._logits(X))

    def _logits(self, X: Any) -> Array:
        check_is_fitted(self, "parameters_")
        return network_logits(self.parameters_, self._encoder.rows(self._values(X)))

    def _begin(
        self,
        samples: Samples,
        learner: Learner,
        generator: np.random.RandomState,
        *,
        goes_on: bool,
    ) -> Parameters:
        """The parameters to train from: the last ones, or those of a new choice."""
        if goes_on:
            return self.parameters_
        decision = decide(
            samples,
            [column.columns for column in self.inputs_],
            Start.by_name(self.initialisation, generator),
            self.selection,
            wishes_of(self, samples),
            # What stops early, or passes over the samples, is to begin where the rules start.
            goes_on=learner.keeps_curvature and not self.early_stopping,
        )
        self._start, self._stages, self._fixed = decision.anchor, decision.stages, None
        self.choices_, self.path_ = decision.choices, decision.path
        self._fitted_with = unchangeable_settings(self)
        self.__dict__.pop("edits_", None)  # those of another network
        return decision.parameters

    @property
    def _chose_without_folds(self) -> bool:
        return bool(self.choices_.get("by") == "information criterion")

    def _record(self, parameters: Parameters, outcome: Outcome) -> None:
        """Keep what the training came to."""
        self.parameters_ = parameters
        self.history_ = {
            name: [float(getattr(record, name)) for record in outcome.records]
            for name in Record._fields
        }
        self.selected_ = self._selected(parameters)
        self.n_iter_ = len(outcome.records)
        self.converged_ = outcome.converged

    def _adopt(self, draft: UNFISClassifier) -> None:
        """Become what a draft has learned."""
        self.__dict__ = draft.__dict__
