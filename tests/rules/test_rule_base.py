import copy
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from networks import RuleNetwork

from unfis import UNFISClassifier
from unfis.rules import RuleBase


def test_plain_data_is_json_and_comes_back_the_same(model):
    clf, X, _ = model("clinic")
    text = clf.rules_.to_json()
    again = RuleBase.from_dict(json.loads(text))
    assert again == clf.rules_
    assert again.to_json() == text
    assert str(again) == str(clf.rules_)
    assert pickle.loads(pickle.dumps(again)) == again
    pd.testing.assert_frame_equal(
        pd.DataFrame(again.predict_proba(X)), pd.DataFrame(clf.rules_.predict_proba(X))
    )


def test_it_is_a_sequence_of_rules(model):
    clf, _, _ = model("iris", "class rules")
    base = clf.rules_
    assert len(base) == 3
    assert list(base) == [base[0], base[1], base[2]] == list(base.rules)
    assert [len(rule.conditions) for rule in base] == clf.model_.in_condition.sum(axis=1).tolist()


def test_tables_of_any_kind_are_read_by_name(model):
    clf, X, _ = model("clinic")
    expected = clf.predict_proba(X)
    shuffled = X[X.columns[::-1]].assign(other=1)
    np.testing.assert_allclose(clf.rules_.predict_proba(shuffled), expected, atol=1e-12)
    np.testing.assert_allclose(clf.rules_.predict_proba(pl.from_pandas(X)), expected, atol=1e-12)
    objects = X.astype(object).to_numpy()
    np.testing.assert_allclose(clf.rules_.predict_proba(objects), expected, atol=1e-12)


def test_tables_without_names():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    clf = UNFISClassifier(2, ridge=0.3).fit(X, y)
    np.testing.assert_allclose(clf.rules_.predict_proba(X), clf.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(clf.rules_.predict_proba(X.tolist()), clf.predict_proba(X))
    assert clf.rules_.classes == (0, 1)
    assert "x0" in str(clf.rules_)


def test_numbers_of_any_kind_are_read_as_numbers(model):
    clf, X, _ = model("iris")
    for kind in (np.float32, np.int64):
        rows = X.to_numpy().astype(kind)
        expected = clf.rules_.predict_proba(rows.astype(float))
        np.testing.assert_array_equal(clf.rules_.predict_proba(rows), expected)


def test_wrong_tables_are_named(model):
    base = model("iris")[0].rules_
    X = model("iris")[1]
    with pytest.raises(ValueError, match=r"got none named 'petal width \(cm\)'"):
        base.predict_proba(X.drop(columns="petal width (cm)"))
    with pytest.raises(ValueError, match=r"a table of 4 columns, got an array of shape \(3,\)"):
        base.predict_proba([1, 2, 3])
    with pytest.raises(ValueError, match=r"got an array of shape \(1, 3\)"):
        base.predict_proba([[1, 2, 3]])


MUTILATIONS = {
    "the data lacks 'rules'": lambda data: data.pop("rules"),
    "the data has 'rulse', which is not known": lambda data: data.update(rulse=1),
    "rules must be a list of at least 1, got 3": lambda data: data.update(rules=3),
    r"rules\[1\] must be a dict, got 'x'": lambda data: data["rules"].__setitem__(1, "x"),
    r"rules\[0\]\.conditions\[0\] lacks 'centre'": lambda data: data["rules"][0]["conditions"][
        0
    ].pop("centre"),
    r"rules\[0\]\.biases must have one entry for each class, 3 in all, got 2": lambda data: data[
        "rules"
    ][0]["biases"].pop(),
    r"rules\[1\]\.effects\[0\]\.slopes must have one entry for each class": lambda data: data[
        "rules"
    ][1]["effects"][0]["slopes"].pop(),
    r"rules\[0\]\.effects\[0\]\.input is 'hue', which is none of the variables": lambda data: data[
        "rules"
    ][0]["effects"][0].update(input="hue"),
    r"rules\[0\]\.effects\[0\]\.slopes\[1\] must be a finite number": lambda data: data["rules"][0][
        "effects"
    ][0]["slopes"].__setitem__(1, [1.0]),
    r"rules\[0\]\.conditions must be none of a rule that speaks otherwise": lambda data: data[
        "rules"
    ][0].update(otherwise=True),
    r"rules must have otherwise in 0 at most, got 1": lambda data: data["rules"][0].update(
        otherwise=True, conditions=[]
    ),
    r"combination must be one of 'mixed outputs', 'averaged probabilities', got 'x'": lambda data: (
        data.update(combination="x")
    ),
    r"rules\[0\]\.conditions\[0\]\.input is 'hue', which is none of the variables": lambda data: (
        data["rules"][0]["conditions"][0].update(input="hue")
    ),
    r"rules\[0\]\.conditions\[0\]\.width must be a finite number, got None": lambda data: data[
        "rules"
    ][0]["conditions"][0].update(width=None),
    "firing must be a list of at least 1": lambda data: data.update(firing=[]),
    "rules must be a list of at least 1, got a list of 0": lambda data: data.update(rules=[]),
    r"rules\[0\]\.conditions\[0\]\.degrees must have one entry for each category": lambda data: (
        data["rules"][0]["conditions"][0].update(degrees=[1.0])
    ),
}


@pytest.mark.parametrize("message", MUTILATIONS)
def test_wrong_data_is_named(model, message):
    data = copy.deepcopy(model("iris", "soft")[0].rules_.to_dict())
    MUTILATIONS[message](data)
    with pytest.raises(ValueError, match=message):
        RuleBase.from_dict(data)


@pytest.mark.parametrize("kind", ["averaged", "single rule without IF", "soft"])
def test_a_number_far_outside_the_training_rows_is_not_covered(model, kind):
    clf, X, _ = model("iris", kind)
    base = clf.rules_
    for index, j in enumerate(base.arrays.used):
        variable = base.arrays.variables[index]
        half = 0.5 * (variable.highest - variable.lowest)
        rows = X.iloc[[0] * 2].to_numpy().copy()
        rows[:, j] = variable.lowest - 1.01 * half, variable.highest + 1.01 * half
        assert (base.coverage(rows) == 0).all()
    assert (base.coverage(X) > 0).all()


def test_a_rule_without_if_holds_a_little_outside_the_training_rows(model):
    clf, X, _ = model("iris", "single rule without IF")
    rows = X.max().to_numpy()[None] + 0.49 * np.ptp(X.to_numpy(), axis=0)
    assert clf.rules_.coverage(rows) == 1


def test_data_of_another_kind_is_named():
    with pytest.raises(ValueError, match="the data must be a dict, got a list of 0"):
        RuleBase.from_dict([])


def test_categories_and_classes_that_are_no_plain_data_become_text():
    ages = pd.Series(np.arange(60.0))
    table = pd.DataFrame({"age": pd.cut(ages, 3), "x": np.sin(ages)})
    clf = RuleNetwork(2, selection="soft", ridge=0.15).fit(table, np.array([True, False] * 30))
    base = clf.rules_
    assert base.classes == (False, True)
    assert base.variables[0].categories[0] == "(-0.059, 19.667]"
    np.testing.assert_allclose(base.predict_proba(table), clf.predict_proba(table), atol=1e-12)
    assert RuleBase.from_dict(base.to_dict()) == base
