"""Models that are written and read back: the same in all that they say."""

import copy
import json
import os
import threading
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from additive.conformance.cases import CASES
from additive.model_file.saved import SETTINGS, document_of, fitted, table

import unfis
from unfis.additive import UNFISClassifier, UNFISRegressor, load
from unfis.additive.export import KINDS, export
from unfis.additive.model_file import ModelFileError, read_model, write_model
from unfis.additive.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_model_read_back_is_the_same_and_gives_the_same_bytes(tmp_path, kind):
    model, (X, _) = fitted(kind), table()
    path = tmp_path / "m.json"
    model.save(path, target="answer", held_out={"accuracy": np.float64(0.5), "rows": 12})
    again = load(path)
    assert type(again) is type(model)
    assert again.rules_ == model.rules_
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    if kind in ("two", "three"):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(again.classes_, model.classes_)
        assert again.classes_.dtype == model.classes_.dtype
    assert again.n_features_in_ == 4
    assert again.feature_names_in_.tolist() == [*X.columns]
    one, other = again.model_, model.model_
    for name in ("rules", "length", "evidence", "path", "folds", "ridge", "constraints", "given",
                 "fixed", "costs", "names"):  # fmt: skip
        assert getattr(one, name) == getattr(other, name), name
    assert (one.origin.target, one.origin.held_out) == ("answer", {"accuracy": 0.5, "rows": 12})
    assert one.origin.versions["numpy"] == np.__version__
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("kind", SETTINGS)
def test_every_length_and_export_is_the_same_after_reading(tmp_path, kind):
    model = fitted(kind)
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert len(again.model_.path) > 2
    for length in range(len(model.model_.path)):
        assert again.at(length).rules_ == model.at(length).rules_
        assert again.at(length).model_.evidence == model.at(length).model_.evidence
    for form in KINDS.keys() - {"onnx"}:
        assert export(again.model_, form) == export(model.model_, form)
    shorter = again.at(1)
    shorter.save(tmp_path / "short.json")
    assert load(tmp_path / "short.json").rules_ == shorter.rules_
    assert load(tmp_path / "short.json").at(2).rules_ == model.at(2).rules_


def test_evidence_of_drawn_rows_and_that_of_all_rows_are_both_kept(tmp_path):
    generator = np.random.default_rng(2)
    X = generator.normal(size=(7_000, 2)).round(2)
    model = UNFISRegressor(max_rules=3).fit(X, X[:, 0] + (X[:, 1] > 0))
    length = model.model_.length
    assert model.model_.evidence != model.at(length).model_.evidence
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.model_.evidence == model.model_.evidence
    assert again.at(length).model_.evidence == model.at(length).model_.evidence


def test_parameters_come_back_as_plain_data(tmp_path):
    fitted("two").save(tmp_path / "m.json")
    again, given = load(tmp_path / "m.json").get_params(), SETTINGS["two"]
    assert again == {**fitted("two").get_params(), "categorical_features": ["ward"]}
    assert again["monotonic_cst"] == given["monotonic_cst"] == {0: 1}
    fitted("three").save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").costs == (1 - np.eye(3)).tolist()


NO_ROWS = {"calibration": None, "estimate": None, "ranges": None}  # those of another table
# A fit puts its classes in order, which two made cases do not.
IN_ORDER = [name for name in CASES if [*(c := CASES[name]().classes)] == sorted(c)]


@pytest.mark.parametrize("name", IN_ORDER)
def test_models_of_every_shape_come_back(tmp_path, name):
    model = replace(CASES[name]().model, path=(), folds=(), **NO_ROWS)
    write_model(tmp_path / "m.json", model)
    again = read_model(tmp_path / "m.json")
    assert (again.rules, again.costs) == (model.rules, model.costs)
    assert again.columns.notation == model.columns.notation
    assert again.text == model.text
    assert export(again, "python") == export(model, "python")
    np.testing.assert_array_equal(again.columns.classes, model.columns.classes)


def test_rules_are_written_as_they_are_printed(tmp_path):
    conditions = (
        Trapezoid(0, 18.0, 40.5, 60.0, 60.0, unknown=0.25),
        Kinds(3, (0, 2)),
        Unknown(1),
    )
    rules = RuleModel((Rule(conditions, 0, -11.0),), (0.1 + 0.2,), 1 / 3, "logistic")
    model = replace(fitted("two").model_, rules=rules, evidence=(), path=(), estimate=None)
    write_model(tmp_path / "m.json", replace(model, given=frozenset(), fixed=frozenset()))
    document = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    age = {"above": 18, "fully from": 40.5, "below": 60, "unknown": 0.25}
    assert document["rules"] == [
        {
            "if": {
                "age (years)": age,
                "ward": {"is": ["east", 'w"est']},
                "dose": {"known": 0, "unknown": 1},
            },
            "then": "yes",
            "evidence": None,
            "points": -11,
            "found": None,
        }
    ]
    assert (document["start"], document["unit"]) == ([0.30000000000000004], 1 / 3)
    assert document["unfis"] == unfis.__version__


def test_it_holds_no_row_and_is_the_same_for_the_same_fit(tmp_path):
    document = document_of(fitted("number"), tmp_path)
    first = (tmp_path / "m.json").read_bytes()
    assert len(first) < 30_000  # of 240 rows
    assert document["length"] == len(document["rules"]) <= 6
    X, answers = table()
    same = UNFISRegressor(**{"max_rules": 5} | SETTINGS["number"]).fit(X, answers["number"])
    assert document_of(same, tmp_path) == document
    assert (tmp_path / "m.json").read_bytes() == first


