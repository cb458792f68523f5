"""A FittedNetwork as a document of plain data, and back; nothing of a document is believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from math import isfinite, nan
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input, TableColumns
from unfis.data.notation import Notation
from unfis.data.origin import Origin
from unfis.learning import LEARNERS, learner_class, learner_of, registered_name
from unfis.model_file.reading import (
    LABEL_KINDS,
    NOTATION,
    ORIGIN,
    inputs_of,
    labels_of_kind,
)
from unfis.model_file.settings import (
    anything,
    column_name,
    plain_data,
    plain_label,
    read_setting,
)
from unfis.model_file.text import ModelFileError
from unfis.model_file.writing import plain_classes, plain_column
from unfis.network.fitted import HISTORY, FittedNetwork, Memory
from unfis.network.parameters import Parameters, Shape
from unfis.network.selection import IN
from unfis.serial.schema import (
    Check,
    SchemaError,
    either,
    list_of,
    mapping_of,
    number,
    one_of,
    optional,
    record,
    require,
    scalar,
    text,
    truth,
    whole,
)

NETWORK_FORMAT, NETWORK_VERSION = "unfis network", 1
# Products and squares of numbers up to here stay finite, and of widths from here on.
LARGEST, LEAST_WIDTH = 1e100, 1e-100
MODERATE = number(-LARGEST, LARGEST)
# Parameters of the run, of which a file says nothing.
OF_THE_RUN = ("n_jobs", "time_limit", "verbose")
SETS = ("centres", "widths", "logits")
NETWORK_INPUT = {
    "name": text,
    "kind": one_of("number", "boolean", "category"),
    "categories": list_of(scalar),
    "offset": number(),
    "scale": number(0.0, above=True),
    "low": optional(number()),
    "high": optional(number()),
}
LEARNER = record({"name": one_of(*LEARNERS), "parameters": mapping_of(optional(scalar))})


def document_of_network(model: FittedNetwork) -> dict[str, Any]:
    """All of a network as plain data."""
    columns, parameters, start = model.columns, model.parameters, model.start
    origin = plain_data("held_out", asdict(model.origin))
    sets = (plain_sets(start, SETS), plain_sets(parameters, (*SETS, "consequents")))
    return {
        "format": NETWORK_FORMAT,
        "version": NETWORK_VERSION,
        "unfis": import_module("unfis").__version__,
        "target": origin.pop("target"),
        "classes": plain_classes(columns.classes),
        "rules": sets[1],
        "thresholds": parameters.thresholds.tolist(),
        "start": sets[0],
        "inputs": [plain_input(*one) for one in zip(columns.inputs, model.ends.T, strict=True)],
        "notation": asdict(columns.notation),
        "columns": None if columns.names is None else [*map(plain_column, columns.names)],
        "settings": plain_settings(model.settings),
        "choices": plain_data("choices", model.choices),
        "iterations": model.n_iter,
        "converged": bool(model.converged),
        "weight": float(model.memory.weight),
        "origin": origin,
    }


def plain_sets(parameters: Parameters, names: Sequence[str]) -> list[dict[str, Any]]:
    """The arrays of each rule; logits are null where all inputs are in for good."""
    found = [
        {name: getattr(parameters, name)[i].tolist() for name in names}
        for i in range(parameters.shape.rules)
    ]
    if np.isinf(parameters.logits).all():
        found = [{**one, "logits": None} for one in found]
    return found


def plain_input(item: Input, ends: Array) -> dict[str, Any]:
    """What an input is called, how it is read, and between which values it was in training."""
    low, high = (end if isfinite(end) else None for end in ends.tolist())
    scaling = float(item.offsets[0]), float(item.scales[0])
    kinds = [*map(plain_label, item.categories)]
    return dict(zip(NETWORK_INPUT, (item.name, item.kind, kinds, *scaling, low, high), strict=True))


def plain_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of an estimator but those of the run, and no random generator."""
    kept = {name: one for name, one in settings.items() if name not in OF_THE_RUN}
    learner, state = kept.pop("learner"), kept.pop("random_state")
    found = {name: plain_data(f"settings.{name}", one) for name, one in kept.items()}
    found["random_state"] = int(state) if isinstance(state, int | np.integer) else None
    if not isinstance(learner, str):
        name = registered_name(learner)
        if name is None:
            raise ModelFileError(
                f"settings.learner must be one of {', '.join(LEARNERS)}; got "
                f"{type(learner).__name__}. Set another one before saving: the fitted model stays."
            )
        learner = {"name": name, "parameters": learner.get_params()}
    return {**found, "learner": learner}


