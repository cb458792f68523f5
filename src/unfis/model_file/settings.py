"""An estimator's parameters as plain data, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from unfis.data.columns import TableColumns
from unfis.learning import LEARNERS, registered_name
from unfis.model.constraints import constraints_of
from unfis.model.settings import RULES, LearnerName, Settings
from unfis.rules.extract import plain

# Settings that say how a machine is used, of which a file says nothing; None where it is read.
OF_MACHINE = ("n_jobs", "time_limit")


def plain_settings(settings: Settings, columns: TableColumns) -> dict[str, Any]:
    """An estimator's parameters, but no random generator, nor what is this machine's."""
    given = settings.plain() | plain_constraints(settings, columns)
    kept = {name: plain_setting(given[name]) for name in given if name not in OF_MACHINE}
    state = settings.random_state
    kept["random_state"] = int(state) if isinstance(state, int | np.integer) else None
    for name, of_own_form in PLAIN_FORMS.items():
        if name in kept:
            kept[name] = of_own_form(given[name])
    return kept


def plain_rules(rules: Any) -> Any:
    """Rules by hand as a list of lines."""
    return plain_setting(rules.splitlines() if isinstance(rules, str) else rules)


def plain_by_class(value: Any) -> Any:
    """A dict by class as pairs; anything else as plain data."""
    if not isinstance(value, Mapping):
        return plain_setting(value)
    return [[plain(label), float(number)] for label, number in value.items()]


def plain_costs(costs: Any) -> Any:
    """What each class costs to miss, or a table of costs."""
    if costs is None:
        return None
    if isinstance(costs, Mapping):
        return {"missed": plain_by_class(costs)}
    return np.array(costs, dtype=float).tolist()


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


PLAIN_FORMS: dict[str, Callable[[Any], Any]] = {
    "learner": plain_learner,
    "given_rules": plain_rules,
    "class_weight": plain_by_class,
    "threshold": plain_by_class,
    "costs": plain_costs,
}


def read_settings(data: dict[str, Any]) -> Settings:
    """An estimator's parameters from what `plain_settings` gave."""
    settings = dict(data)
    if isinstance(data.get("learner"), dict):
        settings["learner"] = LearnerName(**data["learner"])
    for name in ("class_weight", "threshold"):
        if isinstance(data.get(name), tuple):
            settings[name] = dict(data[name])
    for name in ("categorical_features", "monotonic_cst", "forbidden_inputs", "given_rules"):
        if isinstance(data.get(name), tuple):
            settings[name] = list(data[name])
    if isinstance(data.get("costs"), dict):
        settings["costs"] = dict(data["costs"]["missed"])
    return Settings(**settings)


def plain_constraints(settings: Settings, columns: TableColumns) -> dict[str, Any]:
    """What an expert knows of inputs: a sign for each, and the names of those forbidden."""
    if settings.estimator != RULES:
        return {}
    found, inputs = constraints_of(settings, columns), columns.inputs
    signs = [found.signs.get(j, 0) for j in range(len(inputs))]
    names = [inputs[j].name for j in sorted(found.forbidden)]
    return {"monotonic_cst": signs if any(signs) else None, "forbidden_inputs": names or None}
