"""The doors of the conformance table: every way there is to the answers of a model.

A door takes a model and a table, and gives what is predicted of each row and, of classes, their
probabilities, (rows, classes).
"""

import json
import shutil
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing

import numpy as np
import pytest

from unfis.additive.export import export, onnx_inputs
from unfis.app.requests import RowDetails
from unfis.app.tables import opened
from unfis.app.tables.predictions import answered
from unfis.data.costs import least_costly
from unfis.data.frames import is_missing

ROW = "the row's number"


def by_library(model, table):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not seen in training")
        found = model.predictions(model.columns.values(table))
    if not len(model.columns.classes):
        return found.tolist(), None
    best = least_costly(found, model.costs)
    return model.columns.classes[best].tolist(), found


def by_command(model, path, separator):
    """What `unfis predict` answers, with all its digits."""
    notation = model.columns.notation
    style = {"decimal": notation.decimal, "missing": notation.missing, "separator": separator}
    with opened(path, **style) as source:
        blocks = [answers for _, answers in answered(model, source, None, RowDetails())]
    found = [answer for one in blocks for answer in one.answers]
    return answers_of(model, (found, np.concatenate([one.predictions for one in blocks])))


def plain_rows(table):
    """A table as dicts of plain values, None where unknown."""
    columns = [[plain(value) for value in table[name].astype(object)] for name in table]
    return [dict(zip(table.columns, row, strict=True)) for row in zip(*columns, strict=True)]


def plain(value):
    if is_missing(value):
        return None
    return value.item() if isinstance(value, np.generic) else value


def json_rows(table):
    """The rows as JSON, which has no infinite numbers: in JavaScript they are unknown."""
    rows = plain_rows(table)
    for row in rows:
        row.update({name: None for name, value in row.items() if value in (np.inf, -np.inf)})
    return json.dumps(rows)


PROGRAM = """
import json, runpy, sys
model = runpy.run_path(sys.argv[1])
rows = json.load(sys.stdin)
shares = [list(model["predict_proba"](row).values()) for row in rows]
print(json.dumps([[model["predict"](row) for row in rows], shares]))
"""


def by_python(model, table, folder):
    """A fresh interpreter that sees no library but Python's own."""
    path = folder / "model.py"
    path.write_text(export(model, "python"), encoding="utf-8")
    call = [sys.executable, "-I", "-S", "-W", "error", "-c", PROGRAM, str(path)]
    given = json.dumps(plain_rows(table))
    done = subprocess.run(call, input=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return answers_of(model, json.loads(done.stdout))


SCRIPT = """
const answers = rows.map(unfis.predict);
const labels = unfis.classes || [];
const shares = rows.map((row) => labels.map((label) => unfis.predictProba(row)[label]));
"""


def by_node(model, table):
    """The exported script in Node.js, which reads it and the rows from standard input."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")
    run = (
        'const [source, text] = JSON.parse(require("fs").readFileSync(0, "utf-8"));'
        "const rows = JSON.parse(text), module = {}; new Function('module', source)(module);"
        "const unfis = module.exports;"
        f"{SCRIPT} console.log(JSON.stringify([answers, shares]));"
    )
    given = json.dumps([export(model, "javascript"), json_rows(table)])
    call = [node, "-e", "{" + run + "}"]
    done = subprocess.run(call, input=given, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return answers_of(model, json.loads(done.stdout))


def by_browser(model, table, browser):
    script = "const rows = JSON.parse(arguments[0]);" + export(model, "javascript") + SCRIPT
    script += "return JSON.stringify([answers, shares]);"
    found = browser.execute_script(script, json_rows(table))
    return answers_of(model, json.loads(found))


def by_sqlite(model, table):
    with closing(sqlite3.connect(":memory:")) as connection:
        rows = table.assign(**{ROW: range(len(table))})
        rows.to_sql("data", connection, index=False)
        return query_answers(model, connection)


def by_duckdb(model, table):
    connection = pytest.importorskip("duckdb").connect(config={"threads": 1})
    with closing(connection):
        rows = table.assign(**{ROW: range(len(table))})
        connection.register("given", rows)
        connection.execute("CREATE TABLE data AS SELECT * FROM given")
        return query_answers(model, connection)


def by_duckdb_of_a_file(model, path, separator, options):
    """A table that DuckDB reads itself."""
    connection = pytest.importorskip("duckdb").connect(config={"threads": 1})
    with closing(connection):
        dialect = f"delim='{separator}', header=true, quote='\"', escape='\"'"
        source = f"read_csv('{path}', {dialect}{options})"
        rows = f'SELECT *, ROW_NUMBER() OVER () AS "{ROW}" FROM {source}'
        connection.execute(f"CREATE TABLE data AS {rows}")
        return query_answers(model, connection)


def query_answers(model, connection):
    query = export(model, "sql", keep=[ROW])
    found = connection.execute(f'SELECT * FROM (\n{query}) AS a ORDER BY "{ROW}"').fetchall()
    return answers_of(model, ([row[-1] for row in found], [row[1:-1] for row in found]))


def by_onnx(model, table):
    runtime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    source = export(model, "onnx")
    onnx.checker.check_model(source, full_check=True)
    session = runtime.InferenceSession(source, providers=["CPUExecutionProvider"])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not seen in training")
        found = session.run(None, onnx_inputs(model, table))
    return answers_of(model, (found[0].tolist(), found[-1].tolist()))


def answers_of(model, found):
    answers, shares = found
    return answers, np.array(shares, dtype=float) if len(model.columns.classes) else None
