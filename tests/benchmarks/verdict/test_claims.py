"""Claims hold or not by the numbers."""

import pytest
from verdict.claims import claims, margins, places
from verdict.comparison import ComparedRuns
from verdict.paper_means import best_compared

from unfis.reproduction.paper import BALANCED, SETS
from unfis.reproduction.systems.own import PRINTED, TUNED_LEARNERS


def held(frame):
    """Whether each claim holds, by its first words."""
    lines = claims(ComparedRuns(frame))[0].splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return {cell[0]: cell[-1] for cell in cells}


def test_every_claim_can_hold_and_can_fail(frame):
    """Results after the paper's heart make all claims hold, and their opposite none."""
    seeds = frame["seed"] / 1000
    good, bad = frame.copy(), frame.copy()
    for table, own, other in ((good, 0.999, 0.3), (bad, 0.3, 0.9)):
        is_own = table["system"].isin((PRINTED[0], TUNED_LEARNERS[0]))
        table["accuracy"] = other + seeds * (1 + table["system"].str.len() / 100)
        table.loc[is_own, "accuracy"] = own - seeds
        table["balanced_accuracy"] = table["accuracy"]
    good.loc[good["set"].isin(["haberman", "iris", "thyroid"]), "accuracy"] -= 0.01
    good["selections_out"] = 7.0
    bad["selections_out"] = bad["selections_in"] = 0.0
    assert set(held(bad).values()) == {"no"}
    assert set(held(good).values()) == {"yes"}
    assert len(held(good)) == 11


def test_haberman_is_third_in_print(recorded):
    assert places("HAB") == 3
    assert [a for a in SETS if places(a) == 1] == [a for a in SETS if a != "HAB"]
    assert "highest on 6 of 7, place 3 on HAB" in claims(recorded)[0]


def test_margins_by_hand(frame):
    chosen = (frame["set"] == "wine") & (frame["system"] == PRINTED[0])
    frame.loc[chosen, "accuracy"] = 0.7
    assert margins(ComparedRuns(frame))["WIN"] == pytest.approx(70 - 65.34)


def test_nothing_is_claimed_of_what_has_not_run(frame):
    assert claims(ComparedRuns(frame.iloc[:0])) == []
    some = held(frame[frame["system"].isin(TUNED_LEARNERS)])
    assert all("GqLM" in claim or "LM" in claim for claim in some)
    assert len(some) == 3


def test_the_best_other_in_print():
    assert best_compared("HAB") == ("EFNN-NullUni", 76.06)
    assert best_compared("CRI") == ("UNInull-FNN", 82.46)
    assert best_compared("HAB", BALANCED) == ("UNInull-FNN", 0.5755)
