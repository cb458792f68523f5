"""UNFISClassifier: short rules that each speak for themselves, chosen by cross-validation."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Self

from numpy.typing import NDArray
from sklearn.base import clone

from unfis.estimators.predictor import RulePredictor
from unfis.model.edit import Editor, at, edit
from unfis.model.fitted import FittedModel
from unfis.model.operating_point import deciding, given_costs
from unfis.model.settings import Settings, is_auto


class UNFISClassifier(RulePredictor):
    """Classifier of fuzzy rules, each of which selects its inputs (UNFIS).

    p = sum_i phi_i(x) softmax(y^i(x)): every rule i counts by how well x fits the conditions of its
    IF, phi_i, and says by itself how probable each class is: THEN a class, or a short scorecard of
    points. One rule without IF may speak where no other holds, or be a scorecard alone. Each input
    is in a rule's IF, in its THEN, in both or in neither, and as few are in as cross-validation
    finds enough. UNFISNetworkClassifier is the network of the paper.

    Parameters
    ----------
    n_rules : int or "auto", default="auto"
        Number of rules. "auto" takes as many as earn their reading, up to `max_rules`; one is a
        plain scorecard. A number is obeyed.
    max_rules : int or None, default=None
        The most rules that "auto" may choose; None for eight.
    max_conditions : int or None, default=None
        The most inputs in the IF and in the THEN of a rule together.
    tolerance : float, default=0.0015
        How much cross-validated loss (nats per row) it may cost to be rid of one part: a condition
        in an IF, or a number in a THEN (an input there has one for each class that it speaks for).
        Of more than three classes a part costs less, as it speaks for a smaller share. 0 takes the
        least loss.
    points : int, "auto" or "exact", default="auto"
        The numbers of a THEN are whole points, up to so many for a step of an input in round units
        of the table, and the model predicts by them. "auto" is 5, or 9 of three classes and more,
        and where 5 would lose much of what was learned.
        "exact" keeps real numbers.
    consequents : {"linear", "constant"}, default="linear"
        Whether a rule's THEN may depend on inputs, or all rules name a class outright.
    ridge : float or "auto", default="auto"
        Strength of the prior: on the consequents, and (up to 0.15) on the antecedents' distance
        from their start. "auto" takes what predicts best in leave-one-out.
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
        dtype, none, or the ones named by name, position or mask. A category that was not seen in
        training is a missing value.
    monotonic_cst : array-like of int of shape (n_features,), dict or None, default=None
        Of two classes: 1 where the probability of `classes_[1]` may only rise with an input, -1
        where it may only fall, 0 where it may do both; for each input, or by name. Kept exactly,
        for rows that know the input: it is in no IF, and in a THEN its points have that sign. With
        consequents="constant" such an input is in no rule. Numbers, truth values and categories of
        two kinds, in their order.
    forbidden_inputs : list of str or int, or None, default=None
        Inputs, by name or position, that no rule may use. They stay columns of the table.
        `edit(forbid=...)` does it to a fitted model.
    given_rules : str, list of str, or None, default=None
        Rules written by hand, one a line, such as "IF age > 60 AND ward is A or B THEN ill", or
        "... THEN ill with 80 %". Their conditions stay as they are; what they say is learned unless
        it is given, and so is a scorecard for all other rows. `n_rules` stays "auto". See
        docs/experts.md.
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
        Source of the parts that training looks at first where there are more than 5,000 rows.
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
        "n_rules" and "ridge", "by" what they were chosen on the training rows, "parts" (of all
        rules together) and the "seconds" that the choice took. With a time limit also
        "time_limit_reached", whether anything was left out for it.
    path_ : dict of lists
        One entry for each network that was compared, from few parts to many: "rules", "parts",
        "conditions" (those of the parts that are in an IF), "longest_rule" (its inputs in IF and
        THEN), "ridge", "training_loss", "cv_loss", "cv_loss_error", "cv_accuracy",
        "cv_accuracy_error" (standard errors over the rows), "criterion" (in place of the
        cross-validated loss where there are too few rows) and "chosen". See `at`.
    parameters_ : Parameters
        The learned network, in standardised units.
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
        consequents: str = "linear",
        ridge: float | str = "auto",
        class_weight: Any = None,
        costs: Any = None,
        threshold: Any = None,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        forbidden_inputs: Any = None,
        given_rules: Any = None,
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
        self.consequents = consequents
        self.ridge = ridge
        self.class_weight = class_weight
        self.costs = costs
        self.threshold = threshold
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.forbidden_inputs = forbidden_inputs
        self.given_rules = given_rules
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.random_state = random_state
        self.verbose = verbose

    def at(self, parts: int, rules: int | None = None) -> Self:
        """A fitted copy at another point of the path, without learning again.

        Parameters
        ----------
        parts : int
            How many parts all rules together may have: conditions in their IF and numbers in their
            THEN. The best by cross-validation of at most so many. It was trained closely enough to
            be compared, on at most 2,000 rows; `partial_fit` with all of them trains it to the end.
        rules : int, default=None
            The number of rules, any by default.
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
        """A fitted copy with its rules changed by hand, whose `edits_` has what that costs.

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
        """
        model = self._fitted
        if refit:
            self._check_settings(self._settings, model.classes)
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
        """A fitted copy with another operating point: the same probabilities, other answers.

        Parameters
        ----------
        costs, threshold : as of the class
            Without either the most probable class is the answer. threshold="auto" alone is chosen
            by the costs that this model has.
        """
        if is_auto(threshold) and costs is None:
            costs = self.costs
        found = self._with(deciding(self._fitted, costs, threshold))
        found.set_params(costs=costs, threshold=threshold)
        return found

    def _answering(self, model: FittedModel, settings: Settings) -> FittedModel:
        return deciding(model, settings.costs, settings.threshold)

    def _check_settings(self, settings: Settings, classes: NDArray[Any]) -> None:
        super()._check_settings(settings, classes)
        given_costs(settings.costs, settings.threshold, classes.tolist())

    def _with(self, model: FittedModel) -> Self:
        """A copy with another model and parameters of its own."""
        copied = copy.copy(self)
        copied.__dict__.update(clone(self).get_params(deep=False), model_=model)
        return copied
