"""A FittedModel as a document, and back: what `save` writes and `load` reads."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.data.columns import Input, TableColumns, column_spans
from unfis.data.samples import TrainingSample
from unfis.model.fitted import HISTORY, FittedModel, Memory
from unfis.model.origin import Origin
from unfis.model.settings import Settings
from unfis.model_file.document import FORMAT, LABEL_KINDS, VERSION, checked
from unfis.model_file.held_out import held_out_of, plain_held_out
from unfis.model_file.settings import plain_settings, read_settings
from unfis.model_file.text import ModelFileError, document_checksum, read_document, write_document
from unfis.model_file.uncertainty import plain_uncertainty, uncertainty_of
from unfis.network import Parameters, Selection
from unfis.network.combination import COMBINATIONS
from unfis.rules import RuleBase, Scorecard
from unfis.rules.extract import plain
from unfis.rules.given_reader import reread
from unfis.serial.messages import quoted
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

    `target` and `held_out` replace those of its origin.
    """
    given: dict[str, Any] = {"target": target, "held_out": held_out}
    given = {name: value for name, value in given.items() if value is not None}
    document = document_of(model, settings, replace(model.origin, **given))
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
    if document["checksum"] != document_checksum(document):
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
        "estimator": settings.estimator,
        "target": origin.target,
        "columns": columns.names and [plain(name) for name in columns.names],
        "classes": plain_classes(columns.classes),
        "inputs": plain_inputs(columns.inputs, rules),
        "rules": rules.to_dict(),
        "network": plain_network(model.network),
        "start": plain_network(model.start),
        "fixed": None if model.fixed is None else model.fixed.tolist(),
        "given": list(model.given),
        "scorecard": None if model.scorecard is None else plain_scorecard(model.scorecard),
        "uncertainty": model.uncertainty and plain_uncertainty(model.uncertainty),
        "settings": plain_settings(settings, columns),
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
        "held_out_answers": plain_held_out(model.held_out, len(model.classes)),
        "versions": dict(origin.versions),
    }


def model_of(found: dict[str, Any]) -> FittedModel:
    """The model of a document's fields."""
    learned, rules, data, classes = (found[n] for n in ("learned", "rules", "data", "classes"))
    ends = [[v.lowest for v in rules.variables], [v.highest for v in rules.variables]]
    path, network = learned["path"].items(), network_of(found["network"])
    model = FittedModel(
        settings=read_settings(found["settings"]),
        columns=TableColumns(
            found["columns"],
            inputs_of(found["inputs"]),
            np.array(classes["labels"], dtype=LABEL_KINDS[classes["kind"]][2]),
            rules.notation,
        ),
        network=network,
        start=network_of(found["start"]),
        fixed=None if found["fixed"] is None else np.array(found["fixed"]),
        given=found["given"],
        scorecard=found["scorecard"],
        uncertainty=uncertainty_of(found["uncertainty"], network.shape.size),
        costs=rules.costs,
        choices=learned["choices"],
        path={name: [np.nan if v is None else v for v in values] for name, values in path},
        stages=(),
        sample=TrainingSample.forgotten(np.array(ends, dtype=float), data["rows"]),
        memory=Memory(learned["weight"]),
        history={name: [] for name in HISTORY},
        n_iter=learned["iterations"],
        converged=learned["converged"],
        known_rules=rules,
        known_origin=Origin(
            data["rows"], data["sha256"], found["target"], found["held_out"], found["versions"]
        ),
        known_held_out=held_out_of(found["held_out_answers"]),
    )
    check_same(model)
    check_given_texts(model)
    return model


def check_same(model: FittedModel) -> None:
    """Raise ModelFileError unless network and rules give the same finite probabilities."""
    values = probes(model.rules)
    with np.errstate(all="ignore"):
        by_rules = softmax(model.rules.arrays.evaluate(values).logits)
        by_network = model.probabilities(values)
    if not np.isfinite([by_rules, by_network]).all():
        raise ModelFileError(
            "network and rules must give probabilities, got numbers that are none."
        )
    if not np.allclose(by_rules, by_network, rtol=0, atol=1e-6):
        raise ModelFileError("rules must say the same as network, got other probabilities.")


