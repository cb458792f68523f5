"""What an expert says of inputs, by name and position, and what cannot be."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier
from unfis.model.constraints import constraints_of, signs_of

DRAW = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "age": DRAW.integers(20, 80, 80),
        "debt": DRAW.gamma(2.0, size=80),
        "smoker": DRAW.random(80) < 0.5,
        "ward": DRAW.choice(["A", "B", "C"], 80),
    }
)
Y = np.where(X["debt"] + DRAW.normal(size=80) > 2, "yes", "no")
Y[:2] = "no", "yes"


@pytest.fixture(scope="module")
def fitted():
    return UNFISClassifier(n_rules=1, max_conditions=1).fit(X, Y)


def constrained(fitted, **settings):
    return constraints_of(replace(fitted.model_.settings, **settings), fitted.model_.columns)


@pytest.mark.parametrize(
    "given",
    [
        {"debt": 1, "age": -1},
        {1: 1, 0: -1, "ward": 0},
        [-1, 1, 0, 0],
        np.array([-1, 1, 0, 0]),
        (-1.0, 1.0, 0.0, 0.0),
    ],
)
def test_signs_go_by_name_by_position_or_for_each(fitted, given):
    assert constrained(fitted, monotonic_cst=given).signs == {1: 1, 0: -1}


@pytest.mark.parametrize("given", ["ward", ["ward"], ("ward",), [3], np.array(["ward"])])
def test_forbidden_inputs_are_a_list_or_one(fitted, given):
    assert constrained(fitted, forbidden_inputs=given).forbidden == {3}


def test_nothing_said_constrains_nothing(fitted):
    assert constrained(fitted, monotonic_cst=[0, 0, 0, 0]).signs == {}
    assert constrained(fitted).forbidden == frozenset()
    assert signs_of(None, fitted.inputs_) == {}


WRONG = {
    "unknown": (
        {"monotonic_cst": {"weight": 1}},
        "names the input 'weight', which is none of: 'age'",
    ),
    "text": ({"monotonic_cst": "age"}, "must be a dict such as {'age': 1}, or have 1, -1 or 0"),
    "length": ({"monotonic_cst": [1, 0]}, "for each of the 4 inputs, got 2 numbers"),
    "size": ({"monotonic_cst": {"age": 2}}, "must be 1, -1 or 0 for age, got 2"),
    "word": ({"monotonic_cst": {"age": "up"}}, "must be 1, -1 or 0 for age, got 'up'"),
    "twice": ({"monotonic_cst": {"age": 1, 0: -1}}, "names age twice, with 1 and with -1"),
    "kinds": ({"monotonic_cst": {"ward": 1}}, "ward, a category of 3 kinds, of which none is more"),
    "forbidden": (
        {"monotonic_cst": {"age": 1}, "forbidden_inputs": ["age"]},
        "has 1 for age, which forbidden_inputs keeps out of all rules",
    ),
    "all": ({"forbidden_inputs": [0, 1, 2, 3]}, "must leave an input that rules may use"),
    "no such": ({"forbidden_inputs": ["sex"]}, "forbidden_inputs names the input 'sex'"),
    "no list": ({"forbidden_inputs": 2.5}, "forbidden_inputs must be a list, got 2.5"),
    "constant": (
        {
            "monotonic_cst": [1, 1, 1, 0],
            "forbidden_inputs": ["ward"],
            "consequents": "constant",
        },
        "consequents='constant' has no inputs in a THEN",
    ),
    "rules": (
        {"monotonic_cst": [1, 1, 1, 0], "forbidden_inputs": ["ward"], "n_rules": 2},
        "n_rules=2 needs inputs that tell where each rule holds",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_a_sentence_and_loses_no_model(wrong):
    settings, told = WRONG[wrong]
    model = UNFISClassifier(n_rules=1, max_conditions=1).fit(X, Y)
    before = model.predict_proba(X)
    with pytest.raises(ValueError, match=re.escape(told)):
        model.set_params(**{"n_rules": "auto", "max_conditions": None, **settings}).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_three_classes_have_no_second_of_two():
    labels = np.where(X["age"] > 60, "old", Y)
    with pytest.raises(ValueError, match="the second of two classes, got 3 classes"):
        UNFISClassifier(monotonic_cst={"age": 1}).fit(X, labels)


def test_all_inputs_may_have_signs():
    model = UNFISClassifier(monotonic_cst=[1, 1, 1, 0], forbidden_inputs=["ward"]).fit(X, Y)
    assert len(model.rules_) == 1
    assert not model.model_.in_condition.any()


def test_forbidden_inputs_are_in_no_rule_whatever_follows():
    model = UNFISClassifier(forbidden_inputs=["debt"], n_rules=2).fit(X, Y)
    assert not model.selected_[:, 1].any()
    assert not model.partial_fit(X, Y).selected_[:, 1].any()
    assert not model.edit(remove=[1], refit=True, X=X, y=Y).selected_[:, 1].any()
    # It stays a column of the table: without it no row is one of the model's.
    with pytest.raises(ValueError, match="debt"):
        model.predict(X.drop(columns="debt"))
    moved = X.assign(debt=X["debt"] + 100)
    np.testing.assert_array_equal(model.predict_proba(moved), model.predict_proba(X))
