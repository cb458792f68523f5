import numpy as np
import pytest
from reference import random_network, random_samples

from unfis.network import Shape, forward, select_all
from unfis.selection import at_point, point_on
from unfis.selection.decision import with_learned

PATH = {
    "rules": [2, 2, 2, 3, 3, 2],
    "parts": [4, 3, 2, 6, 5, 2],
    "ridge": [1.0, 1.0, 1.0, 0.1, 0.1, 0.1],
    "cv_loss": [0.5, 0.4, 0.6, 0.5, 0.5, 0.7],
    "chosen": [False, True, False, False, False, False],
}


def test_the_best_point_of_at_most_so_many_parts():
    assert point_on(PATH, 4, 2) == 1
    assert point_on(PATH, 100, 3) == 3  # of two that are as good the first
    assert point_on(PATH, 5, 3) == 4
    assert point_on(PATH, 2, 2) == 2
    assert point_on(PATH, 100, None) == 1


def test_where_nothing_was_held_out_the_criterion_counts():
    table = {**PATH, "cv_loss": [np.nan] * 6, "criterion": [0.5, 0.4, 0.3, 0.2, 0.1, 0.6]}
    assert point_on(table, 4, None) == 2


def test_points_that_do_not_exist():
    with pytest.raises(ValueError, match="at least 5, the least with 3 rules on the path, got 4"):
        point_on(PATH, 4, 3)
    with pytest.raises(ValueError, match=r"rules must be one of \[2, 3\]"):
        point_on(PATH, 4, 1)
    with pytest.raises(ValueError, match="There is no path"):
        point_on({}, 4, 1)


def test_what_is_taken_is_recorded_on_copies():
    choices = {"n_rules": 2, "ridge": 1.0, "parts": 3, "by": "cross-validation"}
    taken, path = at_point(choices, PATH, 4)
    assert taken == {"n_rules": 3, "ridge": 0.1, "parts": 5, "by": "user"}
    assert path["chosen"] == [False, False, False, False, True, False]
    assert PATH["chosen"][1]
    assert choices["by"] == "cross-validation"


@pytest.mark.parametrize("selection", ["soft", "none"])
def test_a_start_says_what_was_learned_by_the_network_of_all_inputs(selection):
    shape = Shape(2, 4, 3)
    start, learned = random_network(shape, 0), select_all(random_network(shape, 1))
    X = random_samples(shape, 2)
    found = with_learned(start, learned, selection)
    np.testing.assert_array_equal(found.logits, start.logits)
    np.testing.assert_array_equal(found.centres, learned.centres)
    network = found if selection == "soft" else select_all(found)
    outputs = [forward(one, X).rule_outputs for one in (network, learned)]
    np.testing.assert_allclose(*outputs, rtol=1e-12)
