"""What inputs, classes and values are called."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

from unfis.rules.data import Variable
from unfis.rules.text.numbers import as_given, exact, rounded

# Characters that would turn the reading direction of what follows them.
TURNS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def visible(text: Any) -> str:
    """Text in one line, with what cannot be seen written out."""
    if not str(text).strip():
        return repr(text)
    return "".join(
        repr(char)[1:-1]
        if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") or ord(char) in TURNS
        else char
        for char in str(text)
    )


def labels_of(variables: Sequence[Variable]) -> dict[str, str]:
    """How each input is called: without its unit, where that leaves no two alike."""
    counts = Counter(variable.label for variable in variables)
    return {
        variable.name: visible(variable.label if counts[variable.label] == 1 else variable.name)
        for variable in variables
    }


def class_name(label: Any) -> str:
    """How a class is called: by its name, or by the number or truth value it has for one."""
    return visible(label) if isinstance(label, str) else f"class {label}"


def levels_of(variable: Variable) -> list[str]:
    """The few values of a number in words."""
    return [rounded(level, variable.decimals) for level in variable.levels]


def value_words(variable: Variable, value: Any) -> str:
    """A value of an input in words, with its unit."""
    if value is None:
        return "unknown"
    if variable.categories:
        return visible(category_name(value))
    unit = f" {visible(variable.unit)}" if variable.unit else ""
    return as_given(value, variable.decimals) + unit


def category_name(category: Any) -> str:
    """A category in words."""
    if isinstance(category, bool):
        return "true" if category else "false"
    return exact(category) if isinstance(category, float) else str(category)
