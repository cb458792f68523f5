"""Sections of the verdict by numbers that are known."""

import re
from pathlib import Path

import numpy as np
import pytest
from verdict.compared_systems import compared_systems
from verdict.comparison import ComparedRuns
from verdict.defaults import defaults
from verdict.errata import ERRATA
from verdict.learning import curvature, edges, learning
from verdict.others import others
from verdict.printed import printed
from verdict.scaling import scaling
from verdict.selecting import decisive, selecting
from verdict.sessions import sessions
from verdict.wording import as_markdown

from unfis_paper.reproduction.systems.own import DEFAULT, PRINTED, SCALED, SOFT, TUNED_LEARNERS

TESTS = Path(__file__).parents[4] / "tests/paper"


def give(frame, system, accuracy, name=None):
    """Give a system these accuracies by seed."""
    chosen = frame["system"] == system
    if name is not None:
        chosen &= frame["set"] == name
    frame.loc[chosen, "accuracy"] = accuracy + frame["seed"] / 1000


def test_rows_that_come_out_are_told_from_those_that_do_not(frame):
    give(frame, PRINTED[0], 0.5)
    give(frame, PRINTED[0], 0.958, "iris")
    line = next(line for line in printed(ComparedRuns(frame)) if line.startswith("- UNFIS on raw"))
    inside, outside = line.split("It is not on")
    assert "on 1 of 7 sets: IRI 96.0 (printed 96.2 ± 2.7)" in inside
    assert "WIN 50.2" in outside


def test_both_tables_and_what_is_not_printed(recorded):
    text = "\n".join(printed(recorded))
    assert "| HAB | UNFIS | 74.20 ± 4.30 |" in text
    assert "| HAB | UNFIS | 0.5793 ± 0.0515 |" in text
    assert "ROC AUC, UNFIS" in text
    assert "log-loss, default" in text


def test_a_shortfall_is_named_with_its_numbers(frame):
    """Printed: UNFIS 74.20, EFNN-NullUni 76.06 on Haberman; here 73.2 and the tree's 75.2."""
    for system in set(frame["system"]) - {"xanfis"}:
        give(frame, system, 0.5, "haberman")
    give(frame, DEFAULT, 0.73, "haberman")
    give(frame, "tree", 0.75, "haberman")
    text = "\n".join(defaults(ComparedRuns(frame, ["HAB", "AUT", "IRI"])))
    assert "at or above the printed UNFIS on 0 of 3 sets" in text
    line = next(line for line in text.splitlines() if line.startswith("- HAB"))
    assert re.search(r"-1\.00 points \(p = [\d.e-]+, d = -6\.32\) against the printed UNFIS", line)
    assert "-2.86 points" in line
    assert "the default has place 2; the highest mean is 75.20 (tree)" in line
    assert "| AUT (18 columns) |" in text
    assert "| AUT (16 columns) |" in text


def test_cells_that_come_out_in_another_form_say_in_which(frame):
    """Printed for EFNN on iris: 82.96 +- 9.02."""
    frame["accuracy"] = 0.1
    give(frame, "EFNN, raw", 0.99, "iris")
    give(frame, "EFNN, scaled", 0.83, "iris")
    give(frame, "EFNN, raw", 0.62, "wine")
    text = "\n".join(compared_systems(ComparedRuns(frame, ["IRI", "WIN"])))
    assert "| EFNN | 1 of 2: WIN | 0 of 2 | 1 of 2: IRI | 0 of 2 |" in text
    line = next(line for line in text.splitlines() if line.startswith("- EFNN ("))
    assert "IRI 99.2 for 83.0, it comes out on scaled inputs." in line
    line = next(line for line in text.splitlines() if line.startswith("- EFNHN"))
    assert "IRI 10.0 for 88.6, in no form that was run; WIN" in line
    assert "| UNInull-FNN | 0 of 2 | - | 0 of 2 | - |" in text
    assert "| ENFS-Uni0, raw, test-then-train | 10.0 ± 0.0 |" in text
    assert compared_systems(ComparedRuns(frame[frame["system"] == "tree"])) == []


def test_the_scale_is_compared_on_the_same_sets(frame):
    """Raw: UNFIS 0.90, FNN 0.70; scaled: 0.95 and 0.94. The scale takes 19 points off the gap."""
    accuracies = dict(zip((*PRINTED, *SCALED), (0.9, 0.7, 0.95, 0.94), strict=True))
    for system, accuracy in accuracies.items():
        give(frame, system, accuracy)
    give(frame, PRINTED[1], 0.2, "autism-18")
    text = "\n".join(scaling(ComparedRuns(frame)))
    assert "+22.4 points as printed, +20.0 on raw inputs and +1.0 on standardised" in text
    assert "Standardising changes FNN by +24.0 points" in text
    assert "and UNFIS by +5.0" in text
    assert "the scale makes +19.0 of the +22.4 points of the printed gap" in text
    assert "+1.0 are left without it; +2.4 do not come out on raw inputs" in text
    assert "with 18 columns, as printed, the gap on raw inputs is +70.00 points" in text


