"""A model fitted on a table, in words and for programs."""

import json

import pytest
from calling import clinic

from unfis.additive import UNFISClassifier, UNFISRegressor
from unfis.app.tables import prepare, read_table
from unfis.app.tables.fitting import fit_table


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "t.csv"
    clinic(40).to_csv(path, index=False)
    return read_table(path)


def test_what_was_learned(table):
    prepared = prepare(table, "outcome")
    fitted = fit_table(UNFISClassifier(max_rules=1), table, prepared, 0.25, 0)
    assert fitted.words.startswith("t.csv: 40 rows, 10 columns\n  patient_id  left out")
    assert "of 10 held-out rows: " in fitted.words
    assert fitted.plain["held_out"]["table"] == table.fingerprint
    assert fitted.plain["rows"] == 30
    assert fitted.plain["rules"]["classes"] == ["ill", "well"]


def test_what_was_learned_of_a_number(table):
    prepared = prepare(table, "dose")
    fitted = fit_table(UNFISRegressor(max_rules=1), table, prepared, 0.25, 0)
    assert "On 10 held-out rows, beside always predicting their mean:" in fitted.words
    assert {"rmse", "mae_low", "r2_high", "rows"} <= set(fitted.held_out)
    rules = json.loads(json.dumps(fitted.plain))["rules"]
    assert (rules["task"], rules["classes"], rules["target"]["name"]) == ("regression", [], "dose")


def test_a_threshold_is_that_of_the_second_class(table):
    prepared = prepare(table, "outcome")
    fitted = fit_table(UNFISClassifier(max_rules=1), table, prepared, 0.0, 0, 0.9)
    shares = fitted.model.predict_proba(prepared.X)[:, 1]
    answers = fitted.model.predict(prepared.X)
    assert ((answers == "well") == (shares > 0.9)).all()
    assert fitted.held_out is None
