"""What rules are made of, as plain data in the units of the table, and whether it fits together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from unfis.serial.messages import quoted
from unfis.serial.schema import list_of, number, one_of, require, whole

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
    reach : how far below and above its centre the set of a number that an expert gave holds
        wholly, None where that has no end; the deviation counts from there. () of a learned one
    interval : where the condition on a number holds by more than half; None at an end that no
        training row goes beyond
    degrees : how far each category fulfils the condition
    borders : the ends of a number's range that is printed, None where it is open: where the
        rule's ranges together agree best with its being the strongest rule
    accepted : the categories that are printed, or the values of a number that has few
    term : the condition in words, to follow "is"; "" where it tells no rows apart
    """

    input: str
    kind: Kind
    selection: Annotated[float, number(0.0, 1.0, above=True)]
    centre: float | None = None
    width: Positive | None = None
    shift: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    degrees: tuple[Annotated[float, number(0.0, 1.0 + 1e-9, above=True)], ...] = ()
    borders: tuple[float | None, float | None] = (None, None)
    accepted: tuple[Any, ...] = ()
    term: str = ""
    reach: tuple[Annotated[float, number(0.0)] | None, ...] = ()


@dataclass(frozen=True)
class Effect:
    """What one input adds to a rule's opinions.

    Attributes
    ----------
    input : name of the input
    kind : the input's kind
    slopes : for each class, what a number adds per unit above its reference, or what each category
        adds
    step, origin : where the rule counts in points: so many of a number's units above the origin are
        as many points as `points` says; the category of the origin's index has none
    directed : for each class, on what share of the rows that the rule leads on the whole model
        moves with the input as the rule does; () where the rule is the whole model
    """

    input: str
    kind: Kind
    slopes: tuple[float | tuple[float, ...], ...]
    step: Positive | None = None
    origin: float | None = None
    directed: tuple[Share, ...] = ()

    def points(self, unit: float) -> tuple[Any, ...]:
        """The slopes as whole points of so many log-odds: of a step, or of each category."""
        size = unit if self.step is None else unit / self.step
        none = 0 if self.origin is None else int(self.origin)
        return tuple(
            tuple(round((part - slope[none]) / size) for part in slope)
            if isinstance(slope, tuple)
            else round(slope / size)
            for slope in self.slopes
        )


class Scorecard(NamedTuple):
    """How the effects of rules are counted in whole points."""

    units: tuple[float, ...]  # log-odds of one point, of each rule
    steps: tuple[float, ...]  # so much of a number is counted at once, of each input
    origins: tuple[float, ...]  # the value above which points are counted, of each input


@dataclass(frozen=True)
class Rule:
    """One rule, with what stands behind it.

    Attributes
    ----------
    conditions : what it looks at in its IF
    effects : the inputs in its THEN
    biases : its opinion on each class where every input is at its reference; the class's threshold
        is in it
    otherwise : whether it speaks where no other rule does
    unit : log-odds of one point where effects are whole points; None where they are exact
    support : share of the training rows on which it is the strongest rule
    rows : how many rows these are
    strength : its mean strength over all training rows
    mix : share of each class in the rows it leads on; () if it leads on none
    probabilities : what the rule alone says of each class, averaged over the rows by its strength
    label : the class that it names: of averaged rules without effects the most probable one by
        itself, of others the most frequent one of the rows it leads on
    agreement : share of the rows on which its printed conditions hold where it is the strongest
        rule, and do not where it is not
    totals : between which log-odds of the second class against the first, in most of the rows
        that it leads on, its opinions lie; () unless there are two classes and effects
    given : the class that an expert named who gave the conditions; None if they were learned
    """

    conditions: tuple[Condition, ...]
    effects: tuple[Effect, ...]
    biases: Annotated[tuple[float, ...], list_of(number(), least=1)]
    otherwise: bool = False
    unit: Positive | None = None
    support: Share = 0.0
    rows: int = 0
    strength: Share = 0.0
    mix: tuple[Share, ...] = ()
    probabilities: tuple[Share, ...] = ()
    label: Any = None
    agreement: Share = 1.0
    totals: tuple[float, ...] = ()
    given: Any | None = None


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
    for name in ("biases", "probabilities", "mix"):
        if name != "mix" or rule.mix:
            check_lengths(f"{where}.{name}", getattr(rule, name), classes, "class")
    label = f"{where}.label is {quoted(rule.label)}"
    require(rule.label in classes, f"{label}, which is none of the classes.")
    known = rule.given is None or rule.given in classes
    require(known, f"{where}.given is {quoted(rule.given)}, which is none of the classes.")
    check_named_inputs(rule.conditions, variables, f"{where}.conditions")
    check_named_inputs(rule.effects, variables, f"{where}.effects")
    for k, condition in enumerate(rule.conditions):
        check_condition(condition, variables[condition.input], f"{where}.conditions[{k}]")
    for k, effect in enumerate(rule.effects):
        check_effect(effect, variables[effect.input], classes, f"{where}.effects[{k}]")
    silent = not (rule.otherwise and rule.conditions)
    require(silent, f"{where}.conditions must be none of a rule that speaks otherwise.")


def check_named_inputs(
    parts: Sequence[Condition | Effect], variables: Mapping[str, Variable], where: str
) -> None:
    """Raise SchemaError where conditions or effects are not on an input of their kind, each one."""
    inputs = [part.input for part in parts]
    for k, part in enumerate(parts):
        path, name = f"{where}[{k}]", quoted(part.input)
        require(part.input in variables, f"{path}.input is {name}, which is none of the variables.")
        require(part.input not in inputs[:k], f"{path} is on {name} again.")
        kind, expected = part.kind, variables[part.input].kind
        require(kind == expected, f"{path}.kind must be {quoted(expected)}, got {quoted(kind)}.")


def check_effect(effect: Effect, variable: Variable, classes: Sequence[Any], where: str) -> None:
    """Raise SchemaError where an effect does not suit its input and the classes."""
    check_lengths(f"{where}.slopes", effect.slopes, classes, "class")
    count = len(variable.categories)
    check = list_of(number(), least=count, most=count) if count else number()
    for c, slope in enumerate(effect.slopes):
        check(slope, f"{where}.slopes[{c}]")


def check_condition(condition: Condition, variable: Variable, where: str) -> None:
    """Raise SchemaError where a condition does not suit its input."""
    for name in ("centre", "width", "shift") if not variable.categories else ():
        number()(getattr(condition, name), f"{where}.{name}")
    sides = len(condition.reach)
    suits = sides == 0 or (sides == 2 and not variable.categories)
    require(suits, f"{where}.reach must be of two sides of a number, or (), got {sides} sides.")
    check_lengths(f"{where}.degrees", condition.degrees, variable.categories, "category")
    for category in condition.accepted:
        known = category in (variable.categories or variable.levels)
        require(known, f"{where}.accepted has {quoted(category)}, which is no category.")


def check_lengths(where: str, found: Any, things: Any, of: str) -> None:
    """Raise SchemaError unless there is one entry for each of some things."""
    expected = f"{where} must have one entry for each {of}, {len(things)} in all"
    require(len(found) == len(things), f"{expected}, got {len(found)}.")
