"""The benchmark of rare classes: its tables, and what it tells of them."""

import pandas as pd
import pytest
import unbalanced
import unbalanced_tables


@pytest.mark.parametrize("name", ["loans", "many loans", "failures", "extremes"])
def test_made_tables_have_as_many_as_they_say(name):
    X, y = unbalanced_tables.TABLES[name]()
    assert len(X) == len(y)
    assert 0.004 < (y == "yes").mean() < 0.05


def test_no_table_is_both_tried_and_measured():
    assert not set(unbalanced_tables.MEASURED) & set(unbalanced_tables.TRIED)


def test_what_ranks_worse_than_the_others_is_named():
    scores = {"unfis": 0.8, "logistic regression": 0.9, "EBM": 0.7}
    rows = [
        {"table": name, "seed": 0, "system": system, "share": 0.02}
        | dict.fromkeys(unbalanced.MEASURES, 1.0)
        | {"auc": score - less * (system == "unfis")}
        for name, less in (("even", 0.0), ("worse", 0.1))
        for system, score in scores.items()
    ]
    told = unbalanced.summary(pd.DataFrame(rows))
    assert "below their mean by more than 0.005: worse" in told
