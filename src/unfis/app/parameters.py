"""Requests as parameters of the estimator, by the columns and the classes of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from unfis.app.requests import ExpertOptions, FitRequest, OperatingPoint, RequestError, check_known
from unfis.app.tables.inputs import PreparedTable
from unfis.model.operating_point import given_costs
from unfis.serial.messages import listed, quoted


def fit_parameters(request: FitRequest, prepared: PreparedTable) -> dict[str, Any]:
    """The estimator's parameters; RequestError where they cannot be with such a table."""
    classes, most, points = sorted(set(prepared.y.tolist())), request.max_conditions, request.points
    weights = request.class_weight
    if isinstance(weights, Mapping):
        weights = by_class("class_weight", weights, classes)
    return {
        "n_rules": "auto" if request.rules is None else request.rules,
        "max_conditions": None if most is None else min(most, 2 * prepared.X.shape[1]),
        "points": points if points in ("auto", "exact") else int(points),
        "class_weight": weights,
        **operating_point(request, classes),
        **constraints(request, Path(request.table).name, prepared, classes),
        "given_rules": request.given_rules,
        "time_limit": request.time_limit,
        "random_state": request.seed,
    }


def operating_point(point: OperatingPoint, classes: Sequence[Any]) -> dict[str, Any]:
    """The estimator's `costs` and `threshold`."""
    threshold: Any = point.threshold
    if isinstance(threshold, Mapping):
        threshold = by_class("threshold", threshold, classes)
    costs = costs_by_class(point.costs, classes) if point.costs else None
    try:
        given_costs(costs, threshold, classes)
    except ValueError as error:
        raise RequestError(str(error), "costs" if point.costs else "threshold") from None
    return {"costs": costs, "threshold": threshold}


def costs_by_class(costs: Mapping[str, float], classes: Sequence[Any]) -> Any:
    """What it costs to miss classes, or a table if single errors are named: "yes:no"."""
    labels = {str(label): label for label in classes}
    if set(costs) <= set(labels):
        return {labels[name]: cost for name, cost in costs.items()}
    names = list(labels)
    errors = {f"{a}:{b}": (names.index(a), names.index(b)) for a, b in permutations(names, 2)}
    table = 1.0 - np.eye(len(names))
    # What is said of one error holds whatever was said of its class.
    for name, cost in sorted(costs.items(), key=lambda item: item[0] not in labels):
        if name in labels:
            table[names.index(name)] *= cost
        elif name in errors:
            table[errors[name]] = cost
        else:
            raise RequestError(
                f"`costs` names {quoted(name)}, which is neither a class of [{listed(names)}] nor "
                "two of them, the true one and the answer, with a colon between them."
            )
    return table.tolist()


def by_class(
    parameter: str, numbers: Mapping[str, float], classes: Sequence[Any]
) -> dict[Any, float]:
    """Numbers by class, each class as it is in the table."""
    labels = {str(label): label for label in classes}
    for name in numbers:
        if name not in labels:
            raise RequestError(
                f"`{parameter}` names {quoted(name)}, which is not among [{listed(labels)}]."
            )
    return {labels[name]: number for name, number in numbers.items()}


def constraints(
    given: ExpertOptions, table: str, prepared: PreparedTable, classes: Sequence[Any]
) -> dict[str, Any]:
    """The estimator's `monotonic_cst` and `forbidden_inputs`."""
    for parameter in ("increasing", "decreasing", "forbid"):
        check_learned(parameter, getattr(given, parameter), table, prepared)
    signs = dict.fromkeys(given.increasing, 1) | dict.fromkeys(given.decreasing, -1)
    if signs:
        turn = direction(given, classes)
        for parameter in given.directed:
            check_ordered(parameter, getattr(given, parameter), prepared)
        signs = {name: turn * sign for name, sign in signs.items()}
    if given.forbid and set(given.forbid) >= set(prepared.X.columns):
        raise RequestError(
            "`forbid` names every column that there is to learn from; leave at least one free."
        )
    return {"monotonic_cst": signs or None, "forbidden_inputs": list(given.forbid) or None}


def check_learned(
    parameter: str, names: Sequence[str], table: str, prepared: PreparedTable
) -> None:
    """Raise RequestError for columns that are not learned from."""
    roles = {role.name: role for role in prepared.roles}
    check_known(parameter, names, list(roles), table)
    for name in names:
        role = roles[name]
        if not role.is_input:
            is_out = role.role == "left out"
            why = f"left out: {role.reason}" if is_out else f"the {role.role}"
            raise RequestError(
                f"`{parameter}` names {quoted(name)}, which is {why}. Name a column that is "
                "learned from."
            )


def direction(given: ExpertOptions, classes: Sequence[Any]) -> int:
    """1 where the directions are about the second class of two, -1 where about the first."""
    names = [str(label) for label in classes]
    if len(names) != 2:
        parameters = " and ".join(f"`{name}`" for name in given.directed)
        raise RequestError(
            f"{parameters} is about the probability of one of two classes, but {len(names)} were "
            f"found: [{listed(names)}]. Leave it out, or make two classes of them."
        )
    if given.about is not None and given.about not in names:
        raise RequestError(
            f"`about` names {quoted(given.about)}, which is not among [{listed(names)}]."
        )
    return -1 if given.about == names[0] else 1


def check_ordered(parameter: str, names: Sequence[str], prepared: PreparedTable) -> None:
    """Raise RequestError for a category of several kinds, none of which is more than another."""
    for name in names:
        kinds = sorted(prepared.X[name].dropna().unique()) if name in prepared.categories else []
        if len(kinds) > 2:
            raise RequestError(
                f"`{parameter}` names {quoted(name)}, a category of {len(kinds)} kinds "
                f"([{listed(kinds)}]), none of which is more than another. Make it a number in "
                "the table, or leave it out."
            )
