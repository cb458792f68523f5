"""Every forward pass gives the same probabilities, on the cells of the very table of the fit.

A new forward pass is one entry in doors.py, a new case one row in cases.py.
"""

import csv
import warnings
from collections import namedtuple

import numpy as np
import pandas as pd
import pytest
from conformance.cases import CASES, TARGET
from conformance.doors import DOORS, answers
from networks import classifier
from rule_tables import averaged

from unfis.app.requests import ColumnOptions
from unfis.app.tables import read_table
from unfis.app.tables.inputs import model_frame, prepare

# case: of cases.py; model: fitted on it; path: of the file to predict; text, frame: what
# pandas.read_csv makes of it, without and with types; browser: gives one.
Fitted = namedtuple("Fitted", "case model folder path text frame browser expected")


def write(path, columns, separator):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, delimiter=separator)
        out.writerow(columns)
        out.writerows(zip(*columns.values(), strict=True))


@pytest.fixture(scope="module", params=CASES)
def fitted(request, tmp_path_factory):
    """A model that was fitted on a file of text, as the command reads it."""
    case = CASES[request.param]()
    folder = tmp_path_factory.mktemp("conformance")
    write(folder / "train.csv", {**case.columns, TARGET: case.labels}, case.separator)
    table = read_table(folder / "train.csv", missing=case.missing)
    prepared = prepare(table, TARGET, ColumnOptions(categorical=case.categorical))
    model = classifier(**case.settings).set_params(categorical_features=prepared.categories)
    model.fit(prepared.X, prepared.y)
    model.model_ = model.model_.with_notation(table.notation)
    if case.averaged:
        model = averaged(model, *case.averaged)
    path = folder / "predict.csv"
    cells = {name: [*cells, *case.extra.get(name, ())] for name, cells in case.columns.items()}
    write(path, cells, case.separator)
    text = pd.read_csv(path, sep=case.separator, dtype=str, keep_default_na=False)
    frame = pd.read_csv(path, sep=case.separator, decimal=case.decimal or ".")
    browser = lambda: request.getfixturevalue("browser")  # noqa: E731
    read = read_table(path, decimal=case.decimal, missing=model.notation_.missing)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not seen in training")
        expected = model.predict_proba(model_frame(model.model_, read))
    return Fitted(case, model, folder, path, text, frame, browser, expected)


@pytest.mark.parametrize("door", DOORS)
def test_conformance(fitted, door):
    expected = fitted.expected
    assert np.isfinite(expected).all()
    assert np.ptp(expected, axis=0).max() > 0.5  # rows are told apart
    np.testing.assert_allclose(answers(fitted, DOORS[door]), expected, rtol=0, atol=1e-9)
