"""The exported module: what it takes for unknown, what it refuses, and as a program."""

import csv
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork

from unfis.data import Notation
from unfis.export import export

SOFT = {"n_rules": 2, "selection": "soft", "ridge": 0.15}
ALL = {"selection": "none", "ridge": 0.15}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Writes a rule base's module to a file and runs it on a table in a fresh interpreter."""

    def run(base, text):
        folder = tmp_path_factory.mktemp("module")
        (folder / "model.py").write_text(export(base, "python"), encoding="utf-8")
        (folder / "table.csv").write_text(text, encoding="utf-8")
        command = [sys.executable, "-I", "-W", "error", "model.py", "table.csv"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_a_table_from_the_command_line(tools, written, name):
    base, X = tools.fitted(name)
    run = written(base, "\ufeff" + X.to_csv(index=False))
    assert (run.returncode, run.stderr) == (0, "")
    head, *rows = csv.reader(run.stdout.splitlines())
    assert head == ["predicted", *(f"probability_{label}" for label in base.classes)]
    expected = base.predict_proba(X)
    found = np.array([row[1:] for row in rows], dtype=float)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert [row[0] for row in rows] == [base.classes[c] for c in expected.argmax(axis=1)]


def test_a_name_with_a_line_end(written):
    X = pd.DataFrame({"first\nsecond": np.arange(20.0), "other": np.arange(20.0) % 3})
    base = RuleNetwork(n_rules=2, **ALL).fit(X, np.arange(20) // 10).rules_
    run = written(base, X.to_csv(index=False, sep=";"))
    assert (run.returncode, run.stderr) == (0, "")
    _, *rows = csv.reader(run.stdout.splitlines())
    found = np.array([row[1:] for row in rows], dtype=float)
    np.testing.assert_allclose(found, base.predict_proba(X), rtol=0, atol=1e-12)


def test_a_table_without_a_column_is_refused(tools, written):
    base, _ = tools.fitted("iris")
    run = written(base, "petal length (cm)\n1.5\n")
    assert run.returncode == 1
    assert "got none named 'sepal width" in run.stderr
    assert "Traceback" not in run.stderr


def test_it_says_how_to_call_it(tools, tmp_path):
    (tmp_path / "model.py").write_text(export(tools.fitted("iris")[0], "python"), encoding="utf-8")
    command = [sys.executable, "-I", str(tmp_path / "model.py")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.startswith("Usage: python")


def test_the_rules_are_in_its_docstring(tools):
    base, _ = tools.fitted("clinic")
    assert tools.module_of(base).__doc__.startswith(f"{base}\n\npredict(row) gives")


def test_all_ways_to_know_nothing(tools):
    module = tools.module_of(tools.fitted("clinic", "soft")[0])
    nothing = module.predict_proba({})
    for unknown in (None, float("nan"), np.nan, pd.NA, pd.NaT, "", "?", " NA "):
        row = dict.fromkeys(["age (years)", "ward", "smoker", "pressure (mmHg)", "sex"], unknown)
        assert module.predict_proba(row) == nothing
    assert module.predict_proba({"age (years)": "nan", "ward": "the moon"}) == nothing
    assert module.predict_proba({"height": 1.8}) == nothing


def test_values_of_any_kind(tools):
    module = tools.module_of(tools.fitted("clinic", "soft")[0])
    expected = module.predict_proba({"age (years)": 40.0, "smoker": True})
    for age in (40, "40", " 40.0", np.float32(40), np.int64(40), Decimal(40)):
        for smoker in (1, 1.0, "1", "true", "True", "TRUE", "Yes", " yes ", np.True_):
            assert module.predict_proba({"age (years)": age, "smoker": smoker}) == expected


def test_numbers_of_numpy_are_categories_too(tools):
    X = pd.DataFrame({"code": ["007", "010"] * 10, "flag": ["FALSE", "TRUE"] * 10})
    base = RuleNetwork(n_rules=1, **ALL).fit(X, np.arange(20) % 2).rules_
    module = tools.module_of(base)
    typed = {"code": np.int64(10), "flag": np.True_}
    assert module.predict_proba(typed) == module.predict_proba({"code": "010", "flag": "TRUE"})
    assert module.predict_proba(typed) != module.predict_proba({})


def test_a_truth_value_may_be_a_number_that_means_missing(tools):
    X = pd.DataFrame({"flag": [False, True] * 10, "x": np.arange(20.0)})
    rules = RuleNetwork(n_rules=1, **ALL).fit(X, np.arange(20) % 2).rules_
    base = replace(rules, notation=Notation.of(".", ["0", "-1"]))
    module = tools.module_of(base)
    for flag in (False, True, -1, "-1", "0", "no"):
        row = {"flag": flag, "x": 3.0}
        expected = base.predict_proba(pd.DataFrame([row]))[0]
        np.testing.assert_allclose(list(module.predict_proba(row).values()), expected, atol=1e-12)


def test_wrong_values_are_named(tools):
    module = tools.module_of(tools.fitted("clinic", "soft")[0])
    for value in ("old", [], float("inf"), "-inf", 10**400):
        with pytest.raises(ValueError, match=r"age \(years\) must be a finite number, got"):
            module.predict_proba({"age (years)": value})
    for value in (2, "perhaps", 0.5):
        with pytest.raises(ValueError, match="smoker must be true or false, got"):
            module.predict({"smoker": value})


def test_categories_that_text_spells(tools):
    """In a file all is text; a category that is no plain data is told by the text it prints."""
    numbers = np.arange(60.0)
    table = pd.DataFrame(
        {
            "age": pd.cut(pd.Series(numbers), 3),
            "ward": pd.Categorical(np.tile([1, 2, 3], 20)),
            "code": pd.Categorical(np.tile(["1", "2"], 30)),
        }
    )
    base = RuleNetwork(**SOFT).fit(table, numbers % 4 > 1).rules_
    module = tools.module_of(base)
    row = {"age": table["age"][0], "ward": 1, "code": "1"}
    expected = base.predict_proba(table.iloc[:1])[0]
    for other in (row, {**row, "ward": "1"}, {**row, "ward": 1.0, "age": str(table["age"][0])}):
        assert list(module.predict_proba(other).values()) == pytest.approx(expected, abs=1e-12)
    without = module.predict_proba({**row, "code": None})
    assert module.predict_proba({**row, "code": 1}) == without
    assert module.predict(row) in (False, True)
    assert list(module.predict_proba(row)) == [False, True]
