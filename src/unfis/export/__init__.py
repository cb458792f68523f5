"""Rules that add up taken elsewhere: as Python, SQL, ONNX or JavaScript that predicts the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfis.export.javascript import javascript
from unfis.export.onnx_model import onnx_inputs, onnx_model
from unfis.export.portable import Portable
from unfis.export.python_module import python_module
from unfis.export.sql_query import sql_query
from unfis.model import FittedModel
from unfis.serial.messages import quoted

# What makes each kind: of the model, of the table to read and of the columns to keep.
Maker = Callable[[Portable, str, Sequence[str] | None], str | bytes]
KINDS: dict[str, Maker] = {
    "python": lambda model, *_: python_module(model),
    "sql": sql_query,
    "onnx": lambda model, *_: onnx_model(model),
    "javascript": lambda model, *_: javascript(model),
}

__all__ = ["KINDS", "export", "onnx_inputs"]


def export(
    model: FittedModel, kind: str, *, table: str = "data", keep: Sequence[str] | None = None
) -> str | bytes:
    """A model as a program for elsewhere: text, but bytes of "onnx".

    The SQL query reads `table` and gives its columns `keep`, such as an identifier, beside the
    answers; if none are named, those that the rules look at.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {quoted(kind)}.")
    if isinstance(keep, str):
        raise ValueError(f"keep must be a list of names of columns, got the text {quoted(keep)}.")
    return KINDS[kind](Portable.of(model), table, keep)
