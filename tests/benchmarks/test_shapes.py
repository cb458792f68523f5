"""The benchmark of shapes: tables are as they are called, and the asked is beside the measured."""

import numpy as np
import pandas as pd
import pytest
import shapes
from measuring import Line
from shape_tables import SHAPES, made, parted

SMALL = [name for name, shape in SHAPES.items() if shape.rows <= 5500]


@pytest.mark.parametrize("name", SMALL)
def test_tables_are_as_they_are_called_and_always_the_same(name):
    X, X_test, y, y_test = parted(name)
    pd.testing.assert_frame_equal(X, parted(name)[0])
    assert len(X) == SHAPES[name].rows
    assert len(X_test) / (len(X) + len(X_test)) == pytest.approx(0.3, abs=0.002)
    assert set(y_test) <= set(y)
    if name != "300-kinds":
        assert name == f"{len(X)}x{X.shape[1]}x{y.nunique()}"
    assert np.bincount(y).min() >= 0.2 * len(y) / y.nunique()


def test_every_table_that_is_measured_can_be_made():
    points = [table for series in shapes.SERIES.values() for table in series.points.values()]
    assert {*shapes.CASES, *points} == set(SHAPES)


def test_a_category_of_very_many_kinds_counts():
    X, y = made("300-kinds")
    assert 250 < X["c0"].nunique() <= 300
    shares = y.groupby(X["c0"]).agg(["mean", "size"]).query("size >= 30")["mean"]
    assert shares.std() > 0.15  # it would be less than 0.1 by chance


def lines_of(name, system, *seconds):
    return [Line(name, name, system, n, "seconds", value) for n, value in enumerate(seconds)]


def test_the_asked_beside_the_measured():
    lines = [
        *lines_of("5000x20x10", "unfis", 3.0, 9.0, 5.0),
        *lines_of("5000x20x10", "histogram boosting", 2.0, 9.0, 5.0),
        *lines_of("5000x20x10", "histogram boosting, one thread", 4.0, 3.0, 4.0),
        *lines_of("360x90x15", "unfis", 12.0),
        *lines_of("300-kinds", "unfis", 1.0),
        Line("300-kinds", "300-kinds", "unfis", 1, "seconds", None, "over 900 s"),
        *lines_of("990x13x11", "unfis", 1.0),
        *(
            Line("classes", f"5000x20x{n}", "unfis", r, "seconds", n ** (r + 0.5))
            for n in (5, 10, 20, 50)
            for r in (0, 1)
        ),
    ]
    told = shapes.summarised(lines)
    assert "| 5000x20x10 | 2 x boosting | 1.5 (1.38 to 2.25) x boosting | yes | 5 | 3 |" in told
    assert "| 360x90x15 | 10 s | 12 (12 to 12) s | no | 12 |" in told
    assert "| 300-kinds | 5 s | over 900 s | no |" in told  # one round was fast enough
    assert "| 990x13x11 |  |  |  | 1 |" in told
    assert "| growth with classes, 5 to 50 | 1.1 | 1 (0.75 to 1.25) | yes |" in told
    assert "2000x500x2" not in told
