"""Rules as an ONNX model, in double precision throughout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import reduce
from typing import Any

import numpy as np

from unfis.arrays import Array
from unfis.export.onnx_graph import Graph
from unfis.export.onnx_parts import input_dtype, label_array, parts_of
from unfis.export.plan import Plan, is_writable
from unfis.rules import Variable
from unfis.rules.words import visible

# Old ones, so that old runtimes read the model too.
OPSETS = {"": 17, "ai.onnx.ml": 3}
IR_VERSION = 8
LABEL, PROBABILITIES = "label", "probabilities"


def onnx_model(plan: Plan) -> bytes:
    """The model as the bytes of its file."""
    names = input_names(plan.columns)
    graph = Graph([*names.values(), LABEL, PROBABILITIES])
    for variable in plan.columns:
        graph.input(names[variable.name], input_dtype(variable), visible(variable.name))
    rules, classes = len(plan.rules), len(plan.classes)
    rows = graph.node("Shape", names[plan.columns[0].name], start=0, end=1)
    firing = [spread(graph, np.zeros((1, rules)), rows)]
    biases = np.array([rule.biases for rule in plan.rules], dtype=float)
    parts = [spread(graph, biases.reshape(1, -1), rows)]
    for found in parts_of(graph, plan, names):
        firing.append(found[0])
        parts.append(found[1])
    strengths = graph.node("Softmax", node_sum(graph, firing), axis=1)
    outputs = graph.node("Reshape", node_sum(graph, parts), graph.constant([0, rules, classes]))
    weighed = graph.node("Mul", graph.node("Unsqueeze", strengths, graph.constant([2])), outputs)
    logits = graph.node("ReduceSum", weighed, graph.constant([1]), keepdims=0)
    best = graph.node("ArgMax", logits, axis=1, keepdims=0)
    labels = label_array(plan.classes, "The classes")
    chosen = graph.node("Gather", graph.constant(labels), best)
    graph.output(LABEL, chosen, labels.dtype, ["rows"])
    shares = graph.node("Softmax", logits, axis=1)
    graph.output(PROBABILITIES, shares, np.dtype(float), ["rows", classes])
    notes = {
        "rules": plan.words,
        "columns": json.dumps(column_notes(plan, names)),
        "notation": json.dumps(asdict(plan.notation)),
    }
    return graph.model(OPSETS, IR_VERSION, plan.words, notes)


def input_names(columns: Sequence[Variable]) -> dict[str, str]:
    """The input of each column: its own name, or "column_2" where ONNX cannot have that."""
    impossible = ("", LABEL, PROBABILITIES)
    own = [v.name for v in columns if v.name not in impossible and is_writable(v.name)]
    names = {name: name for name in own}
    for place, variable in enumerate(columns):
        name = f"column_{place}"
        while variable.name not in names and name in names:
            name += "_"
        names.setdefault(variable.name, name)
    return names


def column_notes(plan: Plan, names: dict[str, str]) -> list[dict[str, Any]]:
    """Which column each input is, for those who feed the model."""
    used = {variable.name for variable in plan.inputs}
    return [
        {"input": names[v.name], "column": v.name, "kind": v.kind, "used": v.name in used}
        for v in plan.columns
    ]


def spread(graph: Graph, row: Array, rows: str) -> str:
    """One row of numbers in as many rows as the table has."""
    shape = graph.node("Concat", rows, graph.constant([row.shape[1]]), axis=0)
    return graph.node("Expand", graph.constant(row), shape)


def node_sum(graph: Graph, sources: Sequence[str]) -> str:
    """The sum of several things of one shape."""
    return reduce(lambda total, source: graph.node("Add", total, source), sources)
