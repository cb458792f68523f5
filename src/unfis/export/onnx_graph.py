"""A graph of ONNX under construction, and parts of it: what inputs do to firing and rule outputs.

Every part is a pair of what is added to log f, (rows, rules), and to the rule outputs, (rows, rules
times classes).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.columns import LARGEST_INPUT
from unfis.export.portable import check_text
from unfis.network.layers import EPSILON, is_decided
from unfis.rules import RuleBase, Variable
from unfis.rules.evaluation import RuleArrays
from unfis.serial.messages import needed

# Old ones, so that old runtimes read the model too.
OPSETS = {"": 17, "ai.onnx.ml": 3}
IR_VERSION = 8
# TensorProto.DOUBLE and TensorProto.INT64.
DOUBLE_CODE, INTEGER_CODE = 11, 7


class Graph:
    """Collects inputs, constants and nodes; each is known by the name of what it gives."""

    def __init__(self, reserved: Iterable[str]) -> None:
        """An empty graph; nothing inside may have a reserved name."""
        # Only now: other exports do without it.
        self._onnx = needed("onnx", "An ONNX model needs onnx", "onnx")
        self._taken = set(reserved)
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._constants: list[Any] = []
        self._nodes: list[Any] = []

    def input(self, name: str, kind: np.dtype[Any], words: str) -> None:
        """A column of the table, shape (rows, 1)."""
        self._inputs.append(self._described(name, kind, ["rows", 1], words))

    def output(self, name: str, source: str, kind: np.dtype[Any], shape: list[Any]) -> None:
        """A result."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [source], [name]))
        self._outputs.append(self._described(name, kind, shape, ""))

    def _described(self, name: str, kind: np.dtype[Any], shape: list[Any], words: str) -> Any:
        element = self._onnx.helper.np_dtype_to_tensor_dtype(kind)
        return self._onnx.helper.make_tensor_value_info(name, element, shape, doc_string=words)

    def constant(self, values: Any) -> str:
        """An array that is part of the model."""
        name = self._new_name("constant")
        array = np.asarray(values)
        if array.dtype.kind == "i":  # of fewer bits on some machines
            array = array.astype(np.int64)
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def node(self, operation: str, *sources: Any, domain: str = "", **attributes: Any) -> str:
        """What an operation makes of its sources: names, or values that become constants."""
        names = [one if isinstance(one, str) else self.constant(one) for one in sources]
        name = self._new_name(operation.lower())
        make = self._onnx.helper.make_node
        self._nodes.append(make(operation, names, [name], domain=domain, **attributes))
        return name

    def _new_name(self, kind: str) -> str:
        count = len(self._nodes) + len(self._constants)
        while (name := f"{kind}_{count}") in self._taken:
            count += 1
        self._taken.add(name)
        return name

    def model(self, words: str, notes: dict[str, str]) -> bytes:
        """The bytes of the model's file."""
        helper = self._onnx.helper
        graph = helper.make_graph(
            self._nodes, "unfis", self._inputs, self._outputs, self._constants
        )
        model = helper.make_model(
            graph,
            producer_name="unfis",
            doc_string=words,
            ir_version=IR_VERSION,
            opset_imports=[helper.make_opsetid(domain, n) for domain, n in OPSETS.items()],
        )
        helper.set_model_props(model, notes)
        written: bytes = model.SerializeToString(deterministic=True)
        return written


