import pytest

from unfis_paper.reproduction.paper import COMPARED
from unfis_paper.reproduction.results import Recorded
from unfis_paper.reproduction.systems import SYSTEMS
from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED, SCALED
from unfis_paper.reproduction.tables import (
    ON_SCALED_INPUTS,
    REPRODUCED,
    TABLES,
    active_features,
    in_columns,
)


def test_accuracy_has_what_is_printed_and_what_came_out(frame):
    recorded = Recorded(frame, ["IRI"])
    rows = TABLES["table-4"](recorded)
    reproduced = ["reproduced", "test-then-train", "scaled", "scaled, test-then-train"]
    assert rows[0] == ["set", "system", "printed", *reproduced, "default"]
    assert [row[1] for row in rows[1:]] == list(COMPARED)
    unfis = rows[-1]
    assert unfis[2] == "96.25 ± 2.69"
    assert unfis[3] == recorded.summary("iris", PRINTED[0]).text(100.0)
    assert unfis[5] == recorded.summary("iris", SCALED[0]).text(100.0)
    assert (unfis[4], unfis[6]) == ("-", "-")
    assert unfis[7] == recorded.summary("iris", DEFAULT).text(100.0)


def test_the_compared_systems_in_all_their_forms(frame):
    recorded = Recorded(frame, ["IRI"])
    rows = {row[1]: row for row in TABLES["table-4"](recorded)}

    def cells(*names):
        return [recorded.summary("iris", name).text(100.0) for name in names]

    forms = ("raw", "raw, test-then-train", "scaled", "scaled, test-then-train")
    assert rows["EFNN"][3:7] == cells(*(f"EFNN, {form}" for form in forms))
    assert rows["EFNN"][7] == "-"
    # The star is the scale; a batch model has no stream.
    assert rows["ALMMo-0*"][3:5] == cells("ALMMo-0, scaled", "ALMMo-0, scaled, test-then-train")
    assert rows["ALMMo-0*"][5:] == ["-"] * 3
    assert [cell == "-" for cell in rows["UNInull-FNN"][3:]] == [False, True, False, True, True]
    assert set(REPRODUCED) == set(COMPARED)
    assert set(REPRODUCED.values()) | set(ON_SCALED_INPUTS.values()) <= set(SYSTEMS)


def test_autism_is_told_with_and_without_its_leak(frame):
    rows = TABLES["table-5"](Recorded(frame, ["AUT"]))
    forms = {"AUT (18 columns)", "AUT (17 columns)", "AUT (16 columns)"}
    assert {row[0] for row in rows[1:]} == forms
    assert TABLES["table-5"](Recorded(frame, ["IRI"])) == rows[:1]


def test_active_features(frame):
    rows = active_features(Recorded(frame, ["WIN"]))
    assert rows[1] == ["WIN", "7.50 and 6.64", "1.50 ± 0.00", "3.00"]


def test_hyperparameters_are_those_of_the_papers_configuration(recorded):
    for _, printed, reproduced, _ in TABLES["table-1"](recorded)[1:]:
        assert printed == reproduced


def test_characteristics_are_of_the_folder_that_is_named(frame, tmp_path):
    """A folder with another file of that name: it is that one which is read."""
    (tmp_path / "heart.csv").write_text("a,target\n1,x\n")
    with pytest.raises(ValueError, match=r"heart\.csv must have the columns age, sex"):
        TABLES["table-2"](Recorded(frame, ["HEA"], tmp_path))
    rows = TABLES["table-2"](Recorded(frame, ["IRI"], tmp_path))
    assert rows[1] == ["IRI", *["4 x 105 + 45, 3 classes"] * 3]


def test_a_table_in_columns():
    rows = [["a", "b"], ["1", "long"], ["22", ""]]
    assert in_columns(rows) == "a   b\n-----\n1   long\n22"
