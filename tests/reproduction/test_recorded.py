"""Recorded results as tables and the verdict ask for them."""

import math

import numpy as np
import pytest

from unfis.reproduction.ours import DEFAULT, PRINTED
from unfis.reproduction.paper import PLAIN, SETS
from unfis.reproduction.recorded import Recorded, Summary
from unfis.reproduction.statistics import compare


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


def test_pairs_are_of_the_same_splits(frame):
    """A run that only one of the two has is left out of the comparison, not out of its mean."""
    lost = (frame["system"] == PRINTED[1]) & (frame["seed"] == 2) & (frame["set"] == "iris")
    frame.loc[lost, "accuracy"] = math.nan
    some = Recorded(frame)
    one, other = (
        frame.query("set == 'iris' and system == @name and seed != 2")["accuracy"].to_numpy()
        for name in PRINTED
    )
    assert some.paired("iris", *PRINTED) == compare(one, other, 0.3)
    assert some.summary("iris", PRINTED[0]).runs == 5
    assert some.summary("iris", PRINTED[1]).runs == 4


def test_against_a_printed_mean(recorded):
    found = recorded.against("iris", DEFAULT, 0.9)
    values = recorded.values("iris", DEFAULT).to_numpy()
    assert found.difference == pytest.approx(values.mean() - 0.9)
    assert found.effect == pytest.approx((values.mean() - 0.9) / np.std(values, ddof=1))


def test_where_systems_have_run(frame):
    some = Recorded(frame[frame["set"].isin(["iris", "autism"])], ["AUT", "IRI"])
    assert some.where(PLAIN, (DEFAULT,)) == {"AUT": "autism", "IRI": "iris"}
    assert some.where(SETS, (DEFAULT,)) == {"IRI": "iris"}
    assert some.where(PLAIN, (DEFAULT,), 6) == {}
    assert some.where(PLAIN, (DEFAULT, "nobody")) == {}
