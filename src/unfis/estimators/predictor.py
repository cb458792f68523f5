"""What is asked of an estimator of rules that each speak for themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.blocks import comes_in_blocks
from unfis.data.samples import TrainingSample
from unfis.estimators.model_classifier import ModelClassifier, asked, listed_by_name
from unfis.estimators.tables import check_table
from unfis.model.edit import EditReport
from unfis.model.origin import fingerprint
from unfis.rules import Explanations, Reading


class RulePredictor(ModelClassifier):
    """A classifier whose rules each speak for themselves."""

    n_jobs: int | None

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
        ones. None where that is not known: of more than one batch of `partial_fit`, models from
        `at` or `edit` without a refit, and those with more than 200 numbers to learn.
        """
        model = self._fitted
        return model.intervals(self._values(X, model), confidence)

    def importance(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, float]:
        """What it costs on these rows to know an input in none of them, the dearest first.

        In nats of loss per row. Exact for this model: an unknown input is out of all rules,
        their conditions and their opinions.
        """
        return self._fitted.importance(self._rows(X, y, sample_weight))

    def reading(self, X: Any, y: Any, sample_weight: Any = None) -> Reading:
        """How true the rules are as they read, measured on these rows.

        How many conditions are empty, how often the strongest rule alone gives the model's answer
        and how often the right one, how far printed percentages are off, which directions hold,
        which rules read alike and which answers no rule comes to. `print` it, or take `to_dict()`.
        """
        return self._fitted.reading(self._rows(X, y, sample_weight))

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> TrainingSample:
        """The rows of a table with labels, which is in memory."""
        if comes_in_blocks(X):
            check_table(self, X, self._fitted.columns)  # says that only fit and edit take them
        return self._read(X, y, sample_weight).rows

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
        adds to the probability of the predicted class, the training rows most like it, and the
        smallest change of one input that would change the answer. `print` it, or take `to_dict()`,
        `to_html()` or `plot()`.
        """
        model = self._fitted
        return model.explain(self._values(X, model), self.n_jobs)

    def learned_from(self, X: Any, y: Any) -> bool:
        """Whether these are the very rows that the model learned from, by their fingerprint."""
        model = self._fitted
        if not model.columns.knows(y):
            return False
        return fingerprint(self._read(X, y).rows.kept()) == model.origin.fingerprint

    # What a fit has learned; the class's docstring has more of it.
    selected_ = asked(lambda model: model.selected, "Which inputs are in which rule.")
    path_ = asked(lambda model: listed_by_name(model.path), "The networks that were compared.")
    rules_ = asked(lambda model: model.rules, "The rules as plain data in the table's units.")
    feature_importances_ = asked(
        lambda model: np.array([variable.importance for variable in model.rules.variables]),
        "What it costs to know an input in no row.",
    )

    @property
    def edits_(self) -> EditReport:
        """What an expert has changed, and what that costs."""
        edits = self._fitted.edits
        if edits is None:
            raise AttributeError("edits_ is there only of a model that was made by edit.")
        return edits
