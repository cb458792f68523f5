"""What rules are made of, as plain data in the units of the table, and whether it fits together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from unfis.serial.messages import quoted
from unfis.serial.schema import check_of, list_of, number, one_of, require, whole

# Types with what is checked of them where plain data is read.
Share = Annotated[float, number(0.0, 1.0 + 1e-9)]
Kind = Annotated[str, one_of("number", "boolean", "category")]
Positive = Annotated[float, number(0.0, above=True)]


@dataclass(frozen=True)
class Variable:
    """An input, and how its values lie in the training rows: its words get their meaning here.

    Attributes
    ----------
    name : the column's name
    kind : "number", "boolean" or "category"
    categories : the kinds of a category in order; (False, True) for a boolean; () for a number
    reference, scale : a number x enters the opinions as x - reference; scale is its unit inside
        the network
    lowest, highest : the range of the known values
    cuts : where "very low", "low", "high" and "very high" begin and end: four values, at 10, 35,
        65 and 90 % of the known values
    levels : the values themselves where there are few, () otherwise
    decimals : how many decimals the values resolve
    typical : the median of a number; the most frequent category
    missing : share of the rows in which it is unknown
    importance : what it costs to know it in no row, in nats of loss per row
    """

    name: str
    kind: Kind
    categories: tuple[Any, ...]
    reference: float
    scale: Positive
    lowest: float
    highest: float
    cuts: Annotated[tuple[float, ...], list_of(number(), least=4, most=4)]
    levels: tuple[float, ...]
    decimals: Annotated[int, whole(0, 400)]
    typical: Any
    missing: Share
    importance: float = 0.0

    @property
    def label(self) -> str:
        """The name without its unit."""
        return self.name[: -len(self.unit) - 2].rstrip() if self.unit else self.name

    @property
    def unit(self) -> str:
        """The unit in brackets at the end of the name, as in "petal width (cm)"; "" if none."""
        found = re.fullmatch(r".*\S +\(([^()]*[^()\s][^()]*)\)", self.name, flags=re.DOTALL)
        return found[1] if found and self.kind == "number" else ""

    @property
    def span(self) -> float:
        """How far its values spread: from the first cut to the last, or from end to end."""
        return (self.cuts[-1] - self.cuts[0]) or (self.highest - self.lowest) or 1.0


@dataclass(frozen=True)
class Condition:
    """One input's fuzzy set in one rule.

    Attributes
    ----------
    input : name of the input
    kind : the input's kind
    selection : vs, how far the input is in the rule, above 0 and at most 1
    centre, width : of the set of a number, mu = exp(-(x - centre)^2 / (2 width^2))
    shift : the centre's distance from the input's reference, with all its digits
    interval : where the condition on a number holds by more than half; None at an end that no
        training row goes beyond
    degrees : how far each category fulfils the condition
    accepted : the categories that fulfil it by more than half of the best one's degree
    leading : from where to where a number lies in four fifths of the rows that the rule leads on;
        None if it leads on none
    term : the condition in words, to follow "is"
    """

    input: str
    kind: Kind
    selection: Annotated[float, number(0.0, 1.0, above=True)]
    centre: float | None = None
    width: Positive | None = None
    shift: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    degrees: tuple[Annotated[float, number(0.0, 1.0 + 1e-9, above=True)], ...] = ()
    accepted: tuple[Any, ...] = ()
    leading: tuple[float, float] | None = None
    term: str = ""


@dataclass(frozen=True)
class Consequent:
    """A rule's opinion on one class: bias + sum over its conditions of what their inputs add.

    Attributes
    ----------
    label : the class
    bias : the opinion where every input is at its reference; the class's threshold is in it
    slopes : for each condition, what a number adds per unit above its reference, or what each
        category adds
    """

    label: Any
    bias: float
    slopes: tuple[float | tuple[float, ...], ...]


@dataclass(frozen=True)
class Rule:
    """One rule, with what stands behind it.

    Attributes
    ----------
    conditions : what it looks at
    consequents : its opinion on each class
    support : share of the training rows on which it is the strongest rule
    rows : how many rows these are
    strength : its mean strength over all training rows
    mix : share of each class in the rows it leads on; () if it leads on none
    probabilities : what the rule alone says of each class, averaged over the rows by its strength
    label : the class it argues for, the most probable of these
    """

    conditions: tuple[Condition, ...]
    consequents: Annotated[tuple[Consequent, ...], list_of(check_of(Consequent), least=1)]
    support: Share = 0.0
    rows: int = 0
    strength: Share = 0.0
    mix: tuple[Share, ...] = ()
    probabilities: tuple[Share, ...] = ()
    label: Any = None


def check_variables(variables: Sequence[Variable], prefix: str) -> None:
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


def check_rule(
    rule: Rule, classes: Sequence[Any], variables: Mapping[str, Variable], where: str
) -> None:
    """Raise SchemaError where a rule does not suit classes and variables."""
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
