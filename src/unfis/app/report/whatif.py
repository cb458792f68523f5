"""What the page needs to answer by itself: the rule base, its words, and rows to begin with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.export.javascript import model_data, used_variables
from unfis.rules import RuleBase, Variable
from unfis.rules.text.explanation import LITTLE, MATTERS, RARE
from unfis.rules.text.numbers import rounded
from unfis.rules.text.terms import ANYTHING
from unfis.rules.text.words import category_name, class_name, labels_of, visible

# A slider has at most about so many places.
PLACES = 200


def page_data(base: RuleBase, presets: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the page's script reads."""
    used = used_variables(base)
    labels = labels_of(base.variables)
    return {
        **model_data(base),
        "limits": {"rare": RARE, "little": LITTLE, "matters": MATTERS, "anything": ANYTHING},
        "words": {
            "classes": [class_name(label) for label in base.classes],
            "labels": [labels[variable.name] for variable in used],
            "names": [visible(variable.name) for variable in used],
            "units": [visible(variable.unit) if variable.unit else "" for variable in used],
            "categories": [category_words(variable) for variable in used],
            "terms": [[visible(c.term) for c in rule.conditions] for rule in base],
        },
        "places": [slider_places(variable) for variable in used],
        "presets": list(presets),
    }


def category_words(variable: Variable) -> list[str]:
    """The categories of an input in words."""
    return [visible(category_name(category)) for category in variable.categories]


def typical_row(base: RuleBase) -> dict[str, Any]:
    """The row of every input's typical value."""
    values = [
        variable.categories.index(variable.typical) if variable.categories else variable.typical
        for variable in used_variables(base)
    ]
    return {"name": "a typical row", "values": values}


def preset_of(base: RuleBase, name: str, values: Array) -> dict[str, Any]:
    """A row of the table to begin with; `values` are those of all inputs, (inputs,)."""
    own = [None if np.isnan(value) else float(value) for value in values[base.arrays.used]]
    categories = [variable.categories for variable in used_variables(base)]
    return {
        "name": name,
        "values": [
            int(value) if value is not None and kinds else value
            for value, kinds in zip(own, categories, strict=True)
        ],
    }


def slider_places(variable: Variable) -> dict[str, Any] | None:
    """The values of a number's slider: its ends, and round values between them."""
    if variable.categories:
        return None
    low, high = variable.lowest, variable.highest
    finest = 10.0**-variable.decimals
    step = max(finest, rounded_up((high - low) / PLACES))
    first = math.floor(low / step) + 1
    return {
        "step": step,
        "first": first,
        "last": math.ceil(high / step) - 1,
        "decimals": max(0, -math.floor(math.log10(step) + 1e-9)),
    }


def rounded_up(value: float) -> float:
    """The next 1, 2 or 5 with zeros that is not less; 0 for 0."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= value * (1 - 1e-9))


def controls(base: RuleBase) -> list[dict[str, Any]]:
    """What each control is called, and what it offers."""
    labels = labels_of(base.variables)
    return [
        {
            "label": labels[variable.name],
            "name": visible(variable.name),
            "unit": visible(variable.unit) if variable.unit else "",
            "number": not variable.categories,
            "fixed": variable.lowest >= variable.highest,
            "low": rounded(variable.lowest, variable.decimals),
            "high": rounded(variable.highest, variable.decimals),
            "categories": category_words(variable),
        }
        for variable in used_variables(base)
    ]
