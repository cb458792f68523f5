"""Elimination and choice of a network that predicts a number: nothing here knows of classes."""

import numpy as np
import pytest
from gaussian import Gaussian
from selection.conftest import make_task
from sklearn.linear_model import Ridge

from unfis.data.samples import Samples
from unfis.network.combination import MIXED_OUTPUTS
from unfis.selection.beginning import RIDGES, SearchSpace, best_ridge
from unfis.selection.choice import choose_path
from unfis.selection.decision import decide
from unfis.selection.path import eliminated_path
from unfis.selection.removal import removal_costs, removals
from unfis.selection.scoring import mean_and_error


@pytest.fixture
def samples():
    """The first two of six inputs say a number."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(150, 6))
    y = 2 * X[:, 0] - X[:, 1] + 0.3 * generator.normal(size=150)
    return Samples(X, Gaussian().encode(y, 1), np.ones(150))


def test_the_cost_of_a_removal_is_that_of_ridge_regression_without_the_input(samples):
    task = make_task(samples, combination=MIXED_OUTPUTS, ridge=0.7, objective=Gaussian())
    trained = task.trained(task.begin(1))
    X, targets, _ = samples

    def minimum(columns):
        fit = Ridge(alpha=0.7).fit(X[:, columns], targets[:, 0])
        errors = targets[:, 0] - fit.predict(X[:, columns])
        return 0.5 * (errors @ errors + 0.7 * fit.coef_ @ fit.coef_)

    before = minimum(list(range(6)))
    without = [minimum([j for j in range(6) if j != item]) for item in range(6)]
    costs = removal_costs(task, trained, removals(task, trained.stage, keeps_rules=False))
    np.testing.assert_allclose(costs, np.array(without) - before, rtol=1e-3, atol=0.05)


def test_the_path_keeps_the_inputs_that_matter(samples):
    task = make_task(samples, combination=MIXED_OUTPUTS, ridge=0.3, objective=Gaussian())
    path = eliminated_path(task, 1, keeps_rules=False)
    assert path[4].stage.in_consequent.tolist() == [[True, True, False, False, False, False]]


def test_the_ridge_is_chosen_by_the_leave_one_out_of_ridge_regression(samples):
    few = samples.part(np.arange(25))
    task = make_task(few, combination=MIXED_OUTPUTS, objective=Gaussian())
    found = best_ridge(task, 1, RIDGES, 3)
    X, y = few.X, few.targets[:, 0]
    losses = []
    for ridge in RIDGES:
        errors = []
        for row in range(25):
            rows = np.delete(np.arange(25), row)
            errors.append(y[row] - Ridge(alpha=ridge).fit(X[rows], y[rows]).predict(X[[row]])[0])
        losses.append(0.5 * np.mean(np.square(errors)))
    assert found.task.ridge == RIDGES[np.argmin(losses)]
    assert found.loss == pytest.approx(min(losses), rel=0.01)


def test_the_choice_finds_the_inputs_and_beats_the_mean(samples):
    task = make_task(samples, combination=MIXED_OUTPUTS, objective=Gaussian())
    choice = choose_path(task, SearchSpace(None, 3, None, None, "linear", 0.001))
    stage = choice.chosen.stage
    selected = stage.condition | stage.in_consequent
    assert selected[:, :2].any(axis=0).all()
    assert selected[:, 2:].sum() <= 3
    held_out, _ = mean_and_error(choice.chosen.losses, choice.weights)
    assert held_out < 0.1 * 0.5 * np.var(samples.targets)


@pytest.mark.parametrize("selection", ["decisive", "none"])
def test_a_decision_is_made(samples, selection):
    task = make_task(samples)
    space = SearchSpace(None, 2, None, None, "linear", 0.001)
    decision = decide(samples, task.inputs, task.start, selection, space, Gaussian())
    assert decision.network.shape.classes == 1
    assert decision.choices["n_rules"] in (1, 2)
