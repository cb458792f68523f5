"""Every number of a rule base in text: what a reader with a calculator needs."""

from __future__ import annotations

from typing import Any

from unfis.network.combination import AVERAGED
from unfis.network.layers import EPSILON
from unfis.rules.data import Condition, Variable
from unfis.rules.plain_rules import PlainRules
from unfis.rules.text.numbers import exact
from unfis.rules.text.words import category_name, class_name, visible

OTHERWISE_RECIPE = """ One without sets holds by
   the product of 1 - that over all others."""
MIXED_RECIPE = [
    "3. What is said of a class: the sum over the rules of strength times opinion. The",
    "   probabilities are exp of that, divided by the sum of exp over all classes.",
]
AVERAGED_RECIPE = [
    "3. What a rule says of a class: exp of its opinion, divided by the sum of exp over all",
    "   classes. The probabilities are the sum over the rules of strength times that.",
]


def full_rule(base: PlainRules, number: int) -> list[str]:
    """The sets and opinions of one rule with all their digits."""
    rule, variables, labels = base[number], base.by_name, base.labels
    lines = ["  WITH"]
    if rule.otherwise:
        lines.append("    no sets: it holds where no other rule does")
    for condition in rule.conditions if len(base) > 1 else ():
        numbers = set_numbers(condition, variables[condition.input])
        lines.append(f"    set of {labels[condition.input]}: {numbers}")
    for c, (label, bias) in enumerate(zip(base.classes, rule.biases, strict=True)):
        parts = [exact(bias)]
        for effect in rule.effects:
            name = effect.input
            parts.append(slope_term(effect.slopes[c], variables[name], labels[name]))
        total = " + ".join(filter(None, parts))
        lines.append(f"    opinion on {class_name(label)}: {total}")
    return lines


def set_numbers(condition: Condition, variable: Variable) -> str:
    """The numbers of a fuzzy set."""
    if variable.categories:
        return per_category(condition.degrees, variable)
    assert condition.shift is not None
    assert condition.width is not None
    centre = f"{exact(variable.reference)} + {exact(condition.shift)}"
    selection = exact(condition.selection)
    found = f"centre {centre}, width {exact(condition.width)}, selection {selection}"
    if not condition.reach:
        return found
    ends = ["any" if end is None else exact(end) for end in condition.reach]
    return f"{found}, core {ends[0]} below and {ends[1]} above the centre"


def slope_term(slope: Any, variable: Variable, label: str) -> str:
    """What an input adds to an opinion; "" where that is nothing."""
    if variable.categories:
        return f"{label} [{per_category(slope, variable)}]" if any(slope) else ""
    return f"{exact(slope)} * ({label} - {exact(variable.reference)})" if slope else ""


def per_category(numbers: Any, variable: Variable) -> str:
    """A number for each category."""
    return ", ".join(
        f"{visible(category_name(category))} = {exact(number)}"
        for category, number in zip(variable.categories, numbers, strict=True)
    )


def recipe(base: PlainRules) -> list[str]:
    """How to compute a prediction from the numbers."""
    soft = any(c.selection < 1 and not c.degrees for rule in base for c in rule.conditions)
    degree = "m = exp(-(x - centre)^2 / (2 * width^2))"
    if any(c.reach for rule in base for c in rule.conditions):
        degree += ",\n   1 within a core, and beyond it with x - centre less what the core reaches"
    if soft:
        degree += (
            ",\n   where the selection is below 1 then "
            f"(m + e) / ((1 - selection) * m + selection + e) with e = {EPSILON:g}"
        )
    others = "" if not any(rule.otherwise for rule in base) else OTHERWISE_RECIPE
    lines = [
        "To compute a prediction:",
        f"1. How far a condition holds: for a number {degree};",
        "   for a category the number beside it. An unknown input holds by 1 in every condition,",
        "   and adds 0 to every opinion.",
        f"2. How far a rule holds: the product over its conditions.{others}",
        "   Its strength is that number divided by the sum of it over all rules.",
    ]
    return lines + (AVERAGED_RECIPE if base.combination == AVERAGED.name else MIXED_RECIPE)
