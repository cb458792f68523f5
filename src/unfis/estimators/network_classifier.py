"""UNFISNetworkClassifier: the paper's network, complete, to be studied."""

from __future__ import annotations

from typing import Any, Self

from unfis.data.blocks import comes_in_blocks
from unfis.estimators.model_classifier import ModelClassifier, asked
from unfis.learning.epochs import GqLM
from unfis.learning.loop import Learner
from unfis.model.fitted import FittedModel
from unfis.model.settings import TABLE, Settings


class UNFISNetworkClassifier(ModelClassifier):
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

    # What a fit has learned; the class's docstring has more of it.
    rules_ = asked(
        lambda model: model.network_rules, "The rules in the table's units; `print` them."
    )
    selection_ = asked(lambda model: model.network_rules.selection, "How far inputs are in rules.")
    active_features_ = asked(
        lambda model: model.network_rules.active_features, "How many inputs each rule has."
    )
    centres_ = asked(lambda model: model.network_rules.centres, "The centres of the fuzzy sets.")
    widths_ = asked(lambda model: model.network_rules.widths, "The widths of the fuzzy sets.")
    consequents_ = asked(
        lambda model: model.network_rules.consequents, "What each rule says of each class."
    )

    @property
    def _settings(self) -> Settings:
        TABLE["selection"].check("selection", self.selection)  # which tells the estimators apart
        return super()._settings

    @property
    def _before(self) -> FittedModel | None:
        return self.model_ if self.warm_start and hasattr(self, "model_") else None

    def _check_learnable(self, X: Any, before: FittedModel | None) -> None:
        super()._check_learnable(X, before)
        if self.early_stopping and comes_in_blocks(X):
            raise ValueError(
                "early_stopping=True needs the whole table in memory, got one that comes in "
                "blocks. Give it as a table, or set early_stopping=False."
            )
