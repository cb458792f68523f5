"""Rules that an expert writes, as plain data, read into rules.

    {"if": {"age": [60, None], "ward": ["A", "B"]}, "then": "ill", "points": 3}

A condition is, of a number, [low, high]: from low to below high, None where it is open; or four
borders between which it holds in part, as of a `Trapezoid`; of a truth value True or False; of a
category a kind or a list of kinds; None where the value is missing. "then" names a class; of a
number there is none. Without "points" they are learned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, nan
from numbers import Real
from typing import Any

import numpy as np

from unfis.data.columns import Input
from unfis.data.naming import class_position, position_of
from unfis.rules import Condition, Kinds, Rule, Trapezoid, Unknown
from unfis.serial.messages import listed, quoted

EXAMPLE = "{'if': {'age': [60, None]}, 'then': 'ill'}"
PARTS = ("if", "then", "points")
MOST_CONDITIONS = 3


def given_rules(
    setting: str, given: Any, inputs: Sequence[Input], classes: Sequence[Any]
) -> tuple[Rule, ...]:
    """The rules that a setting lists; NaN as points where they are to be learned."""
    if given is None:
        return ()
    if isinstance(given, Mapping | str) or not isinstance(given, Sequence):
        raise ValueError(
            f"{setting} must be a list of rules such as {EXAMPLE}; got {quoted(given)}."
        )
    rules = tuple(
        given_rule(f"rule {n} of {setting}", one, inputs, classes) for n, one in enumerate(given, 1)
    )
    for n, rule in enumerate(rules, 1):
        same = [replace(other, points=0.0) for other in rules[: n - 1]]
        if replace(rule, points=0.0) in same:
            raise ValueError(f"rule {n} of {setting} is there twice. Leave one of them.")
    return rules


def given_rule(where: str, given: Any, inputs: Sequence[Input], classes: Sequence[Any]) -> Rule:
    """One rule."""
    if not isinstance(given, Mapping):
        raise ValueError(f"{where} must be a dict such as {EXAMPLE}; got {quoted(given)}.")
    unknown = [part for part in given if part not in PARTS]
    if unknown:
        raise ValueError(f"{where} has {quoted(unknown[0])}; a rule has {listed(PARTS)}.")
    parts = given.get("if")
    if not isinstance(parts, Mapping) or not 1 <= len(parts) <= MOST_CONDITIONS:
        raise ValueError(
            f"{where} must have one to {MOST_CONDITIONS} conditions by input in 'if', such as "
            f"{EXAMPLE}; got {quoted(parts)}."
        )
    places = [position_of(where, name, inputs) for name in parts]
    if len(set(places)) < len(places):
        raise ValueError(f"{where} names an input twice. Give its conditions as one.")
    conditions = tuple(
        given_condition(f"{inputs[j].name} in {where}", j, value, inputs[j])
        for j, value in zip(places, parts.values(), strict=True)
    )
    output, sign = given_output(where, given, classes)
    return Rule(conditions, output, sign * given_points(where, given.get("points")))


def given_output(where: str, given: Mapping[Any, Any], classes: Sequence[Any]) -> tuple[int, int]:
    """The output that a rule speaks for, and 1, or -1 where it speaks against it."""
    if not len(classes):
        if "then" in given:
            raise ValueError(f"{where} has 'then', which only classes have. Leave it out.")
        return 0, 1
    if "then" not in given:
        raise ValueError(f"{where} must have 'then', one of the classes {listed(classes)}.")
    position = class_position(where, given["then"], list(classes))
    return (0, 1 if position else -1) if len(classes) == 2 else (position, 1)


def given_points(where: str, points: Any) -> float:
    """The points of a rule; NaN where they are to be learned."""
    if points is None:
        return nan
    if not is_number(points) or not points:
        raise ValueError(f"points of {where} must be a number other than 0; got {quoted(points)}.")
    return float(points)


def given_condition(where: str, j: int, given: Any, item: Input) -> Condition:
    """One condition."""
    if given is None:
        return Unknown(j)
    if item.kind == "category":
        return given_kinds(where, j, given, item.categories)
    if item.kind == "boolean":
        if not isinstance(given, bool | np.bool_):
            raise ValueError(f"{where} must be True or False; got {quoted(given)}.")
        return Trapezoid(j, 1.0, 1.0) if given else Trapezoid(j, c=1.0, d=1.0)
    borders = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []
    if len(borders) == 2:
        borders = [borders[0], borders[0], borders[1], borders[1]]
    if len(borders) != 4 or not all(one is None or is_number(one) for one in borders):
        raise ValueError(
            f"{where} must be [low, high], or four borders, None where it is open; got "
            f"{quoted(given)}."
        )
    if any((borders[n] is None) != (borders[n + 1] is None) for n in (0, 2)):
        raise ValueError(
            f"{where} must have both borders of an edge, or none; got {quoted(given)}."
        )
    a, b, c, d = (
        float(one) if one is not None else end
        for one, end in zip(borders, (-inf, -inf, inf, inf), strict=True)
    )
    if not a <= b <= c <= d or a == d or (a, d) == (-inf, inf):
        raise ValueError(f"{where} must have rising borders, one at least; got {quoted(given)}.")
    return Trapezoid(j, a, b, c, d)


def given_kinds(where: str, j: int, given: Any, categories: Sequence[Any]) -> Kinds:
    """A condition of one or several kinds."""
    kinds = [*given] if isinstance(given, list | tuple | set | frozenset) else [given]
    unknown = [one for one in kinds if one not in categories]
    if unknown or not 0 < len(set(kinds)) < len(categories):
        raise ValueError(
            f"{where} must be some of the kinds {listed(categories)}; got {quoted(given)}."
        )
    return Kinds(j, tuple(sorted({categories.index(one) for one in kinds})))


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and isfinite(value)
