"""A model as other languages compute it, and as plain data for those that read such."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from importlib.resources import files
from math import inf, isfinite, prod
from typing import Any

import numpy as np

from unfis.data import CategoryReader, Notation
from unfis.model import FittedModel
from unfis.rules import Condition, Kinds, Rule, RuleModel, Trapezoid
from unfis.serial.messages import quoted

# The largest whole number that has a double of its own.
LARGEST_EXACT = 2**53 - 1
LARGEST_DOUBLE = float(np.finfo(float).max)
# What is no text outside of Python: NUL and half characters.
UNEXPORTABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True)
class PortableInput:
    """A column of the table."""

    name: str
    kind: str  # "number", "boolean" or "category"
    categories: tuple[Any, ...]  # text or numbers; (False, True) of a boolean

    @property
    def has_text(self) -> bool:
        """Whether its categories are text."""
        return any(isinstance(category, str) for category in self.categories)


@dataclass(frozen=True)
class Portable:
    """p = softmax(unit * z), or y = z or exp(z). Of two classes the first has a sum too, 0."""

    rules: RuleModel
    columns: tuple[PortableInput, ...]  # all of the table
    classes: tuple[Any, ...]  # none of a number
    notation: Notation
    costs: tuple[tuple[float, ...], ...]  # as shares of the highest one
    words: str  # the rules as they are printed

    @classmethod
    def of(cls, model: FittedModel) -> Portable:
        """A model, if other languages can hold it."""
        columns = tuple(
            PortableInput(one.name, one.kind, plain_labels(one.name, one.categories))
            for one in model.columns.inputs
        )
        plain_labels("The columns", [one.name for one in columns])
        classes = plain_labels("The classes", model.columns.classes.tolist())
        costs = np.array(model.costs, dtype=float)
        shares = tuple(map(tuple, (costs / costs.max()).tolist())) if model.costs else ()
        is_logistic = model.rules.link == "logistic"
        rules = replace(
            model.rules,
            rules=tuple(portable_rule(one, columns, is_logistic) for one in model.rules.rules),
            start=(0.0,) * is_logistic + model.rules.start,
            link="softmax" if is_logistic else model.rules.link,
        )
        return cls(rules, columns, classes, model.columns.notation, shares, model.text)

    @cached_property
    def used(self) -> dict[int, PortableInput]:
        """The inputs that rules look at, by their places."""
        places = {j for rule in self.rules.rules for j in rule.inputs}
        return {j: self.columns[j] for j in sorted(places)}


def plain_labels(name: str, labels: Iterable[Any]) -> tuple[Any, ...]:
    """Names, categories or classes as text, numbers and truth values that any language can hold."""
    found = []
    for label in labels:
        one = label.item() if isinstance(label, np.generic) else label
        one = one if isinstance(one, str | bool | int | float) else str(one)
        if UNEXPORTABLE.search(one) if isinstance(one, str) else not isfinite(one):
            raise ValueError(f"{quoted(name)} has {quoted(one)}, which no other language can hold.")
        if isinstance(one, int) and abs(one) > LARGEST_EXACT:
            raise ValueError(f"{quoted(name)} has {one}, of more than 53 bits; make them text.")
        found.append(one)
    return tuple(found)


def portable_rule(rule: Rule, columns: tuple[PortableInput, ...], is_logistic: bool) -> Rule:
    """The rule without conditions on categories of which training knew no value."""
    empty = [j for j, one in enumerate(columns) if one.kind == "category" and not one.categories]
    kept = tuple(one for one in rule.conditions if one.input not in empty)
    rest = prod(degree_of_unknown(one) for one in rule.conditions if one.input in empty)
    return Rule(kept, rule.output + is_logistic, rule.points * rest)


def degree_of_unknown(condition: Condition) -> float:
    """How far a condition holds for a missing value."""
    return float(condition.degrees(np.array(np.nan)))


def model_data(model: Portable) -> dict[str, Any]:
    """The model as plain data, for Python and JavaScript."""
    inputs = []
    for one in model.used.values():
        numbers = CategoryReader(one.categories, model.notation).numbers
        inputs.append(asdict(one) | {"numbers": list(map(list, numbers.items()))})
    rules = []
    for rule in model.rules.rules:
        conditions = [condition_data(one, model.used) for one in rule.conditions]
        rules.append({"conditions": conditions, "output": rule.output, "points": rule.points})
    return {
        "inputs": inputs,
        "rules": rules,
        "start": model.rules.start,
        "unit": model.rules.unit,
        "link": model.rules.link,
        "classes": model.classes,
        "costs": model.costs,
        "notation": asdict(model.notation),
    }


def condition_data(condition: Condition, inputs: dict[int, PortableInput]) -> dict[str, Any]:
    """Where a condition rises and falls, or the kinds that meet it."""
    on = inputs[condition.input]
    data: dict[str, Any] = {"input": on.name}
    if isinstance(condition, Trapezoid):
        if condition.a > -inf:
            data["rises"] = [condition.a, condition.b]
        if condition.d < inf:
            data["falls"] = [condition.c, condition.d]
    else:
        codes = condition.kinds if isinstance(condition, Kinds) else ()
        is_category = on.kind == "category"
        data["kinds"] = [on.categories[code] if is_category else code for code in codes]
    return data | {"unknown": degree_of_unknown(condition)}


def source_of(package: str, name: str) -> str:
    """The text of a file of a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
