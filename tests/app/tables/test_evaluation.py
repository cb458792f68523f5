"""Rows that a model is asked of: the same are held out, and the same are measured."""

from types import SimpleNamespace

import numpy as np
import pytest
from calling import clinic

from unfis.additive import UNFISClassifier, UNFISRegressor
from unfis.app.tables import TableError, read_table
from unfis.app.tables.asked import asked_of, evaluation_rows, held_out_rows
from unfis.app.tables.evaluation import evaluate, evaluation_text, named_costs
from unfis.data.costs import threshold_costs

LABELS = np.array(["a"] * 40 + ["b"] * 10 + ["c"])


def test_each_class_gives_its_part_and_keeps_a_row():
    held = held_out(0.3, 0)
    assert [held[label == LABELS].sum() for label in "abc"] == [12, 3, 0]
    assert not held_out(0, 0).any()
    assert held_out(0.99, 0).sum() == 39 + 9


def held_out(fraction, seed):
    return held_out_rows(len(LABELS), LABELS, fraction, seed)


def test_of_numbers_a_part_of_all_rows_is_held_out():
    assert held_out_rows(50, None, 0.3, 0).sum() == 15
    assert held_out_rows(2, None, 0.9, 0).sum() == 1


def test_a_seed_is_a_choice():
    assert (held_out(0.3, 1) == held_out(0.3, 1)).all()
    assert (held_out(0.3, 1) != held_out(0.3, 2)).any()


class Model:
    """What is asked of a model here: where it comes from."""

    def __init__(self, held_out):
        self.model_ = SimpleNamespace(origin=SimpleNamespace(held_out=held_out))
        self.classes_ = ["a", "b"]

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
    model = UNFISClassifier(max_rules=2).fit(learned.iloc[:, :3], frame["outcome"])
    table = tmp_path / "t.csv"
    cells = ["ward,age,smoker,outcome", "Mars,50,Yes,ill", " Nord ,?,no,well", "NA,20,,well"]
    table.write_text("\n".join(cells), encoding="utf-8")
    with pytest.warns(UserWarning, match="Mars"):
        found = asked_of(model, read_table(table), "outcome")
    assert found.X["ward"].tolist() == ["Mars", "Nord", None]
    np.testing.assert_array_equal(found.X["age"], [50, np.nan, 20])
    np.testing.assert_array_equal(found.X["smoker"], [1, 0, np.nan])
    assert found.y.tolist() == ["ill", "well", "well"]


@pytest.fixture
def doses(tmp_path):
    """A table of numbers, three cells of which are none, and a model of them."""
    frame = clinic(200)[["age", "ward", "dose"]].assign(dose=lambda f: f["age"] + f["dose"])
    model = UNFISRegressor(max_rules=3).fit(frame[["age", "ward"]], frame["dose"])
    frame = frame.astype(object)
    frame.loc[[3, 5], "dose"], frame.loc[7, "dose"] = "high", ""
    frame.to_csv(tmp_path / "doses.csv", index=False)
    return model, read_table(tmp_path / "doses.csv")


def test_cells_that_are_no_number_are_left_out(doses):
    model, table = doses
    asked = asked_of(model, table, "dose")
    assert len(asked.y) == len(asked.X) == len(asked.rows) == 197
    assert asked.rows[:6].tolist() == [1, 2, 3, 5, 7, 9]
    assert asked.note.endswith("2 rows without a number, such as 'high', left out.")
    with pytest.raises(TableError, match=r"'ward' in doses\.csv holds no number"):
        asked_of(model, table, "ward")


def test_a_number_is_measured_beside_its_mean(doses):
    asked = asked_of(doses[0], doses[1], "dose")
    found = evaluate(doses[0], asked)
    off = asked.y - doses[0].predict(asked.X)
    assert found["rmse"] == pytest.approx(np.sqrt(np.mean(off**2)))
    assert found["mae"] == pytest.approx(np.abs(off).mean())
    assert found["r2"] == pytest.approx(1 - np.mean(off**2) / asked.y.var())
    assert found["rmse_low"] < found["rmse"] < found["rmse_high"] < found["rmse_baseline"]
    low, high = doses[0].predict_interval(asked.X).T
    assert found["in_interval"] == ((low <= asked.y) & (asked.y <= high)).mean()
    told = evaluation_text(found)
    assert "Root mean squared error" in told
    assert "The 95 % interval of a prediction holds the true number in" in told


def test_a_threshold_is_no_cost():
    assert named_costs(threshold_costs(0.2)) == ()
    assert named_costs(()) == ()
    assert named_costs(((0.0, 1.0), (4.0, 0.0))) == ((0.0, 1.0), (4.0, 0.0))
