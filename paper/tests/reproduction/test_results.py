"""A file of results that never breaks, and says where it is broken."""

import math

import pytest

from unfis_paper.reproduction.results import HEADER, MEASURES, Results, Run, Summary
from unfis_paper.reproduction.systems.own import DEFAULT

RUN = Run("iris", "dummy", 3)


@pytest.fixture
def results(tmp_path):
    """A file with two runs."""
    results = Results(tmp_path / "deep" / "runs.csv")
    results.add(RUN, {"accuracy": 0.5, "rules": 2.0}, "0123abcd")
    results.add(Run("iris", "peer, absent", 0), {"error": "not installed: peer"}, "0123abcd")
    return results


def test_what_was_written_is_read(results):
    found = Results(results.path).latest()
    assert found[RUN].measures == {"accuracy": 0.5, "rules": 2.0}
    assert (found[RUN].circumstances, found[RUN].is_absence) == ("0123abcd", False)
    assert found[Run("iris", "peer, absent", 0)].is_absence
    frame = results.frame()
    assert list(frame.columns) == list(HEADER)
    assert {dtype.name for dtype in frame.dtypes[list(MEASURES)]} == {"float64"}
    assert frame["accuracy"].tolist()[0] == 0.5
    assert frame["error"].tolist() == ["", "not installed: peer"]


def test_the_last_line_of_a_run_counts(results):
    results.add(RUN, {"accuracy": 0.75}, "4567cdef")
    assert results.latest()[RUN].measures == {"accuracy": 0.75}
    assert len(results.frame()) == 2


def test_a_line_that_was_cut_off_is_dropped(results):
    before = results.path.read_text()
    results.path.write_text(before + "iris,dummy,4,0.5")
    assert set(Results(results.path).latest()) == {RUN, Run("iris", "peer, absent", 0)}
    assert results.path.read_text() == before


@pytest.mark.parametrize("length", [0, 1, 40])
def test_an_empty_file_and_a_cut_off_header_are_begun_anew(tmp_path, length):
    path = tmp_path / "runs.csv"
    header = ",".join(HEADER) + "\n"
    path.write_text(header[:length])
    assert Results(path).latest() == {}
    assert path.read_text() == header


@pytest.mark.parametrize("first", ["a,b", ",".join((*HEADER, "more")), "x"])
def test_another_file_in_the_way_is_not_touched(tmp_path, first):
    path = tmp_path / "runs.csv"
    path.write_text(f"{first}\n1,2\n")
    with pytest.raises(ValueError, match=r"runs\.csv must begin with the columns set, system"):
        Results(path)
    assert path.read_text() == f"{first}\n1,2\n"


DAMAGES = {
    "line 2, must have 20 cells, got 2": lambda line: "iris,dummy",
    "line 2, must have 20 cells, got 21": lambda line: line + ",",
    "line 2, must have numbers for seed and measures .*'three'": lambda line: line.replace(
        ",3,", ",three,"
    ),
    "line 2, must have numbers for seed and measures .*'half'": lambda line: line.replace(
        "0.5", "half"
    ),
}


@pytest.mark.parametrize("message", DAMAGES)
def test_a_damaged_line_is_named(results, message):
    lines = results.path.read_text().splitlines()
    lines[1] = DAMAGES[message](lines[1])
    results.path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match=rf"runs\.csv, {message}"):
        Results(results.path).frame()


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"file/runs\.csv cannot be written .*another folder"):
        Results(tmp_path / "file" / "runs.csv")


def test_means_and_deviations(recorded, frame):
    values = frame.query("set == 'iris' and system == @DEFAULT")["accuracy"]
    assert recorded.summary("iris", DEFAULT) == (values.mean(), values.std(ddof=1), 5)
    assert math.isnan(recorded.summary("iris", "nobody").mean)
    assert recorded.summary("iris", "nobody").runs == 0
    assert recorded.per_rule("iris", DEFAULT) == 3


def test_cells():
    assert Summary(0.95678, 0.01234, 5).text(100.0) == "95.68 ± 1.23"
    assert Summary(math.nan, 1.0, 0).text() == "-"
    assert Summary(1.5, math.nan, 1).text() == "1.50"
