"""Every export says what the rules say, on tables of every kind."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork
from rule_tables import AVERAGED_KINDS, names_of_sets, numbers_of_any_size, settings
from sklearn.datasets import make_blobs

from unfis import UNFISClassifier
from unfis.export import KINDS, export

ENGINES = ["python", "sqlite", "duckdb", "onnx", "javascript"]
SOFT = {"n_rules": 2, "selection": "soft", "ridge": 0.15}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", names_of_sets())
def test_tables(tools, name, engine):
    base, X = tools.fitted(name)
    tools.held_to(base, tools.plain_rows(X), engine, base.predict_proba(X))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [*settings(), *AVERAGED_KINDS])
@pytest.mark.parametrize("name", ["wine", "clinic"])
def test_kinds_of_models(tools, name, kind, engine):
    base, X = tools.fitted(name, kind)
    tools.held_to(base, tools.plain_rows(X), engine, base.predict_proba(X))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["decisive", "soft", "three rules", *AVERAGED_KINDS])
def test_rows_far_from_all_rules_and_rows_of_nothing_known(tools, kind, engine):
    base, X = tools.fitted("wine", kind)
    top = X.max()
    far = [top * 1e3, top * 1e300, -top * 1e200, top * np.nan]
    table = pd.DataFrame(np.clip(far, -1e308, 1e308), columns=X.columns)
    tools.held_to(base, tools.plain_rows(table), engine, base.predict_proba(table))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["decisive", "soft"])
def test_categories_that_were_not_seen_are_unknown(tools, kind, engine):
    base, X = tools.fitted("clinic", kind)
    rows = tools.plain_rows(X)[:20]
    unknown = [{**row, "ward": None, "sex": None} for row in rows]
    unseen = [{**row, "ward": "the moon", "sex": "EAST"} for row in rows]
    empty = [{**row, "ward": "", "sex": ""} for row in rows]
    frame = pd.DataFrame(unknown).astype(X.dtypes.to_dict())
    expected = base.predict_proba(frame)
    for given in (unknown, unseen, empty):
        tools.held_to(base, given, engine, expected)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["decisive", "soft", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", ["wine", "clinic"])
def test_answers_are_those_that_cost_least(tools, name, kind, engine):
    base, X = tools.fitted(name, kind)
    costs = np.random.default_rng(0).uniform(1, 9, size=(len(base.classes),) * 2)
    np.fill_diagonal(costs, 0)
    costs[-1] *= 4
    dear = replace(base, costs=tuple(map(tuple, costs.tolist())))
    probabilities = base.predict_proba(X)
    assert (dear.answers(probabilities) != base.answers(probabilities)).any()
    tools.held_to(dear, tools.plain_rows(X), engine, probabilities)


def numbers_far_from_zero():
    generator = np.random.default_rng(1)
    base = generator.normal(size=(80, 3))
    table = pd.DataFrame(
        {
            "far": 1e9 + base[:, 0],
            "tiny": 1e-9 * base[:, 1],
            "whole": np.round(10 * base[:, 2]).astype(np.int64),
            "large": 1e100 * (base[:, 0] - base[:, 1]),
        }
    )
    return table, np.where(base[:, 0] + base[:, 1] > 0, 7, 3)


def codes(large=2**53):
    """Categories that are whole numbers, other numbers, truth values and large numbers."""
    generator = np.random.default_rng(2)
    table = pd.DataFrame(
        {
            "ward": generator.choice([1, 2, 10], 90),
            "dose": generator.choice([0.0, 0.5, 0.1 + 0.2], 90),
            "number": generator.choice([large, large + 1, large + 2], 90),
            "seen": generator.choice([False, True], 90),
            "told": generator.choice([False, True], 90),
            "sign": generator.choice([-1, 0], 90),
        }
    )
    score = (table["ward"] == 2) + (table["dose"] == 0.5) + (table["number"] % 2) + table["seen"]
    return table, (score + generator.random(90) > 1.7).to_numpy()


def twenty_classes():
    X, y = make_blobs(200, n_features=6, centers=20, random_state=0)
    return pd.DataFrame(X, columns=[f"c{j}" for j in range(6)]), y


CODES = ["ward", "dose", "number", "told", "sign"]
MADE = {
    "twenty classes": (lambda: RuleNetwork(**{**SOFT, "n_rules": 5}), twenty_classes),
    "far from zero": (lambda: RuleNetwork(**SOFT), numbers_far_from_zero),
    "far from zero, decisive": (lambda: UNFISClassifier(3, ridge=0.3), numbers_far_from_zero),
    "any size": (lambda: RuleNetwork(**SOFT), numbers_of_any_size),
    "any size, decisive": (lambda: UNFISClassifier(2, ridge=0.3), numbers_of_any_size),
    "codes": (lambda: RuleNetwork(**SOFT, categorical_features=CODES), codes),
    "smaller codes": (
        lambda: RuleNetwork(**SOFT, categorical_features=CODES),
        lambda: codes(2**53 - 3),
    ),
}


@pytest.fixture(scope="module")
def made():
    """Rule bases of tables that are made here, each fitted once."""
    fitted = {}
    for name, (model, table) in MADE.items():
        X, y = table()
        fitted[name] = model().fit(X, y).rules_, X
    return fitted


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", MADE)
def test_made_tables(tools, made, name, engine):
    base, X = made[name]
    if (name, engine) == ("codes", "javascript"):
        with pytest.raises(ValueError, match="The categories of 'number' hold whole numbers of mo"):
            export(base, engine)
        return
    tools.held_to(base, tools.plain_rows(X), engine, base.predict_proba(X))


@pytest.mark.parametrize("engine", ENGINES)
def test_unknown_codes(tools, made, engine):
    base, X = made["smaller codes" if engine == "javascript" else "codes"]
    rows = tools.plain_rows(X)[:12]
    for place, name in enumerate(X.columns):
        rows[place][name] = None
    rows[6]["ward"], rows[7]["dose"], rows[8]["sign"] = 3, 0.3, 5
    rows[9] = dict.fromkeys(X.columns)
    known = [dict(row) for row in rows]
    known[6]["ward"] = known[7]["dose"] = known[8]["sign"] = None
    tools.held_to(base, rows, engine, base.predict_proba(pd.DataFrame(known, dtype=object)))


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_without_conditions(tools, engine):
    base, X = tools.fitted("iris")
    bare = tools.replace(
        base,
        rules=tuple(tools.replace(rule, conditions=(), effects=()) for rule in base.rules),
    )
    expected = bare.predict_proba(X)
    tools.held_to(bare, tools.plain_rows(X), engine, expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_category_of_which_training_knew_no_value(tools, engine):
    generator = np.random.default_rng(3)
    table = pd.DataFrame({"x": generator.normal(size=60), "note": pd.array([None] * 60, "string")})
    base = RuleNetwork(**SOFT).fit(table, table["x"] > 0).rules_
    assert base.variables[1].kind == "category"
    expected = base.predict_proba(table)
    for note in (None, "something"):
        rows = [{"x": x, "note": note} for x in table["x"]]
        tools.held_to(base, rows, engine, expected)


def test_rules_read_back_give_the_same_files(tools):
    base, _ = tools.fitted("clinic")
    again = type(base).from_dict(base.to_dict())
    for kind in KINDS:
        assert export(again, kind) == export(base, kind)


def test_wrong_calls_are_named(tools, monkeypatch):
    base, _ = tools.fitted("iris")
    with pytest.raises(ValueError, match="one of python, sql, onnx, javascript, got 'pmml'"):
        export(base, "pmml")
    with pytest.raises(ValueError, match="keep must be a list of names of columns, got the text"):
        export(base, "sql", keep="id")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs onnx: pip install 'unfis\[onnx\]'"):
        export(base, "onnx")


def test_labels_that_cannot_be_written_are_named(tools):
    base, _ = tools.fitted("clinic", "soft")
    with pytest.raises(ValueError, match="The classes mix text and numbers"):
        export(tools.renamed(base, classes=("ill", 1)), "python")
    odd = tools.renamed(base, categories={"east": float("inf"), "north": 1.0, "west": 2.0})
    with pytest.raises(ValueError, match="The categories of 'ward' hold inf"):
        export(odd, "python")
    for kind in ("sql", "onnx"):
        with pytest.raises(ValueError, match="has a character that only Python can hold"):
            export(tools.renamed(base, classes=("ill\0", "well")), kind)
    with pytest.raises(ValueError, match="whole numbers of more than 64 bits"):
        export(tools.renamed(base, classes=(2**70, 1)), "onnx")
