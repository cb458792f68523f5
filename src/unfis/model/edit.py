"""Other models made of a fitted one by hand: rules dropped, changed and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.data.columns import Input, TableColumns
from unfis.data.naming import position_of
from unfis.fitting.points import with_fitted_points, without_nothing
from unfis.model.given import MOST_CONDITIONS, given_condition, given_points, given_rules
from unfis.rules import Condition, Rule, RuleModel, Unknown
from unfis.search.constraints import Constraints
from unfis.serial.messages import quoted


class Rows(NamedTuple):
    """Rows that points are fitted to."""

    values: Array  # (rows, inputs)
    targets: Array  # (rows,)
    weights: Array  # (rows,)


@dataclass(frozen=True)
class Edit:
    """What a person changes; rules are named by their place among `model.rules.rules`."""

    drop: Iterable[int] = ()
    conditions: Mapping[int, Mapping[Any, Any]] | None = None  # by rule, as in a given rule's "if"
    points: Mapping[int, float] | None = None  # by rule, which then stay
    write: Any = None  # more rules, as `given_rules` has them; points as the others of the model
    refit: bool = True  # the points that are not set, around those that are


class Edited(NamedTuple):
    """The rules after an edit."""

    rules: RuleModel
    given: frozenset[int]  # which a person has written or changed
    fixed: frozenset[int]  # which have points that a person has set


def edited(
    edit: Edit, before: Edited, columns: TableColumns, constraints: Constraints, rows: Rows,
    ridge: float, *, whole: bool,
) -> Edited:  # fmt: skip
    """The rules with what an edit asks for."""
    inputs, rules = columns.inputs, list(before.rules.rules)
    given, fixed = set(before.given), set(before.fixed)
    dropped = {check_place("drop", n, len(rules)) for n in edit.drop}
    for n, parts in (edit.conditions or {}).items():
        check_place("conditions", n, len(rules))
        rules[n] = with_conditions(rules[n], f"rule {n} of conditions", parts, inputs, rows)
        given.add(n)
    for n, number in (edit.points or {}).items():
        check_place("points", n, len(rules))
        rules[n] = replace(rules[n], points=given_points(f"rule {n}", number))
        given.add(n)
        fixed.add(n)
    for rule in given_rules("write", edit.write, inputs, columns.classes.tolist()):
        conditions = tuple(with_usual(one, rows) for one in rule.conditions)
        given.add(len(rules))
        if not np.isnan(rule.points):
            fixed.add(len(rules))
        elif not edit.refit:
            raise ValueError("write must give a rule its points where refit is False.")
        rules.append(replace(rule, conditions=conditions, points=float(np.nan_to_num(rule.points))))
    check_signs(rules, given, fixed, constraints)
    kept = [n for n in range(len(rules)) if n not in dropped]
    model = replace(before.rules, rules=tuple(rules[n] for n in kept))
    given, fixed = places(given, kept), places(fixed, kept)
    if edit.refit:
        model = with_fitted_points(model, fixed, constraints, ridge, *rows, whole=whole)
        model, left = without_nothing(model, given)
        given, fixed = places(given, left), places(fixed, left)
    return Edited(model, frozenset(given), frozenset(fixed))


def places(old: Iterable[int], kept: list[int]) -> set[int]:
    """Where rules are among those that are kept."""
    return {kept.index(n) for n in old if n in kept}


def check_place(setting: str, n: Any, count: int) -> int:
    """The place of a rule; ValueError where there is none."""
    if not isinstance(n, int | np.integer) or isinstance(n, bool) or not 0 <= n < count:
        raise ValueError(
            f"{setting} must name rules by their places, from 0 to {count - 1}; got {quoted(n)}."
        )
    return int(n)


def with_conditions(
    rule: Rule, where: str, parts: Any, inputs: tuple[Input, ...], rows: Rows
) -> Rule:
    """A rule with other conditions on some inputs, or more of them."""
    if not isinstance(parts, Mapping) or not parts:
        raise ValueError(
            f"{where} must be a dict by input, {{'age': [60, None]}}; got {quoted(parts)}."
        )
    found = {one.input: one for one in rule.conditions}
    for name, value in parts.items():
        j = position_of(where, name, inputs)
        condition = given_condition(f"{inputs[j].name} in {where}", j, value, inputs[j])
        found[j] = with_usual(condition, rows)
    if len(found) > MOST_CONDITIONS:
        raise ValueError(f"{where} would have more than {MOST_CONDITIONS} conditions.")
    return replace(rule, conditions=tuple(found.values()))


def with_usual(condition: Condition, rows: Rows) -> Condition:
    """A condition where a missing value counts as the rows do on average, if none is missing."""
    column = rows.values[:, condition.input]
    if isinstance(condition, Unknown) or np.isnan(column).any():
        return condition
    mean = float(np.average(condition.degrees(column), weights=rows.weights))
    return replace(condition, unknown=round(round(mean, 9), 2))


def check_signs(
    rules: list[Rule], given: set[int], fixed: set[int], constraints: Constraints
) -> None:
    """Raise ValueError for a change that goes against a direction."""
    for n in given:
        sign = constraints.sign(rules[n].conditions)
        if np.isnan(sign) or (n in fixed and sign * rules[n].points < 0):
            raise ValueError(
                f"rule {n} would go against monotonic_cst. Change it otherwise, or fit anew "
                "without that direction."
            )
