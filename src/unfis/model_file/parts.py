"""Parts of a model as plain data, and back: the network, its inputs, labels and settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.columns import Input, column_spans
from unfis.learning import LEARNERS, registered_name
from unfis.model.settings import LearnerName
from unfis.network import Parameters, Selection
from unfis.rules import RuleBase
from unfis.rules.extract import plain
from unfis.serial.messages import quoted

# Kinds of labels by the kind of their array.
LABEL_KINDS = {"b": "truth", "i": "whole", "u": "whole", "f": "number", "U": "text", "O": "any"}
LABEL_DTYPES: dict[str, Any] = {
    "truth": bool,
    "whole": np.int64,
    "number": np.float64,
    "text": str,
    "any": object,
}


def plain_network(parameters: Parameters) -> dict[str, Any]:
    """A network's arrays as lists; a selection that is decided is "in" or "out"."""
    names = ("centres", "widths", "consequents", "thresholds")
    arrays = {name: getattr(parameters, name).tolist() for name in names}
    return {**arrays, "logits": parameters.selection.plain()}


def network_of(data: dict[str, Any]) -> Parameters:
    """A network from what `plain_network` gave."""
    arrays = {
        name: np.array(value, dtype=float) for name, value in data.items() if name != "logits"
    }
    return Parameters(**arrays, logits=Selection.from_plain(data["logits"]).logits)


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


def plain_labels(classes: NDArray[Any]) -> dict[str, Any]:
    """The labels of the classes, and of what kind they are."""
    labels = classes.tolist()
    kind = LABEL_KINDS.get(classes.dtype.kind)
    if kind is None or any(plain(label) != label for label in labels):
        raise ValueError(
            f"The classes must be text, numbers or truth values to be kept in a model file, got "
            f"{quoted(labels[0])}. Make them text and fit anew."
        )
    return {"kind": kind, "labels": labels}


def labels_of(data: dict[str, Any]) -> NDArray[Any]:
    """Labels from what `plain_labels` gave."""
    return np.array(data["labels"], dtype=LABEL_DTYPES[data["kind"]])


def plain_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """An estimator's parameters; neither a generator of random numbers nor n_jobs, which is this
    machine's, is kept.
    """
    kept = {name: plain_setting(value) for name, value in settings.items() if name != "n_jobs"}
    state = settings["random_state"]
    kept["random_state"] = int(state) if isinstance(state, int | np.integer) else None
    kept["learner"] = plain_learner(settings["learner"])
    if isinstance(settings["class_weight"], dict):
        pairs = settings["class_weight"].items()
        kept["class_weight"] = [[plain(label), float(weight)] for label, weight in pairs]
    return kept


def plain_number(value: Any) -> Any:
    """A number as JSON has it: None for NaN."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and np.isnan(value) else value


def plain_setting(value: Any) -> Any:
    """A parameter as plain data: itself, or the list of what it holds."""
    if value is None or isinstance(value, str):
        return value
    return [plain(item) for item in np.ravel(value)] if np.ndim(value) else plain(value)


def plain_learner(learner: Any) -> Any:
    """A learner's name, or its name and parameters."""
    if isinstance(learner, str):
        return learner
    name = registered_name(learner)
    if name is None:
        raise ValueError(
            f"A model file can name the learners {', '.join(LEARNERS)}, got "
            f"{type(learner).__name__}. Set another one before saving: the fitted model stays."
        )
    return {"name": name, "parameters": learner.get_params()}


def settings_of(data: dict[str, Any]) -> dict[str, Any]:
    """An estimator's parameters from what `plain_settings` gave."""
    settings = dict(data)
    if not isinstance(data["learner"], str):
        settings["learner"] = LearnerName(**data["learner"])
    for name in ("class_weight", "categorical_features"):
        if isinstance(data[name], tuple):
            settings[name] = dict(data[name]) if name == "class_weight" else list(data[name])
    return settings


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