def test_selections_are_counted(recorded):
    """A quarter is out and an eighth in; the sum is 1.5 of 16 columns, not of 18, without leak."""
    text = "\n".join(selecting(recorded))
    for kind in ("raw inputs", "standardised inputs (AUT with 16 columns)"):
        assert f"On {kind} 25% of the selections end below 0.001" in text
    assert "12% above 0.999, and 62% in between" in text
    assert "| AUT | 18 | 8.37 and 8.76 | 1.50 ± 0.00 | 8% | 25% | 12% | 25% | 12% |" in text


def test_what_deciding_gives_and_costs(frame):
    frame.loc[frame["system"] == SOFT, "conditions"] = 24.0
    give(frame, SOFT, 0.92)
    give(frame, DEFAULT, 0.9)
    recorded = ComparedRuns(frame, ["AUT"])
    text = "\n".join(decisive(recorded))
    assert "keeps 25% of the conditions" in text
    assert "19% of the inputs per rule" in text
    assert "Its accuracy is -2.00 points apart" in text
    assert "| AUT | 16 | 24.0 | 6.0 | 12.0 | 3.0 |" in text


def test_learners_are_compared_with_numbers(frame):
    generator = np.random.default_rng(0)
    give(frame, TUNED_LEARNERS[0], 0.9)
    give(frame, TUNED_LEARNERS[2], 0.5)
    frame["accuracy"] += 0.001 * generator.normal(size=len(frame))
    text = "\n".join(learning(ComparedRuns(frame)))
    row = next(line for line in text.splitlines() if line.startswith("| SGD, tuned |"))
    cells = row.strip("| ").split(" | ")
    assert cells[1] == "7"
    assert float(cells[2]) == pytest.approx(40, abs=0.5)
    assert cells[4:6] == ["7", "0"]
    assert "tries 7 step sizes for 25 epochs each on 75% of the training part" in text


def test_steps_at_the_end_of_a_grid_are_counted(frame):
    steps = [1e2, 1e8, 1e3, 1e4, 1e5]
    for seed, step in enumerate(steps):
        frame.loc[(frame["system"] == TUNED_LEARNERS[0]) & (frame["seed"] == seed), "step"] = step
    row = edges(ComparedRuns(frame))[0]
    assert row[0] == "GqLM"
    assert row[2:] == ["10000", "40%"]
    assert "By chance 29% would be at an end." in learning(ComparedRuns(frame))


def test_the_curvature_beside_the_damping(frame):
    """100 on standardised inputs beside C lambda = 2000; 8000 on raw inputs beside it."""
    frame.loc[frame["system"] == PRINTED[0], "curvature_end"] = 8000.0
    text = "\n".join(curvature(ComparedRuns(frame, ["HEA"])))
    assert "| HEA | 2000 | 50 (50) | 8e+03 (8e+03) | 50 (50) | 100 (100) |" in text
    assert "On raw inputs the largest eigenvalue of all runs is 4 times C lambda (HEA)" in text
    assert "shortens a gradient step by at most 80%; it is above C lambda on 1 of 1 sets" in text
    assert "On standardised inputs the largest eigenvalue of all runs is 0.05 times" in text


def test_peers_have_points_d_and_p(frame):
    give(frame, DEFAULT, 0.9)
    give(frame, "tree", 0.8)
    frame["accuracy"] += 0.001 * np.random.default_rng(0).normal(size=len(frame))
    text = "\n".join(others(ComparedRuns(frame)))
    start = text.index("| against |")
    row = next(line for line in text[start:].splitlines() if line.startswith("| tree |"))
    cells = row.strip("| ").split(" | ")
    assert float(cells[2]) == pytest.approx(10, abs=0.2)
    assert float(cells[3]) > 10
    assert cells[4:6] == ["7", "0"]
    assert float(cells[6]) < 1e-4
    assert "| system | balanced accuracy | ROC AUC | log-loss | calibration error |" in text


@pytest.mark.parametrize("test", sorted({test for _, test in ERRATA}))
def test_the_tests_of_errata_are_there(test):
    file, name = test.split("::")
    assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")


def test_circumstances_and_what_is_mixed(frame):
    frame.loc[frame["seed"] < 2, "circumstances"] = "4567cdef"
    systems = dict.fromkeys(set(frame["system"]), "as ever")
    first = {"id": "0123abcd", "python": "3.11", "machine": "here", "versions": {"numpy": "2"}}
    first |= {"systems": systems, "sessions": [{"runs": 9, "jobs": 2, "seconds": 61.2}]}
    second = {**first, "id": "4567cdef", "sessions": []}
    text = "\n".join(sessions(ComparedRuns(frame, circumstances=[first, second])))
    assert "| 3.11 | here | numpy 2 | 9 runs by 2 at once in 61 s |" in text
    assert "| not recorded |" in text
    assert f"Each of the {len(systems)} systems has one configuration" in text
    second["systems"] = {**systems, "tree": "deeper"}
    text = "\n".join(sessions(ComparedRuns(frame, circumstances=[first, second])))
    assert "Runs of several configurations are mixed in: tree." in text


def test_a_table_in_markdown():
    rows = [["a", "b"], ["1", "long"], ["22", ""]]
    assert as_markdown(rows).splitlines() == ["| a | b |", "|---|---|", "| 1 | long |", "| 22 |  |"]
