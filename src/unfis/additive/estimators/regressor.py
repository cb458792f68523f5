"""AdditiveRegressor: a number for each row, by rules that add up."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils import assert_all_finite, column_or_1d

from unfis.additive.estimators.base import AdditiveRules
from unfis.additive.explain import Explanations, Goal
from unfis.additive.fitting.rows import RowBlock
from unfis.additive.objective import HalfSquaredError, Objective, PoissonDeviance
from unfis.arrays import Array

LOSSES: dict[str, type[Objective]] = {"squared_error": HalfSquaredError, "poisson": PoissonDeviance}


class AdditiveRegressor(RegressorMixin, AdditiveRules):  # type: ignore[misc]
    """A regressor of fuzzy rules that add up: y = start + sum of points_i * degree_i(x).

    Parameters
    ----------
    loss : {"squared_error", "poisson"}, default="squared_error"
        "poisson" is for counts: points then multiply what is expected.
    max_rules, max_conditions, tolerance, points, ridge, categorical_features, time_limit, verbose
        As of the classifier; points are in the unit of the target, as round as they may be.
    monotonic_cst, interaction_cst, given_rules
        As of the classifier, but about the number: given rules have no "then".

    Attributes
    ----------
    model_, rules_, n_features_in_, feature_names_in_
        As of the classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from unfis.additive import UNFISRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> UNFISRegressor().fit(X, y).score(X, y) > 0.45
    True
    """

    def __init__(
        self,
        *,
        loss: str = "squared_error",
        max_rules: int | None = None,
        max_conditions: int = 2,
        tolerance: float | None = None,
        points: str = "whole",
        ridge: float | str = "auto",
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        given_rules: Any = None,
        time_limit: float | None = None,
        verbose: bool = False,
    ) -> None:
        self.loss = loss
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.tolerance = tolerance
        self.points = points
        self.ridge = ridge
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.given_rules = given_rules
        self.time_limit = time_limit
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the rules of a table; X, y and sample_weight as of the classifier.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features), iterator, or path
        y : array-like of shape (n_samples,), or str, default=None
        sample_weight : array-like of shape (n_samples,), or str, default=None

        Returns
        -------
        self : AdditiveRegressor
        """
        if self.loss not in LOSSES:
            allowed = " or ".join(map(repr, LOSSES))
            raise ValueError(f"loss must be {allowed}; got {self.loss!r}.")
        read = self._read(X, y, sample_weight, check_numbers, labels=False)
        if read.rows.count < 2:
            raise ValueError("X must have at least two rows to learn from; got n_samples = 1.")
        least = read.rows.joined(least_target, min)
        if self.loss == "poisson" and least < 0:
            raise ValueError(f"y must hold counts of at least 0 for loss='poisson'; got {least:g}.")
        return self._learn(read, read.rows, LOSSES[self.loss](), [read.target or "the target"])

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> AdditiveRegressor:
        """Learn from one batch of rows after the other.

        The first call, if there was no fit, learns the rules. Later ones keep them, and learn their
        points by the new rows and what is known of all before.

        Parameters
        ----------
        X, y, sample_weight : as of fit

        Returns
        -------
        self : AdditiveRegressor
        """
        if not hasattr(self, "model_"):
            return self.fit(X, y, sample_weight)
        return self._learn_batch(X, y, sample_weight)

    def predict_interval(self, X: Any, confidence: float = 0.95) -> Array:
        """Between which numbers each row is, (n_samples, 2).

        Of rows like those of training at least a share of `confidence` is inside: calibrated by how
        far the folds' models were off on rows that they had not seen, apart for small, middling and
        large predictions. An end is infinite where there were too few rows.
        """
        values = self._values(X)
        return self.model_.number_intervals(values, confidence)

    def _encoded(self, y: Any, weights: Array) -> tuple[Array, Array]:
        return check_numbers(y, len(weights)), weights

    def predict(self, X: Any) -> Array:
        """The number that is expected of each row, (n_samples,)."""
        values = self._values(X)
        return self.model_.predictions(values)

    def explain(
        self, X: Any, *, above: float | None = None, below: float | None = None
    ) -> Explanations:
        """Take the predictions of rows apart, exactly.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        above, below : float, default=None
            Where counterfactuals are to bring the number; there are none without.

        Returns
        -------
        explanations : Explanations, a sequence of Explanation, as of the classifier
        """
        values = self._values(X)
        return Explanations(self.model_, values.copy(), Goal.of(above, below))


def check_numbers(y: Any, rows: int) -> Array:
    """The targets as numbers, (rows,)."""
    try:
        targets = np.asarray(column_or_1d(y, warn=True), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must hold one number for each row: {error}") from error
    assert_all_finite(targets, input_name="y")
    if len(targets) != rows:
        raise ValueError(
            f"y must hold one number for each row of X: X has {rows} rows, y {len(targets)}."
        )
    return targets


def least_target(block: RowBlock) -> float:
    """The least target of a block."""
    return float(block.targets.min())
