"""UNFISClassifier: parameters, and a FittedModel that `fit` makes; everything else asks that.

A fit happens on a draft, which the estimator becomes only at the end: a fit that fails or is
interrupted leaves the old model whole.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from types import MappingProxyType
from typing import Any, Self

from sklearn.base import ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from unfis.data.blocks import comes_in_blocks
from unfis.estimators.advice import TOO_FEW_ROWS, few_rows_words
from unfis.estimators.callbacks import CallbackSupportMixin, FitTasks, with_callbacks
from unfis.estimators.predictor import RulePredictor
from unfis.estimators.progress import ProgressLine, ending, too_little_time, watch_of
from unfis.estimators.tables import ReadRows, check_table, describe_columns, read_labelled
from unfis.learning.epochs import GqLM
from unfis.learning.loop import IterationRecord, Learner
from unfis.learning.objective import CrossEntropy
from unfis.learning.watch import Watch
from unfis.model.begin import Fit
from unfis.model.checking import check_learner, check_settings
from unfis.model.edit import Editor, at, edit
from unfis.model.fit import fit, fit_batch
from unfis.model.fitted import FittedModel
from unfis.model.operating_point import deciding, given_costs
from unfis.model.settings import Settings, is_auto
from unfis.model_file import ModelFileError, read_model, write_model
from unfis.serial.messages import warn_user


@contextmanager
def unless_readable(failed: str) -> Iterator[None]:
    """Have settings that no fit could have had raise ModelFileError, which says what failed."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ModelFileError(f"{failed}: settings: {error}") from None


