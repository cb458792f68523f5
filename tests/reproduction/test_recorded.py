"""Recorded results as tables and figures ask for them."""

import math

from unfis.reproduction.recorded import Summary
from unfis.reproduction.systems.default import DEFAULT


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
