"""The SQL query in sqlite and DuckDB: tables as they come, what is kept, large models."""

import csv
import math
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork

from unfis.data import Notation
from unfis.export import export
from unfis.export.sql_terms import read_cell, sql_double, sum_of


@pytest.fixture(params=["sqlite", "duckdb"])
def connection(request, tools):
    if request.param == "sqlite":
        with closing(tools.sqlite_connection()) as opened:
            yield opened
    else:
        opened = tools.duckdb_connection()
        opened.execute("BEGIN")
        yield opened
        opened.execute("ROLLBACK")


def answers(connection, query):
    """The result as a table."""
    found = connection.execute(query)
    names = [column[0] for column in found.description]
    return pd.DataFrame(found.fetchall(), columns=names)


def test_the_result_holds_what_the_rules_look_at(tools, connection):
    base, X = tools.fitted("iris")
    tools.fill(connection, tools.plain_rows(X))
    found = answers(connection, export(base, "sql"))
    used = [base.variables[j].name for j in base.arrays.used]
    probabilities = [f"probability_{label}" for label in base.classes]
    assert list(found) == [*used, *probabilities, "predicted"]
    ours = base.predict_proba(X)
    lines = sorted(map(tuple, np.column_stack([X[used], ours]).round(9)))
    assert sorted(map(tuple, found[[*used, *probabilities]].to_numpy().round(9))) == lines


def test_the_result_holds_what_is_to_be_kept(tools, connection):
    base, X = tools.fitted("iris")
    tools.fill(connection, tools.plain_rows(X), "select")
    query = export(base, "sql", table="select", keep=[tools.KEY])
    found = answers(connection, query)
    assert found.columns[0] == tools.KEY
    assert found.shape == (len(X), 5)


def test_it_can_be_a_view(tools, connection):
    base, X = tools.fitted("iris")
    tools.fill(connection, tools.plain_rows(X))
    connection.execute(f"CREATE VIEW scored AS {export(base, 'sql', keep=[tools.KEY])}")
    count = connection.execute("SELECT COUNT(*) FROM scored WHERE predicted = 'setosa'")
    expected = (base.predict_proba(X).argmax(axis=1) == base.classes.index("setosa")).sum()
    assert count.fetchone()[0] == expected > 0


def test_a_column_that_is_not_there_is_an_error(tools, connection):
    """sqlite would take its quoted name for text, if it stood alone."""
    base, _ = tools.fitted("iris")
    rows = [{"petal": 1.0} for _ in range(3)]
    tools.fill(connection, rows)
    with pytest.raises(Exception, match=r"(?i)petal length|sepal"):
        connection.execute(export(base, "sql"))


def test_tables_of_text(tools, connection):
    """As a file comes in where no column has a type: empty cells and words for no value."""
    base, X = tools.fitted("clinic", "soft")
    rows = tools.plain_rows(X)
    text = [{name: "" if v is None else str(v) for name, v in row.items()} for row in rows]
    text[3]["age (years)"], text[4]["pressure (mmHg)"] = "NA", "nan"
    unknown = X.copy()
    unknown.loc[3, "age (years)"] = unknown.loc[4, "pressure (mmHg)"] = np.nan
    tools.fill(connection, text)
    probabilities, _ = tools.asked(connection, base)
    expected = base.predict_proba(unknown)
    np.testing.assert_allclose(probabilities, expected, rtol=0, atol=1e-9)


def test_text_that_is_no_number_is_unknown(tools, connection):
    base, X = tools.fitted("iris")
    spelled = ["5", " 5.5 ", "+.5e1", "1E-01", "-3", "7."]
    other = ["abc1", "1abc", "1,5", "1_000", "0x10", "4 5", "2024-01-31", "inf", "1e400", "", "-"]
    used = base.variables[base.arrays.used[0]].name
    rows = [{**tools.plain_rows(X)[60], used: cell} for cell in spelled + other]
    tools.fill(connection, rows)
    probabilities, _ = tools.asked(connection, base)
    frame = pd.DataFrame(rows)
    frame[used] = [*map(float, spelled), *(np.nan for _ in other)]
    np.testing.assert_allclose(probabilities, base.predict_proba(frame), rtol=0, atol=1e-9)


