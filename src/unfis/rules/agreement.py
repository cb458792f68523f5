"""Whether the parts of a rule base that was read from plain data fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unfis.rules.data import Condition, Rule, Variable
from unfis.serial.messages import quoted
from unfis.serial.schema import list_of, number, require

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase


def check_agreement(base: RuleBase, prefix: str) -> None:
    """Raise SchemaError where parts of a rule base do not fit together."""
    check_variables(base.variables, prefix)
    different = len(set(map(repr, base.classes))) == len(base.classes)
    require(different, f"{prefix}classes must be different from each other.")
    steps = [point for point, _ in base.firing]
    require(steps == sorted(steps), f"{prefix}firing must be in rising order.")
    check_lengths(f"{prefix}overlap", base.overlap, base.rules, "rule")
    for i, (rule, row) in enumerate(zip(base.rules, base.overlap, strict=True)):
        check_lengths(f"{prefix}overlap[{i}]", row, base.rules, "rule")
        check_rule(rule, base, f"{prefix}rules[{i}]")


def check_variables(variables: tuple[Variable, ...], prefix: str) -> None:
    """Raise SchemaError where variables share a name or have the wrong categories."""
    seen: set[str] = set()
    for j, variable in enumerate(variables):
        where, name, kinds = f"{prefix}variables[{j}]", variable.name, variable.categories
        require(name not in seen, f"{where}.name is {quoted(name)}, as another variable's.")
        seen.add(name)
        right = {"number": kinds == (), "boolean": kinds == (False, True)}
        suits = right.get(variable.kind, len(set(map(repr, kinds))) == len(kinds))
        require(suits, f"{where}.categories do not suit a {variable.kind}: {quoted(kinds)}.")
        known = not kinds or variable.typical in kinds
        require(known, f"{where}.typical must be one of its categories.")
        if variable.kind == "number":
            number()(variable.typical, f"{where}.typical")
        rising = list(variable.cuts) == sorted(variable.cuts)
        require(rising, f"{where}.cuts must be in rising order.")


def check_rule(rule: Rule, base: RuleBase, where: str) -> None:
    """Raise SchemaError where a rule does not suit classes and variables."""
    classes, variables = base.classes, base.by_name
    for name in ("consequents", "probabilities", "mix"):
        if name != "mix" or rule.mix:
            check_lengths(f"{where}.{name}", getattr(rule, name), classes, "class")
    label = f"{where}.label is {quoted(rule.label)}"
    require(rule.label in classes, f"{label}, which is none of the classes.")
    inputs = [condition.input for condition in rule.conditions]
    for k, condition in enumerate(rule.conditions):
        path, name = f"{where}.conditions[{k}]", quoted(condition.input)
        known = condition.input in variables
        require(known, f"{path}.input is {name}, which is none of the variables.")
        require(condition.input not in inputs[:k], f"{path} is on {name} again.")
        check_condition(condition, variables[condition.input], path)
    for c, consequent in enumerate(rule.consequents):
        path, expected = f"{where}.consequents[{c}]", f"must be {quoted(classes[c])}"
        same = consequent.label == classes[c]
        require(same, f"{path}.label {expected}, got {quoted(consequent.label)}.")
        check_lengths(f"{path}.slopes", consequent.slopes, inputs, "condition")
        for k, slope in enumerate(consequent.slopes):
            kinds = variables[inputs[k]].categories
            list_or_number = list_of(number(), least=len(kinds), most=len(kinds))
            (list_or_number if kinds else number())(slope, f"{path}.slopes[{k}]")


def check_condition(condition: Condition, variable: Variable, where: str) -> None:
    """Raise SchemaError where a condition does not suit its input."""
    kind, expected = condition.kind, variable.kind
    require(kind == expected, f"{where}.kind must be {quoted(expected)}, got {quoted(kind)}.")
    for name in ("centre", "width", "shift") if not variable.categories else ():
        number()(getattr(condition, name), f"{where}.{name}")
    check_lengths(f"{where}.degrees", condition.degrees, variable.categories, "category")
    for category in condition.accepted:
        known = category in variable.categories
        require(known, f"{where}.accepted has {quoted(category)}, which is no category.")


def check_lengths(where: str, found: Any, things: Any, of: str) -> None:
    """Raise SchemaError unless there is one entry for each of some things."""
    expected = f"{where} must have one entry for each {of}, {len(things)} in all"
    require(len(found) == len(things), f"{expected}, got {len(found)}.")
