"""Requests as parameters of the estimators, by the columns and the answers of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from unfis.additive.model.decision import decision_costs
from unfis.app.requests import ExpertOptions, FitRequest, OperatingPoint, RequestError, check_known
from unfis.app.tables.inputs import PreparedTable
from unfis.serial.messages import listed, quoted


def fit_parameters(
    request: FitRequest, prepared: PreparedTable, given: list[Any] | None = None
) -> dict[str, Any]:
    """The estimator's parameters and a classifier's threshold; RequestError if they are wrong."""
    classes = prepared.classes
    parameters = {
        "max_rules": request.rules,
        "max_conditions": request.max_conditions,
        "points": request.points,
        "monotonic_cst": directions(request, Path(request.table).name, prepared, classes),
        "given_rules": given,
        "time_limit": request.time_limit,
    }
    if not classes:
        refuse_for_numbers(request, "class_weight")
        loss = "poisson" if prepared.target.task == "counts" else "squared_error"
        return parameters | {"loss": loss}
    weights = request.class_weight
    if isinstance(weights, Mapping):
        weights = by_class("class_weight", weights, classes)
    return parameters | {"class_weight": weights} | decision(request, classes)


def refuse_for_numbers(request: Any, *more: str) -> None:
    """Raise RequestError for settings of classes where a number is predicted."""
    for name in ("costs", "threshold", *more):
        if getattr(request, name):
            raise RequestError(
                f"`{name}` is for classes, but the target is a number. Leave it out."
            )


def decision(point: OperatingPoint, classes: Sequence[Any]) -> dict[str, Any]:
    """The `costs` and `threshold` of `with_decision`; none of them where nothing is asked."""
    if not classes:
        refuse_for_numbers(point)
    threshold: Any = point.threshold
    costs = costs_by_class(point.costs, classes) if point.costs else None
    if isinstance(threshold, Mapping):
        shares = by_class("threshold", threshold, classes)
        if len(shares) != 1:
            raise RequestError(f"`threshold` must be of one class, got {len(shares)}.")
        ((label, threshold),) = shares.items()
        threshold = threshold if label == classes[-1] else 1 - threshold
    # What "auto" is depends on the fit.
    known = None if threshold == "auto" and len(classes) == 2 else threshold
    try:
        decision_costs(costs, known, list(classes), (), None)
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


def directions(
    given: ExpertOptions, table: str, prepared: PreparedTable, classes: Sequence[Any]
) -> dict[str, int] | None:
    """The estimator's `monotonic_cst`."""
    for parameter in given.directed:
        check_learned(parameter, getattr(given, parameter), table, prepared)
        check_ordered(parameter, getattr(given, parameter), prepared)
    signs = dict.fromkeys(given.increasing, 1) | dict.fromkeys(given.decreasing, -1)
    if not signs:
        return None
    turn = direction(given, classes)
    return {name: turn * sign for name, sign in signs.items()}


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
    """1 where directions are about the second of two classes or a number, else -1."""
    names = [str(label) for label in classes]
    if not names:
        if given.about is not None:
            raise RequestError("`about` names a class, but the target is a number. Leave it out.")
        return 1
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
        if kinds:
            raise RequestError(
                f"`{parameter}` names {quoted(name)}, a category of {len(kinds)} kinds "
                f"([{listed(kinds)}]), none of which is more than another. Make it a number in "
                "the table, or leave it out."
            )
