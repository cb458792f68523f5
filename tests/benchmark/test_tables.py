import numpy as np
import pytest

from unfis.benchmark.ours import DEFAULT, PRINTED
from unfis.benchmark.paper import COMPARED
from unfis.benchmark.tables import (
    TABLES,
    active_features,
    as_markdown,
    as_text,
    cell,
    chosen,
    summary,
)


def test_means_and_deviations(results):
    values = results.query("set == 'iris' and system == @DEFAULT")["accuracy"]
    mean, deviation, count = summary(results, "iris", DEFAULT, "accuracy")
    assert (mean, deviation, count) == (values.mean(), values.std(ddof=1), 5)
    assert np.isnan(summary(results, "iris", "nobody", "accuracy")[0])
    assert cell(0.95678, 0.01234, 100.0, 2) == "95.68 ± 1.23"
    assert cell(float("nan"), 1.0) == "-"
    assert cell(1.5, float("nan")) == "1.50"


def test_accuracy_has_what_is_printed_and_what_came_out(results):
    rows = TABLES["table-4"](results, ["iris"])
    assert rows[0] == ["set", "system", "printed", "reproduced", "default"]
    assert [row[1] for row in rows[1:]] == list(COMPARED)
    unfis = rows[-1]
    assert unfis[2] == "96.25 ± 2.69"
    mean, deviation, _ = summary(results, "iris", PRINTED[0], "accuracy")
    assert unfis[3] == cell(mean, deviation, 100.0)
    assert rows[1][3:] == ["-", "-"]


def test_autism_is_told_with_and_without_its_leak(results):
    rows = TABLES["table-5"](results, ["autism"])
    assert {row[0] for row in rows[1:]} == {"AUT", "AUT (17 columns)", "AUT (16 columns)"}
    assert TABLES["table-5"](results, ["iris"]) == rows[:1]


def test_active_features(results):
    rows = active_features(results, ["wine"])
    assert rows[1] == ["WIN", "7.50 and 6.64", "1.50 ± 0.00", "3.00"]


def test_hyperparameters_are_those_of_the_papers_configuration(results):
    for _, printed, reproduced, _ in TABLES["table-1"](results, [])[1:]:
        assert printed == reproduced


def test_views_of_a_table():
    rows = [["a", "b"], ["1", "long"], ["22", ""]]
    assert as_text(rows) == "a   b\n-----\n1   long\n22"
    assert as_markdown(rows).splitlines() == ["| a | b |", "|---|---|", "| 1 | long |", "| 22 |  |"]


@pytest.mark.parametrize(("only", "count"), [([], 7), (["iris"], 1), (["autism-17", "wine"], 2)])
def test_some_of_the_sets(only, count):
    assert (
        len(chosen(dict.fromkeys(("HAB", "CRI", "HEA", "AUT", "IRI", "THY", "WIN"), 0), only))
        == count
    )