def test_any_text_is_a_number_or_unknown(tools, connection):
    variable = tools.fitted("iris")[0].variables[0]
    generator = np.random.default_rng(0)
    signs = list("0179.eE+- x")
    cells = ["".join(generator.choice(signs, generator.integers(0, 7))) for _ in range(2000)]
    number = re.compile(r" *[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)? *")
    expected = [float(cell) if number.fullmatch(cell) else np.nan for cell in cells]
    assert 100 < np.isnan(expected).sum() < len(cells) - 100
    places = ", ".join(f"({place}, '{cell}')" for place, cell in enumerate(cells))
    query = f"SELECT {read_cell(variable, 'c0', Notation())} FROM texts ORDER BY place"
    found = connection.execute(f"WITH texts(place, c0) AS (VALUES {places}) {query}").fetchall()
    np.testing.assert_allclose(np.array(found, dtype=float)[:, 0], expected, rtol=1e-15)


def test_functions_that_do_not_know_null_can_be_lent(tools):
    """As docs/export.md advises where sqlite has none."""
    base, X = tools.fitted("clinic", "soft")
    rows = [dict.fromkeys(X.columns), *tools.plain_rows(X)[:30]]
    table = pd.concat([X.iloc[:1].where(X.iloc[:1].isna()), X.iloc[:30]])
    with closing(sqlite3.connect(":memory:")) as lent:
        lent.create_function("EXP", 1, math.exp)
        lent.create_function("LN", 1, math.log)
        tools.fill(lent, rows)
        probabilities, _ = tools.asked(lent, base)
    np.testing.assert_allclose(probabilities, base.predict_proba(table), rtol=0, atol=1e-9)


@pytest.mark.parametrize("table", ["data", "unfis_known", "UNFIS_SHARES", "d", "x0", 'a"; --'])
def test_tables_of_any_name(tools, connection, table):
    base, X = tools.fitted("iris")
    tools.fill(connection, tools.plain_rows(X), table)
    probabilities, _ = tools.asked(connection, base, table)
    np.testing.assert_allclose(probabilities, base.predict_proba(X), rtol=0, atol=1e-9)


def test_nan_in_duckdb_is_unknown(tools):
    base, X = tools.fitted("iris", "soft")
    rows = tools.plain_rows(X)[:2]
    rows[0] = dict.fromkeys(rows[0], float("nan"))
    table = X.iloc[:2].copy()
    table.iloc[0] = np.nan
    tools.held_to(base, rows, "duckdb", base.predict_proba(table))


def test_classes_that_differ_in_case_have_columns_of_their_own(tools, connection):
    base, X = tools.fitted("iris")
    tools.fill(connection, tools.plain_rows(X))
    alike = tools.renamed(base, classes=("a", "A", "a_2"))
    names = list(answers(connection, export(alike, "sql", keep=[])))
    assert names == ["probability_a", "probability_A_2", "probability_a_2_2", "predicted"]


def test_many_inputs(tools):
    """sqlite reads no expression that is nested deeper than 1000."""
    generator = np.random.default_rng(4)
    X = pd.DataFrame(generator.normal(size=(20, 1100)), columns=[f"c{j}" for j in range(1100)])
    model = RuleNetwork(1, selection="none", consequents="linear", ridge=10.0)
    base = model.fit(X, X["c0"] > X["c0"].median()).rules_
    tools.held_to(base, tools.plain_rows(X)[:3], "sqlite", base.predict_proba(X)[:3])


def test_long_sums_are_in_brackets():
    assert sum_of(["a", "b"]) == "a + b"
    terms = [str(number) for number in range(12345)]
    assert eval(sum_of(terms)) == sum(range(12345))


def test_numbers_are_doubles():
    written = [sql_double(value) for value in (1, -0.5, 1e100, 5e-324)]
    assert written == ["1e0", "-0.5e0", "1e+100", "5e-324"]


def test_the_shell_of_sqlite(tools, tmp_path):
    """The file as it is, given to the command sqlite3 with a CSV that it reads itself."""
    shell = shutil.which("sqlite3")
    if not shell:
        pytest.skip("needs the command sqlite3")
    base, X = tools.fitted("clinic")
    X.to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "model.sql").write_text(export(base, "sql"), encoding="utf-8")
    commands = [".import --csv table.csv data", ".mode csv", ".read model.sql"]
    run = subprocess.run(
        [shell, ":memory:", *commands], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    if "no such function" in run.stderr:
        pytest.skip("this sqlite3 was built without mathematical functions")
    assert run.stderr == ""
    rows = [row for row in csv.reader(run.stdout.splitlines()) if row]
    found = np.array([row[-3:-1] for row in rows], dtype=float)
    np.testing.assert_allclose(found, base.predict_proba(X), rtol=0, atol=1e-9)
