"""The SQL query in sqlite and DuckDB: tables as they come, what is kept, names."""

import re
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from conformance.cases import CASES, model_of
from conformance.doors import by_library

from unfis.export import export
from unfis.rules import Rule, RuleModel, Trapezoid

AGE = RuleModel((Rule((Trapezoid(0, 1.0, 2.0, unknown=0.25),), 0, 4.0),), (1.0,))


@pytest.fixture(params=["sqlite", "duckdb"])
def connection(request):
    if request.param == "sqlite":
        opened = sqlite3.connect(":memory:")
    else:
        opened = pytest.importorskip("duckdb").connect(config={"threads": 1})
    with closing(opened):
        yield opened


def fill(connection, table, columns, name="data"):
    """Make a table of these columns, each with the type that is named after it."""
    quoted = '"' + name.replace('"', '""') + '"'
    connection.execute(f"CREATE TABLE {quoted} ({columns})")
    places = ", ".join(["?"] * len(table[0]))
    connection.executemany(f"INSERT INTO {quoted} VALUES ({places})", table)


def answers(connection, query):
    found = connection.execute(query)
    names = [column[0] for column in found.description]
    return pd.DataFrame(found.fetchall(), columns=names)


def test_the_result_holds_what_the_rules_look_at(connection):
    case = CASES["three classes"]()
    rows = [(50.0, 2.0, True, "east", "male"), (None, None, None, None, None)]
    fill(connection, rows, "age DOUBLE, dose DOUBLE, smoker BOOLEAN, ward VARCHAR, sex VARCHAR")
    found = answers(connection, export(case.model, "sql")).sort_values("age")
    labels = [f"probability_class {n}" for n in range(3)]
    assert list(found) == ["age", "dose", "smoker", "ward", "sex", *labels, "predicted"]
    expected = by_library(case.model, pd.DataFrame(rows, columns=list(case.cells)))
    np.testing.assert_allclose(found[labels], expected[1], rtol=0, atol=1e-12)
    assert found["predicted"].tolist() == expected[0]


@pytest.mark.parametrize("table", ["data", "unfis_known", "UNFIS_SUMS", "d", "x0", 'a"; --'])
def test_tables_of_any_name_and_what_is_to_be_kept(connection, table):
    fill(connection, [(7, 1.5), (8, 3.0)], "id BIGINT, age DOUBLE", table)
    model = model_of(("age",), ("number",), AGE)
    found = answers(connection, export(model, "sql", table=table, keep=["id"]))
    assert sorted(found.itertuples(index=False, name=None)) == [(7, 3.0), (8, 5.0)]
    assert list(found) == ["id", "predicted"]
    assert list(answers(connection, export(model, "sql", table=table, keep=[]))) == ["predicted"]


def test_it_can_be_a_view(connection):
    fill(connection, [(1.5,), (3.0,), (None,)], "age DOUBLE")
    query = export(model_of(("age",), ("number",), AGE), "sql", keep=[])
    connection.execute(f"CREATE VIEW scored AS {query}")
    assert connection.execute("SELECT SUM(predicted) FROM scored").fetchone()[0] == 10.0


def test_a_column_that_is_not_there_is_an_error(connection):
    """sqlite would take its quoted name for text, if it stood alone."""
    fill(connection, [(1.5,)], "other DOUBLE")
    with pytest.raises(Exception, match=r"(?i)age"):
        connection.execute(export(model_of(("age",), ("number",), AGE), "sql"))


def test_any_text_is_a_number_or_unknown(connection):
    generator = np.random.default_rng(0)
    signs = list("0179.eE+- x")
    texts = ["".join(generator.choice(signs, generator.integers(0, 7))) for _ in range(2000)]
    texts += ["1,5", "1_000", "0x10", "2024-01-31", "inf", "1e400", "\t2\xa0", "+.5e1", "nan"]
    number = re.compile(r"[ \t\xa0]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t\xa0]*")
    known = [float(text) if number.fullmatch(text) else np.nan for text in texts]
    known = [value if np.isfinite(value) else np.nan for value in known]
    assert 100 < np.isnan(known).sum() < len(known) - 100
    model = model_of(("age",), ("number",), AGE)
    fill(connection, list(enumerate(texts)), "id BIGINT, age VARCHAR")
    found = answers(connection, export(model, "sql", keep=["id"])).sort_values("id")
    expected = model.predictions(np.array(known)[:, None])
    np.testing.assert_allclose(found["predicted"], expected, rtol=1e-12)


def test_a_number_needs_no_functions_of_its_own():
    """Nor do classes need another one than EXP."""
    model = model_of(("age",), ("number",), AGE)
    assert "EXP" not in export(model, "sql")
    query = export(CASES["costs of three classes"]().model, "sql")
    assert {*re.findall(r"([A-Z]+)\(", query)} == {
        "EXP",
        "TYPEOF",
        "TRIM",
        "LTRIM",
        "CAST",
        "LOWER",
        "ABS",
    }
    with closing(sqlite3.connect(":memory:")) as bare:
        fill(bare, [(1.5,)], "age DOUBLE")
        assert answers(bare, export(model, "sql"))["predicted"].tolist() == [3.0]


def test_nan_in_duckdb_is_unknown():
    connection = pytest.importorskip("duckdb").connect()
    with closing(connection):
        fill(connection, [(float("nan"),), (float("inf"),), (None,)], "age DOUBLE")
        found = answers(connection, export(model_of(("age",), ("number",), AGE), "sql"))
        assert found["predicted"].tolist() == [2.0] * 3


def test_classes_that_differ_in_case_have_columns_of_their_own(connection):
    rules = RuleModel((), (0.0, 1.0, 2.0), 1.0, "softmax")
    model = model_of(("predicted",), ("number",), rules, ("a", "A", "a_2"))
    fill(connection, [(1.5,)], "predicted DOUBLE")
    names = list(answers(connection, export(model, "sql", keep=["predicted"])))
    assert names == [
        "predicted", "probability_a", "probability_A_2", "probability_a_2_2", "predicted_2",
    ]  # fmt: skip
