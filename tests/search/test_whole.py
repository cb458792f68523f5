"""Whole points: they cost little, and the start and the unit are those that fit them."""

import numpy as np
import pytest
from search.tables import TASKS, random_targets

from unfis.search.refit import Design, refit
from unfis.search.whole import round_points, whole_points

ROWS, RULES, RIDGE = 500, 6, 0.5
ALLOWED = 0.5 * RULES


def fitted(task, seed, factor=1.0):
    """A design, targets, weights and the points that fit them best."""
    generator = np.random.default_rng(seed)
    degrees = np.clip(generator.normal(0.3, 0.6, size=(1, RULES, ROWS)), 0, 1)
    effects = generator.uniform(0.4, 2.0, RULES) * generator.choice([-1, 1], RULES)
    targets = factor * random_targets(task, generator, ROWS, effects @ degrees[0])
    weights = generator.integers(1, 3, size=(1, ROWS)).astype(float)
    objective = TASKS[task]
    design = Design(degrees, np.arange(RULES)[None] % objective.outputs)
    start, nothing = objective.start(targets, weights), np.zeros((1, RULES))
    fit = refit(design, objective, targets, weights, np.array([RIDGE]), start, nothing)
    return design, objective, targets, weights, fit


def loss(design, objective, targets, weights, found):
    """The loss with its ridge at whole points, by the arithmetic that a person does."""
    z = np.repeat(found.start[:, None], ROWS, axis=1)
    for degrees, output, points in zip(
        design.degrees[0], design.outputs[0], found.points, strict=True
    ):
        z[output] += points * degrees
    at = objective.evaluate(found.unit * z[None], targets, weights)
    prior = RIDGE * float((found.unit * found.points) @ (found.unit * found.points)) / 2
    return float(weights[0] @ at.losses[0]) + prior


@pytest.mark.parametrize("task", ["two", "three", "count"])
@pytest.mark.parametrize("seed", range(4))
def test_points_are_whole_and_cost_little(task, seed):
    *table, fit = fitted(task, seed)
    found = whole_points(*table, fit, ALLOWED, RIDGE)
    assert (found.points == np.rint(found.points)).all()
    assert (found.points != 0).all()
    assert abs(found.points).max() <= 9
    assert (np.sign(found.points) == np.sign(fit.points[0])).all()
    # Where the most points are still too few, they are taken all the same.
    allowed = ALLOWED if abs(found.points).max() < 9 else 3 * ALLOWED
    assert loss(*table, found) <= fit.losses[0] + allowed + 0.1  # of a start to one decimal


@pytest.mark.parametrize("task", ["two", "three", "count"])
def test_start_and_unit_are_the_best_for_the_points(task):
    *table, fit = fitted(task, 0)
    found = whole_points(*table, fit, ALLOWED, RIDGE)
    least = loss(*table, found)
    for factor in (0.9, 1.1):
        other = found._replace(unit=factor * found.unit, start=found.start / factor)
        assert loss(*table, other) > least
    for output in range(len(found.start)):
        for step in (-1.0, 1.0):
            moved = found._replace(start=found.start + step * np.eye(len(found.start))[output])
            assert loss(*table, moved) > least
    np.testing.assert_array_equal(found.start, np.round(found.start, 1))


@pytest.mark.parametrize("task", ["two", "count"])
def test_the_more_nats_they_may_cost_the_fewer_points_there_are(task):
    *table, fit = fitted(task, 1)
    most = [
        abs(whole_points(*table, fit, allowed, RIDGE).points).max()
        for allowed in (0.0, ALLOWED, np.inf)
    ]
    assert most[0] == 9
    assert most[0] >= most[1] >= most[2]
    assert most[2] < 9


@pytest.mark.parametrize("factor", [1e-6, 1.0, 2.54, 1e4])
def test_points_of_a_number_are_round_in_its_unit(factor):
    """Targets of deviation 1 are searched; what a person reads is `factor` times that."""
    *table, fit = fitted("number", 2)
    found = round_points(*table, fit, ALLOWED, factor)
    assert found.unit == 1.0
    written = [f"{points * factor:.10e}".split("e")[0].rstrip("0") for points in found.points]
    assert max(len(digits.strip("-").replace(".", "")) for digits in written) <= 3
    assert (found.points != 0).all()
    _, objective, targets, weights, _ = *table, fit
    z = found.start[:, None] + found.points @ table[0].degrees[0]
    lost = weights[0] @ (objective.evaluate(z[None], targets, weights).losses - fit.at.losses)[0]
    assert lost <= ALLOWED
    np.testing.assert_allclose(weights[0] @ (targets - z[0]), 0.0, atol=1e-9 * ROWS)


@pytest.mark.parametrize("task", ["two", "three"])
def test_rules_that_say_nothing_stay_as_they_are(task):
    design, objective, targets, weights, fit = fitted(task, 3)
    nothing = fit._replace(points=np.zeros((1, RULES)))
    found = whole_points(design, objective, targets, weights, nothing, ALLOWED, RIDGE)
    np.testing.assert_array_equal(found.points, 0.0)
    assert found.unit == 1.0
