from dataclasses import replace

import numpy as np
import pytest
from selection.conftest import make_samples, make_task

from unfis.learning.damped import TrustRegion
from unfis.learning.loop import train
from unfis.network import network_logits
from unfis.network.combination import AVERAGED, MIXED_OUTPUTS
from unfis.selection.removal import (
    output_changes,
    removal_costs,
    removals,
    responses_to,
    without,
)


def stage_without(task, stage, removal):
    """The network without something, its widths as they were."""
    shorter = without(task, stage, [removal])
    widths = stage.parameters.widths
    if removal.half == "rule":
        widths = widths[np.arange(len(widths)) != removal.rule]
    return replace(shorter.parameters, widths=widths)


def changes_of(task, trained, options):
    linearised = trained.network.linearise(trained.vector, trained.problem.prepared[1])
    return linearised.outputs, output_changes(task, trained, linearised, options)


@pytest.mark.parametrize("combination", [AVERAGED, MIXED_OUTPUTS])
@pytest.mark.parametrize("rules", [2, 3])
def test_change_of_the_outputs_is_that_of_the_network_without(combination, rules):
    """Of conditions and whole rules, with a rule that speaks otherwise and without."""
    task = make_task(make_samples(inputs=4), [slice(0, 1), slice(1, 3), slice(3, 4)], ridge=0.3)
    task = replace(task, combination=combination)
    begun = task.begin(rules)
    for otherwise in (False, True):
        condition = begun.condition.copy()
        condition[-1] &= not (otherwise and combination is AVERAGED)
        stage = task.stage(begun.parameters, begun.start, condition, begun.consequent)
        trained = task.trained(stage, iterations=3)
        options = removals(task, stage, keeps_rules=False)
        options = [removal for removal in options if removal.half != "consequent"]
        assert {removal.half for removal in options} == {"condition", "rule"}
        outputs, changes = changes_of(task, trained, options)
        for removal, change in zip(options, changes, strict=True):
            found = network_logits(stage_without(task, trained.stage, removal), task.samples.X)
            expected = found - found.mean(axis=1, keepdims=True)
            moved = outputs + change
            moved = moved - moved.mean(axis=1, keepdims=True)
            np.testing.assert_allclose(moved, expected, atol=1e-9)


def test_response_is_the_best_of_the_other_parameters():
    """Against the minimum of u'd + d'Hd/2 over the parameters that are not held."""
    generator = np.random.default_rng(0)
    root = generator.normal(size=(9, 6))
    curvature = root.T @ root
    gradients = generator.normal(size=(6, 3))
    held = np.zeros((6, 3), dtype=bool)
    held[[0, 3], 0] = held[[1], 1] = held[[4, 5], 2] = True
    found = responses_to(gradients, np.linalg.inv(curvature), held)
    for column in range(3):
        free = ~held[:, column]
        inner = np.linalg.solve(curvature[np.ix_(free, free)], gradients[free, column])
        assert found[column] == pytest.approx(0.5 * gradients[free, column] @ inner)


@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("classes", [2, 3])
def test_costs_of_slopes_are_those_of_the_quadratic_model_without_them(classes, rules):
    """Of all columns of an input for one output; the others respond as well as they can."""
    samples = make_samples(inputs=4)
    samples = samples._replace(targets=np.eye(classes)[np.arange(120) % classes])
    task = make_task(samples, [slice(0, 1), slice(1, 3), slice(3, 4)], ridge=0.3)
    trained = task.trained(task.begin(rules), iterations=3)
    options = [one for one in removals(task, trained.stage, True) if one.half == "consequent"]
    assert len(options) == rules * 3 * task.outputs
    assert {one.output for one in options} == set(range(task.outputs))
    costs = removal_costs(task, trained, options)
    system = trained.problem.system(trained.vector)
    curvature = np.tril(system.gram) + np.tril(system.gram, -1).T
    curvature += np.diag(system.diagonal + system.least_damping())
    for removal, cost in zip(options, costs, strict=True):
        shorter = without(task, trained.stage, [removal])
        after = trained.network.values_of(shorter.parameters)
        gone = (after == 0) & (trained.vector != 0)
        assert gone.sum() == (2 if removal.item == 1 else 1)
        change = -trained.vector[gone]
        cross = curvature[np.ix_(~gone, gone)] @ change
        least = change @ curvature[np.ix_(gone, gone)] @ change
        least -= cross @ np.linalg.solve(curvature[np.ix_(~gone, ~gone)], cross)
        assert cost == pytest.approx(0.5 * least, rel=1e-4, abs=1e-9)