def rule_check(shape: Shape, names: Sequence[str], *, soft: bool, width: Check) -> Check:
    """The arrays of a rule of a network of this shape."""
    checks = dict.fromkeys(names, row_of(shape.features, MODERATE))
    checks["widths"] = row_of(shape.features, width)
    if not soft:
        checks["logits"] = one_of(None)
    if "consequents" in checks:
        checks["consequents"] = row_of(shape.classes, row_of(1 + shape.features, MODERATE))
    return record(checks)


def row_of(count: int, check: Check) -> Check:
    """A list of so many."""
    return list_of(check, least=count, most=count)


NETWORK_DOCUMENT = {
    "format": one_of(NETWORK_FORMAT),
    "version": one_of(NETWORK_VERSION),
    "unfis": text,
    "target": optional(text),
    "classes": record({"kind": one_of(*LABEL_KINDS), "labels": list_of(scalar, least=2)}),
    "rules": list_of(anything, least=1),
    "thresholds": list_of(MODERATE),
    "start": anything,
    "inputs": list_of(record(NETWORK_INPUT), least=1),
    "notation": record(NOTATION, Notation),
    "columns": optional(list_of(column_name)),
    "settings": mapping_of(anything),
    "choices": mapping_of(scalar),
    "iterations": whole(0),
    "converged": truth,
    "weight": number(0.0, LARGEST),
    "origin": record(ORIGIN),
    "checksum": text,
}


def network_of(document: Mapping[str, Any]) -> FittedNetwork:
    """The network of a document."""
    found = record(NETWORK_DOCUMENT)(document, "")
    labels, settings = labels_of_kind(found["classes"]), read_settings(found["settings"])
    columns = TableColumns(found["columns"], inputs_of(found), labels, found["notation"])
    ends = [[nan if one[n] is None else one[n] for one in found["inputs"]] for n in ("low", "high")]
    shape = Shape(len(found["rules"]), columns.width, len(labels))
    number(0.0)(found["choices"].get("ridge"), "choices['ridge']")
    one_of(shape.rules)(found["choices"].get("n_rules"), "choices['n_rules']")
    thresholds = row_of(shape.classes, MODERATE)(found["thresholds"], "thresholds")
    model = FittedNetwork(
        settings=settings,
        columns=columns,
        parameters=parameters_of(found["rules"], "rules", shape, settings, thresholds),
        start=parameters_of(found["start"], "start", shape, settings, np.zeros(shape.classes)),
        choices=found["choices"],
        ends=np.array(ends, dtype=float),
        origin=Origin(**found["origin"], target=found["target"]),
        memory=Memory(float(found["weight"])),
        history={name: [] for name in HISTORY},
        n_iter=found["iterations"],
        converged=found["converged"],
    )
    with np.errstate(all="ignore"):
        rules = model.rules
    numbers = rules.centres, rules.widths, rules.consequents
    whole_numbers = all(np.isfinite(one).all() for one in numbers) and (rules.widths > 0).all()
    require(bool(whole_numbers), "rules must be finite in the units of the table.")
    return model


def parameters_of(
    rules: Any, where: str, shape: Shape, settings: Mapping[str, Any], thresholds: Any
) -> Parameters:
    """A network from what `plain_sets` gave; consequents are 0 where none are given."""
    names = (*SETS, "consequents") if where == "rules" else SETS
    width = MODERATE if where == "rules" else number(LEAST_WIDTH, LARGEST)
    soft = where == "start" or settings["selection"] == "soft"
    check = rule_check(shape, names, soft=soft, width=width)
    found = row_of(shape.rules, check)(rules, where)
    arrays: dict[str, Any] = {
        name: np.array([one[name] for one in found], dtype=float) for name in names
    }
    if not soft:
        arrays["logits"] = np.full((shape.rules, shape.features), IN)
    zeros = np.zeros(shape.blocks["consequents"])
    return Parameters(**{"consequents": zeros, **arrays}, thresholds=np.array(thresholds, float))


def read_settings(found: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of an estimator from what `plain_settings` gave."""
    kept = {n: read_setting(one, f"settings.{n}") for n, one in found.items() if n != "learner"}
    for name in ("selection", "consequents", "ridge"):
        require(name in kept, f"settings lacks '{name}'.")
    one_of("soft", "none")(kept["selection"], "settings.selection")
    one_of("linear", "constant")(kept["consequents"], "settings.consequents")
    optional(whole(0))(kept.get("random_state"), "settings.random_state")
    learner = either(one_of(*LEARNERS), LEARNER, dict)(found.get("learner"), "settings.learner")
    if isinstance(learner, dict):
        kind = learner_class(learner["name"])
        if set(learner["parameters"]) != set(kind().get_params()):
            raise SchemaError(f"settings.learner must have the parameters of {kind.__name__}.")
        learner = learner_of(kind(**learner["parameters"]))
    return {**kept, **dict.fromkeys(OF_THE_RUN[:2]), "verbose": False, "learner": learner}
