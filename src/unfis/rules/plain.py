"""Reading a rule base back from plain data, whatever it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import isfinite
from typing import Any

from unfis.rules.data import Condition, Consequent, Rule, Variable


def rule_base_fields(data: Any) -> dict[str, Any]:
    """The fields of a RuleBase from plain data; ValueError names what is wrong."""
    names = ("classes", "variables", "rules", "rows", "kept", "firing", "overlap")
    found = checked_fields(data, names, "the rule base")
    found["variables"] = parts(found["variables"], Variable, "variables")
    found["rules"] = tuple(
        rule_of(rule, f"rules[{i}]") for i, rule in enumerate(items(found["rules"], "rules"))
    )
    for name in ("classes", "firing", "overlap"):
        found[name] = tuples(found[name])
    check_agreement(found)
    return found


def rule_of(data: Any, where: str) -> Rule:
    """A rule from plain data."""
    found = checked_fields(data, [field.name for field in fields(Rule)], where)
    found["conditions"] = parts(found["conditions"], Condition, f"{where}.conditions")
    found["consequents"] = parts(found["consequents"], Consequent, f"{where}.consequents")
    found["mix"], found["probabilities"] = tuples(found["mix"]), tuples(found["probabilities"])
    return Rule(**found)


def parts(data: Any, kind: Callable[..., Any], where: str) -> tuple[Any, ...]:
    """A list of variables, conditions or consequents from plain data."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return tuple(
        kind(**{k: tuples(v) for k, v in checked_fields(part, names, f"{where}[{i}]").items()})
        for i, part in enumerate(items(data, where))
    )


def items(data: Any, where: str) -> Any:
    """A list, or a ValueError that says there is none."""
    if not isinstance(data, list | tuple):
        raise ValueError(f"{where} must be a list, got {type(data).__name__}.")
    return data


def checked_fields(data: Any, names: Any, where: str) -> dict[str, Any]:
    """A dict of exactly these fields, or a ValueError that names the one that is wrong."""
    if not isinstance(data, dict):
        raise ValueError(f"{where} must be a dict, got {type(data).__name__}.")
    for name in names:
        if name not in data:
            raise ValueError(f"{where} lacks {name!r}.")
    for name in data:
        if name not in names:
            raise ValueError(f"{where} has {name!r}, which is not known.")
    return dict(data)


def is_number(value: Any) -> bool:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def tuples(value: Any) -> Any:
    """Lists as tuples, all the way down."""
    return tuple(tuples(item) for item in value) if isinstance(value, list | tuple) else value


def check_agreement(found: dict[str, Any]) -> None:
    """Raise ValueError where parts of a rule base do not fit together."""
    names = {variable.name: variable for variable in found["variables"]}
    for part in ("classes", "rules", "firing"):
        if not found[part]:
            raise ValueError(f"{part} must not be empty.")
    for i, rule in enumerate(found["rules"]):
        if len(rule.consequents) != len(found["classes"]):
            raise ValueError(
                f"rules[{i}].consequents must be one for each of {len(found['classes'])} classes, "
                f"got {len(rule.consequents)}."
            )
        for condition in rule.conditions:
            if condition.input not in names:
                raise ValueError(
                    f"rules[{i}] has a condition on {condition.input!r}, which is none of the "
                    "variables."
                )
            numeric = not names[condition.input].categories
            if numeric and not all(is_number(n) for n in (condition.shift, condition.width)):
                raise ValueError(
                    f"rules[{i}] must have numbers for shift and width of {condition.input!r}, got "
                    f"{condition.shift!r} and {condition.width!r}."
                )
            if len(condition.degrees) != len(names[condition.input].categories):
                raise ValueError(
                    f"rules[{i}] must have one degree for each category of {condition.input!r}."
                )
        for consequent in rule.consequents:
            if len(consequent.slopes) != len(rule.conditions):
                raise ValueError(f"rules[{i}] must have one slope for each of its conditions.")
