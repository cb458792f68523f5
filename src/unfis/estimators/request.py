"""What the parameters of an estimator ask of a fit, checked."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import TableColumns
from unfis.estimators.constraints import constraints_of, most_conditions
from unfis.fitting.fit import SearchRequest
from unfis.fitting.rows import AllRows, RowBlock, added
from unfis.model.given import MOST_CONDITIONS, given_rules
from unfis.objective import Objective
from unfis.rules import Rule
from unfis.search.constraints import Constraints


def request_of(
    parameters: Mapping[str, Any], columns: TableColumns, rows: AllRows, objective: Objective
) -> SearchRequest:
    """The request that parameters mean for a table with such columns and rows."""
    given = parameters["given_rules"]
    rules = given_rules("given_rules", given, columns.inputs, columns.classes.tolist())
    most = parameters["max_rules"]
    check_count("max_rules", most, 1, None)
    check_count("max_conditions", parameters["max_conditions"], 1, MOST_CONDITIONS)
    if most is not None and most < len(rules):
        raise ValueError(
            f"max_rules must be at least {len(rules)}, as many as given_rules has; got {most}."
        )
    if parameters["points"] not in ("whole", "exact"):
        raise ValueError(f"points must be 'whole' or 'exact'; got {parameters['points']!r}.")
    groups = parameters["interaction_cst"]
    constraints = constraints_of(
        parameters["monotonic_cst"], groups, columns.inputs, objective.outputs
    )
    check_given(rules, constraints, rows)
    return SearchRequest(
        most,
        most_conditions(parameters["max_conditions"], groups),
        ridge_of(parameters["ridge"]),
        parameters["points"] == "whole",
        constraints,
        check_positive_number("tolerance", parameters["tolerance"], least=True),
        rules,
    )


def check_count(name: str, value: Any, least: int, most: int | None) -> None:
    """Raise ValueError unless a value is an integer in a range, or None where it has no end."""
    if value is None and most is None:
        return
    if not isinstance(value, int | np.integer) or value < least or (most and value > most):
        allowed = f"an integer from {least}" + (f" to {most}" if most else "")
        raise ValueError(f"{name} must be {allowed}; got {value!r}.")


def check_positive_number(name: str, value: Any, *, least: bool = False) -> float | None:
    """A number above 0, or from 0 on, or None."""
    if value is None:
        return None
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else np.nan
    if not (number > 0 or (least and number == 0)) or number == np.inf:
        allowed = "of at least 0" if least else "above 0"
        raise ValueError(f"{name} must be a number {allowed}, or None; got {value!r}.")
    return number


def ridge_of(value: Any) -> float | None:
    """The ridge, None where it is to be chosen."""
    if isinstance(value, str) and value == "auto":
        return None
    number = float(value) if isinstance(value, Real) else 0.0
    if not number > 0:
        raise ValueError(f"ridge must be 'auto' or a number above 0; got {value!r}.")
    return number


def check_given(rules: tuple[Rule, ...], constraints: Constraints, rows: AllRows) -> None:
    """Raise ValueError for rules that cannot be learned, or go against a direction."""
    if not rules:
        return
    (held,) = rows.joined(partial(held_sums, rules=rules), added)
    for n, rule in enumerate(rules):
        sign = constraints.sign(rule.conditions)
        if np.isnan(sign) or sign * rule.points < 0:
            raise ValueError(
                f"rule {n + 1} of given_rules goes against monotonic_cst. Change one of them."
            )
        if np.isnan(rule.points) and not held[n]:
            raise ValueError(
                f"rule {n + 1} of given_rules holds for no row, so its points cannot be learned. "
                "Give it points, or leave it out."
            )


def held_sums(block: RowBlock, rules: tuple[Rule, ...]) -> tuple[Array]:
    """The sums of the degrees of each rule, (rules,)."""
    parts = [[rule.degrees(part.values).sum() for rule in rules] for part in block.slices()]
    return (np.sum(parts, axis=0),)
