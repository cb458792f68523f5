"""Other fitted models of the same fit: points of the path from many conditions to few."""

from __future__ import annotations

import copy
from typing import Any, Self

from sklearn.utils.validation import check_is_fitted

from unfis.learning import Prior, Record
from unfis.learning.loop import check_number
from unfis.network import Parameters, Trainable
from unfis.reading import TableReader
from unfis.selection import at_point, point_on
from unfis.selection.elimination import Stage
from unfis.settings import check_unchanged, is_auto
from unfis.training import Memory, Samples, mean_loss, start_prior, trainable


class Variants(TableReader):
    """An estimator's part that makes other models of what it has learned, and stays as it is."""

    selection: str
    consequents: str
    ridge: float | str
    choices_: dict[str, Any]
    path_: dict[str, list[Any]]
    parameters_: Parameters
    history_: dict[str, list[float]]
    _start: Parameters
    _stages: list[Stage]
    _memory: Memory

    def at(self, conditions: int, rules: int | None = None) -> Self:
        """The model at another point of the path, without learning again.

        Parameters
        ----------
        conditions : int
            How many conditions all rules together may have; the longest model of at most so many.
            It was trained closely enough to be compared, on at most 2,000 rows; `partial_fit` with
            all of them trains it to the end.
        rules : int, default=None
            The number of rules, if not the chosen one.

        Returns
        -------
        model : UNFISClassifier
            A fitted copy; this one stays as it is.
        """
        check_is_fitted(self, "parameters_")
        check_number("conditions", conditions, whole=True)
        check_number("rules", rules, whole=True, otherwise=None)
        check_unchanged(self)
        number = point_on(self.path_, conditions, rules or self.choices_["n_rules"])
        model = copy.copy(self)
        model.choices_, model.path_ = at_point(self.choices_, self.path_, number)
        if not self.path_["chosen"][number]:
            stage = self._stages[number]
            model._start = stage.anchor
            model._take(stage.parameters)
        return model

    def _take(self, parameters: Parameters) -> None:
        """Have parameters that no training of this model ended with."""
        self.parameters_ = parameters
        self.selected_ = self._selected(parameters)
        self.history_, self.n_iter_ = {name: [] for name in Record._fields}, 0
        self.converged_ = False
        network = trainable(parameters, self.selection, self.consequents)
        self._memory = Memory("", self._prior(network), self._memory.weight, None)

    def _prior(self, network: Trainable) -> Prior:
        """The prior around the start, as firm as was chosen."""
        ridge = self.choices_["ridge"] if is_auto(self.ridge) else float(self.ridge)
        return start_prior(network, self._start, ridge, self.consequents)

    def _keep_on_path(self, samples: Samples) -> None:
        """Put the trained model where it was chosen on the path, with its loss on its samples."""
        if not self.path_:
            return
        number = self.path_["chosen"].index(True)
        self._stages = list(self._stages)
        self._stages[number] = self._stages[number]._replace(parameters=self.parameters_)
        losses = list(self.path_["training_loss"])
        losses[number] = mean_loss(self.parameters_, samples)
        self.path_ = {**self.path_, "training_loss": losses}
