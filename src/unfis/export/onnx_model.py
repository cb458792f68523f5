"""Rules as an ONNX model, in double precision throughout, and a table as what it is fed with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.export.onnx_graph import Graph
from unfis.export.portable import (
    LARGEST_DOUBLE,
    Portable,
    PortableInput,
    degree_of_unknown,
)
from unfis.model import FittedModel
from unfis.rules import Condition, Trapezoid

OUTPUTS = PREDICTED, PROBABILITIES = "predicted", "probabilities"
# TensorProto.np.dtype(float) and TensorProto.INT64.
DOUBLE_CODE, INTEGER_CODE = 11, 7


def onnx_model(model: Portable) -> bytes:
    """The model as the bytes of its file."""
    names = input_names(model.columns)
    graph = Graph([*names, *OUTPUTS])
    for one, name in zip(model.columns, names, strict=True):
        graph.input(name, input_dtype(one))
    rows = graph.node("Shape", names[0], start=0, end=1)
    always = graph.node("Expand", np.ones((1, 1)), graph.node("Concat", rows, [1], axis=0))
    logits = weighed_sums(graph, model, names, always)
    if model.classes:
        shares = graph.node("Softmax", logits, axis=1)
        costs = np.array(model.costs) if model.costs else -np.eye(len(model.classes))
        best = graph.node("ArgMin", graph.node("MatMul", shares, costs), axis=1, keepdims=0)
        is_text = isinstance(model.classes[0], str)
        labels = np.array(model.classes, object if is_text else None)
        graph.output(PREDICTED, graph.node("Gather", labels, best), labels.dtype)
        graph.output(PROBABILITIES, shares, np.dtype(float), len(model.classes))
    else:
        number = graph.node("Squeeze", logits, [1])
        number = graph.node("Exp", number) if model.rules.link == "exp" else number
        graph.output(PREDICTED, number, np.dtype(float))
    columns = [
        {"input": name, "column": one.name, "kind": one.kind, "used": j in model.used}
        for j, (one, name) in enumerate(zip(model.columns, names, strict=True))
    ]
    notation = json.dumps(asdict(model.notation))
    notes = {"rules": model.words, "columns": json.dumps(columns), "notation": notation}
    return graph.file(notes)


def weighed_sums(graph: Graph, model: Portable, names: Sequence[str], always: str) -> str:
    """unit * (start + degrees @ points), (rows, outputs); a degree is its conditions' product."""
    # A factor of its own would be put into the product by runtimes, in single precision.
    rules, unit = model.rules.rules, model.rules.unit
    start = unit * np.array(model.rules.start)
    conditions = {one for rule in rules for one in rule.conditions}
    degrees: list[str] = [always]
    order: list[Condition | None] = [None]
    for j, one in model.used.items():
        own = sorted((c for c in conditions if c.input == j), key=repr)
        degrees.append(condition_degrees(graph, one, own, names[j], model.notation.missing_numbers))
        order += own
    every = graph.node("Concat", *degrees, axis=1)
    product = graph.node("Gather", every, np.zeros(len(rules), dtype=int), axis=1)
    for k in range(max((len(rule.conditions) for rule in rules), default=0)):
        places = [
            order.index(rule.conditions[k]) if k < len(rule.conditions) else 0 for rule in rules
        ]
        product = graph.node("Mul", product, graph.node("Gather", every, places, axis=1))
    points = [
        [unit * rule.points * (rule.output == c) for c in range(len(start))] for rule in rules
    ]
    table = np.array(points, dtype=float).reshape(len(rules), len(start))
    return graph.node("Add", graph.node("MatMul", product, table), start)


def condition_degrees(
    graph: Graph, one: PortableInput, own: Sequence[Condition], name: str, missing: Sequence[float]
) -> str:
    """The degrees of conditions on one input, (rows, conditions)."""
    unknown = np.array([degree_of_unknown(condition) for condition in own])
    if one.categories:
        # Looked up; the last row of the table is of what is unknown.
        codes = np.arange(float(len(one.categories)))
        known = [condition.degrees(codes) for condition in own]
        table = np.vstack([np.transpose(known), unknown])
        return graph.node("Gather", table, category_codes(graph, one, name))
    is_known = graph.node("LessOrEqual", graph.node("Abs", name), LARGEST_DOUBLE)
    for number in missing:
        other = graph.node("Not", graph.node("Equal", name, number))
        is_known = graph.node("And", is_known, other)
    # Shoulders rise and fall infinitely far away.
    ends = [(c.a, c.b, c.c, c.d) if isinstance(c, Trapezoid) else [np.inf] * 4 for c in own]
    a, b, c, d = np.transpose(ends)
    b = np.where(a == -np.inf, a, b)
    degrees = graph.node("Sub", rising(graph, name, a, b), rising(graph, name, c, d))
    return graph.node("Where", is_known, degrees, unknown)


def rising(graph: Graph, name: str, low: Array, high: Array) -> str:
    """From 0 at the first of each two numbers to 1 at the second, (rows, edges)."""
    widths = np.subtract(high, low, out=np.ones(len(low)), where=high > low)
    share = graph.node("Div", graph.node("Sub", name, low), widths)
    above = graph.node("GreaterOrEqual", name, high)
    return graph.node("Where", above, 1.0, graph.node("Max", share, 0.0))


def category_codes(graph: Graph, one: PortableInput, name: str) -> str:
    """The code of each category, their number if unknown, (rows,)."""
    count = len(one.categories)
    if one.has_text:
        flat = graph.node("Squeeze", name, [1])
        return graph.node(
            "LabelEncoder",
            flat,
            domain="ai.onnx.ml",
            keys_strings=list(one.categories),
            values_int64s=list(range(count)),
            default_int64=count,
        )
    found = graph.node("Equal", name, np.array([one.categories], dtype=float))
    before = np.arange(float(count))[:, None] - count
    code = graph.node("MatMul", graph.node("Cast", found, to=DOUBLE_CODE), before)
    flat = graph.node("Squeeze", graph.node("Add", code, float(count)), [1])
    return graph.node("Cast", flat, to=INTEGER_CODE)


def input_dtype(one: PortableInput) -> np.dtype[Any]:
    """The kind of an input: text of categories of text, otherwise doubles; NaN is unknown."""
    return np.dtype(object if one.has_text else float)


def input_names(columns: Sequence[PortableInput]) -> list[str]:
    """The input of each column: its own name, unless one of these can be none of an input."""
    names = [one.name for one in columns]
    is_possible = not {"", *OUTPUTS} & {*names}
    return names if is_possible else [f"column_{j}" for j in range(len(names))]


def onnx_inputs(model: FittedModel, X: Any) -> dict[str, NDArray[Any]]:
    """The inputs of a session of the exported model, by name, for each row of a table.

    ONNX has no way to read text as the library does: here it is read as the model reads it.
    """
    columns, values = Portable.of(model).columns, model.columns.values(X)
    return {
        name: input_values(one, values[:, j])[:, None]
        for j, (one, name) in enumerate(zip(columns, input_names(columns), strict=True))
    }


def input_values(one: PortableInput, values: Array) -> NDArray[Any]:
    """The values of one input, (rows,): numbers as they are, categories by themselves."""
    if one.kind != "category":
        return values
    unknown: Any = np.nan
    if one.has_text:
        unknown = ""
        while unknown in one.categories:
            unknown += "?"
    found = [unknown if np.isnan(value) else one.categories[int(value)] for value in values]
    return np.array(found, dtype=input_dtype(one))
