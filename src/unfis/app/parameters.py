"""Requests as parameters of the estimator, by the columns and the classes of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unfis.app.requests import (
    ExpertOptions,
    FitRequest,
    OperatingPoint,
    RequestError,
    check_known,
)
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
    cells = {class_pair(name, classes): cost for name, cost in costs.items()}
    if all(answer is None for _, answer in cells):
        return {classes[true]: cost for (true, _), cost in cells.items()}
    table = 1.0 - np.eye(len(classes))
    # What is said of one error holds whatever was said of its class.
    for (true, answer), cost in sorted(cells.items(), key=lambda cell: cell[0][1] is not None):
        others = [k for k in range(len(classes)) if k != true] if answer is None else [answer]
        table[true, others] = cost
    return table.tolist()


def class_pair(name: str, classes: Sequence[Any]) -> tuple[int, int | None]:
    """The true class and the answer that a name such as yes:no has, or a class alone.

    A class may have a colon in its own name.
    """
    names = [str(label) for label in classes]
    if name in names:
        return names.index(name), None
    parts = name.split(":")
    for cut in range(1, len(parts)):
        true, answer = ":".join(parts[:cut]), ":".join(parts[cut:])
        if true in names and answer in names and true != answer:
            return names.index(true), names.index(answer)
    raise RequestError(
        f"`costs` names {quoted(name)}, which is neither a class of [{listed(names)}] nor two of "
        "them, the true one and the answer, with a colon between them."
    )


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
