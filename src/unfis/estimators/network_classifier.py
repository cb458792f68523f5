"""UNFISNetworkClassifier: the paper's network, complete, to be studied."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array, log_softmax, softmax
from unfis.data.blocks import comes_in_blocks
from unfis.data.target import class_weights
from unfis.estimators.advice import few_rows_words
from unfis.estimators.callbacks import CallbackSupportMixin, FitTasks, with_callbacks
from unfis.estimators.progress import ProgressLine, ending, too_little_time, watch_of
from unfis.estimators.tables import Read, check_table, describe_columns, read_labelled
from unfis.learning import learner_of
from unfis.learning.epochs import GqLM
from unfis.learning.loop import IterationRecord, Learner
from unfis.learning.watch import Watch
from unfis.network.fit import Job, fit, fit_batch
from unfis.network.fitted import SHAPING, FittedNetwork
from unfis.network.start import STARTS
from unfis.serial.messages import warn_user
from unfis.serial.parameters import check_jobs, check_number, check_option

Answer = TypeVar("Answer")
COUNT, FLAG = partial(check_number, whole=True), partial(check_option, options=(True, False))
# What is checked of parameters before a table is read.
CHECKS: Mapping[str, Callable[[str, Any], None]] = {
    "n_rules": partial(COUNT, otherwise="auto"),
    "max_rules": partial(COUNT, otherwise=None),
    "selection": partial(check_option, options=("soft", "none")),
    "consequents": partial(check_option, options=("linear", "constant")),
    "initialisation": partial(check_option, options=tuple(STARTS)),
    "scale": FLAG,
    "ridge": partial(check_number, zero=True, otherwise="auto"),
    "early_stopping": FLAG,
    "validation_fraction": partial(check_number, below=1),
    "warm_start": FLAG,
    "n_jobs": check_jobs,
    "time_limit": partial(check_number, otherwise=None),
    "verbose": FLAG,
}


def learned(ask: Callable[[FittedNetwork], Answer], doc: str) -> Answer:
    """A property of the estimator that asks its model; of the answer's type for type checkers."""
    return cast(Answer, property(lambda self: ask(self._fitted), doc=doc))


