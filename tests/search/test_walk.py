"""The walk: what its paths keep, on made tables."""

import numpy as np
import pytest
from search.tables import TASKS, random_targets, search_table

from unfis.search.walk import walked

ROWS, MOST = 240, 7


def made(task, seed):
    """A table of two numbers, a few values and kinds, some missing, in three walks."""
    generator = np.random.default_rng(seed)
    columns = [
        generator.normal(size=ROWS),
        generator.normal(size=ROWS),
        generator.integers(0, 5, ROWS).astype(float),
        generator.integers(0, 4, ROWS).astype(float),
    ]
    signal = 2 * (columns[0] > 0.5) - (columns[2] > 2) * (columns[3] > 1) + (columns[3] == 0)
    columns[0][generator.random(ROWS) < 0.1] = np.nan
    targets = random_targets(task, generator, ROWS, signal - 0.5)
    if task == "number":
        targets = (targets - targets.mean()) / targets.std()
    weights = np.ones((3, ROWS))
    weights[0, ::2] = weights[1, 1::2] = 0
    return search_table(columns, targets, weights, TASKS[task], (0, 0, 0, 4))


@pytest.fixture(scope="module", params=[(task, seed) for task in TASKS for seed in (0, 1)])
def paths(request):
    task, seed = request.param
    table = made(task, seed)
    return table, walked(table, MOST, 2)


def test_there_are_rules_of_every_length(paths):
    _, found = paths
    assert 0 < found.longest <= MOST
    for walk in range(3):
        for length in range(found.longest + 1):
            stage = found.at(walk, length)
            assert len(stage.drafts) == len(stage.points) <= length
    for length in range(1, found.longest + 1):
        assert len(found.at(2, length).drafts) == length


def test_more_rules_have_less_loss(paths):
    """With the ridge, of the rows of a walk, as far as numbers of rules were come by."""
    _, found = paths
    for stages in found.stages:
        losses = [stages[length].loss for length in sorted(stages)]
        assert losses[-1] < losses[0]
        assert np.mean(np.diff(losses) < 0) > 0.7


def test_the_loss_of_a_stage_is_that_of_its_rules(paths):
    table, found = paths
    for walk, stages in enumerate(found.stages):
        for stage in stages.values():
            z = np.repeat(stage.start[:, None], ROWS, axis=1)
            for draft, points in zip(stage.drafts, stage.points, strict=True):
                z[draft.output] += points * table.rule_degrees(draft.conditions)
            weights = table.weights[[walk]]
            at = table.objective.evaluate(z[None], table.targets, weights)
            loss = float(weights[0] @ at.losses[0])
            unit = float(table.objective.dispersion(at.losses, weights, 1 + len(stage.points))[0])
            ridge = table.limits.ridge * unit * float(stage.points @ stage.points) / 2
            # The unit of a number is that of the rules one step before.
            np.testing.assert_allclose(stage.loss, loss + ridge, rtol=0.02)


def test_no_rule_is_there_twice(paths):
    _, found = paths
    for stages in found.stages:
        for stage in stages.values():
            assert len(set(stage.drafts)) == len(stage.drafts)


def test_rules_have_at_most_two_conditions_on_two_inputs(paths):
    _, found = paths
    lengths = set()
    for stages in found.stages:
        for stage in stages.values():
            for draft in stage.drafts:
                inputs = [one.input for one in draft.conditions]
                assert len(set(inputs)) == len(inputs)
                lengths.add(len(inputs))
    assert lengths <= {1, 2}


def test_of_noise_alone_no_rule_comes_again_and_again():
    """Nothing is there to say but whether one input is known: once."""
    generator = np.random.default_rng(0)
    column = np.where(generator.random(200) < 0.5, 7.0, np.nan)
    targets = (np.isnan(column) != (generator.random(200) < 0.1)).astype(float)
    table = search_table([column], targets, np.ones(200), TASKS["two"])
    assert walked(table, 5, 2).longest == 1
