"""Whether the parts of a rule base that was read from plain data fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unfis.rules.data import Condition, Rule, Variable
from unfis.serial.messages import quoted
from unfis.serial.schema import SchemaError, list_of, number

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase


def check_agreement(base: RuleBase, prefix: str) -> None:
    """Raise SchemaError where parts of a rule base do not fit together."""
    check_variables(base.variables, prefix)
    if len(set(map(repr, base.classes))) < len(base.classes):
        raise SchemaError(f"{prefix}classes must be different from each other.")
    steps = [point for point, _ in base.firing]
    if steps != sorted(steps):
        raise SchemaError(f"{prefix}firing must be in rising order.")
    count = len(base.rules)
    check_lengths(f"{prefix}overlap", base.overlap, count, "rule")
    for i, row in enumerate(base.overlap):
        check_lengths(f"{prefix}overlap[{i}]", row, count, "rule")
    for i, rule in enumerate(base.rules):
        check_rule(rule, base, f"{prefix}rules[{i}]")


def check_variables(variables: tuple[Variable, ...], prefix: str) -> None:
    """Raise SchemaError where variables share a name or have the wrong categories."""
    seen = set()
    for j, variable in enumerate(variables):
        where = f"{prefix}variables[{j}]"
        if variable.name in seen:
            raise SchemaError(f"{where}.name is {quoted(variable.name)}, as another variable's.")
        seen.add(variable.name)
        kinds = variable.categories
        right = {"number": kinds == (), "boolean": kinds == (False, True)}
        if not right.get(variable.kind, len(set(map(repr, kinds))) == len(kinds)):
            raise SchemaError(f"{where}.categories do not suit a {variable.kind}: {quoted(kinds)}.")
        if kinds and variable.typical not in kinds:
            raise SchemaError(f"{where}.typical must be one of its categories.")
        if not kinds and variable.kind == "number":
            number()(variable.typical, f"{where}.typical")
        if list(variable.cuts) != sorted(variable.cuts):
            raise SchemaError(f"{where}.cuts must be in rising order.")


def check_rule(rule: Rule, base: RuleBase, where: str) -> None:
    """Raise SchemaError where a rule does not suit classes and variables."""
    classes, variables = base.classes, base.by_name
    check_lengths(f"{where}.consequents", rule.consequents, len(classes), "class")
    check_lengths(f"{where}.probabilities", rule.probabilities, len(classes), "class")
    if rule.mix:
        check_lengths(f"{where}.mix", rule.mix, len(classes), "class")
    if rule.label not in classes:
        raise SchemaError(f"{where}.label is {quoted(rule.label)}, which is none of the classes.")
    inputs = [condition.input for condition in rule.conditions]
    for k, condition in enumerate(rule.conditions):
        if condition.input not in variables:
            raise SchemaError(
                f"{where}.conditions[{k}].input is {quoted(condition.input)}, which is none of the "
                "variables."
            )
        if inputs.index(condition.input) < k:
            raise SchemaError(f"{where}.conditions[{k}] is on {quoted(condition.input)} again.")
        check_condition(condition, variables[condition.input], f"{where}.conditions[{k}]")
    for c, consequent in enumerate(rule.consequents):
        path = f"{where}.consequents[{c}]"
        if consequent.label != classes[c]:
            raise SchemaError(
                f"{path}.label must be {quoted(classes[c])}, got {quoted(consequent.label)}."
            )
        check_lengths(f"{path}.slopes", consequent.slopes, len(inputs), "condition")
        for k, slope in enumerate(consequent.slopes):
            kinds = variables[inputs[k]].categories
            list_or_number = list_of(number(), least=len(kinds), most=len(kinds))
            (list_or_number if kinds else number())(slope, f"{path}.slopes[{k}]")


def check_condition(condition: Condition, variable: Variable, where: str) -> None:
    """Raise SchemaError where a condition does not suit its input."""
    if condition.kind != variable.kind:
        raise SchemaError(
            f"{where}.kind must be {quoted(variable.kind)}, got {quoted(condition.kind)}."
        )
    if not variable.categories:
        for name in ("centre", "width", "shift"):
            number()(getattr(condition, name), f"{where}.{name}")
    check_lengths(f"{where}.degrees", condition.degrees, len(variable.categories), "category")
    for category in condition.accepted:
        if category not in variable.categories:
            raise SchemaError(f"{where}.accepted has {quoted(category)}, which is no category.")


def check_lengths(where: str, found: Any, count: int, of: str) -> None:
    """Raise SchemaError unless there is one entry for each of so many things."""
    if len(found) != count:
        raise SchemaError(
            f"{where} must have one entry for each {of}, {count} in all, got {len(found)}."
        )