class UNFISClassifier(
    CallbackSupportMixin,  # type: ignore[misc]
    ClassifierMixin,  # type: ignore[misc]
    RulePredictor,
):
    """Classifier of fuzzy rules, each of which selects its inputs (UNFIS).

    p = sum_i phi_i(x) softmax(y^i(x)): every rule i counts by how well x fits the conditions of its
    IF, phi_i, and says by itself how probable each class is: THEN a class, or a short scorecard of
    points. One rule without IF may speak where no other holds, or be a scorecard alone. The paper's
    network, selection="soft" or "none", is p = softmax(sum_i phi_i(x) y^i(x) - theta).

    Parameters
    ----------
    n_rules : int or "auto", default="auto"
        Number of rules. "auto" takes as many as earn their reading, up to `max_rules`; one is a
        plain scorecard. A number is obeyed.
    max_rules : int or None, default=None
        The most rules that "auto" may choose; None for eight, or three where all inputs stay in.
    max_conditions : int or None, default=None
        The most inputs in the IF and in the THEN of a rule together; needs selection="decisive".
    tolerance : float, default=0.0015
        How much cross-validated loss (nats per row) it may cost to be rid of one part: a condition
        in an IF, or a number in a THEN (an input there has one for each class that it speaks for).
        Of more than three classes a part costs less, as it speaks for a smaller share. 0 takes the
        least loss.
    points : int, "auto" or "exact", default="auto"
        The numbers of a THEN are whole points, up to so many for a step of an input in round units
        of the table, and the model predicts by them. "auto" is 5, or 9 of three classes and more,
        and where 5 would lose much of what was learned.
        "exact" keeps real numbers. Only with selection="decisive".
    selection : {"decisive", "soft", "none"}, default="decisive"
        "decisive": each input is in a rule's IF, in its THEN, in both or in neither, exactly, and
        as few are in as cross-validation finds enough. "soft" is the paper's UNFIS: a selection
        neuron per rule and input. "none" is its FNN: every input in every rule.
    consequents : {"linear", "constant"}, default="linear"
        Whether a rule's THEN may depend on inputs, or all rules name a class outright.
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
    costs : array-like of shape (n_classes, n_classes), dict or None, default=None
        What each answer (column) costs where each class is the true one (row), or a dict from class
        to what it costs to miss it, where any other error costs 1. `predict` then answers the class
        that is expected to cost least; the probabilities stay as they are.
    threshold : float, dict, "auto" or None, default=None
        Of two classes the probability above which `classes_[1]` is the answer, or a dict such as
        {"yes": 0.2} that names the class. "auto" takes what costs least in the fit's own
        cross-validation, by `costs`, or without them what gives the greatest balanced accuracy.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories: those of a data frame that are text, categorical or enum by
        dtype, none, or the ones named by name, position or mask.
    unseen_categories : {"missing", "error"}, default="missing"
        What a category is that was not seen in training.
    monotonic_cst : array-like of int of shape (n_features,), dict or None, default=None
        Of two classes: 1 where the probability of `classes_[1]` may only rise with an input, -1
        where it may only fall, 0 where it may do both; for each input, or by name. Kept exactly,
        for rows that know the input: it is in no IF, and in a THEN its points have that sign. With
        consequents="constant" such an input is in no rule. Numbers, truth values and categories of
        two kinds, in their order; only with selection="decisive".
    forbidden_inputs : list of str or int, or None, default=None
        Inputs, by name or position, that no rule may use. They stay columns of the table. Only with
        selection="decisive"; `edit(forbid=...)` does it to a fitted model.
    given_rules : str, list of str, or None, default=None
        Rules written by hand, one a line, such as "IF age > 60 AND ward is A or B THEN ill", or
        "... THEN ill with 80 %". Their conditions stay as they are; what they say is learned unless
        it is given, and so is a scorecard for all other rows. `n_rules` stays "auto"; only with
        selection="decisive". See docs/experts.md.
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
    time_limit : float or None, default=None
        Seconds that `fit`, or a batch of `partial_fit`, may take. When they are over, the choice
        ends with the best that was found until then, and the training after the iteration that goes
        on: a model always comes out, a little later, and a warning says what was left out. None for
        no limit.
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
        The usual spellings, or those of the file that the command fitted the model on.
    selected_ : ndarray of bool of shape (n_rules, n_inputs)
        Which inputs are in which rule, in its IF or in its THEN.
    choices_ : dict
        "n_rules" and "ridge"; if they were chosen on the training rows, "by" what. With decisive
        selection also "parts" (of all rules together) and the "seconds" that the choice took;
        otherwise the leave-one-out "loss" of the network of all inputs by which it was made. With a
        time limit also "time_limit_reached", whether anything was left out for it.
    path_ : dict of lists
        With decisive selection, one entry for each network that was compared, from few parts to
        many: "rules", "parts", "conditions" (those of the parts that are in an IF),
        "longest_rule" (its inputs in IF and THEN), "ridge", "training_loss", "cv_loss",
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
    origin_ : Origin
        The data that the model comes from, versions, and what its file holds beside it.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from unfis import UNFISClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = UNFISClassifier().fit(X, y)
    >>> clf.choices_["parts"] < 12
    True
    >>> print(f"{clf.score(X, y):.2f}")
    0.98
    >>> clf.at(2).selected_.sum()
    np.int64(2)
    """

    def __init__(
        self,
        n_rules: int | str = "auto",
        *,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        tolerance: float = 0.0015,
        points: int | str = "auto",
        selection: str = "decisive",
        consequents: str = "linear",
        learner: str | Learner = "trust-region",
        initialisation: str = "k-means",
        scale: bool = True,
        ridge: float | str = "auto",
        class_weight: Any = None,
        costs: Any = None,
        threshold: Any = None,
        categorical_features: Any = "from_dtype",
        unseen_categories: str = "missing",
        monotonic_cst: Any = None,
        forbidden_inputs: Any = None,
        given_rules: Any = None,
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
        self.max_conditions = max_conditions
        self.tolerance = tolerance
        self.points = points
        self.selection = selection
        self.consequents = consequents
        self.learner = learner
        self.initialisation = initialisation
        self.scale = scale
        self.ridge = ridge
        self.class_weight = class_weight
        self.costs = costs
        self.threshold = threshold
        self.categorical_features = categorical_features
        self.unseen_categories = unseen_categories
        self.monotonic_cst = monotonic_cst
        self.forbidden_inputs = forbidden_inputs
        self.given_rules = given_rules
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
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
        before = self.model_ if self.warm_start and hasattr(self, "model_") else None
        self._fit(X, y, sample_weight, before)
        return self

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        before: FittedModel | None,
        read: ReadRows | None = None,
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
            draft.model_ = deciding(found, settings.costs, settings.threshold)
        tasks.end(lambda: dict(vars(draft)))
        self.__dict__ = draft.__dict__
        if progress is not None:
            progress.close(ending(outcome, watch))
        self._warn_of_choice(before, watch)
        few = few_rows_words(self.classes_, job.rows.class_totals.rows)
        if few and before is None and not self.model_.chosen_without_folds:
            warn_user(few)
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
        draft.model_ = deciding(found, settings.costs, settings.threshold)
        self.__dict__ = draft.__dict__
        self._warn_of_choice(
            before, watch, " In a stream the conditions stay what the first batch made them."
        )
        if outcome.advice and (learner.keeps_curvature or not outcome.records):
            warn_user(outcome.advice, ConvergenceWarning)
        return self

    def at(self, parts: int, rules: int | None = None) -> Self:
        """The model at another point of the path, without learning again.

        Parameters
        ----------
        parts : int
            How many parts all rules together may have: conditions in their IF and numbers in their
            THEN. The best by cross-validation of at most so many. It was trained closely enough to
            be compared, on at most 2,000 rows; `partial_fit` with all of them trains it to the end.
        rules : int, default=None
            The number of rules, any by default.

        Returns
        -------
        model : UNFISClassifier
            A fitted copy; this one stays as it is.
        """
        return self._with(at(self._fitted, self._settings, parts, rules))

    def edit(
        self,
        *,
        drop: Iterable[Any] = (),
        forbid: Iterable[Any] = (),
        centres: Mapping[Any, float] = MappingProxyType({}),
        remove: Iterable[int] = (),
        refit: bool = False,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """The model with its rules changed by hand, and what that costs.

        Rules are counted from 1, as they are printed; inputs go by name or position. What is left
        of whole points stays as it is, and a refit rounds anew. Of averaged rules only one may be
        left without a condition, as the last: it speaks where no other does.

        Parameters
        ----------
        drop : list of (rule, input)
            Inputs that no longer count in that rule, neither in its IF nor in its THEN.
        forbid : list of input or (rule, input)
            Inputs that all rules, or one, must not use, now and in whatever learning follows.
        centres : dict of (rule, input): value
            Centres of the sets of numbers, in the units of the table. They stay there in whatever
            learning follows.
        remove : list of int
            Rules to remove.
        refit : bool, default=False
            Whether the rest is learned again, on X and y, around what is fixed.
        X, y, sample_weight : table and labels to learn from and to measure the cost on
            As `fit` takes them, in blocks or a file too. Without them it is measured on the
            training rows that the model keeps.

        Returns
        -------
        model : UNFISClassifier
            A fitted copy, whose `edits_` has the changes with their cost; this one stays as it
            is.
        """
        model = self._fitted
        if refit:
            check_settings(self._settings)
            self._check_learnable(X, model)
        if X is None and (refit or y is not None or not len(model.sample.rows)):
            kept = "" if len(model.sample.rows) else " A model file keeps no training rows."
            raise ValueError(f"edit needs X and y to refit or to measure the cost on.{kept}")
        # What cannot be done is an error before a table is read.
        edited = Editor(model).edit(drop, forbid, centres, remove)
        read = None if X is None else self._read(X, y, sample_weight)

        def refitted(begun: FittedModel) -> FittedModel:
            copied = self._with(begun)
            copied._fit(X, y, sample_weight, begun, read)  # noqa: SLF001 - its own class
            return copied._fitted  # noqa: SLF001

        given = None if read is None else read.rows
        found = edit(model, self._settings, edited, given, refitted if refit else None)
        return self._with(found)

    def deciding(self, costs: Any = None, threshold: Any = None) -> Self:
        """The model with another operating point: the same probabilities, other answers.

        Parameters
        ----------
        costs, threshold : as of the class
            Without either the most probable class is the answer. threshold="auto" alone is chosen
            by the costs that this model has.

        Returns
        -------
        model : UNFISClassifier
            A fitted copy with these parameters; this one stays as it is.
        """
        if is_auto(threshold) and costs is None:
            costs = self.costs
        found = self._with(deciding(self._fitted, costs, threshold))
        found.set_params(costs=costs, threshold=threshold)
        return found

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
            check_settings(settings)
            given_costs(settings.costs, settings.threshold, model.classes.tolist())
        write_model(path, model, settings, target=target, held_out=held_out)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """The model of a file that `save` wrote.

        It predicts, gives its rules and explains as the model that was saved, but has no training
        rows to compare with. No code of the file is run and no field of it believed:
        `ModelFileError` names the one that is wrong.
        """
        model = read_model(path)
        with unless_readable(f"{os.fspath(path)} cannot be read"):
            return cls.of_model(model)

    @classmethod
    def of_model(cls, model: FittedModel) -> Self:
        """An estimator that has a model, with its settings."""
        settings = model.settings.plain()
        if not isinstance(settings["learner"], str):
            settings["learner"] = check_learner(settings["learner"])
        estimator = cls(**settings)
        check_settings(estimator._settings)
        given_costs(estimator.costs, estimator.threshold, model.classes.tolist())
        estimator.model_ = model
        describe_columns(estimator, model.columns)
        return estimator

    def _job(self, settings: Settings, learner: Learner, read: ReadRows) -> Fit:
        """What is learned of a table, and by what."""
        columns = read.columns
        given_costs(settings.costs, settings.threshold, columns.classes.tolist())
        generator, objective = check_random_state(self.random_state), CrossEntropy()
        rows = read.training_rows(self.class_weight, objective)
        return Fit(settings, learner, generator, columns, rows, objective)

    def _check_learnable(self, X: Any, before: FittedModel | None) -> None:
        """Raise ValueError, before X is read, where these settings cannot learn from it."""
        if before is not None:
            self._settings.check_shaped_as(before.settings)
        if self.early_stopping and comes_in_blocks(X):
            raise ValueError(
                "early_stopping=True needs the whole table in memory, got one that comes in "
                "blocks. Give it as a table, or set early_stopping=False."
            )

    def _warn_of_choice(self, before: FittedModel | None, watch: Watch, stays: str = "") -> None:
        """Warn of what was left out for lack of time, or else of rows, and whether that stays."""
        chosen = before is None
        if watch.left_out:
            warn_user(too_little_time(watch) + stays * chosen, ConvergenceWarning)
        elif chosen and self.model_.chosen_without_folds:
            warn_user(TOO_FEW_ROWS + stays)

    def _with(self, model: FittedModel) -> Self:
        """A copy with another model, whose parameters, the learner among them, are its own."""
        copied = copy.copy(self)
        copied.__dict__.update(clone(self).get_params(deep=False), model_=model)
        return copied