def test_a_model_from_a_file_is_edited_with_rows_only(tmp_path):
    model, (X, answers) = fitted("two"), table()
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    with pytest.raises(ValueError, match=r"keeps no training rows\. Give X and y"):
        again.edit(drop=[1])
    assert again.edit(X, answers["two"], drop=[1]).rules_ == model.edit(drop=[1]).rules_
    edited = model.edit(drop=[1], points={0: 3})
    edited.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.rules_ == edited.rules_
    assert again.model_.fixed == edited.model_.fixed
    with pytest.raises(ValueError, match="An edited model has no path"):
        again.at(1)


def test_it_knows_the_rows_that_it_learned_from(tmp_path):
    X, answers = table()
    y = answers["two"]
    fitted("two").save(tmp_path / "m.json")
    for model in (fitted("two"), load(tmp_path / "m.json")):
        assert model.learned_from(X, y)
        assert not model.learned_from(X[:-1], y[:-1])
        assert not model.learned_from(X, np.roll(y, 1))
        assert not model.learned_from(X, np.full(len(X), "dead"))
    assert fitted("number").learned_from(X, answers["number"])
    assert not fitted("number").learned_from(X, answers["number"] + 1)


LABELS = ([True, False], [3, -7], [1.0, 2.0], ["b", "a"], np.array(["b", "a"], dtype=object))


@pytest.mark.parametrize("labels", LABELS)
def test_labels_keep_their_kind(tmp_path, labels):
    X = np.arange(80.0).reshape(40, 2)
    model = UNFISClassifier().fit(X, np.array(labels)[(X[:, 0] > 30).astype(int)])
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    assert again.classes_.dtype == model.classes_.dtype
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert not hasattr(again, "feature_names_in_")


@pytest.mark.parametrize("names", [[("a", 1), ("b", 2)], [0, 1], ["", "a"], ["\u2028", "}"]])
def test_a_model_takes_its_own_table_whatever_its_columns_are_called(tmp_path, names):
    X = pd.DataFrame(np.arange(80.0).reshape(40, 2))
    X.columns = names if isinstance(names[0], tuple) else pd.Index(names, dtype=object)
    model = UNFISClassifier().fit(X, X.iloc[:, 0] > 30)
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.model_.columns.names == tuple(X.columns)


def test_intervals_as_categories_are_read_by_their_text(tmp_path):
    ages = pd.Series(np.arange(60.0))
    X = pd.DataFrame({"age": pd.cut(ages, 3), "b": np.sin(ages)})
    model = UNFISRegressor().fit(X, ages // 20)
    model.save(tmp_path / "m.json")
    np.testing.assert_array_equal(load(tmp_path / "m.json").predict(X), model.predict(X))


def test_what_a_file_cannot_hold_is_refused_and_leaves_what_was_there(tmp_path):
    path = tmp_path / "m.json"
    path.write_text("before")
    X = pd.DataFrame({pd.Timestamp("2024-01-01"): np.arange(40.0)})
    dated = UNFISClassifier().fit(X, np.arange(40) > 20)
    with pytest.raises(ModelFileError, match=r"m\.json was not written: the columns must be named"):
        dated.save(path)
    with pytest.raises(ModelFileError, match=r"held_out must be text, .*; got <object"):
        fitted("two").save(path, held_out={"x": object()})
    spoiled = replace(fitted("two").model_.rules, start=(np.inf,))
    not_finite = {"rules": spoiled, "path": ()}, "start has a number that is not finite"
    for change, words in (not_finite, ({"length": 9}, "length")):
        with pytest.raises(ModelFileError, match=r"m\.json was not written: .*" + words):
            write_model(path, replace(fitted("two").model_, **change))
    assert path.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["m.json"]


def test_an_unfitted_model_is_not_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        UNFISClassifier().save(tmp_path / "m.json")


def test_a_pipe_is_read_like_a_file(tmp_path):
    document = document_of(fitted("three"), tmp_path)
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(json.dumps(document)))
    writer.start()
    assert load(tmp_path / "pipe").rules_ == fitted("three").rules_
    writer.join(10)


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_model_from_a_file_explains_without_training_rows(tmp_path, kind):
    model, (X, _) = fitted(kind), table()
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    one, other = again.explain(X[:2])[0], model.explain(X[:2])[0]
    assert one.neighbours is None
    assert (one.answer, one.sums) == (other.answer, other.sums)
    assert "nan" not in str(one)


@pytest.mark.parametrize("kind", SETTINGS)
def test_sets_intervals_and_ranges_are_the_same_after_reading(tmp_path, kind):
    model, (X, answers) = fitted(kind), table()
    model.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    X = X.assign(dose=np.where(X.index < 9, 1e6, X["dose"]))
    np.testing.assert_array_equal(again.coverage(X), model.coverage(X))
    np.testing.assert_array_equal(again.caveats(X), model.caveats(X))
    if kind in ("two", "three"):
        np.testing.assert_array_equal(again.predict_set(X), model.predict_set(X))
        found = again.probability_interval(X), model.probability_interval(X)
        np.testing.assert_array_equal(*found)
    else:
        np.testing.assert_array_equal(again.predict_interval(X), model.predict_interval(X))
    same = again.at(model.model_.length).model_
    assert (same.calibration, same.estimate) == (again.model_.calibration, again.model_.estimate)
    assert again.at(1).model_.calibration is None
    batches = [copy.copy(one).partial_fit(X[:60], answers[kind][:60]) for one in (again, model)]
    assert batches[0].rules_ == batches[1].rules_
    batches[0].save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").rules_ == batches[0].rules_
    assert batches[0].model_.origin.rows == 300
    assert not batches[0].learned_from(X, answers[kind])
