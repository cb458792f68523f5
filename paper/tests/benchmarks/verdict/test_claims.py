"""Claims hold or not by the numbers."""

import pytest
from verdict.claims import claims
from verdict.comparison import ComparedRuns
from verdict.paper_means import best_compared
from verdict.rivals import READINGS, best_other, comes_out, margins, places

from unfis_paper.reproduction.paper import ACCURACY, BALANCED, SETS
from unfis_paper.reproduction.systems.own import PRINTED, TUNED_LEARNERS


def held(frame, reading=0):
    """Whether each claim holds in a reading of it, by its words."""
    lines = claims(ComparedRuns(frame))[0].splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return {cell[0]: cell[3 + 2 * reading] for cell in cells}


def test_every_claim_can_hold_and_can_fail(frame):
    """Results after the paper's heart make all claims hold, and their opposite none."""
    seeds = frame["seed"] / 1000
    good, bad = frame.copy(), frame.copy()
    for table, own, other in ((good, 0.999, 0.3), (bad, 0.3, 0.9)):
        is_own = table["system"].isin((PRINTED[0], TUNED_LEARNERS[0]))
        table["accuracy"] = other + seeds * (1 + table["system"].str.len() / 100)
        table.loc[is_own, "accuracy"] = own - seeds
        table["balanced_accuracy"] = table["accuracy"]
    few = good["set"].isin(["haberman", "iris", "thyroid"])
    good.loc[few & good["system"].isin((PRINTED[0], TUNED_LEARNERS[0])), "accuracy"] -= 0.01
    good["selections_out"] = 7.0
    bad["selections_out"] = bad["selections_in"] = 0.0
    printed = "UNFIS's accuracies are as printed, within the printed deviation"
    for reading, count in ((0, 12), (1, 6), (2, 5)):
        for table, expected in ((bad, "no"), (good, "yes")):
            found = held(table, reading)
            assert len(found) == 12
            found.pop(printed)
            assert sorted(found.values())[-1] == expected
            assert sum(value != "-" for value in found.values()) == count - (reading < 2)
            assert set(found.values()) <= {expected, "-"}


def test_printed_accuracies_come_out_or_not(frame):
    """In each reading by its own UNFIS; that the others are measured changes nothing of it."""
    for acronym, name in SETS.items():
        printed = ACCURACY[acronym][-1][0] / 100
        frame.loc[(frame["set"] == name) & (frame["system"] == PRINTED[0]), "accuracy"] = printed
        own = (frame["set"] == name) & (frame["system"] == TUNED_LEARNERS[0])
        shift = {"WIN": 0.15, "AUT": -0.04}.get(acronym, 0.0)
        frame.loc[own, "accuracy"] = printed + shift
    row = comes_out(ComparedRuns(frame))
    assert row[2:4] == ["on 7 of 7, above on none, below on none", "yes"]
    assert row[4:6] == ["on 5 of 7, above on WIN, below on AUT", "no"]
    assert row[6:] == ["-", "-"]


def test_haberman_is_third_in_print(recorded):
    assert places("HAB") == 3
    assert [a for a in SETS if places(a) == 1] == [a for a in SETS if a != "HAB"]
    assert "highest on 6 of 7, place 3 on HAB" in claims(recorded)[0]


def test_margins_by_hand(frame):
    chosen = (frame["set"] == "wine") & (frame["system"] == PRINTED[0])
    frame.loc[chosen, "accuracy"] = 0.7
    assert margins(ComparedRuns(frame))["WIN"] == pytest.approx(70 - 65.34)


def test_margins_over_what_is_measured(frame):
    chosen = frame["set"] == "wine"
    frame.loc[chosen, "accuracy"] = 0.5
    frame.loc[chosen & (frame["system"] == TUNED_LEARNERS[0]), "accuracy"] = 0.7
    frame.loc[chosen & (frame["system"] == "EFNN, raw"), "accuracy"] = 0.8
    recorded = ComparedRuns(frame)
    assert best_other(recorded, "WIN", READINGS[2]) == ("EFNN, raw", pytest.approx(80))
    assert margins(recorded, READINGS[2])["WIN"] == pytest.approx(-10)
    without = frame[frame["system"] != "EFNHN, raw"]
    assert margins(ComparedRuns(without), READINGS[2]) == {}


def test_nothing_is_claimed_of_what_has_not_run(frame):
    assert claims(ComparedRuns(frame.iloc[:0])) == []
    some = held(frame[frame["system"].isin(TUNED_LEARNERS)])
    assert all("GqLM" in claim or "LM" in claim for claim in some)
    assert len(some) == 3


def test_the_best_other_in_print():
    assert best_compared("HAB") == ("EFNN-NullUni", 76.06)
    assert best_compared("CRI") == ("UNInull-FNN", 82.46)
    assert best_compared("HAB", BALANCED) == ("UNInull-FNN", 0.5755)
