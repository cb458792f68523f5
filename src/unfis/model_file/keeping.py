"""The estimator's part that keeps it in a file, and makes it of one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import softmax
from unfis.data.encoder import TableEncoder
from unfis.data.training_sample import TrainingSample
from unfis.estimators.interpretation import Interpretation
from unfis.estimators.settings import check_settings, fitted_settings, unchangeable_settings
from unfis.estimators.variants import Variants
from unfis.model_file.document import FORMAT, VERSION, checked
from unfis.model_file.origin import Origin, fingerprint
from unfis.model_file.parts import (
    inputs_of,
    labels_of,
    network_of,
    plain_inputs,
    plain_labels,
    plain_network,
    plain_settings,
    probes,
    settings_of,
)
from unfis.model_file.text import ModelFileError, checksum, read_document, write_document
from unfis.network import Parameters, network_logits
from unfis.rules import RuleBase
from unfis.rules.extract import plain
from unfis.serial.schema import SchemaError


class Keeping(Interpretation, Variants):
    """An estimator's part that writes and reads model files."""

    _kept: tuple[Parameters, Origin] | None = None

    @property
    def origin_(self) -> Origin:
        """Where the model comes from: its data, versions, and what its file tells beside it."""
        check_is_fitted(self, "parameters_")
        if self._kept is None or self._kept[0] is not self.parameters_:
            return Origin.of(self._training_sample)
        return self._kept[1]

    def learned_from(self, X: Any, y: Any) -> bool:
        """Whether these are the very rows that the model learned from, by their fingerprint."""
        check_is_fitted(self, "parameters_")
        if not np.isin(np.asarray(y), self.classes_).all():
            return False
        read = self._read(X, y, None, goes_on=True)
        return fingerprint(read.kept()) == self.origin_.fingerprint

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        target: str | None = None,
        held_out: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the model to a file of JSON, which `load` reads: no training rows, no code.

        The same model gives the same bytes. A crash leaves what was there, and so does a model that
        could not be read back: it is checked as `load` would before anything is written.

        Parameters
        ----------
        path : the file
        target : name of the column of classes, for those who read the file
        held_out : what was measured on rows that were not learned from; text and numbers by name
        """
        check_is_fitted(self, "parameters_")
        origin = self.origin_
        if target is not None:
            origin = replace(origin, target=target)
        if held_out is not None:
            origin = replace(origin, held_out=held_out)
        document = self._document(origin)
        try:
            self._of_fields(checked({**document, "checksum": ""}))
        except (SchemaError, ModelFileError) as error:
            raise ModelFileError(
                f"{os.fspath(path)} was not written, since it could not be read back: {error}"
            ) from None
        write_document(path, document)

    def _document(self, origin: Origin) -> dict[str, Any]:
        """All of the model as plain data."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "target": origin.target,
            "columns": self._columns and [plain(name) for name in self._columns],
            "classes": plain_labels(self.classes_),
            "inputs": plain_inputs(self.inputs_, self.rules_),
            "rules": self.rules_.to_dict(),
            "network": plain_network(self.parameters_),
            "start": plain_network(self._start),
            "fixed": None if self._fixed is None else self._fixed.tolist(),
            "settings": plain_settings(fitted_settings(self)),
            "learned": {
                # How long the choice took is no part of the model.
                "choices": {k: plain_number(v) for k, v in self.choices_.items() if k != "seconds"},
                "path": {k: [plain_number(v) for v in vs] for k, vs in self.path_.items()},
                "iterations": self.n_iter_,
                "converged": bool(self.converged_),
                "weight": float(self._memory.weight),
            },
            "data": {"rows": origin.rows, "sha256": origin.fingerprint},
            "held_out": origin.held_out
            and {k: plain_number(v) for k, v in origin.held_out.items()},
            "versions": dict(origin.versions),
        }

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """The model of a file that `save` wrote.

        It predicts, tells its rules and explains as the model that was saved, but has no training
        rows to compare with. No code of the file is run and no field of it believed:
        `ModelFileError` names the one that is wrong.
        """
        document = read_document(path)
        try:
            model = cls._of_fields(checked(document))
        except (SchemaError, ModelFileError) as error:
            raise ModelFileError(f"{os.fspath(path)} cannot be read: {error}") from None
        if document["checksum"] != checksum(document):
            raise ModelFileError(
                f"{os.fspath(path)} cannot be read: checksum does not fit the other fields, which "
                "were changed after the file was written. Save the model again."
            )
        return model

    @classmethod
    def _of_fields(cls, found: dict[str, Any]) -> Self:
        """The model of a document's fields."""
        try:
            model = cls(**settings_of(found["settings"]))
            check_settings(model)
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"settings: {error}") from None
        model._take_columns(found)
        learned, rules = found["learned"], found["rules"]
        model.choices_ = dict(learned["choices"])
        model.path_ = {
            name: [np.nan if value is None else value for value in values]
            for name, values in learned["path"].items()
        }
        model._start, model._stages = network_of(found["start"]), []
        model._fixed = None if found["fixed"] is None else np.array(found["fixed"])
        model._fitted_with = unchangeable_settings(model)
        parameters = network_of(found["network"])
        model._take(parameters, learned["weight"])
        model.n_iter_, model.converged_ = learned["iterations"], learned["converged"]
        model._told = parameters, rules
        model._kept = parameters, origin_of(found)
        check_same(model, rules)
        return model

    def _take_columns(self, found: dict[str, Any]) -> None:
        """Have the columns and classes of a document."""
        names = found["columns"]
        self.classes_ = labels_of(found["classes"])
        self.inputs_ = inputs_of(found["inputs"])
        self.notation_ = found["rules"].notation
        self.n_features_in_ = len(self.inputs_)
        self._columns = None if names is None else list(names)
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)
        self._encoder = TableEncoder.of(self.inputs_, self.categorical_features, self.scale)
        variables = found["rules"].variables
        ends = [[v.lowest for v in variables], [v.highest for v in variables]]
        self._training_sample = TrainingSample.forgotten(
            np.array(ends, dtype=float), found["data"]["rows"]
        )


def plain_number(value: Any) -> Any:
    """A number as JSON has it: None for NaN."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and np.isnan(value) else value


def origin_of(found: dict[str, Any]) -> Origin:
    """The origin that a document tells of."""
    return Origin(
        found["data"]["rows"],
        found["data"]["sha256"],
        found["target"],
        found["held_out"],
        found["versions"],
    )


def check_same(model: Any, rules: RuleBase) -> None:
    """Raise ModelFileError unless network and rules give the same finite probabilities."""
    values = probes(rules)
    with np.errstate(all="ignore"):
        told = softmax(rules.arrays.evaluate(values).logits)
        said = softmax(network_logits(model.parameters_, model._encoder.matrix(values)))
    if not (np.isfinite(told).all() and np.isfinite(said).all()):
        raise ModelFileError(
            "network and rules must give probabilities, got numbers that are none."
        )
    if not np.allclose(told, said, rtol=0, atol=1e-6):
        raise ModelFileError("rules must say the same as network, got other probabilities.")
