"""A graph of ONNX under construction."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np

# Old ones, so that old runtimes read the model too.
OPSETS = {"": 17, "ai.onnx.ml": 3}
IR_VERSION = 8


class Graph:
    """Collects inputs, constants and nodes; each is known by the name of what it gives."""

    def __init__(self, reserved: Iterable[str]) -> None:
        """An empty graph; nothing inside may have a reserved name."""
        try:
            self._onnx = importlib.import_module("onnx")  # only now: other exports do without it
        except ImportError as error:
            raise ImportError("An ONNX model needs onnx: pip install 'unfis[onnx]'.") from error
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
