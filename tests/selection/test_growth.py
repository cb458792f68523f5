"""What a step is estimated to gain, beside what it does gain."""

import numpy as np
import pytest
from selection.conftest import make_samples, make_task, squares

from unfis.network import network_logits
from unfis.network.constraints import Constraints
from unfis.selection.fired import fired_by
from unfis.selection.fuzzy_sets import fuzzy_sets, number_sets, quantiles
from unfis.selection.growth import Growth


def loss_of(task, stage):
    outputs = network_logits(stage.parameters, task.samples.X)
    return float(task.samples.weights @ task.objective.losses(outputs, task.samples.targets))


@pytest.mark.parametrize("make", [make_samples, squares])
def test_new_rules_and_conditions_gain_what_is_estimated(make):
    """Before any training a rule says the class frequencies where it is strong: exactly that."""
    task = make_task(make(), ridge=0.1)
    growth = Growth(task, 5, 24, 9)
    trained = task.trained(growth.first())
    for _ in range(3):
        fired = fired_by(task, trained)
        before = loss_of(task, trained.stage)
        steps = [step for step in growth.steps(trained.stage, fired) if step.kind != "slope"]
        assert steps
        for step in steps:
            applied = growth.applied(trained.stage, step, fired)
            assert before - loss_of(task, applied) == pytest.approx(step.gain, abs=0.05)
        trained = growth.grown(trained)


def test_slopes_gain_about_what_the_score_test_says(task):
    growth = Growth(task, 5, 24, 9)
    trained = task.trained(growth.first())
    fired = fired_by(task, trained)
    slopes = {
        step.item: step for step in growth.steps(trained.stage, fired) if step.kind == "slope"
    }
    assert set(slopes) == set(range(6))
    assert min(slopes[0].gain, slopes[1].gain) > 5 * max(slopes[j].gain for j in range(2, 6))
    before = trained.problem.value(trained.vector)
    for item in range(2, 6):  # noise: the step is small, and so is what the expansion leaves out
        longer = task.trained(growth.applied(trained.stage, slopes[item], fired))
        gained = before - longer.problem.value(longer.vector)
        assert gained == pytest.approx(slopes[item].gain, rel=0.1, abs=0.02)


def test_sets_of_a_number_are_low_or_high_or_medium():
    values = np.linspace(-1, 1, 101)
    held = []
    for centre, width in number_sets(values, np.ones(101)):
        inside = values[np.exp(-0.5 * ((values - centre) / width) ** 2) > 0.5]
        held.append((inside.min() == -1, inside.max() == 1))
    assert {(True, False), (False, True), (False, False)} <= set(held)
    assert len(held) == len(set(map(str, number_sets(values, np.ones(101)))))


def test_sets_of_few_values_part_them():
    low, high = number_sets(np.array([3.0, 5.0, 5.0]), np.ones(3))
    assert (low[0].item(), high[0].item()) == (3.0, 5.0)
    assert np.exp(-0.5 * (1.0 / low[1].item()) ** 2) == pytest.approx(0.5)
    assert not list(number_sets(np.array([2.0, np.nan, 2.0]), np.ones(3)))


def test_sets_of_kinds_accept_one_or_all_but_one():
    kinds = np.eye(3)[[0, 1, 2, 0]]
    sets = fuzzy_sets(make_samples(4)._replace(X=kinds, weights=np.ones(4)), {0: slice(0, 3)})
    held = (sets.degrees > 0.5).T.tolist()
    assert [True, False, False, True] in held
    assert [False, True, True, False] in held
    assert len(held) == 6
    assert not sets.inputs.any()


def test_quantiles_are_those_of_repeated_rows():
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([1.0, 2.0, 1.0])
    assert quantiles(values, weights, [0.05, 0.5, 0.75, 0.95]) == [1.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("sign", [1, -1])
def test_slopes_grow_only_the_allowed_way(sign):
    """More of the first input makes the second class more probable."""
    constraints = Constraints(frozenset({1}), {0: sign})
    task = make_task(make_samples(), ridge=0.1, constraints=constraints)
    growth = Growth(task, 5, 24, 9)
    trained = task.trained(growth.first())
    steps = list(growth.steps(trained.stage, fired_by(task, trained)))
    slopes = {step.item for step in steps if step.kind == "slope"}
    assert (0 in slopes) == (sign > 0)
    assert 1 not in slopes
    assert 2 in slopes
    sets = {int(growth.sets.inputs[step.fuzzy_set]) for step in steps if step.kind == "rule"}
    assert sets
    assert not sets & {0, 1}
