"""What there is to compute, for those who write it down in another language.

The arithmetic is that of `unfis.rules.evaluation`, in the same order: far from all rules, where
firing strengths are tiny, another order would give other digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unfis.data import Notation
from unfis.rules import Condition, RuleBase, Variable
from unfis.serial.messages import quoted


@dataclass(frozen=True)
class Term:
    """One condition of a rule, with what its input adds to the rule's outputs.

    Attributes
    ----------
    place : of its input among the inputs of the plan
    slopes : for each class, per unit of a number, or for each category
    """

    place: int
    variable: Variable
    condition: Condition
    slopes: tuple[Any, ...]

    @property
    def centre(self) -> float:
        """Of a number's set, in scales from the reference."""
        assert self.condition.shift is not None
        return self.condition.shift / self.variable.scale

    @property
    def width(self) -> float:
        """Of a number's set, in scales."""
        assert self.condition.width is not None
        return self.condition.width / self.variable.scale

    @property
    def scaled_slopes(self) -> list[float]:
        """For each class, per scale of a number."""
        return [slope * self.variable.scale for slope in self.slopes]

    @property
    def log_degrees(self) -> list[float]:
        """Of each category."""
        return [math.log(degree) for degree in self.condition.degrees]


@dataclass(frozen=True)
class PlannedRule:
    """One rule: its terms in the order of the inputs, and what it says of each class without."""

    terms: tuple[Term, ...]
    biases: tuple[float, ...]


@dataclass(frozen=True)
class Plan:
    """A rule base as what there is to compute.

    Attributes
    ----------
    words : the rules in words
    classes : labels of the classes
    columns : all inputs of the table
    inputs : those that any rule looks at
    rules : the rules
    notation : how text is read
    """

    words: str
    classes: tuple[Any, ...]
    columns: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    rules: tuple[PlannedRule, ...]
    notation: Notation


def plan_of(base: RuleBase) -> Plan:
    """What there is to compute for a rule base.

    A category of which training knew no value is always unknown, and no rule looks at it.
    """
    names = {condition.input for rule in base for condition in rule.conditions}
    inputs = tuple(
        variable
        for variable in base.variables
        if variable.name in names and (variable.categories or variable.kind != "category")
    )
    check_label_kinds(base.classes, "The classes")
    for variable in inputs:
        check_label_kinds(variable.categories, f"The categories of {quoted(variable.name)}")
    rules = tuple(planned(base, number, inputs) for number in range(len(base)))
    return Plan(base.to_text(), base.classes, base.variables, inputs, rules, base.notation)


def planned(base: RuleBase, number: int, inputs: tuple[Variable, ...]) -> PlannedRule:
    """One rule of a rule base."""
    rule = base[number]
    found = {condition.input: spot for spot, condition in enumerate(rule.conditions)}
    terms = []
    for place, variable in enumerate(inputs):
        if variable.name in found:
            spot = found[variable.name]
            slopes = tuple(consequent.slopes[spot] for consequent in rule.consequents)
            terms.append(Term(place, variable, rule.conditions[spot], slopes))
    return PlannedRule(tuple(terms), tuple(consequent.bias for consequent in rule.consequents))


def check_label_kinds(labels: Iterable[Any], what: str) -> None:
    """Raise ValueError where labels cannot be written down as one kind of plain data."""
    kinds = {"text" if isinstance(label, str) else "a number" for label in labels}
    if len(kinds) > 1:
        raise ValueError(f"{what} mix text and numbers; make all of them text, and fit again.")
    for label in labels:
        if not isinstance(label, str) and not math.isfinite(label):
            raise ValueError(f"{what} hold {quoted(label)}; text or finite numbers were expected.")


def is_writable(text: str) -> bool:
    """Whether text can be a name or a value outside of Python: no half characters, no NUL."""
    return "\0" not in text and not any(0xD800 <= ord(char) < 0xE000 for char in text)


def check_text(text: str) -> str:
    """The text, if it can be a name or a value outside of Python."""
    if is_writable(text):
        return text
    raise ValueError(
        f"{quoted(text)} has a character that only Python can hold; change it, and fit again."
    )
