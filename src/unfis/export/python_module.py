"""Rules as a Python module that needs nothing but Python."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from unfis.data import CategoryReader, Notation
from unfis.data.columns import LARGEST_INPUT
from unfis.data.notation import BLANKS
from unfis.export.plan import Plan, PlannedRule, Term
from unfis.network.layers import EPSILON
from unfis.rules import Variable

LONGEST_LINE = 80
MODULE_USE = """\
predict(row) gives the class of a row, predict_proba(row) the probability of each class; a row is a
dict of values by the names of the inputs, or of text that spells them. An input that is absent,
None, NaN or a word in MISSING is unknown, and so is a category that is not listed.
`python THIS_FILE table.csv` predicts a whole table."""


def python_module(plan: Plan) -> str:
    """The source of a module: `template.py` with the numbers of these rules."""
    source = files("unfis.export").joinpath("template.py").read_text(encoding="utf-8")
    values = {
        "CLASSES": literal(list(plan.classes)),
        "INPUTS": literal({v.name: input_data(v, plan.notation) for v in plan.inputs}),
        "RULES": literal([rule_data(rule) for rule in plan.rules]),
        "EPSILON": repr(EPSILON),
        "LARGEST_INPUT": repr(LARGEST_INPUT),
        "DECIMAL": repr(plan.notation.decimal),
        "MISSING": literal(list(plan.notation.missing)),
        "MISSING_NUMBERS": literal(plan.notation.missing_numbers).replace("inf", "math.inf"),
        "TRUE": literal(list(plan.notation.true)),
        "FALSE": literal(list(plan.notation.false)),
        "BLANKS": ascii(BLANKS),
    }
    for name, value in values.items():
        source = filled(source, name, value)
    return source.replace('"""DOCSTRING"""', docstring(f"{plan.words}\n\n{MODULE_USE}\n"), 1)


def filled(source: str, name: str, value: str) -> str:
    """The source with a value for one of its constants."""
    found = re.search(rf"^{name}(: .+)? = ", source, flags=re.MULTILINE)
    assert found
    return source[: found.end()] + value + source[source.index("\n", found.end()) :]


def docstring(text: str) -> str:
    """Text as a docstring, whatever it holds."""
    escaped = text.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    return f'"""{escaped}"""'


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
    if variable.categories:
        numbers = CategoryReader(variable.categories, notation).numbers
        data = {"kind": variable.kind, "categories": list(variable.categories)}
        return data | {"numbers": numbers} if variable.kind == "category" and numbers else data
    return {
        "kind": variable.kind,
        "reference": float(variable.reference),
        "scale": float(variable.scale),
    }


def rule_data(rule: PlannedRule) -> dict[str, Any]:
    """The numbers of a rule in the table's units."""
    return {
        "conditions": {term.variable.name: condition_data(term) for term in rule.terms},
        "biases": [float(bias) for bias in rule.biases],
    }


def condition_data(term: Term) -> dict[str, Any]:
    """The numbers of a condition."""
    condition = term.condition
    if term.variable.categories:
        degrees = [float(degree) for degree in condition.degrees]
        slopes = [[float(added) for added in of_class] for of_class in term.slopes]
        return {"degrees": degrees, "slopes": slopes}
    assert condition.shift is not None
    assert condition.width is not None
    return {
        "shift": float(condition.shift),
        "width": float(condition.width),
        "selection": float(condition.selection),
        "slopes": [float(slope) for slope in term.slopes],
    }
