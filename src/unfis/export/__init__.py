"""Rules taken elsewhere: as Python, SQL, ONNX or JavaScript that predicts the same."""

from __future__ import annotations

from collections.abc import Sequence

from unfis.export.javascript import javascript
from unfis.export.onnx_model import onnx_inputs, onnx_model
from unfis.export.portable import portable_rules
from unfis.export.python_module import python_module
from unfis.export.sql_query import sql_query
from unfis.rules import RuleBase
from unfis.serial.messages import quoted

KINDS = ("python", "sql", "onnx", "javascript")

__all__ = ["KINDS", "export", "onnx_inputs"]


def export(
    rules: RuleBase, kind: str, *, table: str = "data", keep: Sequence[str] | None = None
) -> str | bytes:
    """A rule base as a program for elsewhere: text, but bytes of "onnx".

    The SQL query reads `table` and gives its columns `keep`, such as an identifier, beside the
    probabilities; if none are named, those that the rules look at.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {quoted(kind)}.")
    if isinstance(keep, str):
        raise ValueError(f"keep must be a list of names of columns, got the text {quoted(keep)}.")
    portable, words = portable_rules(rules), rules.to_text()
    if kind == "python":
        return python_module(portable, words)
    if kind == "javascript":
        return javascript(rules)
    return sql_query(portable, words, table, keep) if kind == "sql" else onnx_model(portable, words)
