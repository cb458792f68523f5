"""What a fitted model says of itself: its rules, one prediction taken apart, what it covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.estimators.reading import TableReader
from unfis.network import Parameters
from unfis.rules import Explanations, RuleBase, explain_rows, extract_rules, importances
from unfis.ties import ranked


class Interpretation(TableReader):
    """An estimator's part that tells what was learned."""

    n_jobs: int | None
    parameters_: Parameters
    _told: tuple[Parameters, RuleBase] | None = None

    @property
    def rules_(self) -> RuleBase:
        """The rules as plain data, which `print` shows in words and notebooks as HTML."""
        check_is_fitted(self, "parameters_")
        if self._told is None or self._told[0] is not self.parameters_:
            rules = extract_rules(
                self.parameters_, self.inputs_, self.classes_, self._training_sample
            )
            self._told = self.parameters_, rules
        rules = self._told[1]
        if rules.notation != self.notation_:
            rules = replace(rules, notation=self.notation_)
            self._told = self.parameters_, rules
        return rules

    @property
    def feature_importances_(self) -> Array:
        """What it costs to know an input in no row, in nats of loss per training row, (inputs,)."""
        return np.array([variable.importance for variable in self.rules_.variables])

    def importance(self, X: Any, y: Any, sample_weight: Any = None) -> dict[str, float]:
        """What it costs on these rows to know an input in none of them, the dearest first.

        In nats of loss per row. Exact for this model: an unknown input is out of all rules,
        their conditions and their opinions.
        """
        check_is_fitted(self, "parameters_")
        read = self._read(X, y, sample_weight, goes_on=True)
        arrays = self.rules_.arrays
        costs = importances(arrays, arrays.evaluate(read.values), read.codes, read.weights)
        every = [costs.get(j, 0.0) for j in range(len(self.inputs_))]
        return {self.inputs_[j].name: every[j] for j in ranked([-cost for cost in every])}

    def coverage(self, X: Any) -> Array:
        """How well the rules cover each row: near 1 as well as the best known rows, 0 unlike any.

        The share of the training rows on which no rule holds better than on this one, in the
        inputs the rules look at. Refuse an answer where it is below what you dare, such as 0.01.
        """
        rules = self.rules_
        return rules.covered(rules.arrays.evaluate(self._values(X)))

    def explain(self, X: Any) -> Explanations:
        """Take the predictions of rows apart, exactly.

        Index the result for one row: how far each condition held, what each rule and each input
        adds to the logit of the predicted class against the runner-up, the training rows most like
        it, and the smallest change of one input that would change the answer. `print` it, or take
        `to_dict()`, `to_html()` or `plot()`.
        """
        return explain_rows(self.rules_, self._values(X), self._training_sample, self.n_jobs)