def test_costs_of_one_rule_are_those_of_training_again_without_the_slope(task):
    """One rule is linear in its parameters: the surgeon is exact up to the loss's third order."""
    trained = task.trained(task.begin(1))
    options = removals(task, trained.stage, keeps_rules=False)
    costs = removal_costs(task, trained, options)
    before = trained.problem.value(trained.vector)
    for item, (removal, cost) in enumerate(zip(options, costs, strict=True)):
        network, problem = task.problem(without(task, trained.stage, [removal]))
        outcome = train(TrustRegion(tol=1e-9), problem, network.start, np.random.RandomState(0))
        rise = problem.value(outcome.vector) - before
        if item > 1:  # noise: the rise is small, and so is what the expansion leaves out
            assert cost == pytest.approx(rise, rel=0.2, abs=0.02)
        else:
            assert min(cost, rise) > 5 * max(costs[2:])


def test_of_two_copies_of_an_input_either_can_go():
    samples = make_samples()
    copied = samples._replace(X=np.column_stack([samples.X, samples.X[:, 0]]))
    task = make_task(copied, ridge=0.3)
    trained = task.trained(task.begin(1))
    costs = removal_costs(task, trained, removals(task, trained.stage, keeps_rules=False))
    assert costs[0] == pytest.approx(costs[6], rel=0.05, abs=0.02)
    assert costs[0] < 0.1 * costs[1]


def test_what_can_be_taken_out(task):
    stage = task.begin(2)
    halves = [removal.half for removal in removals(task, stage, keeps_rules=False)]
    assert halves == ["consequent"] * 12 + ["condition"] * 12 + ["rule"] * 2
    assert "rule" not in {removal.half for removal in removals(task, stage, keeps_rules=True)}
    condition = stage.condition.copy()
    condition[:, 1:] = False
    last = task.stage(stage.parameters, stage.start, condition, stage.consequent)
    # Either may lose its last condition, but not both: one speaks otherwise then.
    options = [one for one in removals(task, last, keeps_rules=False) if one.half == "condition"]
    assert [one.rule for one in options] == [0, 1]
    fewer = without(task, last, options[:1])
    assert fewer.otherwise == 0
    assert not any(one.half == "condition" for one in removals(task, fewer, keeps_rules=False))
    # The rule that speaks otherwise goes only with the last other one.
    assert [one.rule for one in removals(task, fewer, False) if one.half == "rule"] == [0, 1]


def test_a_category_of_which_some_kinds_are_in_can_go():
    """As of a scorecard that is split, whose kinds go one by one: the first may be out."""
    samples = make_samples()
    samples = samples._replace(targets=np.eye(3)[np.arange(120) % 3])
    task = make_task(samples, [slice(0, 1), slice(1, 6)], ridge=0.3)
    begun = task.begin(1)
    consequent = np.zeros((1, 3, 6), dtype=bool)
    consequent[0, 0, 3] = consequent[0, 1, 1:] = consequent[0, 2, 0] = True
    stage = task.stage(begun.parameters, begun.start, begun.condition, consequent)
    options = removals(task, stage, keeps_rules=False)
    assert [(one.output, one.item, one.saved) for one in options] == [
        (0, 1, 1),
        (1, 1, 4),
        (2, 0, 1),
    ]
    assert (removal_costs(task, task.trained(stage), options) > 0).all()
    for one in options:
        fewer = without(task, stage, [one])
        assert not fewer.consequent[0, one.output].any()
        assert task.parts(stage) - task.parts(fewer) == one.saved
