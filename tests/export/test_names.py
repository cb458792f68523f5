"""Names, categories and classes of any text stay text, and find their columns."""

import ast
import json
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unfis.export import export

HOSTILE = [
    'a"b',
    "a'b",
    "a]b",
    "two\nlines",
    '"""',
    "'''",
    "größe",
    "日本 \u202e",
    "rule_1",
    "x0",
    "SELECT",
    "d",
    "unfis_known",
    "label",
    "probabilities",
    "probability_ill",
    "predicted",
    "EPSILON = 1",
    "CLASSES",
    "\\",
    '\\"',
    "a;--",
    "/* */",
    "{x}",
    "%s",
    "?",
    ":name",
    "$1",
    " ",
    "\u2028",
    "\r",
    "\x1a",
    "'); DROP TABLE data; --",
    '"""\nimport os\nos.abort()\n"""',
]
WRITABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
NAMES = st.sampled_from(HOSTILE) | st.text(WRITABLE, min_size=1, max_size=12)
SLOWLY = settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def different(count):
    """So many names that are different whatever their case."""
    return st.lists(NAMES, min_size=count, max_size=count, unique_by=lambda name: name.casefold())


def with_names(tools, names, categories, classes):
    """The clinic under other names, and some of its rows."""
    base, X = tools.fitted("clinic", "soft")
    columns = dict(zip(X.columns, names, strict=True))
    kinds = dict(zip(["east", "north", "west", "female", "male"], categories, strict=True))
    other = tools.renamed(base, columns, kinds, classes)
    own, expected = tools.some_rows("clinic", "soft", 12)
    rows = [{columns[name]: kinds.get(value, value) for name, value in row.items()} for row in own]
    return other, rows, expected


@pytest.mark.parametrize("engine", ["python", "sqlite", "duckdb", "onnx", "javascript"])
@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names(tools, start, engine):
    names = [*HOSTILE[start:], *HOSTILE][:5]
    base, rows, expected = with_names(
        tools, names, [*HOSTILE[start + 1 :], *HOSTILE][:5], names[:2]
    )
    tools.held_to(base, rows, engine, expected)


@pytest.mark.parametrize("engine", ["python", "sqlite", "duckdb", "onnx", "javascript"])
@SLOWLY
@given(names=different(5), categories=different(5), classes=different(2))
def test_any_names(tools, engine, names, categories, classes):
    base, rows, expected = with_names(tools, names, categories, classes)
    tools.held_to(base, rows, engine, expected)


@pytest.mark.parametrize("engine", ["python", "sqlite", "onnx", "javascript"])
def test_a_column_without_a_name(tools, engine):
    """DuckDB has no such columns."""
    names = ["", "column_0", "b", "label", "c"]
    base, rows, expected = with_names(tools, names, HOSTILE[:5], ["", " "])
    tools.held_to(base, rows, engine, expected)


def test_names_that_only_python_can_hold(tools):
    names = ["\ud800", "\0", "a", "b", "c"]
    base, rows, expected = with_names(tools, names, ["\udfff", "\0", *"xyz"], ["\ud900", "\0"])
    tools.held_to(base, rows, "python", expected)
    export(base, "python").encode()
    with pytest.raises(ValueError, match="only Python can hold; change it"):
        export(base, "sql")
    base, rows, expected = with_names(tools, names, list("vwxyz"), ["ill", "well"])
    tools.held_to(base, rows, "onnx", expected)


@SLOWLY
@given(names=different(5), categories=different(5), classes=different(2))
def test_the_module_does_nothing_but_define(tools, names, categories, classes):
    """Whatever the names are, they are in a docstring or in literals."""
    base, _, _ = with_names(tools, names, categories, classes)
    tree = ast.parse(export(base, "python"))
    plain = ast.parse(export(tools.fitted("clinic", "soft")[0], "python"))
    assert [type(node) for node in tree.body] == [type(node) for node in plain.body]
    assert ast.get_docstring(tree, clean=False).startswith(str(base))
    for node, same in zip(tree.body[1:], plain.body[1:], strict=True):
        if isinstance(node, ast.AnnAssign):
            ast.literal_eval(node.value)
        else:
            assert ast.dump(node) == ast.dump(same)


def test_hostile_names_in_a_fresh_interpreter(tools, tmp_path):
    base, rows, expected = with_names(tools, HOSTILE[-5:], HOSTILE[:5], HOSTILE[-2:])
    (tmp_path / "model.py").write_text(export(base, "python"), encoding="utf-8")
    code = (
        "import json, runpy, sys\n"
        "model = runpy.run_path(sys.argv[1])\n"
        "rows = json.load(sys.stdin)\n"
        "print(json.dumps([list(model['predict_proba'](row).values()) for row in rows]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-c", code, str(tmp_path / "model.py")],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(run.stdout) == pytest.approx(expected, rel=0, abs=1e-12)
