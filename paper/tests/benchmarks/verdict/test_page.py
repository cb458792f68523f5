"""The page: every section speaks by the numbers, and of nothing that has not run."""

import json
import math
from pathlib import Path

import pytest
import reproduction
from verdict.comparison import ComparedRuns
from verdict.page import PLACES, SECTIONS, page

from unfis_paper.reproduction.figures import FIGURES
from unfis_paper.reproduction.paper import SETS
from unfis_paper.reproduction.results import MEASURES, Results, Run
from unfis_paper.reproduction.systems.own import TUNED_LEARNERS

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks/results"


def test_all_sections_are_there(recorded):
    text = page(recorded)
    assert [f"## {heading}" in text for heading in SECTIONS] == [True] * len(SECTIONS)
    assert "5 random splits of each set" in text
    assert "nan" not in text
    assert "- xanfis: 1 runs without result, not installed: xanfis." in text


def test_figures_are_shown_where_they_belong(recorded):
    assert set(PLACES) == set(FIGURES)
    assert set(PLACES.values()) <= set(SECTIONS)
    text = page(recorded, ["figure-ranks"])
    assert text.index("## Beside what") < text.index("![figure-ranks](figure-ranks.svg)")
    assert "![" not in page(recorded)


def test_other_numbers_make_another_page(frame, recorded):
    """No section but that of the print says the same of other results."""
    other = frame.copy()
    generator = [0.3 + 0.001 * (7 * number % 211) for number in range(len(other))]
    for number, measure in enumerate(MEASURES):
        other[measure] = [value * (1 + number) for value in generator]
    changed = ComparedRuns(other)
    same = [name for name, section in SECTIONS.items() if section(recorded) == section(changed)]
    assert same == ["What is wrong in print"]


def test_partial_results(frame):
    """Whatever part has run: no crash, no NaN, nothing about what has not run."""
    parts = {
        "nothing": frame.iloc[:0],
        "one seed": frame[frame["seed"] < 1],
        "two seeds": frame[frame["seed"] < 2],
        "one set": frame[frame["set"] == "iris"],
        "the default alone": frame[frame["system"] == "unfis"],
        "a learner alone": frame[frame["system"] == TUNED_LEARNERS[1]],
        "only the other forms": frame[frame["set"].isin(["autism", "autism-17"])],
        "only errors": frame[frame["error"] != ""],
    }
    for name, part in parts.items():
        text = page(ComparedRuns(part))
        assert "nan" not in text, name
        present = {acronym for acronym, of in SETS.items() if of in set(part["set"])}
        for acronym in set(SETS) - present - {"AUT", "HAB", "WIN", "IRI"}:
            assert f"| {acronym} |" not in text, name
    assert "Nothing has run yet" in page(ComparedRuns(frame.iloc[:0]))


def test_a_learner_that_fails_on_a_set_does_not_end_the_page(frame):
    failed = (frame["set"] == "iris") & (frame["system"] == TUNED_LEARNERS[1])
    frame.loc[failed, list(MEASURES)] = math.nan
    frame.loc[failed, "error"] = "RuntimeError: no"
    text = page(ComparedRuns(frame))
    section = text[text.index("## Which learner") :]
    line = next(line for line in section.splitlines() if line.startswith("| IRI |"))
    assert [cell == "-" for cell in line.strip("| ").split(" | ")] == [0, 0, 1, 0, 0, 0]
    assert f"- {TUNED_LEARNERS[1]}: 5 runs without result, RuntimeError: no." in text


def test_unequal_numbers_of_splits_are_told(frame):
    some = frame[(frame["set"] == "iris") | (frame["seed"] < 2)]
    assert "2 to 5 random splits of each set" in page(ComparedRuns(some))


def test_one_set_is_compared_with_peers_too(frame):
    text = page(ComparedRuns(frame[frame["set"] == "iris"], ["IRI"]))
    section = text[text.index("## Beside what") :]
    assert "| system | iris | mean | rank |" in section
    assert "| tree |" in section


@pytest.mark.skipif(not (ROOT / "docs/reproduction.md").exists(), reason="nothing is recorded yet")
def test_the_page_is_the_recorded_results():
    tracked = (ROOT / "docs/reproduction.md").read_text(encoding="utf-8")
    assert reproduction.text_of(RESULTS, ROOT / "docs") == tracked


def test_the_page_is_written_beside_its_figures(frame, tmp_path):
    results, output = tmp_path / "results", tmp_path / "docs"
    output.mkdir()
    runs = Results(results / "runs.csv")
    runs.add(Run("iris", "unfis", 0), {"accuracy": 0.9}, "0123abcd")
    (results / "figure-iris.svg").write_text("<svg/>")
    reproduction.write_page(results, output)
    text = (output / "reproduction.md").read_text(encoding="utf-8")
    assert "1 random splits of each set" in text
    assert (output / "figure-iris.svg").read_text() == "<svg/>"


@pytest.mark.skipif(not RESULTS.exists(), reason="nothing is recorded yet")
def test_every_recorded_run_has_its_circumstances():
    known = {one["id"] for one in json.loads((RESULTS / "circumstances.json").read_text())}
    assert {line.circumstances for line in Results(RESULTS / "runs.csv").lines()} <= known
