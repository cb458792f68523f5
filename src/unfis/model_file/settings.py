"""An estimator's parameters as plain data, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from unfis.data.columns import TableColumns
from unfis.learning import LEARNERS, registered_name
from unfis.model.constraints import constraints_of
from unfis.model.settings import LearnerName, Settings
from unfis.rules.extract import plain

# Settings that say how a machine is used, of which a file says nothing; None where it is read.
OF_MACHINE = ("n_jobs", "time_limit")
# Settings that may be dicts of classes.
OF_CLASSES = ("class_weight", "costs", "threshold")


def plain_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """An estimator's parameters, but no random generator, nor what is this machine's."""
    kept = {name: plain_setting(settings[name]) for name in settings if name not in OF_MACHINE}
    state = settings["random_state"]
    kept["random_state"] = int(state) if isinstance(state, int | np.integer) else None
    kept["learner"] = plain_learner(settings["learner"])
    if isinstance(settings["given_rules"], str):
        kept["given_rules"] = settings["given_rules"].splitlines()
    for name in OF_CLASSES:
        if isinstance(settings[name], Mapping):
            pairs = [[plain(label), float(value)] for label, value in settings[name].items()]
            kept[name] = {"missed": pairs} if name == "costs" else pairs
        elif name == "costs" and settings[name] is not None:
            kept[name] = np.array(settings[name], dtype=float).tolist()
    return kept


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
    settings = {**data, **dict.fromkeys(OF_MACHINE)}
    if not isinstance(data["learner"], str):
        settings["learner"] = LearnerName(**data["learner"])
    for name in ("class_weight", "threshold"):
        if isinstance(data[name], tuple):
            settings[name] = dict(data[name])
    for name in ("categorical_features", "monotonic_cst", "forbidden_inputs", "given_rules"):
        if isinstance(data[name], tuple):
            settings[name] = list(data[name])
    if isinstance(data["costs"], dict):
        settings["costs"] = dict(data["costs"]["missed"])
    return settings


def plain_constraints(settings: Settings, columns: TableColumns) -> dict[str, Any]:
    """What an expert knows of inputs: a sign for each, and the names of those forbidden."""
    found, inputs = constraints_of(settings, columns), columns.inputs
    signs = [found.signs.get(j, 0) for j in range(len(inputs))]
    names = [inputs[j].name for j in sorted(found.forbidden)]
    return {"monotonic_cst": signs if any(signs) else None, "forbidden_inputs": names or None}
