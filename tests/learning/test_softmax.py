"""Several soft-max regressions at once, beside one of scikit-learn's and the network's own."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from unfis.selection.scorecards import Scorecards

from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.softmax import SoftmaxRegressions, inverses


def table(classes, rows=150, inputs=4, seed=0):
    """Inputs, and classes by a soft-max of them."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, inputs))
    logits = X @ generator.normal(size=(inputs, classes)) * 2
    return X, (logits + generator.gumbel(size=logits.shape)).argmax(axis=1)


def regressions(X, y, weights, ridge, signs=None):
    columns = np.vstack([np.ones(len(X)), X.T])
    targets = (y == np.arange(y.max() + 1)[:, None]).astype(float)
    signs = np.zeros(len(columns)) if signs is None else np.append(0.0, signs)
    return SoftmaxRegressions(columns, targets, weights, np.full(len(weights), ridge), signs)


def trained(problem, inside=None):
    shape = (len(problem.weights), problem.outputs, len(problem.columns))
    inside = np.ones(shape, dtype=bool) if inside is None else inside
    found, _ = problem.trained(np.zeros(shape), inside)
    for _ in range(3):  # to the end
        found, _ = problem.trained(found.coefficients, inside)
    return found


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_each_is_the_ridge_regression_of_its_weights(classes):
    X, y = table(classes)
    weights = np.stack([np.ones(len(X)), np.arange(len(X)) % 3 + 0.5])
    found = trained(regressions(X, y, weights, 0.7))
    for own, coefficients, losses in zip(weights, found.coefficients, found.losses, strict=True):
        strength = 2 / 0.7 if classes == 2 else 1 / 0.7
        model = LogisticRegression(C=strength, tol=1e-10, max_iter=5000).fit(X, y, own)
        expected = -np.log(model.predict_proba(X)[np.arange(len(X)), y])
        np.testing.assert_allclose(losses, expected, atol=2e-3)
        slopes = coefficients[:, 1:]
        expected = model.coef_ - (model.coef_.mean(axis=0) if classes > 2 else 0)
        slopes = slopes - (slopes.mean(axis=0) if classes > 2 else 0)
        np.testing.assert_allclose(slopes, expected, atol=5e-3)


def test_what_is_outside_stays_0_and_the_rest_makes_up_for_it():
    X, y = table(4)
    problem = regressions(X, y, np.ones((1, len(X))), 0.5)
    inside = np.ones((1, 4, 5), dtype=bool)
    inside[0, 1, 2] = inside[0, 3, 4] = False
    some, all_of_them = trained(problem, inside), trained(problem)
    assert not some.coefficients[~inside].any()
    assert some.coefficients[inside].all()
    assert some.values[0] > all_of_them.values[0]
    # A minimum: no step of any coefficient inside leads down.
    for place in np.argwhere(inside):
        for step in (-1e-2, 1e-2):
            moved = some.coefficients.copy()
            moved[tuple(place)] += step
            assert problem.evaluated(moved).values[0] > some.values[0] - 1e-6


def test_blocks_are_the_curvature_of_each_class():
    X, y = table(3, rows=40)
    problem = regressions(X, y, np.ones((2, 40)), 0.5)
    here = trained(problem)
    p = here.probabilities
    blocks = problem.class_blocks(p * (1 - p))
    step = 1e-4
    for place in ((0, 0), (1, 2)):
        for column in range(5):
            values = []
            for sign in (-1, 0, 1):
                moved = here.coefficients.copy()
                moved[(*place, column)] += sign * step
                values.append(problem.evaluated(moved).values[place[0]])
            bent = (values[0] - 2 * values[1] + values[2]) / step**2
            assert blocks[(*place, column, column)] == pytest.approx(bent, rel=1e-3)


def test_inverses_leave_out_what_is_outside():
    blocks = np.array([[[[4.0, 1.0], [1.0, 2.0]]]])
    inside = np.array([[[True, False]]])
    np.testing.assert_allclose(inverses(blocks, inside)[0, 0], [[0.25, 0.0], [0.0, 1.0]])


def test_left_out_of_two_classes_is_that_of_the_network(two_class_task):
    """The same formula on the same model, trained by other means."""
    task = two_class_task
    network = task.trained(task.begin(1))
    expected = leave_one_out(network.problem, network.vector).losses
    found, _, _ = Scorecards(task).left_out(None)
    np.testing.assert_allclose(found, expected, rtol=0.03, atol=3e-3)


@pytest.fixture
def two_class_task():
    from selection.conftest import make_samples, make_task

    return make_task(make_samples(), ridge=0.3)


@pytest.mark.parametrize("classes", [3, 8])
def test_left_out_of_several_classes_is_near_what_training_without_them_gives(classes):
    X, y = table(classes, rows=60)
    weights = np.ones((61, 60))
    weights[np.arange(1, 61), np.arange(60)] = 0
    found = trained(regressions(X, y, weights, 3.0))
    expected = found.losses[np.arange(1, 61), np.arange(60)]
    problem = regressions(X, y, weights[:1], 3.0)
    whole = trained(problem)
    left_out = problem.left_out(whole, np.ones((1, classes, 5), dtype=bool))[0]
    assert left_out.mean() == pytest.approx(expected.mean(), rel=0.05)
    assert left_out.mean() > whole.losses.mean() * 1.05
    assert np.corrcoef(left_out, expected)[0, 1] > 0.98


@pytest.mark.parametrize("seed", range(4))
def test_signs_are_bounds_of_the_same_minimum(seed):
    """As scipy finds it by another algorithm."""
    X, y = table(2)
    signs = np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], X.shape[1])
    weights = np.ones((1, len(X)))
    problem = regressions(X, y, weights, 0.7, signs)
    found = trained(problem).coefficients[0, 0]
    bounds = {-1.0: (None, 0.0), 0.0: (None, None), 1.0: (0.0, None)}
    expected = minimize(
        lambda vector: problem.evaluated(vector[None, None]).values[0],
        np.zeros(len(found)),
        method="L-BFGS-B",
        bounds=[(None, None), *(bounds[sign] for sign in signs)],
        options={"ftol": 1e-14, "gtol": 1e-9, "maxiter": 5000},
    )
    np.testing.assert_allclose(found, expected.x, atol=2e-4)
    assert (signs * found[1:] >= 0).all()
    at_bound = problem.at_bound(found[None, None])[0, 0, 1:]
    np.testing.assert_array_equal(at_bound, (signs != 0) & (np.abs(expected.x[1:]) < 1e-6))


def test_left_out_takes_what_is_at_its_bound_for_absent():
    X, y = table(2)
    free = trained(regressions(X, y, np.ones((1, len(X))), 0.7)).coefficients[0, 0, 1:]
    signs = np.where(np.arange(len(free)) == 0, -np.sign(free), 0.0)  # against the first alone
    problem = regressions(X, y, np.ones((1, len(X))), 0.7, signs)
    here = trained(problem)
    everything = np.ones(here.coefficients.shape, dtype=bool)
    without = everything.copy()
    without[0, 0, 1] = False
    assert here.coefficients[0, 0, 1] == 0
    np.testing.assert_allclose(problem.left_out(here, everything), problem.left_out(here, without))