class UNFISNetworkClassifier(
    CallbackSupportMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """The network of the paper: rules of all inputs, each with a neuron that selects it.

    p = softmax(sum_i phi_i(x) y^i(x) - theta) with the share phi_i of rule i in the firing of all,
    f_i = prod_j mu+_j^i, eq. (muplus), and y_c^i = alpha_c0^i + sum_j vs_j^i alpha_cj^i x_j, eq.
    (conseq). A selection vs_j^i near 1 has an input in a rule, one near 0 relaxes it.

    Parameters
    ----------
    n_rules : int or "auto", default="auto"
        Number of rules. "auto" takes what leave-one-out finds best, up to `max_rules`.
    max_rules : int or None, default=None
        The most rules that "auto" may choose; None for three.
    selection : {"soft", "none"}, default="soft"
        "soft" is the paper's UNFIS: a selection neuron per rule and input. "none" is its FNN: every
        input in every rule.
    consequents : {"linear", "constant"}, default="linear"
        Whether what a rule says of a class depends on inputs.
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
        Factors on the weights of the classes' samples. They change the probabilities.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories: those of a data frame that are text, categorical or enum by
        dtype, none, or the ones named by name, position or mask. A category that was not seen in
        training is a missing value.
    early_stopping : bool, default=False
        Whether to hold out samples and keep the parameters that predict them best. It needs the
        table in memory.
    validation_fraction : float, default=0.1
        The part held out for early stopping.
    warm_start : bool, default=False
        Whether `fit` goes on from the last fit's parameters. Rules, selection, consequents, scale
        and columns stay the same.
    n_jobs : int or None, default=None
        How many processes share the choice of `n_rules`, -1 for all cores. None is one, which is
        faster for a fit of a few seconds. The model is the same.
    time_limit : float or None, default=None
        Seconds that `fit`, or a batch of `partial_fit`, may take. When they are over, the training
        ends after the iteration that goes on, and a warning says what was left out.
    random_state : int, RandomState or None, default=None
        Source of shuffles, of starts that draw, of held-out samples, and of the parts that training
        looks at first where there are more than 5,000 rows.
    verbose : bool, default=False
        Whether to show on standard error how far the fit is, the choice and then the iterations.

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
    rules_ : NetworkRules
        The rules as the paper writes them, in the table's units; `print` it.
    selection_ : ndarray of shape (n_rules, n_inputs)
        vs, how far each input is in each rule; of a category the mean over its kinds.
    active_features_ : ndarray of shape (n_rules,)
        The sum of a rule's selections, the paper's number of active features.
    centres_, widths_ : ndarray of shape (n_rules, n_columns)
        Of the fuzzy sets, in the table's units. A category of three kinds and more is a column for
        each of them (see `inputs_`), all else is one.
    consequents_ : ndarray of shape (n_rules, n_classes, 1 + n_columns)
        alpha, in the table's units; the constant comes first.
    parameters_ : Parameters
        The learned network, in standardised units where `scale`.
    choices_ : dict
        "n_rules" and "ridge"; if they were chosen on the training rows, "by" what, and the
        leave-one-out "loss".
    history_ : dict of lists
        Per iteration: loss (the objective per unit of weight), length of the step, damping,
        seconds.
    n_iter_ : int
    converged_ : bool
    origin_ : Origin
        The data that the model comes from, versions, and what its file holds beside it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from unfis import UNFISNetworkClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> net = UNFISNetworkClassifier(2).fit(X, y)
    >>> net.selection_.shape
    (2, 4)
    >>> print(net.rules_)  # doctest: +ELLIPSIS
    Rule 1, 2.0... of 4 inputs active
    IF petal length (cm) is about 1.46 (width 0.3..., selected 0.51)
    AND petal width (cm) is about 0.24... (width 0.2..., selected 0.50)
    AND sepal length (cm) is about 5.0... (width 0..., selected 0.50)
    AND sepal width (cm) is about 3.4... (width 0..., selected 0.50)
    THEN                         0      1        2
         constant             7.3...
    """

    model_: FittedNetwork

    def __init__(
        self,
        n_rules: int | str = "auto",
        *,
        max_rules: int | None = None,
        selection: str = "soft",
        consequents: str = "linear",
        learner: str | Learner = "trust-region",
        initialisation: str = "k-means",
        scale: bool = True,
        ridge: float | str = "auto",
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        warm_start: bool = False,
        n_jobs: int | None = None,
        time_limit: float | None = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.n_rules = n_rules
        self.max_rules = max_rules
        self.selection = selection
        self.consequents = consequents
        self.learner = learner
        self.initialisation = initialisation
        self.scale = scale
        self.ridge = ridge
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.random_state = random_state
        self.verbose = verbose

    @classmethod
    def paper(cls, **overrides: Any) -> Self:
        """The paper's configuration: raw inputs, KNN start, GqLM, two rules, no prior."""
        paper = {
            "n_rules": 2,
            "learner": GqLM(),
            "initialisation": "knn",
            "scale": False,
            "ridge": 0.0,
        }
        return cls(**{**paper, **overrides})

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
        self._fit(X, y, sample_weight)
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        """Learn on a draft: a fit that fails or is interrupted leaves the old model whole."""
        settings, learner = self._checked()
        before: FittedNetwork | None = getattr(self, "model_", None) if self.warm_start else None
        tasks = FitTasks(self, learner.max_iter, X, y, sample_weight)
        progress = ProgressLine(type(learner).__name__, learner.max_iter) if self.verbose else None
        watch = watch_of(self.time_limit, None if progress is None else progress.begin)
        if before is not None:
            before.check_shape(settings)
        if self.early_stopping and comes_in_blocks(X):
            raise ValueError(
                "early_stopping=True needs the whole table in memory, got one that comes in "
                "blocks. Give it as a table, or set early_stopping=False."
            )
        draft = copy.copy(self)
        known = None if before is None else before.columns
        job = self._job(
            read_labelled(draft, X, y, sample_weight, self, known), settings, learner, watch
        )

        def monitor(number: int, record: IterationRecord, now: Callable[[], FittedNetwork]) -> bool:
            if progress is not None:
                progress.update(number, record)
            return tasks.iteration(lambda: {**vars(draft), "model_": now()})

        with progress or nullcontext():
            draft.model_, outcome = fit(job, before, monitor)
        tasks.end(lambda: dict(vars(draft)))
        self.__dict__ = draft.__dict__
        if progress is not None:
            progress.close(ending(outcome, watch))
        if watch.left_out:
            warn_user(too_little_time(watch), ConvergenceWarning)
        rows = np.bincount(job.read.codes, minlength=len(self.classes_)).astype(float)
        if before is None and (few := few_rows_words(self.classes_, rows)):
            warn_user(few)
        if outcome.advice:
            warn_user(outcome.advice, ConvergenceWarning)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning with one more batch of rows.

        The first call fixes classes, categories, scale, start, and how many rules there are. A
        second-order learner then minimises the batch's objective, held near what earlier batches
        (or a `fit`) taught by the curvature they left behind; one of epochs takes one pass over
        each batch.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes; needed in the first call unless y holds them all.
        """
        settings, learner = self._checked()
        watch = watch_of(self.time_limit)
        before: FittedNetwork | None = getattr(self, "model_", None)
        if before is not None:
            before.check_shape(settings)
        draft = copy.copy(self)
        known = None if before is None else before.columns
        if comes_in_blocks(X):
            check_table(draft, X, known)  # says that only fit takes them
        read = read_labelled(draft, X, y, None, self, known, classes)
        draft.model_, outcome = fit_batch(self._job(read, settings, learner, watch), before)
        self.__dict__ = draft.__dict__
        if watch.left_out:
            stays = " In a stream the number of rules stays what the first batch made it."
            warn_user(too_little_time(watch) + stays * (before is None), ConvergenceWarning)
        if outcome.advice and (learner.keeps_curvature or not outcome.records):
            warn_user(outcome.advice, ConvergenceWarning)
        return self

    def _checked(self) -> tuple[dict[str, Any], Learner]:
        """The parameters as they are now, and the learner; ValueError where one is wrong."""
        settings = self.get_params(deep=False)
        for name, check in CHECKS.items():
            check(name, settings[name])
        if isinstance(self.categorical_features, str):
            check_option("categorical_features", self.categorical_features, ("from_dtype",))
        # A copy: the user may change its parameters after a fit.
        settings["learner"] = copy.copy(self.learner)
        return settings, learner_of(settings["learner"])

    def _job(self, read: Read, settings: Mapping[str, Any], learner: Learner, watch: Watch) -> Job:
        """What is learned of a table, and by what."""
        generator, (columns, rows) = check_random_state(self.random_state), read
        weights = class_weights(self.class_weight, columns.classes, rows.codes, rows.weights)
        return Job(settings, learner, generator, columns, rows, weights, watch)

    def decision_function(self, X: Any) -> Array:
        """The logits z, shape (n_samples, n_classes); of two classes z_1 - z_0, (n_samples,)."""
        logits = self._logits(X)
        return logits[:, 1] - logits[:, 0] if logits.shape[1] == 2 else logits

    def predict(self, X: Any) -> NDArray[Any]:
        """The most probable class of each row, (n_samples,)."""
        # By probabilities: whatever is as probable is answered by the first.
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, (n_samples, n_classes)."""
        return softmax(self._logits(X))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each class's probability, shape (n_samples, n_classes)."""
        return log_softmax(self._logits(X))

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        target: str | None = None,
        held_out: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the network to a file of JSON, which `load` reads: no training rows, no code.

        Parameters
        ----------
        path : str or path
        target : str, default=None
            The name of the column of classes, for programs that read tables.
        held_out : dict, default=None
            What was measured on rows that were not learned from, to be kept in the file.
        """
        # Imported late: it knows estimators too.
        from unfis.model_file import write_model

        model, settings = self._fitted, self._checked()[0]
        settings |= {name: model.settings[name] for name in SHAPING}
        write_model(path, replace(model, settings=settings), target=target, held_out=held_out)

    @classmethod
    def of_model(cls, model: FittedNetwork) -> Self:
        """An estimator that has a model, with its settings; ValueError where one is wrong."""
        estimator = cls()
        if set(model.settings) != set(estimator.get_params(deep=False)):
            raise ValueError(f"settings must be the parameters of {cls.__name__}.")
        estimator.set_params(**model.settings)
        estimator._checked()
        estimator.model_ = model
        describe_columns(estimator, model.columns)
        return estimator

    def _logits(self, X: Any) -> Array:
        model = self._fitted
        return model.logits(model.columns.values(check_table(self, X, model.columns)))

    @property
    def _fitted(self) -> FittedNetwork:
        """The model; NotFittedError if there is none yet."""
        check_is_fitted(self)
        return self.model_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = self.categorical_features is not None
        # Text is a category by dtype in a data frame, but in an array only where it is named.
        tags.input_tags.string = not isinstance(self.categorical_features, str | None)
        return tags

    # What a fit has learned; the class's docstring has more of it.
    classes_ = learned(lambda model: model.classes, "The classes, in order.")
    inputs_ = learned(lambda model: list(model.columns.inputs), "The inputs, and their columns.")
    notation_ = learned(lambda model: model.columns.notation, "How text in tables is read.")
    parameters_ = learned(lambda model: model.parameters, "The learned network.")
    choices_ = learned(lambda model: dict(model.choices), "What was chosen, and by what.")
    history_ = learned(
        lambda model: {name: list(one) for name, one in model.history.items()},
        "What each iteration came to.",
    )
    n_iter_ = learned(lambda model: model.n_iter, "How many iterations there were.")
    converged_ = learned(lambda model: model.converged, "Whether the training converged.")
    origin_ = learned(lambda model: model.origin, "The data and versions the model comes from.")
    rules_ = learned(lambda model: model.rules, "The rules in the table's units; `print` them.")
    selection_ = learned(lambda model: model.rules.selection, "How far inputs are in rules.")
    active_features_ = learned(
        lambda model: model.rules.active_features, "How many inputs each rule has."
    )
    centres_ = learned(lambda model: model.rules.centres, "The centres of the fuzzy sets.")
    widths_ = learned(lambda model: model.rules.widths, "The widths of the fuzzy sets.")
    consequents_ = learned(
        lambda model: model.rules.consequents, "What each rule says of each class."
    )
