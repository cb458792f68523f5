"""Rules as an ONNX model, in double precision throughout, and a table as what it is fed with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.export.onnx_graph import Graph, input_dtype, known_categories, label_array, parts_of
from unfis.export.portable import is_writable
from unfis.network.combination import AVERAGED
from unfis.network.layers import LEAST_REST
from unfis.rules import RuleBase, Variable
from unfis.rules.evaluation import RuleArrays
from unfis.rules.text.words import visible

LABEL, PROBABILITIES = "label", "probabilities"


def onnx_model(base: RuleBase, words: str) -> bytes:
    """The model as the bytes of its file."""
    names = input_names(base.variables)
    graph = Graph([*names.values(), LABEL, PROBABILITIES])
    for variable in base.variables:
        graph.input(names[variable.name], input_dtype(variable), visible(variable.name))
    rules, classes = len(base.rules), len(base.classes)
    rows = graph.node("Shape", names[base.variables[0].name], start=0, end=1)
    firing = [spread(graph, np.zeros((1, rules)), rows)]
    parts = [spread(graph, base.arrays.biases.reshape(1, -1), rows)]
    for found in parts_of(graph, base, names):
        firing.append(found[0])
        parts.append(found[1])
    log_firing = otherwise_firing(graph, node_sum(graph, firing), base.arrays)
    strengths = graph.node("Softmax", log_firing, axis=1)
    outputs = graph.node("Reshape", node_sum(graph, parts), [0, rules, classes])
    is_averaged = base.combination == AVERAGED.name
    said = graph.node("Softmax", outputs, axis=2) if is_averaged else outputs
    weighed = graph.node("Mul", graph.node("Unsqueeze", strengths, [2]), said)
    together = graph.node("ReduceSum", weighed, [1], keepdims=0)
    shares = together if is_averaged else graph.node("Softmax", together, axis=1)
    if base.costs:
        expected = graph.node("MatMul", shares, np.array(base.costs, dtype=float))
        best = graph.node("ArgMin", expected, axis=1, keepdims=0)
    else:
        best = graph.node("ArgMax", together, axis=1, keepdims=0)
    labels = label_array(base.classes, "The classes")
    chosen = graph.node("Gather", labels, best)
    graph.output(LABEL, chosen, labels.dtype, ["rows"])
    graph.output(PROBABILITIES, shares, np.dtype(float), ["rows", classes])
    notes = {
        "rules": words,
        "columns": json.dumps(column_notes(base, names)),
        "notation": json.dumps(asdict(base.notation)),
    }
    return graph.model(words, notes)


def otherwise_firing(graph: Graph, log_firing: str, arrays: RuleArrays) -> str:
    """log f, (rows, rules), with that of a rule that speaks where no other does."""
    if arrays.otherwise is None:
        return log_firing
    is_otherwise = np.arange(len(arrays.biases)) == arrays.otherwise
    rests = graph.node("Sub", 1.0, graph.node("Exp", log_firing))
    logs = graph.node("Log", graph.node("Max", rests, LEAST_REST))
    of_others = graph.node("Mul", logs, (~is_otherwise).astype(float))
    total = graph.node("ReduceSum", of_others, [1], keepdims=1)
    return graph.node("Where", is_otherwise, total, log_firing)


def input_names(columns: Sequence[Variable]) -> dict[str, str]:
    """The input of each column: its own name, or "column_2" where ONNX cannot have that."""
    impossible = ("", LABEL, PROBABILITIES)
    own = [v.name for v in columns if v.name not in impossible and is_writable(v.name)]
    names = {name: name for name in own}
    for j, variable in enumerate(columns):
        name = f"column_{j}"
        while variable.name not in names and name in names:
            name += "_"
        names.setdefault(variable.name, name)
    return names


def column_notes(base: RuleBase, names: dict[str, str]) -> list[dict[str, Any]]:
    """Which column each input is, for those who feed the model."""
    used = {variable.name for variable in base.arrays.variables}
    return [
        {"input": names[v.name], "column": v.name, "kind": v.kind, "used": v.name in used}
        for v in base.variables
    ]


def spread(graph: Graph, row: Array, rows: str) -> str:
    """One row of numbers in as many rows as the table has."""
    shape = graph.node("Concat", rows, [row.shape[1]], axis=0)
    return graph.node("Expand", row, shape)


def node_sum(graph: Graph, sources: Sequence[str]) -> str:
    """The sum of several things of one shape."""
    return reduce(lambda total, source: graph.node("Add", total, source), sources)


def onnx_inputs(rules: RuleBase, X: Any) -> dict[str, NDArray[Any]]:
    """The inputs of a session of the exported model, by name, for each row of a table.

    ONNX has no way to read text as the library does: here it is read as `rules` read it.
    """
    values = rules.read(X)
    names = input_names(rules.variables)
    return {
        names[variable.name]: input_values(variable, values[:, j])[:, None]
        for j, variable in enumerate(rules.variables)
    }


def input_values(variable: Variable, values: Array) -> NDArray[Any]:
    """The values of one input, (rows,): numbers as they are, categories by themselves."""
    if variable.kind != "category":
        return values
    categories = known_categories(variable)
    found = np.full(len(values), unknown_category(categories), dtype=input_dtype(variable))
    known = ~np.isnan(values)
    found[known] = categories[values[known].astype(np.intp)]
    return found


def unknown_category(categories: NDArray[Any]) -> Any:
    """A category that is none of these, to stand for what is unknown."""
    if categories.dtype.kind == "f":
        return np.nan
    word: Any = "" if categories.dtype.kind == "O" else np.iinfo(np.int64).min
    while word in categories:
        word += "?" if isinstance(word, str) else 1
    return word