def parts_of(graph: Graph, base: RuleBase, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The part of all numbers together, and one of each category."""
    arrays = base.arrays
    numbers = [j for j, variable in enumerate(arrays.variables) if not variable.categories]
    if numbers:
        sources = [names[arrays.variables[j].name] for j in numbers]
        yield number_part(graph, arrays, numbers, sources, base.notation.missing_numbers)
    for j, variable in enumerate(arrays.variables):
        if variable.categories:
            yield category_part(graph, arrays, j, names[variable.name])


def number_part(
    graph: Graph, arrays: RuleArrays, numbers: list[int], sources: list[str], missing: list[float]
) -> tuple[str, str]:
    """What the numbers do: the arithmetic of `RuleArrays`, on all of them at once."""
    centres, widths = arrays.centres[:, numbers], arrays.widths[:, numbers]
    selection = arrays.selection[:, numbers]
    variables = [arrays.variables[j] for j in numbers]
    scaled, unknown = scaled_numbers(graph, variables, sources, missing)
    # (rows, numbers) becomes (rows, 1, numbers), to stand beside the rules.
    differences = graph.node("Sub", graph.node("Unsqueeze", scaled, [1]), centres)
    reaches = arrays.reaches[:, :, numbers]
    if reaches.any():
        above = graph.node("Max", differences, -reaches[0])
        within = graph.node("Min", above, reaches[1])
        differences = graph.node("Sub", differences, within)
    degrees = log_degrees(graph, graph.node("Div", differences, widths), selection)
    out = graph.constant(selection == 0)
    nothing = graph.node("Or", graph.node("Unsqueeze", unknown, [1]), out)
    zero = graph.constant(0.0)
    counted = graph.node("Where", nothing, zero, degrees)
    firing = graph.node("ReduceSum", counted, [2], keepdims=0)
    known = graph.node("Where", unknown, zero, scaled)
    slopes = flat_slopes(arrays, [arrays.spans[j].start for j in numbers])
    return firing, graph.node("MatMul", known, slopes)


def flat_slopes(arrays: RuleArrays, columns: slice | list[int]) -> Array:
    """The slopes of some columns, (columns, rules times classes)."""
    slopes = arrays.slopes[:, :, columns]
    return slopes.transpose(2, 0, 1).reshape(slopes.shape[2], -1)


def scaled_numbers(
    graph: Graph, variables: list[Variable], sources: list[str], missing: list[float]
) -> tuple[str, str]:
    """Numbers in scales from their references, and whether they are unknown, (rows, numbers)."""
    values = graph.node("Concat", *sources, axis=1)
    for number in missing:
        is_missing = graph.node("Equal", values, number)
        values = graph.node("Where", is_missing, np.nan, values)
    references = graph.constant([float(variable.reference) for variable in variables])
    scales = graph.constant([float(variable.scale) for variable in variables])
    scaled = graph.node("Div", graph.node("Sub", values, references), scales)
    clipped = graph.node("Clip", scaled, -LARGEST_INPUT, LARGEST_INPUT)
    return clipped, graph.node("IsNaN", values)


def log_degrees(graph: Graph, deviations: str, selection: Array) -> str:
    """log mu+ of every rule and number, (rows, rules, numbers)."""
    squares = graph.node("Mul", deviations, deviations)
    log_memberships = graph.node("Mul", squares, -0.5)
    if is_decided(selection):
        return log_memberships
    memberships, epsilon = graph.node("Exp", log_memberships), graph.constant(EPSILON)
    above = graph.node("Add", memberships, epsilon)
    unselected = graph.node("Mul", memberships, 1 - selection)
    below = graph.node("Add", unselected, selection)
    ratio = graph.node("Div", above, graph.node("Add", below, epsilon))
    inside = graph.constant(selection == 1)
    return graph.node("Where", inside, log_memberships, graph.node("Log", ratio))


def category_part(graph: Graph, arrays: RuleArrays, j: int, name: str) -> tuple[str, str]:
    """What a category does, looked up; the last row of a table is of what is unknown."""
    at = category_codes(graph, arrays.variables[j], name)
    degrees, slopes = (
        graph.node("Gather", np.pad(table, ((0, 1), (0, 0))), at)
        for table in (arrays.log_degrees[j], flat_slopes(arrays, arrays.spans[j]))
    )
    return degrees, slopes


def category_codes(graph: Graph, variable: Variable, name: str) -> str:
    """The code of each category, their number if unknown, (rows,)."""
    count = len(variable.categories)
    if isinstance(variable.categories[0], str):
        return graph.node(
            "LabelEncoder",
            graph.node("Squeeze", name, [1]),
            domain="ai.onnx.ml",
            keys_strings=list(variable.categories),
            values_int64s=list(range(count)),
            default_int64=count,
        )
    found = graph.node("Equal", name, known_categories(variable)[None])
    steps = graph.constant(np.arange(count, dtype=float)[:, None] - count)
    before = graph.node("MatMul", graph.node("Cast", found, to=DOUBLE_CODE), steps)
    code = graph.node("Squeeze", graph.node("Add", before, float(count)), [1])
    return graph.node("Cast", code, to=INTEGER_CODE)


def known_categories(variable: Variable) -> NDArray[Any]:
    """The categories as an array of their input's kind: text, whole numbers, or doubles."""
    array = label_array(variable.categories, f"The categories of {variable.name!r}")
    return array.astype(float) if array.dtype.kind == "b" else array


def input_dtype(variable: Variable) -> np.dtype[Any]:
    """The kind of an input; of a number or truth value NaN is unknown, so it is a double."""
    return known_categories(variable).dtype if variable.kind == "category" else np.dtype(float)


def label_array(labels: Sequence[Any], what: str) -> NDArray[Any]:
    """Classes or categories as an array of their own kind; of no labels, as one of text."""
    if all(isinstance(label, str) for label in labels):
        for label in labels:
            check_text(label)
        return np.array(labels, dtype=object)
    array = np.array(labels)
    if array.dtype.kind not in "bif":
        raise ValueError(f"{what} hold whole numbers of more than 64 bits; make them text.")
    return array
