"""Rule bases of many kinds, and the exports at work on plain rows."""

import functools
import json
import math
import shutil
import sqlite3
import subprocess
import types
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import rule_tables

from unfis.data.frames import is_missing
from unfis.export import export

KEY = "the row's number"
TYPES = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}


def fitted(name, kind="decisive"):
    """A rule base of some rows of a table, and these; the same one for all tests that ask."""
    clf, X, _ = rule_tables.fitted(name, kind)
    return clf.rules_, X


@functools.cache
def some_rows(name, kind, count):
    """The first rows of a table as plain values, and what the rules say of them."""
    base, X = fitted(name, kind)
    return plain_rows(X.iloc[:count]), base.predict_proba(X.iloc[:count])


def plain_value(value):
    if is_missing(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def plain_rows(frame):
    """A table as dicts of plain values, None where unknown."""
    columns = [[plain_value(value) for value in frame[name].astype(object)] for name in frame]
    return [dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def module_of(base):
    """The exported module, loaded."""
    module = types.ModuleType("exported")
    exec(compile(export(base, "python"), "exported.py", "exec"), module.__dict__)
    return module


def by_python(base, rows):
    module = module_of(base)
    found = [module.predict_proba(row) for row in rows]
    assert all(list(each) == list(base.classes) for each in found)
    labels = [module.predict(row) for row in rows]
    return [list(each.values()) for each in found], labels


def type_of(values):
    kinds = {type(value) for value in values if value is not None}
    kind = float if kinds == {int, float} else next(iter(kinds), str)
    return TYPES[kind]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def fill(connection, rows, table="data"):
    """Make a table of these rows, each with its number."""
    names = [*rows[0], KEY]
    kinds = [*(type_of([row[name] for row in rows]) for name in rows[0]), "BIGINT"]
    columns = ", ".join(f"{quoted(n)} {kind}" for n, kind in zip(names, kinds, strict=True))
    connection.execute(f"CREATE TABLE {quoted(table)} ({columns})")
    places = ", ".join(["?"] * len(names))
    values = [[*row.values(), number] for number, row in enumerate(rows)]
    connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", values)


def asked(connection, base, table="data"):
    """What the query says of a table, in the order of its rows."""
    query = export(base, "sql", table=table, keep=[KEY])
    ordered = f"SELECT * FROM (\n{query}\n) AS answers ORDER BY {quoted(KEY)}"
    found = connection.execute(ordered).fetchall()
    return [row[1:-1] for row in found], [row[-1] for row in found]


def sqlite_connection():
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("SELECT EXP(0.0), LN(1.0)")
    except sqlite3.OperationalError:  # built without mathematical functions
        connection.create_function("EXP", 1, math.exp)
        connection.create_function("LN", 1, math.log)
    return connection


def by_sqlite(base, rows):
    with closing(sqlite_connection()) as connection:
        fill(connection, rows)
        return asked(connection, base)


@functools.cache
def duckdb_connection():
    """One for all tests: what they write they undo."""
    return pytest.importorskip("duckdb").connect(config={"threads": 1})


def by_duckdb(base, rows):
    connection = duckdb_connection()
    connection.execute("BEGIN")
    try:
        fill(connection, rows)
        return asked(connection, base)
    finally:
        connection.execute("ROLLBACK")


def session_of(base):
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    model = export(base, "onnx")
    onnx.checker.check_model(model, full_check=True)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def feed(session, rows):
    """The inputs of a session from plain rows, by the names in its metadata."""
    notes = json.loads(session.get_modelmeta().custom_metadata_map["columns"])
    columns = {note["input"]: note["column"] for note in notes}
    unknown = {"string": "", "double": np.nan, "int64": np.iinfo(np.int64).min}
    kinds = {"string": object, "double": np.float64, "int64": np.int64}
    given = {}
    for item in session.get_inputs():
        kind = item.type.removeprefix("tensor(").removesuffix(")")
        values = [row[columns[item.name]] for row in rows]
        known = [unknown[kind] if value is None else value for value in values]
        given[item.name] = np.array(known, dtype=kinds[kind])[:, None]
    return given


def by_onnx(base, rows):
    session = session_of(base)
    labels, probabilities = session.run(["label", "probabilities"], feed(session, rows))
    return probabilities.tolist(), labels.tolist()


def by_javascript(base, rows):
    """The exported script in Node.js, which reads it and the rows from standard input."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    run = (
        'const [source, rows] = JSON.parse(require("fs").readFileSync(0, "utf-8"));'
        "const module = {};"
        "new Function('module', source)(module);"
        "const { classes, predict, predictProba } = module.exports;"
        "const shares = rows.map(predictProba).map((each) => classes.map((label) => each[label]));"
        "console.log(JSON.stringify([shares, rows.map(predict)]));"
    )
    given = json.dumps([export(base, "javascript"), rows])
    call = [node, "-e", "{" + run + "}"]
    done = subprocess.run(call, input=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


# What computes a rule base, and how near it must come.
ENGINES = {
    "python": (by_python, 1e-12),
    "sqlite": (by_sqlite, 1e-9),
    "duckdb": (by_duckdb, 1e-9),
    "onnx": (by_onnx, 1e-9),
    "javascript": (by_javascript, 1e-9),
}


def held_to(base, rows, engine, expected):
    """Check that an export says what the rule base does, to the class and its kind."""
    run, tolerance = ENGINES[engine]
    probabilities, labels = run(base, rows)
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=tolerance)
    # The less of the expected cost, or with no costs the more of the probability, the better.
    better = -expected @ np.array(base.costs) if base.costs else expected
    best = np.sort(better, axis=1)
    clear = best[:, -1] - best[:, -2] > 100 * tolerance
    wanted = [base.classes[c] for c in better.argmax(axis=1)]
    found = zip(labels, wanted, clear, strict=True)
    assert all(label == wish for label, wish, is_clear in found if is_clear)


def renamed(base, names=None, categories=None, classes=None):
    """The same rule base with other names for inputs, categories and classes."""
    names = names or {variable.name: variable.name for variable in base.variables}
    categories = categories or {}
    classes = classes or base.classes
    variables = tuple(
        replace(
            variable,
            name=names[variable.name],
            categories=tuple(categories.get(c, c) for c in variable.categories),
            typical=categories.get(variable.typical, variable.typical),
        )
        for variable in base.variables
    )
    rules = tuple(
        replace(
            rule,
            conditions=tuple(
                replace(
                    condition,
                    input=names[condition.input],
                    accepted=tuple(categories.get(c, c) for c in condition.accepted),
                )
                for condition in rule.conditions
            ),
            effects=tuple(replace(effect, input=names[effect.input]) for effect in rule.effects),
            label=classes[base.classes.index(rule.label)],
        )
        for rule in base.rules
    )
    return replace(base, classes=tuple(classes), variables=variables, rules=rules)


@pytest.fixture
def tools():
    """All of this, for tests: they are no package and cannot import it."""
    return types.SimpleNamespace(**globals())
