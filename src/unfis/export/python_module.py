"""Rules as a Python module that needs nothing but Python."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import numpy as np

from unfis.data import CategoryReader, Notation
from unfis.data.columns import LARGEST_INPUT
from unfis.data.notation import BLANKS
from unfis.network.layers import EPSILON, LEAST_REST
from unfis.rules import Rule, RuleBase, Variable

LONGEST_LINE = 80
MODULE_USE = """\
predict(row) gives the class of a row, predict_proba(row) the probability of each class; a row is a
dict of values by the names of the inputs, or of text that spells them. An input that is absent,
None, NaN or a word in MISSING is unknown, and so is a category that is not listed.
`python THIS_FILE table.csv` predicts a whole table."""


def python_module(base: RuleBase, words: str) -> str:
    """The source of a module: `template.py` with the numbers of these rules."""
    source = files("unfis.export").joinpath("template.py").read_text(encoding="utf-8")
    notation = base.notation
    values = {
        "CLASSES": literal(list(base.classes)),
        "INPUTS": literal({v.name: input_data(v, notation) for v in base.arrays.variables}),
        "RULES": literal([rule_data(rule) for rule in base]),
        "COMBINATION": repr(base.combination),
        "OTHERWISE": repr(base.arrays.otherwise),
        "COSTS": literal(floats(base.costs)),
        "EPSILON": repr(EPSILON),
        "LEAST_REST": repr(LEAST_REST),
        "LARGEST_INPUT": repr(LARGEST_INPUT),
        "DECIMAL": repr(notation.decimal),
        "MISSING": literal(list(notation.missing)),
        "MISSING_NUMBERS": literal(notation.missing_numbers).replace("inf", "math.inf"),
        "TRUE": literal(list(notation.true)),
        "FALSE": literal(list(notation.false)),
        "BLANKS": ascii(BLANKS),
    }
    for name, value in values.items():
        source = filled(source, name, value)
    text = f"{words}\n\n{MODULE_USE}\n".replace("\\", "\\\\").replace('"""', r"\"\"\"")
    return source.replace("DOCSTRING", text, 1)


def filled(source: str, name: str, value: str) -> str:
    """The source with a value for one of its constants."""
    found = re.search(rf"^{name}(: .+)? = ", source, flags=re.MULTILINE)
    assert found
    return source[: found.end()] + value + source[source.index("\n", found.end()) :]


def literal(value: Any, indent: str = "") -> str:
    """Plain data as Python, a line for each part where one line is too short."""
    text = repr(value)
    if not isinstance(value, dict | list) or len(indent) + len(text) <= LONGEST_LINE:
        return text
    deeper = indent + "    "
    if isinstance(value, dict):
        parts = [f"{key!r}: {literal(part, deeper)}" for key, part in value.items()]
    else:
        parts = [literal(part, deeper) for part in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([start, *(f"{deeper}{part}," for part in parts), indent + end])


def input_data(variable: Variable, notation: Notation) -> dict[str, Any]:
    """How an input is read."""
    data: dict[str, Any] = {"kind": variable.kind}
    if not variable.categories:
        return data | {"reference": float(variable.reference), "scale": float(variable.scale)}
    data["categories"] = list(variable.categories)
    numbers = CategoryReader(variable.categories, notation).numbers
    return data | {"numbers": numbers} if variable.kind == "category" and numbers else data


def rule_data(rule: Rule) -> dict[str, Any]:
    """The numbers of a rule in the table's units."""
    conditions = {}
    for condition in rule.conditions:
        names = ["degrees"] if condition.degrees else ["shift", "width", "selection"]
        numbers = {name: floats(getattr(condition, name)) for name in names}
        reach = {"reach": list(condition.reach)} if condition.reach else {}
        conditions[condition.input] = numbers | reach
    slopes = {effect.input: floats(effect.slopes) for effect in rule.effects}
    return {"conditions": conditions, "biases": floats(rule.biases), "slopes": slopes}


def floats(numbers: Any) -> Any:
    """A number, or lists of numbers, as floats."""
    return np.array(numbers, dtype=float).tolist()
