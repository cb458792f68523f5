"""The exported module: what it takes for unknown, what it refuses, and as a program."""

import ast
import subprocess
import sys
import types
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from conformance.cases import CASES

from unfis.export import export


def loaded(name):
    """The module of a case, as an import makes it."""
    module = types.ModuleType("exported")
    sys.modules["exported"] = module  # where dataclasses look
    exec(compile(export(CASES[name]().model, "python"), "exported.py", "exec"), module.__dict__)
    return module


@pytest.fixture(scope="module")
def module():
    return loaded("two classes")


@pytest.fixture
def program(tmp_path):
    """Runs the module of a case on a table in a fresh interpreter."""

    def run(name, *tables):
        (tmp_path / "model.py").write_text(export(CASES[name]().model, "python"), encoding="utf-8")
        for number, text in enumerate(tables):
            (tmp_path / f"{number}.csv").write_text(text, encoding="utf-8")
        files = [f"{number}.csv" for number in range(len(tables))]
        command = [sys.executable, "-I", "-S", "-W", "error", "model.py", *files]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def test_all_ways_to_know_nothing(module):
    nothing = module.predict_proba({})
    names = ["age", "dose", "smoker", "ward", "sex"]
    for unknown in (None, float("nan"), np.nan, pd.NA, pd.NaT, "", "?", " NA "):
        assert module.predict_proba(dict.fromkeys(names, unknown)) == nothing
    assert module.predict_proba({"age": "nan", "ward": "the moon", "sex": []}) == nothing
    assert module.predict_proba({"height": 1.8}) == nothing


def test_values_of_any_kind(module):
    expected = module.predict_proba({"age": 50.0, "smoker": True})
    assert expected != module.predict_proba({})
    for age in (50, "50", " 50.0", "5e1", np.float32(50), np.int64(50), Decimal(50)):
        for smoker in (1, 1.0, "1", "true", "True", "TRUE", "Yes", " yes ", np.True_):
            assert module.predict_proba({"age": age, "smoker": smoker}) == expected


def test_numbers_of_numpy_are_categories_too():
    module = loaded("codes")
    expected = module.predict_proba({"ward": "10", "sex": "02"})
    assert expected == module.predict_proba({"ward": np.int64(10), "sex": np.float32(2)})
    assert expected != module.predict_proba({})


def test_wrong_values_are_named(module):
    for value in ("old", [], float("inf"), "-inf", 10**400, b"1"):
        with pytest.raises(ValueError, match=r"age must be a finite number, got"):
            module.predict_proba({"age": value})
    for value in (2, "perhaps", 0.5, []):
        with pytest.raises(ValueError, match="smoker must be true or false, got"):
            module.predict({"smoker": value})


def test_a_truth_value_may_be_a_number_that_means_missing():
    module = loaded("own words for missing")
    unknown = module.predict_proba({})
    for missing in (-999, "-999", " -999.0", "unknown"):
        assert module.predict_proba({"smoker": missing, "age": missing}) == unknown
    assert module.predict_proba({"smoker": False}) != unknown


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_tables_of_any_separator(program, separator):
    text = "\ufeffage , dose,smoker,ward,sex,other\n50,2.5,yes,east,male,1\n"
    run = program("two classes", text.replace(",", separator))
    assert (run.returncode, run.stderr) == (0, "")
    head, row = run.stdout.splitlines()
    assert head == "predicted,probability_ill,probability_well"
    row = row.split(",")
    values = {"age": 50, "dose": 2.5, "smoker": True, "ward": "east", "sex": "male"}
    module = loaded("two classes")
    assert row[0] == module.predict(values)
    assert list(map(float, row[1:])) == list(module.predict_proba(values).values())


def test_a_table_without_a_column_is_refused(program):
    run = program("two classes", "age,dose\n1,2\n")
    assert run.returncode == 1
    assert "must have the columns ['age', 'dose', 'smoker', 'ward', 'sex']" in run.stderr
    assert "Traceback" not in run.stderr


def test_it_says_how_to_call_it(program):
    run = program("two classes")
    assert run.returncode == 1
    assert run.stderr.startswith("Usage: python")


@pytest.mark.parametrize("name", ["hostile names", "hostile classes"])
def test_the_module_does_nothing_but_define(name):
    """Whatever the names are, they are in a docstring or in a literal."""
    model = CASES[name]().model
    tree = ast.parse(export(model, "python"))
    plain = ast.parse(export(CASES["two classes"]().model, "python"))
    assert ast.get_docstring(tree, clean=False).startswith(f"{model.text}\n\npredict(row) gives")
    assert len(tree.body) == len(plain.body)
    for node, same in zip(tree.body[1:], plain.body[1:], strict=True):
        if isinstance(node, ast.AnnAssign) and node.target.id == "MODEL":
            ast.literal_eval(node.value)
        else:
            assert ast.dump(node) == ast.dump(same)


def test_a_number_has_no_classes():
    module = loaded("a number")
    assert module.predict_proba({"age": 50}) == {}
    assert isinstance(module.predict({"age": 50}), float)