def check_given_texts(model: FittedModel) -> None:
    """Raise ModelFileError unless the rules that an expert gave can be read."""
    try:
        reread(model.given, model.columns)
    except ValueError as error:
        raise ModelFileError(f"given: {error}") from None


def plain_network(parameters: Parameters) -> dict[str, Any]:
    """A network's arrays as lists, what was decided by words, and how it combines its rules."""
    arrays = {name: getattr(parameters, name).tolist() for name in parameters.shape.blocks}
    form = {"logits": parameters.selection.plain(), "combination": parameters.combination.name}
    return arrays | form | {"reaches": plain_reaches(parameters.reaches)}


def plain_reaches(reaches: Array | None) -> Any:
    """How far cores reach below and above centres, None without end; [] where no set has one."""
    if reaches is None:
        return []
    return [
        [[None if end == np.inf else end for end in row] for row in side]
        for side in reaches.tolist()
    ]


def network_of(data: dict[str, Any]) -> Parameters:
    """A network from what `plain_network` gave."""
    names = ("centres", "widths", "consequents", "thresholds")
    arrays: dict[str, Any] = {name: np.array(data[name], dtype=float) for name in names}
    selection = Selection.from_plain(data["logits"], arrays["consequents"])
    combination = COMBINATIONS[data["combination"]]
    found = Parameters(
        **arrays, logits=selection.logits, slopes=selection.slopes, combination=combination
    )
    if not data["reaches"]:
        return found
    ends = [[[np.inf if x is None else x for x in row] for row in side] for side in data["reaches"]]
    return replace(found, reaches=np.array(ends, dtype=float))


def plain_scorecard(scorecard: Scorecard) -> dict[str, list[float]]:
    """The lists of a scorecard by their names."""
    return {name: [float(n) for n in numbers] for name, numbers in scorecard._asdict().items()}


def plain_inputs(inputs: Sequence[Input], rules: RuleBase) -> list[dict[str, Any]]:
    """Each input's name, unit, kind, categories and scaling."""
    return [
        {
            "name": item.name,
            "unit": variable.unit,
            "kind": item.kind,
            "categories": [plain(category) for category in item.categories],
            "offsets": item.offsets.tolist(),
            "scales": item.scales.tolist(),
        }
        for item, variable in zip(inputs, rules.variables, strict=True)
    ]


def inputs_of(data: Sequence[dict[str, Any]]) -> tuple[Input, ...]:
    """Inputs from what `plain_inputs` gave."""
    spans = column_spans([item["categories"] for item in data])
    return tuple(
        Input(
            item["name"],
            item["kind"],
            item["categories"],
            span,
            np.array(item["offsets"], dtype=float),
            np.array(item["scales"], dtype=float),
        )
        for item, span in zip(data, spans, strict=True)
    )


def plain_classes(classes: NDArray[Any]) -> dict[str, Any]:
    """The labels of the classes, and of what kind they are."""
    labels = classes.tolist()
    kinds = [kind for kind, (held_by, *_) in LABEL_KINDS.items() if classes.dtype.kind in held_by]
    if not kinds or any(plain(label) != label for label in labels):
        raise ValueError(
            f"The classes must be text, numbers or truth values to be kept in a model file, got "
            f"{quoted(labels[0])}. Make them text and fit anew."
        )
    return {"kind": kinds[0], "labels": labels}


def plain_number(value: Any) -> Any:
    """A number as JSON has it: None for NaN."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and np.isnan(value) else value


def probes(rules: RuleBase) -> Array:
    """Values within the range of every input, known or not, (rows, inputs): where to compare."""
    generator = np.random.RandomState(0)
    columns = []
    for variable in rules.variables:
        if variable.categories:
            levels = np.arange(float(len(variable.categories)))
        else:
            levels = np.array([variable.lowest, *variable.cuts, variable.highest], dtype=float)
        columns.append(np.append(generator.choice(levels, 63), np.nan))
    values = np.column_stack(columns)
    values[generator.random_sample(values.shape) < 0.1] = np.nan
    return values
