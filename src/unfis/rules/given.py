"""Rules that an expert gave, as data, in the language they are written in, and as they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from unfis.data.columns import Input
from unfis.rules.data import Condition, Rule, Variable
from unfis.rules.quotes import in_double_quotes
from unfis.rules.text.terms import Ends, these_or_not_those
from unfis.rules.text.words import category_name

# Signs as they are from the other side.
TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}


class GivenCondition(NamedTuple):
    """A condition as an expert gives it: a range of a number, or kinds."""

    input: int  # the position of the input
    ends: Ends = (None, None)  # of a number
    closed: tuple[bool, bool] = (False, False)  # whether the ends themselves are inside
    accepted: tuple[int, ...] = ()  # positions of the kinds


@dataclass(frozen=True)
class GivenRule:
    """A rule as an expert gives it."""

    conditions: tuple[GivenCondition, ...]
    label: int  # the position of the class it names
    probability: float | None = None  # of that class; None where it is to be learned

    def text(self, inputs: Sequence[Input], classes: Sequence[Any]) -> str:
        """The rule in the language that `GivenReader` reads."""
        parts = [condition_text(one, inputs[one.input]) for one in self.conditions]
        share = "" if self.probability is None else f" with {self.probability!r}"
        return f"IF {' AND '.join(parts)} THEN {in_double_quotes(classes[self.label])}{share}"


def with_words(
    rule: Rule, given: GivenRule, variables: Sequence[Variable], classes: Sequence[Any]
) -> Rule:
    """A rule of the network in the words of the expert who gave it."""
    told = {variables[one.input].name: one for one in given.conditions}
    conditions = tuple(
        worded(one, told[one.input], variables[told[one.input].input]) for one in rule.conditions
    )
    return replace(rule, conditions=conditions, given=classes[given.label])


def worded(condition: Condition, given: GivenCondition, variable: Variable) -> Condition:
    """A condition in the words of the expert who gave it."""
    if variable.categories:
        names = [category_name(kind) for kind in variable.categories]
        these = [names[kind] for kind in given.accepted]
        accepted = tuple(variable.categories[kind] for kind in given.accepted)
        return replace(condition, accepted=accepted, term=these_or_not_those(names, these))
    term = f"{range_words(given)}{variable.unit and ' '}{variable.unit}"
    return replace(condition, borders=given.ends, term=term)


def range_words(given: GivenCondition) -> str:
    """A range as it was given, without "about"."""
    low, high = given.ends
    if low is not None and high is not None and given.closed == (True, True):
        return f"{low:.15g}" if low == high else f"{low:.15g} to {high:.15g}"
    below = {True: "at least", False: "above"}[given.closed[0]]
    above = {True: "at most", False: "below"}[given.closed[1]]
    sides = [f"{below} {low:.15g}" if low is not None else ""]
    sides += [f"{above} {high:.15g}" if high is not None else ""]
    return " and ".join(side for side in sides if side)


def condition_text(given: GivenCondition, item: Input) -> str:
    """A condition in the language that `GivenReader` reads."""
    name = in_double_quotes(item.name)
    if item.categories:
        kinds = [in_double_quotes(category_name(item.categories[kind])) for kind in given.accepted]
        return f"{name} is {' or '.join(kinds)}"
    low, high = given.ends
    signs = ["<=" if closed else "<" for closed in given.closed]
    if low is not None and high is not None:
        return f"{low!r} {signs[0]} {name} {signs[1]} {high!r}"
    sign, end = (TURNED[signs[0]], low) if high is None else (signs[1], high)
    return f"{name} {sign} {end!r}"
