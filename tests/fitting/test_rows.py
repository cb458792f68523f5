"""However the rows are cut into blocks, a fit finds the same; facts of columns are theirs."""

import numpy as np
import pytest
from fitting.tables import Cut, assert_same, large
from search.tables import TASKS

from unfis.fitting import fit_rules
from unfis.fitting.evidence import evidence_of
from unfis.fitting.fit import SearchRequest
from unfis.fitting.rows import ColumnFacts, LocalRows, column_facts
from unfis.search.constraints import Constraints


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("task", TASKS)
def test_a_fit_of_blocks_is_that_of_the_table(task, whole):
    table, objective = large(12_000, task), TASKS[task]
    request = SearchRequest(max_rules=5, max_conditions=1, whole=whole)
    arrays = table.values, table.targets, table.weights
    expected = fit_rules(LocalRows(*arrays), table.kinds, objective, request)
    cut = Cut(*arrays, parts=7)
    found = fit_rules(cut, table.kinds, objective, request)
    assert_same(found.model, expected.model, points=1e-9)
    np.testing.assert_allclose(found.model.unit, expected.model.unit, rtol=1e-9)
    folds = [fold[-1] for fold in found.folds]
    some = evidence_of(found.model, folds, found.searched, cut)
    every = evidence_of(found.model, folds, found.searched, LocalRows(*arrays))
    np.testing.assert_allclose(some, every, rtol=1e-10)


@pytest.mark.parametrize("whole", [False, True])
def test_points_of_all_rows_are_those_of_a_search_of_all(whole):
    """Points by passes over blocks, of rules that drawn rows chose, beside a fit in memory."""
    table = large(9_000)
    rows = LocalRows(table.values, table.targets, table.weights)
    request = SearchRequest(max_rules=4, max_conditions=1, whole=whole, ridge=1.0)
    model = fit_rules(rows, table.kinds, TASKS["two"], request).model
    loss = {}
    for scale in (0.98, 1.0, 1.02):
        other = model.with_points(np.array(model.start), scale * points_of(model), model.unit)
        shares = other.predictions(table.values)[np.arange(9_000), table.targets.astype(int)]
        held = ((other.unit * points_of(other)) ** 2).sum() / 2
        loss[scale] = held - np.log(shares).sum()
    assert loss[1.0] < min(loss[0.98], loss[1.02])


def points_of(model):
    return np.array([rule.points for rule in model.rules])


@pytest.mark.parametrize("sign", [1, -1])
def test_directions_hold_for_points_of_all_rows(sign):
    table = large(9_000)
    constraints = Constraints({0: sign})
    rows = LocalRows(table.values, table.targets, table.weights)
    request = SearchRequest(max_rules=5, max_conditions=1, constraints=constraints)
    model = fit_rules(rows, table.kinds, TASKS["two"], request).model
    grid = np.zeros((200, 4))
    grid[:, 0] = np.linspace(-3, 3, 200)
    assert (sign * np.diff(model.predictions(grid)[:, 1]) >= 0).all()


def test_facts_of_columns():
    values = np.array(
        [[1.0, 0.5, np.nan, 2.0], [3.0, 1.0, np.nan, np.nan], [1.0, 2.0, np.nan, 2.0]]
    )
    rows = values, np.zeros(3), np.ones(3)
    for parts in (1, 2, 3):
        facts = Cut(*rows, parts=parts).joined(column_facts, ColumnFacts.joined)
        np.testing.assert_array_equal(facts.low, [1, 0.5, np.nan, 2])
        np.testing.assert_array_equal(facts.high, [3, 2, np.nan, 2])
        np.testing.assert_array_equal(facts.whole, [True, False, True, True])
        np.testing.assert_array_equal(facts.two, [True, False, True, True])
