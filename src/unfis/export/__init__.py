"""Rules taken elsewhere: as Python, SQL, ONNX or JavaScript that predicts the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfis.export.javascript import javascript
from unfis.export.onnx_model import onnx_inputs, onnx_model
from unfis.export.portable import portable_rules
from unfis.export.python_module import python_module
from unfis.export.sql_query import sql_query
from unfis.rules import RuleBase
from unfis.serial.messages import quoted

# What makes each kind: of the rules, of them as other languages compute them, of the table to read
# and of the columns to keep.
Maker = Callable[[RuleBase, RuleBase, str, Sequence[str] | None], str | bytes]
KINDS: dict[str, Maker] = {
    "python": lambda rules, portable, *_: python_module(portable, rules.to_text()),
    "sql": lambda rules, portable, *given: sql_query(portable, rules.to_text(), *given),
    "onnx": lambda rules, portable, *_: onnx_model(portable, rules.to_text()),
    "javascript": lambda rules, *_: javascript(rules),
}

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
    return KINDS[kind](rules, portable_rules(rules), table, keep)
