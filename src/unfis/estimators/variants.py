"""Other fitted models of the same fit: points of the path to few conditions, and edited rules."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Mask
from unfis.data.samples import Samples
from unfis.data.weighted import mean_within
from unfis.estimators.reading import TableReader
from unfis.estimators.settings import check_settings, is_auto
from unfis.initialisation.prior import start_prior, trainable
from unfis.learning import Prior, Record
from unfis.learning.loop import check_number
from unfis.model.editing import Editor, EditReport
from unfis.model.training import Memory
from unfis.network import Parameters, Trainable, network_logits
from unfis.selection import at_point, point_on
from unfis.selection.elimination import Stage
from unfis.selection.scoring import mean_loss


class Variants(TableReader):
    """An estimator's part that makes other models of what it has learned, and stays as it is."""

    ridge: float | str
    _fit: Any
    choices_: dict[str, Any]
    path_: dict[str, list[Any]]
    parameters_: Parameters
    history_: dict[str, list[float]]
    n_iter_: int
    converged_: bool
    edits_: EditReport
    _start: Parameters
    _stages: list[Stage]
    _memory: Memory
    _fitted_with: dict[str, Any]
    _fixed: Mask | None = None

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
        number = point_on(self.path_, conditions, rules or self.choices_["n_rules"])
        model = self._copied()
        model.choices_, model.path_ = at_point(self.choices_, self.path_, number)
        if not self.path_["chosen"][number]:
            if not self._stages:
                raise ValueError(
                    "A model file keeps the chosen model alone, not the others of its path: fit "
                    "anew to choose among them."
                )
            stage = self._stages[number]
            model._start = stage.anchor
            model._take(stage.parameters)
        return model

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

        Rules are counted from 1, as they are printed; inputs go by name or position.

        Parameters
        ----------
        drop : list of (rule, input)
            Conditions to drop: the input no longer counts in that rule.
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
            A fitted copy, whose `edits_` tells the changes with their cost; this one stays as it
            is.
        """
        check_is_fitted(self, "parameters_")
        if refit:
            check_settings(self)
            self._check_learnable(X, goes_on=True)
        if X is None and (refit or y is not None or not len(self._training_sample.rows)):
            kept = (
                "" if len(self._training_sample.rows) else " A model file keeps no training rows."
            )
            raise ValueError(f"edit needs X and y to refit or to measure the cost on.{kept}")
        editor = Editor(self.parameters_, self._start, self._centres_fixed(), self.inputs_)
        edit = editor.edit(drop, forbid, centres, remove)
        given = X is not None
        read = self._read_all(X, y, sample_weight, goes_on=True) if given else self._training_sample
        model = self._copied()
        model._start, model._fixed = edit.anchor, edit.fixed
        model.path_, model._stages = {}, []
        model._take(edit.parameters)
        model.choices_ = edited_choices(self.choices_, model.selected_)
        models = {"before": self.parameters_, "edited": model.parameters_}
        if refit:
            # From the edited network on, around what is fixed.
            model._fit(X, y, sample_weight, goes_on=True, read=read)
            models["refitted"] = model.parameters_
        if not len(model._training_sample.rows):
            model._training_sample = read.kept()
        model.edits_ = report(edit.changes, models, self._samples_of(read), given=given)
        return model

    def _copied(self) -> Self:
        """A copy whose parameters, the learner among them, are its own."""
        model = copy.copy(self)
        vars(model).update(clone(self).get_params(deep=False))
        return model

    def _centres_fixed(self) -> Mask:
        """Centres that an edit has fixed, shape (rules, columns)."""
        none = np.zeros(self.parameters_.centres.shape, dtype=bool)
        return none if self._fixed is None else self._fixed

    def _trainable(self, parameters: Parameters) -> Trainable:
        """The network with what may be learned of it, by the settings it was made with."""
        made = self._fitted_with
        return trainable(parameters, made["selection"], made["consequents"], self._fixed)

    def _take(self, parameters: Parameters, weight: float | None = None) -> None:
        """Have parameters that no training of this model ended with, of samples of this weight."""
        self.parameters_ = parameters
        self.selected_ = self._selected(parameters)
        self.history_, self.n_iter_ = {name: [] for name in Record._fields}, 0
        self.converged_ = False
        prior = self._prior(self._trainable(parameters))
        weight = self._memory.weight if weight is None else weight
        self._memory = Memory("", prior, weight, None)

    def _prior(self, network: Trainable) -> Prior:
        """The prior around the start, as firm as was chosen."""
        ridge = self.choices_["ridge"] if is_auto(self.ridge) else float(self.ridge)
        return start_prior(network, self._start, ridge, self._fitted_with["consequents"])

    def _keep_on_path(self, samples: Samples) -> None:
        """Put the trained model where it was chosen on the path, with its loss on its samples."""
        if (
            not self._stages
        ):  # without a path, or read from a file, which keeps the chosen model alone
            return
        number = self.path_["chosen"].index(True)
        self._stages = list(self._stages)
        self._stages[number] = self._stages[number]._replace(parameters=self.parameters_)
        losses = list(self.path_["training_loss"])
        losses[number] = mean_loss(self.parameters_, samples)
        self.path_ = {**self.path_, "training_loss": losses}


def edited_choices(choices: dict[str, Any], selected: Mask) -> dict[str, Any]:
    """The choices, with rules and conditions as the user has made them."""
    counts = {"n_rules": len(selected), "conditions": int(selected.sum()), "by": "user"}
    return {**choices, **counts}


def report(
    changes: list[str], models: dict[str, Parameters], samples: Samples, *, given: bool
) -> EditReport:
    """What the changes cost on samples."""
    return EditReport(
        tuple(changes),
        len(samples.X),
        given,
        tuple(models),
        tuple(mean_loss(parameters, samples) for parameters in models.values()),
        tuple(accuracy(parameters, samples) for parameters in models.values()),
    )


def accuracy(parameters: Parameters, samples: Samples) -> float:
    """The weight of the samples that a network gets right, as a share."""
    hits = network_logits(parameters, samples.X).argmax(axis=1) == samples.targets.argmax(axis=1)
    return mean_within(hits.astype(float), samples.weights)
