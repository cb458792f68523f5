"""A graph of ONNX under construction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from unfis.serial.messages import needed

# Old ones, so that old runtimes read the model too.
OPSETS = {"": 17, "ai.onnx.ml": 3}
IR_VERSION = 8


class Graph:
    """Collects inputs, constants and nodes; each is known by the name of what it gives."""

    def __init__(self, reserved: Iterable[str]) -> None:
        """An empty graph; nothing inside has a name that begins like a reserved one."""
        # Only now: other exports do without it.
        self._onnx = needed("onnx", "An ONNX model needs onnx", "onnx")
        self._prefix = "unfis_"
        while any(name.startswith(self._prefix) for name in reserved):
            self._prefix += "_"
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []
        self._constants: list[Any] = []
        self._nodes: list[Any] = []

    def input(self, name: str, kind: np.dtype[Any]) -> None:
        """A column of the table, shape (rows, 1)."""
        self._inputs.append(self._described(name, kind, 1))

    def output(self, name: str, source: str, kind: np.dtype[Any], *shape: int) -> None:
        """A result, shape (rows, ...)."""
        self._nodes.append(self._onnx.helper.make_node("Identity", [source], [name]))
        self._outputs.append(self._described(name, kind, *shape))

    def _described(self, name: str, kind: np.dtype[Any], *shape: int) -> Any:
        element = self._onnx.helper.np_dtype_to_tensor_dtype(kind)
        return self._onnx.helper.make_tensor_value_info(name, element, ["rows", *shape])

    def node(self, operation: str, *sources: Any, domain: str = "", **attributes: Any) -> str:
        """What an operation makes of its sources: names, or values that become constants."""
        names = [one if isinstance(one, str) else self._constant(one) for one in sources]
        name = f"{self._prefix}{operation}_{len(self._nodes)}"
        make = self._onnx.helper.make_node
        self._nodes.append(make(operation, names, [name], domain=domain, **attributes))
        return name

    def _constant(self, values: Any) -> str:
        name, array = f"{self._prefix}{len(self._constants)}", np.asarray(values)
        if array.dtype.kind == "i":  # of fewer bits on some machines
            array = array.astype(np.int64)
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def file(self, notes: dict[str, str]) -> bytes:
        """The bytes of the model's file."""
        helper = self._onnx.helper
        parts = self._nodes, "unfis", self._inputs, self._outputs, self._constants
        sets = [helper.make_opsetid(domain, number) for domain, number in OPSETS.items()]
        settings = {"producer_name": "unfis", "ir_version": IR_VERSION, "opset_imports": sets}
        model = helper.make_model(helper.make_graph(*parts), **settings)
        helper.set_model_props(model, notes)
        written: bytes = model.SerializeToString(deterministic=True)
        return written
