"""A FittedModel as a document, and back: what `save` writes and `load` reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from unfis.arrays import softmax
from unfis.data.columns import TableColumns
from unfis.data.samples import TrainingSample
from unfis.model.fitted import FittedModel, Memory, Origin
from unfis.model.settings import Settings
from unfis.model_file.document import FORMAT, VERSION, checked
from unfis.model_file.parts import (
    inputs_of,
    labels_of,
    network_of,
    plain_inputs,
    plain_labels,
    plain_network,
    plain_number,
    plain_settings,
    probes,
    settings_of,
)
from unfis.model_file.text import ModelFileError, checksum, read_document, write_document
from unfis.rules.extract import plain
from unfis.serial.schema import SchemaError


def write_model(
    path: str | os.PathLike[str],
    model: FittedModel,
    settings: Settings,
    *,
    target: str | None = None,
    held_out: Mapping[str, Any] | None = None,
) -> None:
    """Write a model to a file, with the settings to go on with, if it could be read back.

    `target` and `held_out` take the place of what its origin tells.
    """
    origin = model.origin
    origin = origin if target is None else replace(origin, target=target)
    origin = origin if held_out is None else replace(origin, held_out=held_out)
    document = document_of(model, settings, origin)
    try:
        model_of(checked({**document, "checksum": ""}))
    except (SchemaError, ModelFileError) as error:
        raise ModelFileError(
            f"{os.fspath(path)} was not written, since it could not be read back: {error}"
        ) from None
    write_document(path, document)


def read_model(path: str | os.PathLike[str]) -> FittedModel:
    """The model of a file that `write_model` wrote; no field of it is believed."""
    document = read_document(path)
    try:
        model = model_of(checked(document))
    except (SchemaError, ModelFileError) as error:
        raise ModelFileError(f"{os.fspath(path)} cannot be read: {error}") from None
    if document["checksum"] != checksum(document):
        raise ModelFileError(
            f"{os.fspath(path)} cannot be read: checksum does not fit the other fields, which were "
            "changed after the file was written. Save the model again."
        )
    return model


def document_of(model: FittedModel, settings: Settings, origin: Origin) -> dict[str, Any]:
    """All of a model as plain data."""
    columns, rules = model.columns, model.rules
    held_out = origin.held_out
    return {
        "format": FORMAT,
        "version": VERSION,
        "target": origin.target,
        "columns": columns.names and [plain(name) for name in columns.names],
        "classes": plain_labels(columns.classes),
        "inputs": plain_inputs(columns.inputs, rules),
        "rules": rules.to_dict(),
        "network": plain_network(model.network),
        "start": plain_network(model.start),
        "fixed": None if model.fixed is None else model.fixed.tolist(),
        "settings": plain_settings(settings.plain()),
        "learned": {
            # How long the choice took is no part of the model.
            "choices": {k: plain_number(v) for k, v in model.choices.items() if k != "seconds"},
            "path": {k: [plain_number(v) for v in vs] for k, vs in model.path.items()},
            "iterations": model.n_iter,
            "converged": bool(model.converged),
            "weight": float(model.memory.weight),
        },
        "data": {"rows": origin.rows, "sha256": origin.fingerprint},
        "held_out": held_out and {k: plain_number(v) for k, v in held_out.items()},
        "versions": dict(origin.versions),
    }


def model_of(found: dict[str, Any]) -> FittedModel:
    """The model of a document's fields."""
    learned, rules, names = found["learned"], found["rules"], found["columns"]
    network = network_of(found["network"])
    ends = [[v.lowest for v in rules.variables], [v.highest for v in rules.variables]]
    model = FittedModel(
        settings=Settings(**settings_of(found["settings"]), n_jobs=None),
        columns=TableColumns(
            None if names is None else tuple(names),
            inputs_of(found["inputs"]),
            labels_of(found["classes"]),
            rules.notation,
        ),
        network=network,
        start=network_of(found["start"]),
        fixed=None if found["fixed"] is None else np.array(found["fixed"]),
        choices=dict(learned["choices"]),
        path={
            name: [np.nan if value is None else value for value in values]
            for name, values in learned["path"].items()
        },
        stages=(),
        sample=TrainingSample.forgotten(np.array(ends, dtype=float), found["data"]["rows"]),
        memory=Memory(),
    )
    model = replace(
        model.with_network(network, learned["weight"]),
        n_iter=learned["iterations"],
        converged=learned["converged"],
        known_rules=rules,
        known_origin=Origin(
            found["data"]["rows"],
            found["data"]["sha256"],
            found["target"],
            found["held_out"],
            found["versions"],
        ),
    )
    check_same(model)
    return model


def check_same(model: FittedModel) -> None:
    """Raise ModelFileError unless network and rules give the same finite probabilities."""
    values = probes(model.rules)
    with np.errstate(all="ignore"):
        told = softmax(model.rules.arrays.evaluate(values).logits)
        said = softmax(model.logits(values))
    if not (np.isfinite(told).all() and np.isfinite(said).all()):
        raise ModelFileError(
            "network and rules must give probabilities, got numbers that are none."
        )
    if not np.allclose(told, said, rtol=0, atol=1e-6):
        raise ModelFileError("rules must say the same as network, got other probabilities.")
