"""What both estimators do: read tables, and ask their model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.data.costs import Costs
from unfis.data.target import check_total_weight, check_weights
from unfis.estimators.fit_progress import FitProgress
from unfis.estimators.reading import CheckTargets, Reading, TrainingTable, read_training_table
from unfis.estimators.request import check_positive_number, request_of
from unfis.estimators.tables import check_table, describe_columns
from unfis.explain import Explanations, contributions, importances
from unfis.fitting import fit_rules
from unfis.fitting.fingerprint import rows_fingerprint
from unfis.fitting.rows import AllRows, ColumnFacts, LocalRows, column_facts
from unfis.model import FittedModel
from unfis.model.audit import Audit
from unfis.model.edit import Edit, Rows
from unfis.model_file import write_model
from unfis.objective import Objective
from unfis.serial.parameters import check_option
from unfis.text.names import names_of


class RuleEstimator(BaseEstimator):  # type: ignore[misc]
    """An estimator with one FittedModel, `model_`, which it asks."""

    categorical_features: Any
    time_limit: float | None
    verbose: bool
    model_: FittedModel

    def _read(
        self, X: Any, y: Any, sample_weight: Any, check_targets: CheckTargets, *, labels: bool,
        classes: Any = None,
    ) -> TrainingTable:  # fmt: skip
        """A table with targets, without its rows of weight 0; of known classes if there are any."""
        if isinstance(self.categorical_features, str):
            check_option("categorical_features", self.categorical_features, ("from_dtype",))
        # A copy learns the columns: a fit that fails leaves this one as it was.
        reading = Reading(copy(self), self.categorical_features, check_targets, labels, classes)
        return read_training_table(reading, X, y, sample_weight)

    def _learn(
        self, read: TrainingTable, rows: AllRows, task: Objective, outputs: Sequence[str],
        target: str = "", costs: Costs = (),
    ) -> Self:  # fmt: skip
        """Learn rules from rows; `outputs` are what predictions are called."""
        inputs = read.columns.inputs
        kinds = [len(one.categories) if one.kind == "category" else 0 for one in inputs]
        categories = [one.categories for one in inputs]
        facts = rows.joined(column_facts, ColumnFacts.joined)
        names = names_of([one.name for one in inputs], categories, outputs, facts, target)
        settings = self._settings()
        request = request_of(settings, read.columns, rows, task)
        limit = check_positive_number("time_limit", self.time_limit)
        name = type(self).__name__
        with FitProgress(name, limit, shown=self.verbose) as progress:
            found = fit_rules(rows, kinds, task, request, go_on=progress.go_on)
        self.model_ = FittedModel.of(read.columns, names, found, rows, settings, request, costs)
        describe_columns(self, read.columns)
        return self

    def _settings(self) -> dict[str, Any]:
        """The parameters, as plain data."""
        return dict(self.get_params(deep=False))

    def _values(self, X: Any) -> Array:
        """The values of a table to predict, (rows, inputs)."""
        check_is_fitted(self)
        columns = self.model_.columns
        return np.asarray(columns.values(check_table(self, X, columns)), dtype=np.float64)

    def at(self, length: int) -> Self:
        """The estimator with the model of so many rules on its path.

        Parameters
        ----------
        length : int
            From 0 to as many as the path has.

        Returns
        -------
        other : a fitted estimator; this one stays as it is
        """
        check_is_fitted(self)
        other = copy(self)
        other.model_ = self.model_.at(length)
        return other

    def edit(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, *,
        drop: Iterable[int] = (), conditions: Any = None, points: Any = None, write: Any = None,
        refit: bool = True,
    ) -> Self:  # fmt: skip
        """The estimator with rules that are changed by hand, and no path.

        Rules are named by their places in `model_.rules.rules`.

        Parameters
        ----------
        X, y, sample_weight : as of fit, default=None
            Rows that points are fitted to; None for those of the fit.
        drop : list of int
            Rules to take away.
        conditions : dict, default=None
            Other conditions by rule, such as {0: {"age": [60, None]}}, as given rules have them.
        points : dict, default=None
            Points by rule, such as {0: 3}. They stay.
        write : list of dict, default=None
            More rules, as given rules are written, but their points are worth what others are.
        refit : bool, default=True
            Whether the points that are not set are fitted anew, around those that are.

        Returns
        -------
        other : a fitted estimator; this one stays as it is
        """
        check_is_fitted(self)
        rows = None if X is None else self._rows(X, y, sample_weight)
        other = copy(self)
        other.model_ = self.model_.edit(Edit(drop, conditions, points, write, refit), rows)
        return other

    def explain(self, X: Any) -> Explanations:
        """Take the predictions of rows apart, exactly.

        Index the result for one row, or go through it: what each rule and each input adds, the
        smallest change of one input or two that changes the answer, and how well the model answers
        the training rows that are most alike. `print` it, or take `to_dict()` or `to_html()`.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        explanations : Explanations, a sequence of Explanation
        """
        values = self._values(X)
        return Explanations(self.model_, values.copy())

    def contributions(self, X: Any) -> Array:
        """What each rule adds to its sum, points * degree, (n_samples, n_rules).

        The rules are in the order of `model_.rules.rules`.
        """
        values = self._values(X)
        return contributions(self.model_.rules, values)

    @property
    def feature_importances_(self) -> Array:
        """By how many points the rules of each input set training rows apart, (n_features,).

        The sum of |points| * 2 m (1 - m) over its rules, m being the mean degree of a rule: of a
        sharp rule the mean absolute deviation of what it adds. One of two inputs counts half for
        each.
        """
        check_is_fitted(self)
        model = self.model_
        return importances(model.rules.rules, model.evidence, len(model.columns.inputs))

    def coverage(self, X: Any) -> Array:
        """How much of each row is like training, (n_samples,).

        The share of the inputs of the rules whose value lies in the range that training had, or is
        a kind that it had; a missing value where training had some.
        """
        values = self._values(X)
        return self.model_.coverage(values)

    def caveats(self, X: Any, confidence: float = 0.95) -> NDArray[Any]:
        """Why the answer for a row is not to be relied on, in words, (n_samples,).

        "" where nothing speaks against it. A value may be outside of what training had; of classes,
        the `predict_set` may have others too, or none, or not the one that is answered.
        """
        values = self._values(X)
        return np.array(self.model_.caveats(values, confidence), dtype=object)

    def fold_predictions(self, X: Any) -> Array:
        """What the models of the folds predict, (n_folds, n_samples, ...): how far they differ.

        Each has found its rules by itself, on the rows of the other folds.
        """
        values = self._values(X)
        return self.model_.fold_predictions(values)

    def audit(self, X: Any, y: Any, sample_weight: Any = None) -> Audit:
        """Whether the rules are what they say, on these rows; `print` it, or take `to_dict()`.

        On what share of rows the printed numbers give the prediction, which rules say the contrary
        of their own rows, how many the folds' models have too, and how many hold in part.
        """
        check_is_fitted(self)
        return self.model_.audit(self._rows(X, y, sample_weight))

    def _learn_batch(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """The points of the rules by one more batch."""
        self.model_ = self.model_.learn_more(self._rows(X, y, sample_weight))
        return self

    def save(
        self, path: str | PathLike[str], *, target: str | None = None,
        held_out: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """Write the model to a file, as JSON without training rows; `unfis.load` reads it.

        Parameters
        ----------
        path : str or path
        target : str, default=None
            The name of the column of the answers, for programs that read tables.
        held_out : dict, default=None
            What was measured on rows that were not learned from, to be kept in the file.
        """
        check_is_fitted(self)
        write_model(path, self.model_, target=target, held_out=held_out)

    def learned_from(self, X: Any, y: Any) -> bool:
        """Whether these are the rows that the model learned from, by their rows_fingerprint."""
        values = self._values(X)
        try:
            targets, _ = self._encoded(y, np.ones(len(values)))
        except ValueError:  # such as classes that the model does not know
            return False
        rows = LocalRows(values, targets, np.ones(len(values)))
        return rows_fingerprint(rows) == self.model_.origin.fingerprint

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        """Rows of the table's columns with targets, as they are learned from."""
        values = self._values(X)
        weights = check_weights(sample_weight, len(values))
        check_total_weight(float(weights.sum()))
        return Rows(values, *self._encoded(y, weights))

    def _encoded(self, y: Any, weights: Array) -> tuple[Array, Array]:
        """Targets as numbers, and the weights of their rows."""
        raise NotImplementedError

    @property
    def rules_(self) -> str:
        """The rules as text; `print` it."""
        check_is_fitted(self)
        return self.model_.text

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = self.categorical_features is not None
        tags.input_tags.string = not isinstance(self.categorical_features, str | None)
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")
