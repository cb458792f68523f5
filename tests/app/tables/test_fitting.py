"""A model fitted on a table, in words and for programs."""

import pytest
from calling import clinic

from unfis import UNFISClassifier
from unfis.app.requests import RequestError
from unfis.app.tables import prepare, read_table
from unfis.app.tables.fitting import fit_table


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("table") / "t.csv"
    clinic(40).to_csv(path, index=False)
    return read_table(path)


def test_what_was_learned(table):
    prepared = prepare(table, "outcome")
    fitted = fit_table(UNFISClassifier(1), table, prepared, 0.25, 0)
    assert fitted.words.startswith("t.csv: 40 rows, 10 columns\n  patient_id  left out")
    assert "of 10 held-out rows: " in fitted.words
    assert fitted.plain["held_out"]["table"] == table.fingerprint
    assert fitted.plain["rows"] == 30


def test_no_more_rules_than_rows(table):
    with pytest.raises(RequestError, match="`rules` must be at most 30, the rows to learn from"):
        fit_table(UNFISClassifier(31), table, prepare(table, "outcome"), 0.25, 0)
