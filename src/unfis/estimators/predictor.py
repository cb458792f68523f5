"""What is asked of an estimator that has a fitted model: predictions, rules, what was learned."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array, Mask, log_softmax
from unfis.data.blocks import comes_in_blocks
from unfis.estimators.tables import Read, check_table, read_labelled
from unfis.model.edit import EditReport
from unfis.model.fitted import FittedModel
from unfis.model.origin import fingerprint
from unfis.model.settings import Settings
from unfis.rules import Explanations, Reading

Answer = TypeVar("Answer")


def asked(ask: Callable[[FittedModel], Answer], doc: str) -> Answer:
    """A property of an estimator that asks its model; of the answer's type to who reads types."""
    return cast(Answer, property(lambda self: ask(self._fitted), doc=doc))


def listed_by_name(values: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Copies of named lists, for the user to do with as they like."""
    return {name: list(one) for name, one in values.items()}


class RulePredictor(BaseEstimator):  # type: ignore[misc]
    """An estimator with one FittedModel, `model_`, which it asks."""

    n_jobs: int | None
    unseen_categories: str
    learner: Any
    model_: FittedModel

    def decision_function(self, X: Any) -> Array:
        """The logits z, shape (n_samples, n_classes); of two classes z_1 - z_0, (n_samples,)."""
        model = self._fitted
        logits = model.logits(self._values(X, model))
        return logits[:, 1] - logits[:, 0] if logits.shape[1] == 2 else logits

    def predict(self, X: Any) -> NDArray[Any]:
        """The class to answer for each row, shape (n_samples,).

        The most probable one; with costs the one that is expected to cost least.
        """
        return np.asarray(self.classes_[self._fitted.answers(self.predict_proba(X))])

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class, in the order of `classes_`, (n_samples, n_classes)."""
        model = self._fitted
        return model.probabilities(self._values(X, model))

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of each class's probability, shape (n_samples, n_classes)."""
        model = self._fitted
        return log_softmax(model.logits(self._values(X, model)))

    def predict_set(self, X: Any, confidence: float = 0.95) -> Mask:
        """Which classes each row may be of, (n_samples, n_classes), in the order of `classes_`.

        Conformal sets by class: of the rows of each class, if they are like those learned from, a
        share of at least `confidence` have it in their set. Calibrated by answers to training rows
        that were held out in the fit. A set may have several classes, or none; a class of too few
        rows (19 at 0.95) is in all.
        """
        conformal = self._fitted.conformal(confidence)
        return conformal.sets(self.predict_proba(X))

    def abstain(self, X: Any, confidence: float = 0.95) -> NDArray[Any]:
        """As `predict`, but None, "don't know", where there are `doubts`; of dtype object."""
        found = self.predict(X).astype(object)
        found[self.doubts(X, confidence) != ""] = None
        return np.asarray(found)

    def doubts(self, X: Any, confidence: float = 0.95) -> NDArray[Any]:
        """Why an answer is none to rely on, in words, (n_samples,); "" where nothing is against it.

        A row may be unlike anything learned from (hardly covered), or its `predict_set` may have
        several classes, or none, or not the one that is answered.
        """
        model = self._fitted
        conformal, values = model.conformal(confidence), self._values(X, model)
        probabilities = model.probabilities(values)
        answers, coverage = model.answers(probabilities), model.coverage(values)
        found = conformal.doubts(probabilities, answers, coverage)
        return np.array(found, dtype=object)

    def predict_interval(self, X: Any, confidence: float = 0.95) -> Array | None:
        """Between which probabilities each class of each row is, (n_samples, n_classes, 2).

        As sure as the training rows make the model's numbers, not whether its rules are the right
        ones. None where that is not known: of the learners LM, GqLM, SGD and Momentum, more than
        one batch of `partial_fit`, models from `at` or `edit` without a refit, and those with more
        than 200 numbers to learn.
        """
        model = self._fitted
        return model.intervals(self._values(X, model), confidence)

    def importance(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, float]:
        """What it costs on these rows to know an input in none of them, the dearest first.

        In nats of loss per row. Exact for this model: an unknown input is out of all rules,
        their conditions and their opinions.
        """
        model = self._fitted
        if comes_in_blocks(X):
            check_table(self, X, model.columns)  # says that only fit and edit take them
        return model.importance(self._read(X, y, sample_weight).rows)

    def reading(self, X: Any, y: Any, sample_weight: Any = None) -> Reading:
        """How true the rules are as they read, measured on these rows.

        How many conditions are empty, how often the strongest rule alone gives the model's answer
        and how often the right one, how far printed percentages are off, which directions hold,
        which rules read alike and which answers no rule comes to. `print` it, or take `to_dict()`.
        """
        model = self._fitted
        if comes_in_blocks(X):
            check_table(self, X, model.columns)  # says that only fit and edit take them
        return model.reading(self._read(X, y, sample_weight).rows)

    def coverage(self, X: Any) -> Array:
        """How well the rules cover each row: near 1 as well as the best known rows, 0 unlike any.

        The share of the training rows on which no rule holds better than on this one, in the
        inputs the rules look at. Refuse an answer where it is below what you dare, such as 0.01.
        """
        model = self._fitted
        return model.coverage(self._values(X, model))

    def explain(self, X: Any) -> Explanations:
        """Take the predictions of rows apart, exactly.

        Index the result for one row: how far each condition held, what each rule and each input
        adds to the probability of the predicted class (of mixed outputs to its logit against the
        runner-up), the training rows most like it, and the smallest change of one input that would
        change the answer. `print` it, or take `to_dict()`, `to_html()` or `plot()`.
        """
        model = self._fitted
        return model.explain(self._values(X, model), self.n_jobs)

    def learned_from(self, X: Any, y: Any) -> bool:
        """Whether these are the very rows that the model learned from, by their fingerprint."""
        model = self._fitted
        if not model.columns.knows(y):
            return False
        return fingerprint(self._read(X, y).rows.kept()) == model.origin.fingerprint

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    @property
    def _fitted(self) -> FittedModel:
        """The model; NotFittedError if there is none yet."""
        check_is_fitted(self)
        model: FittedModel = self.model_
        return model

    @property
    def _settings(self) -> Settings:
        """The parameters as they are now."""
        found = {item.name: getattr(self, item.name) for item in fields(Settings)}
        # A copy: the user may change the learner's parameters after a fit.
        return Settings(**{**found, "learner": copy.copy(self.learner)})

    def _values(self, X: Any, model: FittedModel) -> Array:
        """The values of a table to predict, checked, shape (rows, inputs)."""
        columns = model.columns
        return columns.values(check_table(self, X, columns), self.unseen_categories)

    def _read(self, X: Any, y: Any, sample_weight: Any = None) -> Read:
        """A table with labels, read by what was fitted."""
        return read_labelled(self, X, y, sample_weight, self._settings, self._fitted.columns)

    # What a fit has learned; the class's docstring has more of it.
    classes_ = asked(lambda model: model.classes, "The classes, in order.")
    inputs_ = asked(lambda model: list(model.columns.inputs), "The inputs, and their columns.")
    notation_ = asked(lambda model: model.columns.notation, "How text in tables is read.")
    parameters_ = asked(lambda model: model.network, "The learned network.")
    selected_ = asked(lambda model: model.selected, "Which inputs are in which rule.")
    choices_ = asked(lambda model: dict(model.choices), "What was chosen, and by what.")
    path_ = asked(lambda model: listed_by_name(model.path), "The networks that were compared.")
    rules_ = asked(lambda model: model.rules, "The rules as plain data in the table's units.")
    feature_importances_ = asked(
        lambda model: model.feature_importances, "What it costs to know an input in no row."
    )
    history_ = asked(lambda model: listed_by_name(model.history), "What each iteration came to.")
    n_iter_ = asked(lambda model: model.n_iter, "How many iterations there were.")
    converged_ = asked(lambda model: model.converged, "Whether the training converged.")
    origin_ = asked(lambda model: model.origin, "The data and versions the model comes from.")

    @property
    def edits_(self) -> EditReport:
        """What an expert has changed, and what that costs."""
        edits = self._fitted.edits
        if edits is None:
            raise AttributeError("edits_ is there only of a model that was made by edit.")
        return edits
