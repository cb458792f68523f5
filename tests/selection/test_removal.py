from dataclasses import replace

import numpy as np
import pytest
from selection.conftest import make_elimination, make_samples

from unfis.learning.damped import TrustRegion
from unfis.learning.loop import train
from unfis.network import forward, network_logits
from unfis.network.removal import removal_changes
from unfis.selection.removal import removal_costs, responses_to


def test_change_of_the_logits_is_that_of_the_network_without_the_condition(elimination):
    stage = elimination.train(elimination.begin(3)).stage
    X, pairs = elimination.samples.X, np.argwhere(stage.selected)
    activations = forward(stage.parameters, X)
    changes = removal_changes(stage.parameters, activations, pairs, elimination.inputs)
    for (rule, item), change in zip(pairs, changes, strict=True):
        selected = stage.selected.copy()
        selected[rule, item] = False
        without = elimination.decided(stage.parameters, selected)
        np.testing.assert_allclose(
            activations.logits + change, network_logits(without, X), atol=1e-10
        )


def test_change_by_an_input_of_several_columns_far_from_its_centre():
    """Two inputs of which one has two columns, and a rule that fires only without the other."""
    elimination = make_elimination(make_samples(inputs=3), ridge=0.3)
    elimination = replace(elimination, inputs=[slice(0, 1), slice(1, 3)])
    stage = elimination.begin(2)
    stage.parameters.consequents[:] = np.random.default_rng(0).normal(size=(2, 2, 4))
    stage.parameters.centres[0, 0] = 60.0
    X, pairs = elimination.samples.X, np.argwhere(stage.selected)
    activations = forward(stage.parameters, X)
    assert activations.strengths[:, 0].max() < 1e-200
    changes = removal_changes(stage.parameters, activations, pairs, elimination.inputs)
    for (rule, item), change in zip(pairs, changes, strict=True):
        selected = stage.selected.copy()
        selected[rule, item] = False
        without = network_logits(elimination.decided(stage.parameters, selected), X)
        np.testing.assert_allclose(activations.logits + change, without, atol=1e-10)


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


def test_costs_of_one_rule_are_those_of_training_again_without_the_condition(elimination):
    """One rule is linear in its parameters: the surgeon is exact up to the loss's third order."""
    stage, network, problem, vector = elimination.train(elimination.begin(1))
    costs = removal_costs(network, problem, vector, stage.selected, elimination.inputs)
    before = problem.value(vector)
    for item, cost in enumerate(costs):
        selected = stage.selected.copy()
        selected[0, item] = False
        shorter = stage._replace(
            parameters=elimination.decided(stage.parameters, selected), selected=selected
        )
        network, problem = elimination.problem(shorter)
        outcome = train(TrustRegion(tol=1e-9), problem, network.start, np.random.RandomState(0))
        rise = problem.value(outcome.vector) - before
        if item > 1:  # noise: the rise is small, and so is what the expansion leaves out
            assert cost == pytest.approx(rise, rel=0.2, abs=0.02)
        else:
            assert min(cost, rise) > 5 * max(costs[2:])


def test_of_two_copies_of_an_input_either_can_go():
    samples = make_samples()
    copied = samples._replace(X=np.column_stack([samples.X, samples.X[:, 0]]))
    elimination = make_elimination(copied, ridge=0.3)
    trained = elimination.train(elimination.begin(1))
    costs = elimination.costs(trained)
    assert costs[0] == pytest.approx(costs[6], rel=0.05, abs=0.02)
    assert costs[0] < 0.1 * costs[1]
    assert elimination.path(trained, [2])[0].selected[0, [0, 1, 6]].sum() == 2
