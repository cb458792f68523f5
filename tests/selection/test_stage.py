from dataclasses import replace

import numpy as np
import pytest
from selection.conftest import make_samples, make_task

from unfis.network import forward
from unfis.network.constraints import Constraints
from unfis.selection.readability import agreement, is_readable, readability
from unfis.selection.stage import separation


def three_classes():
    """Two numbers and a category of four kinds."""
    samples = make_samples(inputs=6)
    samples = samples._replace(targets=np.eye(3)[np.arange(120) % 3])
    return make_task(samples, [slice(0, 1), slice(1, 2), slice(2, 6)])


def test_what_is_out_is_out_exactly(task):
    condition, consequent = np.zeros((2, 6), dtype=bool), np.zeros((2, 1, 6), dtype=bool)
    condition[0, :2] = consequent[1, 0, 2] = True
    begun = task.begin(2)
    stage = task.stage(begun.parameters, begun.start, condition, consequent)
    selection = stage.parameters.selection
    assert not selection.learned.any()
    np.testing.assert_array_equal(selection.in_condition, condition)
    np.testing.assert_array_equal(selection.in_classes, consequent)
    np.testing.assert_array_equal(stage.in_consequent, consequent[:, 0])
    trained = task.trained(stage).stage.parameters
    assert not trained.consequents[:, :, 1:][~consequent.repeat(2, 1)].any()
    assert stage.otherwise == trained.otherwise == 1


def test_parts_are_conditions_and_numbers():
    """Three classes: two numbers of a slope for all; four kinds of a category: three for each."""
    task = three_classes()
    assert task.outputs == 3
    assert task.numbers.tolist() == [1, 1, 3]
    assert task.starts == [0, 1, 2]
    begun = task.begin(2)
    condition = np.array([[True, False, True], [False, False, False]])
    consequent = np.zeros((2, 3, 6), dtype=bool)
    consequent[1, :, 1:] = True
    stage = task.stage(begun.parameters, begun.start, condition, consequent)
    assert task.parts(stage) == 2 + 2 + 6
    assert stage.longest == 2
    assert stage.in_consequent.tolist() == [[False] * 3, [False, True, True]]


def test_an_input_may_speak_for_one_class_and_a_kind_by_itself():
    task = three_classes()
    begun = task.begin(1)
    consequent = np.zeros((1, 3, 6), dtype=bool)
    consequent[0, 2, 0] = consequent[0, :2, 4] = True  # a number, and one kind for two classes
    stage = task.stage(begun.parameters, begun.start, begun.condition, consequent)
    assert task.counted(consequent).tolist() == [[1, 0, 2]]
    assert task.parts(stage) == 3
    trained = task.trained(stage).stage.parameters
    np.testing.assert_array_equal(trained.consequents[:, :, 1:] != 0, consequent)


def test_numbers_of_two_classes_are_those_of_one():
    task = make_task(make_samples())
    assert task.outputs == 1
    assert task.parts(task.begin(1)) == 6


def test_a_single_rule_needs_no_if(task):
    stage = task.begin(2)
    alone = stage.only_rules(np.array([True, False]))
    assert not alone.condition.any()
    assert alone.consequent.all()
    assert not task.begin(1).condition.any()


def test_one_rule_is_logistic_regression(task):
    from sklearn.linear_model import LogisticRegression

    X, targets, _ = task.samples
    trained = task.trained(task.begin(1))
    found = np.exp(forward(trained.stage.parameters, X).logits)
    other = LogisticRegression(C=2 / 0.3).fit(X, targets.argmax(axis=1)).predict_proba(X)
    np.testing.assert_allclose(found, other, atol=0.03)


def test_conditions_that_hold_everywhere_and_idle_rules_are_not_readable(task):
    condition, nothing = np.zeros((2, 6), dtype=bool), np.zeros((2, 1, 6), dtype=bool)
    condition[0, 0] = True
    begun = task.begin(2)
    stage = task.stage(begun.parameters, begun.start, condition, nothing)
    trained = task.trained(stage)

    def with_set(centre, width):
        parameters = trained.stage.parameters
        parameters.centres[0, 0], parameters.widths[0, 0] = centre, width
        vector = trained.network.vector_of(parameters)
        return is_readable(task, trained._replace(vector=vector))

    side = float(np.sign(trained.stage.parameters.centres[0, 0]))
    assert with_set(side, 1.0)
    assert not with_set(0.0, 9.0)  # holds on all samples
    assert not with_set(50.0 * side, 1.0)  # leads on none


def test_a_rule_that_names_another_class_than_most_of_its_samples_is_not_readable(task):
    condition, nothing = np.zeros((2, 6), dtype=bool), np.zeros((2, 1, 6), dtype=bool)
    condition[0, 0] = True
    begun = task.begin(2)
    trained = task.trained(task.stage(begun.parameters, begun.start, condition, nothing))
    assert is_readable(task, trained)
    parameters = trained.stage.parameters
    parameters.consequents[:, :, 0] *= -1
    parameters.thresholds[:] *= -1
    assert readability(task, trained._replace(vector=trained.network.vector_of(parameters))) == 0


def test_parameters_of_a_rule_of_all_inputs(task):
    """Six centres and widths, a bias and six slopes of one contrast; class rules have no slopes."""
    assert task.parameters_per_rule == 19
    assert replace(task, consequents="constant").parameters_per_rule == 13


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
    inside = make_task(samples).begin(2).consequent
    assert 100 < inside[0].sum() < 200
    assert inside[:, :, :2].all()


def test_agreement_is_the_share_on_which_the_strongest_rule_answers_alike(task):
    trained = task.trained(task.begin(2))
    assert agreement(task, task.trained(task.begin(1))) == 1
    found = trained.activations
    strongest = found.log_firing.argmax(axis=1)
    alone = found.said[np.arange(120), strongest].argmax(axis=1)
    same = alone == found.logits.argmax(axis=1)
    assert agreement(task, trained) == pytest.approx(same.mean())
    weights = np.arange(120.0)
    weighted = replace(task, samples=task.samples._replace(weights=weights))
    assert agreement(weighted, trained) == pytest.approx(weights @ same / weights.sum())


def test_work_grows_with_the_square_of_the_parameters(task):
    assert task.work(1) == 120 * 19**2
    assert task.work(2) == 120 * 38**2
    assert task.work(1000) == 120 * 1500**2  # of a network that begins with the best inputs alone


def test_what_an_expert_forbids_is_in_no_beginning():
    task = make_task(make_samples(), constraints=Constraints(frozenset({2}), {0: 1}))
    stage = task.begin(2)
    assert not stage.condition[:, [0, 2]].any()
    assert stage.condition[:, [1, 3]].all()
    assert stage.in_consequent[:, 0].all()
    assert not stage.in_consequent[:, 2].any()


@pytest.mark.parametrize("sign", [1, -1])
def test_slopes_of_the_wrong_sign_are_taken_out_in_training(sign):
    """More of the first two inputs makes the second class more probable."""
    task = make_task(make_samples(), ridge=0.1, constraints=Constraints(signs={0: sign, 1: 1}))
    stage = task.trained(task.begin(2)).stage
    rising = stage.parameters.consequents[:, 1, 1:] - stage.parameters.consequents[:, 0, 1:]
    inside = stage.in_consequent
    assert (rising[:, :2] * [sign, 1] >= 0).all()
    assert inside[:, 1].any()
    assert (rising[:, 0] != 0).tolist() == inside[:, 0].tolist()
    if sign < 0:
        assert not inside[:, 0].all()
