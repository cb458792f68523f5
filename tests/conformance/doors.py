"""The doors of the conformance table: every way there is to the answers of a model.

A door takes what was fitted (`Fitted` of conftest.py) and gives probabilities, (rows, classes).
"""

import csv
import json
import sqlite3
import types
import warnings
from contextlib import closing

import numpy as np
import pytest
from networks import load

from unfis import RuleBase
from unfis.app.requests import RowDetails
from unfis.app.tables import opened
from unfis.app.tables.predictions import answered
from unfis.arrays import softmax
from unfis.export import export, onnx_inputs
from unfis.network import forward, network_logits


def by_command(fitted):
    """What `unfis predict` answers, with all its digits."""
    options = {"decimal": fitted.case.decimal, "missing": fitted.model.notation_.missing}
    with opened(fitted.path, **options) as source:
        blocks = answered(fitted.model.model_, source, None, RowDetails())
        return np.concatenate([answers.probabilities for _, answers in blocks])


def matrix_of(fitted):
    columns = fitted.model.model_.columns
    return columns.matrix(columns.values(fitted.frame))


def by_network(fitted):
    return softmax(forward(fitted.model.parameters_, matrix_of(fitted)).logits)


def by_products(fitted):
    """Decided networks as matrix products; others are taken layer by layer."""
    return softmax(network_logits(fitted.model.parameters_, matrix_of(fitted)))


def by_library(fitted):
    return fitted.model.predict_proba(fitted.frame)


def by_library_from_text(fitted):
    return fitted.model.predict_proba(fitted.text)


def by_polars(fitted):
    polars = pytest.importorskip("polars")
    return fitted.model.predict_proba(polars.from_pandas(fitted.text))


def by_model_file(fitted):
    fitted.model.save(fitted.folder / "model.json")
    return load(fitted.folder / "model.json").predict_proba(fitted.frame)


def by_rules(fitted):
    return fitted.model.rules_.predict_proba(fitted.frame)


def by_rules_read_back(fitted):
    return RuleBase.from_dict(fitted.model.rules_.to_dict()).predict_proba(fitted.text)


def by_python(fitted):
    module = types.ModuleType("exported")
    exec(compile(export(fitted.model.rules_, "python"), "model.py", "exec"), module.__dict__)
    with open(fitted.path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=fitted.case.separator))
    return [list(module.predict_proba(row).values()) for row in rows]


def asked(connection, fitted):
    query = export(fitted.model.rules_, "sql", keep=["row number"])
    found = connection.execute(f'SELECT * FROM ({query}) AS a ORDER BY "row number"').fetchall()
    return [row[1:-1] for row in found]


def by_sqlite(fitted):
    """A table of text, as sqlite's .import makes it."""
    with closing(sqlite3.connect(":memory:")) as connection:
        fitted.text.assign(**{"row number": range(len(fitted.text))}).to_sql(
            "data", connection, index=False
        )
        return asked(connection, fitted)


def by_sqlite_with_types(fitted):
    with closing(sqlite3.connect(":memory:")) as connection:
        fitted.frame.assign(**{"row number": range(len(fitted.frame))}).to_sql(
            "data", connection, index=False
        )
        return asked(connection, fitted)


def duckdb_answers(fitted, options):
    connection = pytest.importorskip("duckdb").connect(config={"threads": 1})
    with closing(connection):
        table = f"read_csv('{fitted.path}', delim='{fitted.case.separator}', {options})"
        rows = f'SELECT *, ROW_NUMBER() OVER () AS "row number" FROM {table}'
        connection.execute(f"CREATE TABLE data AS {rows}")
        return asked(connection, fitted)


def by_duckdb(fitted):
    return duckdb_answers(fitted, "all_varchar=true, header=true")


def by_duckdb_with_types(fitted):
    """Types as DuckDB finds them out."""
    return duckdb_answers(fitted, "header=true")


def by_onnx(fitted):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    session = runtime.InferenceSession(export(fitted.model.rules_, "onnx"))
    return session.run(["probabilities"], onnx_inputs(fitted.model.rules_, fitted.text))[0]


def by_javascript(fitted):
    """The exported script, in a browser."""
    script = export(fitted.model.rules_, "javascript")
    rows = fitted.text.to_dict(orient="records")
    run = """
        const answers = JSON.parse(arguments[0]).map(unfis.predictProba);
        return JSON.stringify(answers.map((each) => unfis.classes.map((label) => each[label])));
    """
    return json.loads(fitted.browser().execute_script(script + run, json.dumps(rows)))


DOORS = {
    "network": by_network,
    "products": by_products,
    "library": by_library,
    "library, from text": by_library_from_text,
    "library, polars": by_polars,
    "model file": by_model_file,
    "rules": by_rules,
    "rules read back": by_rules_read_back,
    "python": by_python,
    "sqlite": by_sqlite,
    "sqlite with types": by_sqlite_with_types,
    "duckdb": by_duckdb,
    "duckdb with types": by_duckdb_with_types,
    "onnx": by_onnx,
    "javascript": by_javascript,
}


def answers(fitted, door):
    """What comes in by a door; a category that was not seen is no news here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not seen in training")
        return np.asarray(door(fitted), dtype=float)
