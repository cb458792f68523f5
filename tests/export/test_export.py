"""What no language can hold is refused in a sentence, and so is a wrong call."""

import sys

import pytest
from conformance.cases import CASES, model_of

from unfis.export import KINDS, export
from unfis.rules import RuleModel


def test_wrong_calls_are_named(monkeypatch):
    model = CASES["two classes"]().model
    with pytest.raises(ValueError, match="one of python, sql, onnx, javascript, got 'pmml'"):
        export(model, "pmml")
    with pytest.raises(ValueError, match="keep must be a list of names of columns, got the text"):
        export(model, "sql", keep="id")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs onnx: pip install 'unfis\[onnx\]'"):
        export(model, "onnx")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("names", "kinds", "classes", "message"),
    [
        (("a\0b",), ("number",), ("x", "y"), "'The columns' has 'a.*, which no other language"),
        (("a",), (("\ud800", "b"),), ("x", "y"), "'a' has .*, which no other language can hold"),
        (("a",), ((1.0, float("inf")),), ("x", "y"), "'a' has inf, which no other language"),
        (("a",), ((1, 2**60),), ("x", "y"), f"'a' has {2**60}, of more than 53 bits; make them te"),
        (("a",), ("number",), (0, 2**53), f"'The classes' has {2**53}, of more than 53 bits"),
    ],
)
def test_what_no_language_can_hold_is_named(kind, names, kinds, classes, message):
    model = model_of(names, kinds, RuleModel((), (0.0,), 1.0, "logistic"), classes)
    with pytest.raises(ValueError, match=message):
        export(model, kind)


@pytest.mark.parametrize("kind", ["python", "sql", "javascript"])
def test_the_rules_are_at_the_head(kind):
    model = CASES["hostile names"]().model
    source = export(model, kind)
    mark = {"python": "", "sql": "--", "javascript": "//"}[kind]
    lines = source.removeprefix('"""').splitlines()
    for line, words in zip(lines, model.text.splitlines(), strict=False):
        words = words.replace("\\", "\\\\").replace('"""', r"\"\"\"") if kind == "python" else words
        words = words.replace("</", r"<\/") if kind == "javascript" else words
        assert line == f"{mark} {words}".strip() if mark else line == words


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_gives_the_same_file_each_time(kind):
    assert export(CASES["codes"]().model, kind) == export(CASES["codes"]().model, kind)
