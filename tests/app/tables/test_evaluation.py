"""Held-out rows: the same part of each class, always the same."""

from types import SimpleNamespace

import numpy as np
import pytest
from calling import clinic

from unfis import UNFISClassifier
from unfis.app.tables import read_table
from unfis.app.tables.evaluation import asked_of, evaluation_rows, held_out_rows

LABELS = np.array(["a"] * 40 + ["b"] * 10 + ["c"])


def test_each_class_gives_its_part_and_keeps_a_row():
    held = held_out_rows(LABELS, 0.3, 0)
    assert [held[label == LABELS].sum() for label in "abc"] == [12, 3, 0]
    assert not held_out_rows(LABELS, 0, 0).any()
    assert held_out_rows(LABELS, 0.99, 0).sum() == 39 + 9


def test_a_seed_is_a_choice():
    assert (held_out_rows(LABELS, 0.3, 1) == held_out_rows(LABELS, 0.3, 1)).all()
    assert (held_out_rows(LABELS, 0.3, 1) != held_out_rows(LABELS, 0.3, 2)).any()


class Model:
    """What is asked of a model here: where it comes from."""

    def __init__(self, held_out):
        self.origin_ = SimpleNamespace(held_out=held_out)

    def learned_from(self, X, labels):
        return X is None


def test_which_rows_may_judge_and_what_is_said_of_them():
    table = SimpleNamespace(name="t.csv", fingerprint="abc")
    record = {"table": "abc", "fraction": 0.5, "seed": 0, "rows": 1}
    found = evaluation_rows(Model(record), table, LABELS, np.array(["a", "a"]))
    assert (found[0].sum(), found[2]) == (1, True)
    assert found[1] == ("The model was fitted on t.csv; this is the row of it that was held out.")
    for model in (Model({**record, "table": "other"}), Model(None)):
        found = evaluation_rows(model, table, LABELS, LABELS)
        assert (found[0].all(), found[2]) == (True, False)
        assert found[1] == "Whether the model learned from some of these rows is not known."
    assert "learned from these very rows" in evaluation_rows(Model(None), table, None, LABELS)[1]


def test_rows_are_as_the_model_reads_them_but_for_categories_it_does_not_know(tmp_path):
    frame = clinic()[["age", "smoker", "ward", "outcome"]]
    learned = frame.assign(smoker=frame["smoker"] == "yes")
    model = UNFISClassifier(2, ridge=0.15).fit(learned.iloc[:, :3], frame["outcome"])
    table = tmp_path / "t.csv"
    cells = ["ward,age,smoker,outcome", "Mars,50,Yes,ill", " Nord ,?,no,well", "NA,20,,well"]
    table.write_text("\n".join(cells), encoding="utf-8")
    with pytest.warns(UserWarning, match="Mars"):
        found = asked_of(model, read_table(table), "outcome")
    assert found.X["ward"].tolist() == ["Mars", "Nord", None]
    np.testing.assert_array_equal(found.X["age"], [50, np.nan, 20])
    np.testing.assert_array_equal(found.X["smoker"], [1, 0, np.nan])
    assert found.codes.tolist() == [0, 1, 1]
