import pytest

from unfis.selection import at_point, point_on

PATH = {
    "rules": [2, 2, 2, 3, 3, 2],
    "conditions": [4, 3, 2, 6, 5, 2],
    "ridge": [1.0, 1.0, 1.0, 0.1, 0.1, 0.1],
    "cv_loss": [0.5, 0.4, 0.6, 0.5, 0.5, 0.7],
    "chosen": [False, True, False, False, False, False],
}


def test_the_longest_point_of_at_most_so_many_conditions():
    assert point_on(PATH, 4, 2) == 0
    assert point_on(PATH, 100, 3) == 3
    assert point_on(PATH, 5, 3) == 4


def test_where_two_paths_meet_the_chosen_or_the_better_point_counts():
    assert point_on(PATH, 2, 2) == 2
    assert point_on({**PATH, "chosen": [False] * 5 + [True]}, 2, 2) == 5


def test_points_that_do_not_exist():
    with pytest.raises(ValueError, match="at least 5, the least with 3 rules on the path, got 4"):
        point_on(PATH, 4, 3)
    with pytest.raises(ValueError, match=r"rules must be one of \[2, 3\]"):
        point_on(PATH, 4, 1)
    with pytest.raises(ValueError, match="There is no path"):
        point_on({}, 4, 1)


def test_what_is_taken_is_recorded_on_copies():
    choices = {"n_rules": 2, "ridge": 1.0, "conditions": 3, "by": "cross-validation"}
    taken, path = at_point(choices, PATH, 4)
    assert taken == {"n_rules": 3, "ridge": 0.1, "conditions": 5, "by": "user"}
    assert path["chosen"] == [False, False, False, False, True, False]
    assert PATH["chosen"][1]
    assert choices["by"] == "cross-validation"
