"""AdditiveClassifier: a class for each row, by rules that add up."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from unfis.additive.estimators.base import AdditiveRules
from unfis.additive.fitting.rows import RowBlock, added
from unfis.additive.objective import CrossEntropyOfClasses, CrossEntropyOfTwo
from unfis.arrays import Array, Mask
from unfis.data.costs import cost_table
from unfis.data.target import (
    check_labels,
    check_same_classes,
    class_factors,
    class_weights,
    encode_labels,
)


class AdditiveClassifier(ClassifierMixin, AdditiveRules):  # type: ignore[misc]
    """A classifier of fuzzy rules that add up.

    z_c(x) = start_c + sum of points_i * degree_i(x) over the rules of class c, and
    p(x) = softmax(unit * z(x)). Of two classes one sum counts, for the second of `classes_`.

    Parameters
    ----------
    max_rules : int or None, default=None
        The most rules; None for 16, or four for each of more than four classes.
    max_conditions : int, default=2
        The most conditions of a rule, up to three.
    tolerance : float or None, default=None
        Take the shortest model whose loss on held-out rows is above the least by no more standard
        errors than this. None takes one of usual length, unless another is clearly better.
    points : {"whole", "exact"}, default="whole"
        Whether points are whole numbers, which a person can add up.
    ridge : float or "auto", default="auto"
        How strongly points are held near 0. "auto" takes what predicts best in five folds.
    class_weight : dict, "balanced" or None, default=None
        Factors on the weights of the classes' rows. They change the probabilities.
    costs : array-like of shape (n_classes, n_classes), dict or None, default=None
        What each answer (column) costs where each class is the true one (row), or a dict from class
        to what it costs to miss it, where any other error costs 1. `predict` then answers the class
        that is expected to cost least; the probabilities stay as they are.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categories: those of a data frame by dtype, none, or the named ones.
    monotonic_cst : array-like of int of shape (n_features,), dict or None, default=None
        Of two classes: 1 where the probability of `classes_[1]` may only rise with a number, -1
        where it may only fall, 0 where it may do both; for each input, or by name. Kept exactly,
        for rows that know the input.
    interaction_cst : "no_interactions", "pairwise", list of groups or None, default=None
        Which inputs may stand in one rule: none beside another, any two, or those of one group.
        Inputs that no group names are one more group.
    given_rules : list of dict or None, default=None
        Rules that an expert writes, such as {"if": {"age": [60, None]}, "then": "ill"}. They stay
        as they are, and the rest is learned around them. With "points" these stay too, and each
        point doubles the odds.
    time_limit : float or None, default=None
        Seconds after which the search takes no further step. The model is the best that was found
        until then, a little later, and a warning says so.
    verbose : bool, default=False
        Whether to show on standard error how far the fit is.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if the table had names.
    model_ : FittedModel
        All that was learned: the rules as data, what the rows show of each, those of every length
        and of every fold.
    rules_ : str
        The rules as text; `print` it.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from unfis.additive import UNFISClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = UNFISClassifier().fit(X, y)
    >>> clf.score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        *,
        max_rules: int | None = None,
        max_conditions: int = 2,
        tolerance: float | None = None,
        points: str = "whole",
        ridge: float | str = "auto",
        class_weight: Any = None,
        costs: Any = None,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        given_rules: Any = None,
        time_limit: float | None = None,
        verbose: bool = False,
    ) -> None:
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.tolerance = tolerance
        self.points = points
        self.ridge = ridge
        self.class_weight = class_weight
        self.costs = costs
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.given_rules = given_rules
        self.time_limit = time_limit
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the rules of a table.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features), iterator, or path
            NaN (or null) where a value is missing. An iterator gives blocks (X, y) or
            (X, y, weights) of a table that may be larger than memory; a path is that of a Parquet
            file.
        y : array-like of shape (n_samples,), or str, default=None
            None with an iterator; of a file the name of its column.
        sample_weight : array-like of shape (n_samples,), or str, default=None
            A weight of 0 is no row. As y of a file.

        Returns
        -------
        self : AdditiveClassifier
        """
        return self._fit(X, y, sample_weight, None)

    def _fit(self, X: Any, y: Any, sample_weight: Any, known: Any) -> Self:
        """Learn the rules of a table, of known classes or those that it has."""
        read = self._read(X, y, sample_weight, check_labels, labels=True, classes=known)
        classes, rows = read.columns.classes, read.rows
        count = len(classes)
        if self.class_weight is not None:
            (totals,) = rows.joined(partial(class_totals, count=count), added)
            total = float(totals.sum())
            rows = rows.weighted(class_factors(self.class_weight, classes, totals, total))
        task = CrossEntropyOfTwo() if count == 2 else CrossEntropyOfClasses(count)
        outputs, costs = [*map(str, classes.tolist())], cost_table(self.costs, classes.tolist())
        self._learn(read, rows, task, outputs, read.target, costs)
        self.classes_ = classes
        return self

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> AdditiveClassifier:
        """Learn from one batch of rows after the other.

        The first call, if there was no fit, learns the rules. Later ones keep them, and learn their
        points by the new rows and what is known of all before.

        Parameters
        ----------
        X, y, sample_weight : as of fit
        classes : array-like of shape (n_classes,), default=None
            All classes; needed in the first call unless y has them all.

        Returns
        -------
        self : AdditiveClassifier
        """
        if not hasattr(self, "model_"):
            return self._fit(X, y, sample_weight, classes)
        check_same_classes(classes, self.classes_)
        return self._learn_batch(X, y, sample_weight)

    def _encoded(self, y: Any, weights: Array) -> tuple[Array, Array]:
        codes = encode_labels(check_labels(y, len(weights)), self.classes_)
        weighted = class_weights(self.class_weight, self.classes_, codes, weights)
        return codes.astype(np.float64), weighted

    def decision_function(self, X: Any) -> Array:
        """The log odds, (n_samples, n_classes); of two classes the second's, (n_samples,)."""
        values = self._values(X)
        found = self.model_.rules.unit * self.model_.points(values)
        return found[:, 0] if len(self.classes_) == 2 else found

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, (n_samples, n_classes)."""
        values = self._values(X)
        return self.model_.predictions(values)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row that is most probable, or expected to cost least, (n_samples,)."""
        check_is_fitted(self)
        return np.asarray(self.classes_[self.model_.answers(self.predict_proba(X))])

    def with_decision(self, costs: Any = None, threshold: Any = None) -> AdditiveClassifier:
        """The estimator with another way to answer: the same probabilities, other classes.

        Parameters
        ----------
        costs : as of the class
        threshold : float, "auto" or None, default=None
            Of two classes: the probability above which `classes_[1]` is the answer; t is the same
            as costs of 1 for a false alarm and (1 - t) / t for a missed one. "auto" takes what
            costs least on rows that were held out in the fit, by `costs` or those there are; or,
            without any, what is right of both classes alike (balanced accuracy).

        Returns
        -------
        other : AdditiveClassifier
            Without costs and threshold it answers the most probable class. Its parameter `costs` is
            what it answers by. This one stays as it is.
        """
        check_is_fitted(self)
        other = copy(self)
        other.model_ = self.model_.with_decision(costs, threshold)
        other.costs = other.model_.settings["costs"]
        return other

    def predict_set(self, X: Any, confidence: float = 0.95) -> Mask:
        """Which classes each row may be of, (n_samples, n_classes), in the order of `classes_`.

        Of the rows of each class, if they are like those of training, a share of at least
        `confidence` has it in its set: calibrated by what the folds' models answered to rows that
        they had not seen. A set may have several classes, or none; a class of too few rows (19 at
        0.95) is in all.
        """
        values = self._values(X)
        return self.model_.probability_sets(values, confidence)

    def probability_interval(self, X: Any, confidence: float = 0.95) -> Array:
        """Between which probabilities each class of each row is, (n_samples, n_classes, 2).

        As sure as the rows make the points, if these are the right rules; `fold_predictions` shows
        how far other rows lead to other rules.
        """
        values = self._values(X)
        return self.model_.probability_intervals(values, confidence)

    def abstain(self, X: Any, confidence: float = 0.95) -> NDArray[Any]:
        """As `predict`, but None where there are `caveats`, of dtype object."""
        found = self.predict(X).astype(object)
        found[self.caveats(X, confidence) != ""] = None
        return np.asarray(found)


def class_totals(block: RowBlock, count: int) -> tuple[Array]:
    """The weight of each class, as it was given, (classes,)."""
    codes = block.targets.astype(np.intp)
    return (np.bincount(codes, block.given, count).astype(np.float64),)
