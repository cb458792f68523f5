"""Every objective: its derivatives by finite differences, its start, and what weights mean.

A new objective is tested by one more line in OBJECTIVES.
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, gammaln
from scipy.stats import poisson

from unfis.objective import (
    CrossEntropyOfClasses,
    CrossEntropyOfTwo,
    HalfSquaredError,
    PoissonDeviance,
)
from unfis.rules.link import LINKS

ROWS = 12
GENERATOR = np.random.default_rng(0)
# An objective, targets, and the loss of one row by its definition.
OBJECTIVES = {
    "two": (CrossEntropyOfTwo(), GENERATOR.integers(0, 2, ROWS), lambda z, y: -np.log(
        expit(z[0] if y else -z[0]))),
    "three": (CrossEntropyOfClasses(3), np.arange(ROWS) % 3, lambda z, y: -np.log(
        np.exp(z[int(y)]) / np.exp(z).sum())),
    "number": (HalfSquaredError(), GENERATOR.normal(size=ROWS), lambda z, y: (y - z[0]) ** 2 / 2),
    "count": (PoissonDeviance(), GENERATOR.poisson(2, ROWS), lambda z, y:
        -poisson.logpmf(y, np.exp(z[0])) - gammaln(y + 1)),
}  # fmt: skip
WALKS = 2


@pytest.fixture(params=OBJECTIVES.values(), ids=OBJECTIVES)
def case(request):
    """An objective, targets, outputs of two walks, their weights, and the loss of one row."""
    objective, targets, loss = request.param
    generator = np.random.default_rng(1)
    z = generator.normal(size=(WALKS, objective.outputs, ROWS))
    weights = generator.uniform(0.5, 3.0, size=(WALKS, ROWS))
    return objective, targets.astype(float), z, weights, loss


def curvatures(at, weights):
    """weight * (diag(own) - shared shared') of each row, (walks, rows, outputs, outputs)."""
    if at.shared is None:
        return at.curvature.transpose(0, 2, 1)[..., None]
    shares = at.shared.transpose(0, 2, 1)
    own = shares[..., None] * np.eye(shares.shape[2])
    return weights[:, :, None, None] * (own - shares[..., :, None] * shares[..., None, :])


def test_losses_are_those_of_the_definition(case):
    objective, targets, z, weights, loss = case
    expected = [[loss(z[w, :, i], targets[i]) for i in range(ROWS)] for w in range(WALKS)]
    np.testing.assert_allclose(objective.evaluate(z, targets, weights).losses, expected)


def test_gradient_and_curvature_by_finite_differences(case):
    objective, targets, z, weights, _ = case
    at, step = objective.evaluate(z, targets, weights), 1e-5
    slopes, bends = [], []
    for output in range(objective.outputs):
        moved = np.zeros(z.shape)
        moved[:, output] = step
        up, down = (objective.evaluate(z + s * moved, targets, weights) for s in (1, -1))
        slopes.append(-weights * (up.losses - down.losses) / (2 * step))
        bends.append(-(up.gradient - down.gradient) / (2 * step))
    np.testing.assert_allclose(at.gradient, np.stack(slopes, axis=1), atol=1e-8)
    whole = curvatures(at, weights)
    np.testing.assert_allclose(whole, np.array(bends).transpose(1, 3, 2, 0), atol=1e-8)
    diagonal = np.einsum("wroo->wor", whole)
    np.testing.assert_allclose(at.curvature, diagonal, atol=1e-8)


def test_curvature_is_never_negative_however_far_away(case):
    objective, targets, z, weights, _ = case
    at = objective.evaluate(1e4 * z, targets, weights)
    assert all(np.isfinite(one).all() for one in at if one is not None)
    assert (at.curvature >= 0).all()


def test_the_start_is_the_best_constant(case):
    objective, targets, z, weights, _ = case

    def loss(constant, walk):
        constants = np.repeat(constant[:, None], ROWS, axis=1)[None]
        at = objective.evaluate(constants, targets, weights[[walk]])
        return float((weights[walk] * at.losses[0]).sum())

    start = objective.start(targets, weights)
    for walk in range(WALKS):
        best = minimize(loss, z[walk].mean(axis=1), args=(walk,), options={"gtol": 1e-8})
        np.testing.assert_allclose(loss(start[walk], walk), best.fun, rtol=1e-8)
        constants = np.repeat(start[walk][:, None], ROWS, axis=1)[None]
        gradient = objective.evaluate(constants, targets, weights[[walk]]).gradient
        np.testing.assert_allclose(gradient.sum(axis=2), 0.0, atol=1e-10)


def test_a_weight_of_2_is_a_row_twice(case):
    objective, targets, z, _, _ = case
    counts = np.arange(ROWS) % 3 + 1
    twice = np.repeat(np.arange(ROWS), counts)
    weighted, ones = counts[None] * np.ones((WALKS, 1)), np.ones((WALKS, len(twice)))
    repeated = targets[twice]
    np.testing.assert_allclose(
        objective.start(targets, weighted), objective.start(repeated, ones), rtol=1e-12
    )
    np.testing.assert_allclose(
        objective.units(targets, counts.astype(float)), objective.units(repeated, ones[0])
    )
    at = objective.evaluate(z, targets, weighted)
    whole = objective.evaluate(z[:, :, twice], repeated, ones)
    np.testing.assert_allclose(at.gradient.sum(axis=2), whole.gradient.sum(axis=2), atol=1e-12)
    np.testing.assert_allclose(at.curvature.sum(axis=2), whole.curvature.sum(axis=2))
    np.testing.assert_allclose(
        objective.dispersion(at.losses, weighted, 3), objective.dispersion(whole.losses, ones, 3)
    )


def test_one_walk_of_several(case):
    objective, targets, z, weights, _ = case
    every = objective.evaluate(z, targets, weights).of_walk(1)
    alone = objective.evaluate(z[1:], targets, weights[1:])
    for one, other in zip(every, alone, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_array_equal(one, other)


def test_the_start_of_constant_targets_is_finite(case):
    objective, _, _, weights, _ = case
    for target in (0.0, 1.0):
        assert np.isfinite(objective.start(np.full(ROWS, target), weights)).all()
        shift, scale = objective.units(np.full(ROWS, target), weights[0])
        assert scale > 0
        assert np.isfinite(shift)


def test_links_are_known(case):
    assert case[0].link in LINKS


def test_the_commonest_class_starts_at_0():
    weights = np.array([[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]])
    start = CrossEntropyOfClasses(3).start(np.array([0, 1, 1, 1, 2, 2.0]), weights)
    np.testing.assert_allclose(start, [np.log([1 / 3, 1.0, 2 / 3])])


def test_another_unit_of_a_number_gives_the_same_targets():
    targets, weights = np.array([1.0, 2.0, 4.0, 5.0]), np.array([1.0, 2.0, 1.0, 1.0])
    objective = HalfSquaredError()
    shift, scale = objective.units(targets, weights)
    np.testing.assert_allclose(
        [shift, scale**2], [14 / 5, (1.8**2 + 2 * 0.8**2 + 1.2**2 + 2.2**2) / 5]
    )
    other_shift, other_scale = objective.units(1000 * targets - 7, weights)
    np.testing.assert_allclose(
        (1000 * targets - 7 - other_shift) / other_scale, (targets - shift) / scale
    )


def test_the_dispersion_of_a_number_is_the_variance_of_its_residuals():
    residuals, weights = np.array([[1.0, -1.0, 2.0]]), np.array([[2.0, 1.0, 2.0]])
    found = HalfSquaredError().dispersion(residuals**2 / 2, weights, 2)
    np.testing.assert_allclose(found, (2 + 1 + 8) / (5 - 2))
