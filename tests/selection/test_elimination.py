import numpy as np
import pytest
from selection.conftest import make_elimination, make_samples

from unfis.selection.elimination import next_size, path_sizes, separation


def test_sizes_fall_by_a_quarter_and_then_one_by_one():
    assert path_sizes(26, 2) == [26, 19, 14, 10, 9, 8, 7, 6, 5, 4, 3, 2]
    assert path_sizes(3, 3) == [3]
    assert next_size(11, 2) == 10


def test_what_is_out_is_out_exactly(elimination):
    stage = elimination.shorten(elimination.train(elimination.begin(2)), 4).stage
    assert stage.conditions == 4
    assert not stage.parameters.selection.learned.any()
    np.testing.assert_array_equal(stage.parameters.selection.in_condition, stage.selected)
    assert not stage.parameters.consequents[:, :, 1:][
        ~stage.selected[:, None, :].repeat(2, 1)
    ].any()


def test_the_path_keeps_the_inputs_that_matter(elimination):
    first = elimination.train(elimination.begin(1))
    stages = elimination.path(first, path_sizes(6, 1))
    assert [stage.conditions for stage in stages] == [6, 5, 4, 3, 2, 1]
    assert stages[4].selected.tolist() == [[True, True, False, False, False, False]]
    objectives = [elimination.trained(stage).objective for stage in stages]
    assert (np.diff(objectives) > -1e-3).all()  # what is lost is not gained, but for training's end


def test_of_inputs_that_say_the_same_the_earlier_stays():
    samples = make_samples()
    twice = samples._replace(X=np.hstack([samples.X[:, :2], samples.X[:, :2]]))
    elimination = make_elimination(twice, ridge=0.3)
    last = elimination.path(elimination.train(elimination.begin(1)), path_sizes(4, 1))[2]
    assert last.selected.tolist() == [[True, True, False, False]]


def test_every_rule_keeps_a_condition(elimination):
    first = elimination.train(elimination.begin(3))
    last = elimination.path(first, path_sizes(18, 3))[-1]
    assert last.selected.sum(axis=1).tolist() == [1, 1, 1]


@pytest.mark.parametrize("longest", [1, 2, 4])
def test_the_bound_on_a_rule_is_obeyed_on_the_whole_path(longest):
    elimination = make_elimination(make_samples(), longest, ridge=0.3)
    first = elimination.train(elimination.begin(2))
    for stage in elimination.path(first, path_sizes(2 * longest, 2)):
        assert stage.selected.sum(axis=1).max() <= longest


def test_an_idle_rule_goes_and_a_narrow_one_inside_a_wide_one_stays():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(200, 2))
    inner = (X**2).sum(axis=1) < 1.0
    from unfis.data.samples import Samples

    ring = make_elimination(
        Samples(X, np.eye(2)[inner.astype(int)], np.ones(200)), keeps_idle=False, ridge=0.03
    )
    assert len(ring.train(ring.begin(2)).stage.selected) == 2
    # Two rules from one group are the same rule: one of them never leads.
    single = make_samples(40)
    same = single._replace(X=np.repeat(single.X[:1], 40, axis=0))
    twice = make_elimination(same, keeps_idle=False, ridge=1.0)
    assert len(twice.train(twice.begin(2)).stage.selected) == 1


def test_separation_by_hand():
    """Column 0: means 0 and 2, variance 1 between of 2 in all; column 1 constant; 2 with a hole."""
    X = np.array([[-1.0, 5, 0], [1, 5, np.nan], [1, 5, 0], [3, 5, 4]])
    targets = np.eye(2)[[0, 0, 1, 1]]
    found = separation(X, targets, np.ones(4))
    assert found[0] == pytest.approx(0.5)
    assert found[1] == 0
    # Known values 0 | 0, 4: means 0, 2 of 4/3, weighted with each class's whole weight.
    assert found[2] > 0


def test_very_many_inputs_begin_with_those_that_separate_the_classes_best():
    samples = make_samples(rows=80, inputs=1000)
    elimination = make_elimination(samples)
    selected = elimination.begin(2).selected
    assert 100 < selected[0].sum() < 200
    assert selected[:, :2].all()
