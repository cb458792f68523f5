import numpy as np
import pytest
from selection.conftest import make_samples, make_task, squares

from unfis.selection import path as path_module
from unfis.selection.growth import Growth
from unfis.selection.path import best_by_size, eliminated_path, grown_path


def test_elimination_keeps_the_inputs_that_matter(task):
    path = eliminated_path(task, 1, keeps_rules=False)
    assert [task.parts(trained.stage) for trained in path] == [6, 5, 4, 3, 2, 1, 0]
    assert path[4].stage.in_consequent.tolist() == [[True, True, False, False, False, False]]
    objectives = [trained.objective for trained in path]
    assert (np.diff(objectives) > -1e-3).all()  # what is lost is not gained, but for training's end


def test_of_inputs_that_say_the_same_the_earlier_stays():
    samples = make_samples()
    twice = samples._replace(X=np.hstack([samples.X[:, :2], samples.X[:, :2]]))
    path = eliminated_path(make_task(twice, ridge=0.3), 1, keeps_rules=False)
    assert path[2].stage.in_consequent.tolist() == [[True, True, False, False]]


def test_elimination_parts_if_from_then():
    """Opposite quarters: two rules that know where they hold, and need nothing else."""
    task = make_task(squares(), ridge=0.1)
    path = best_by_size(task, eliminated_path(task, 2, keeps_rules=False), 9, range(9), 24)
    assert any((stage.condition != stage.in_consequent).any() for stage in path.values())
    assert min(path) == 0


def test_rules_are_kept_where_their_number_is_given():
    task = make_task(squares(), ridge=0.1)
    stages = [trained.stage for trained in eliminated_path(task, 3, keeps_rules=True)]
    assert {stage.rules for stage in stages} == {3}
    # The last one that has lost its IF speaks where no other does; the others keep a condition.
    assert (stages[-1].condition.sum(axis=1) == 0).sum() <= 1


def test_growth_finds_slopes_where_classes_are_told_apart_by_a_sum(task):
    path = Growth(task, 5, 24, 9).path()
    assert [task.parts(trained.stage) for trained in path[:3]] == [0, 1, 2]
    assert path[2].stage.in_consequent.tolist() == [[True, True, False, False, False, False]]


def test_growth_finds_rules_where_a_class_lies_in_a_quarter():
    samples = squares()
    inside = (samples.X[:, 0] > 0) & (samples.X[:, 1] > 0)
    samples = samples._replace(targets=np.eye(2)[inside.astype(int)])
    task = make_task(samples, ridge=0.1, consequents="constant")
    path = grown_path(Growth(task, 5, 24, 9))
    for trained in path:
        assert not trained.stage.consequent.any()
        assert trained.stage.rules <= 5
    best = best_by_size(task, path, 9, range(9), 24)
    assert task.training_loss(best[2]) < 0.2
    assert best[2].condition.sum(axis=0).tolist() == [1, 1, 0]


@pytest.mark.parametrize(("share", "most"), [(0.81, 4), (0.7, 4), (0.6, 1)])
def test_rules_that_ranges_tell_less_well_are_taken_where_others_are_worse_by_far(
    share, most, monkeypatch
):
    """Two rules can do exclusive or, and no scorecard can."""
    task = make_task(squares(), ridge=0.1)
    path = eliminated_path(task, 4, keeps_rules=False)

    def readability(task, trained):
        return 1.0 if trained.stage.rules == 1 else share

    monkeypatch.setattr(path_module, "readability", readability)
    found = best_by_size(task, path, 9, range(9), 24)
    assert max(stage.rules for stage in found.values()) == most


def test_rules_that_ranges_tell_less_well_are_not_taken_for_little(task, monkeypatch):
    monkeypatch.setattr(
        path_module, "readability", lambda task, one: 1.0 if one.stage.rules == 1 else 0.7
    )
    path = eliminated_path(task, 3, keeps_rules=False)
    found = best_by_size(task, path, 20, range(9), 60)
    assert {stage.rules for stage in found.values()} == {1}


def test_bounds_are_obeyed(task):
    path = best_by_size(task, eliminated_path(task, 2, keeps_rules=False), 2, (1, 2), 6)
    assert path
    assert max(path) <= 6
    assert max(stage.longest for stage in path.values()) <= 2
    grown = Growth(task, 2, 3, 1).path()
    assert max(task.parts(trained.stage) for trained in grown) <= 3
    assert max(trained.stage.rules for trained in grown) <= 2
    assert max(trained.stage.longest for trained in grown) <= 1


@pytest.mark.parametrize("inputs", [[slice(0, 1), slice(1, 4)], None])
def test_missing_values_and_categories_grow(inputs):
    samples = squares(200)
    generator = np.random.default_rng(1)
    kinds = np.eye(3)[generator.integers(0, 3, size=200)]
    X = np.column_stack([samples.X[:, 0], kinds])
    X[generator.random(200) < 0.1, 0] = np.nan
    targets = np.eye(2)[((X[:, 0] > 0) ^ (kinds[:, 1] > 0)).astype(int)]
    task = make_task(samples._replace(X=X, targets=targets), inputs, ridge=0.1)
    path = Growth(task, 5, 24, 9).path()
    losses = [task.training_loss(trained.stage) for trained in path]
    assert losses[-1] < 0.75 * losses[0]
