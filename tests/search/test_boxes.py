"""Boxes: two conditions at once, of which neither says anything alone."""

from itertools import combinations

import numpy as np
import pytest
from search.tables import FREE, LIMITS, exact_gain, search_table

from unfis.objective import CrossEntropyOfTwo, HalfSquaredError
from unfis.search.boxes import Boxes
from unfis.search.state import State
from unfis.search.walk import walked


def best_box(columns, targets, objective, limits=LIMITS):
    table = search_table(columns, targets, np.ones(len(targets)), objective, limits=limits)
    state = State.begin(table)
    return state, list(Boxes(table).best(state, 0, 0))


def test_a_box_is_found_that_no_input_alone_tells_of():
    generator = np.random.default_rng(0)
    columns = generator.uniform(0, 10, size=(8, 600))
    same = (columns[2] > 5) == (columns[6] > 5)
    targets = (generator.random(600) < np.where(same, 0.85, 0.15)).astype(float)
    _, (move,) = best_box(columns, targets, CrossEntropyOfTwo())
    assert [one.input for one in move.draft.conditions] == [2, 6]
    assert move.score > 5
    _, none = best_box(np.delete(columns, 2, axis=0), targets, CrossEntropyOfTwo())
    assert not none


def test_the_score_of_a_box_of_few_values_is_what_a_squared_error_gets_less_by():
    """Half of it, as there are two conditions to read, less the price of how many were tried."""
    generator = np.random.default_rng(1)
    columns = generator.integers(0, 4, size=(5, 300)).astype(float)
    inside = (columns[1] == 2) & (columns[3] >= 2)
    targets = 3.0 * inside + generator.normal(size=300)
    state, (move,) = best_box(columns, targets, HalfSquaredError(), FREE)
    first, second = move.draft.conditions
    assert (first.input, first.a, first.d) == (1, 2.0, 3.0)
    assert (second.input, second.a, second.d) == (3, 2.0, np.inf)
    pairs, exact = len([*combinations(range(5), 2)]), exact_gain(state, move.draft)
    assert np.log(pairs) < exact - 2 * move.score < np.log(pairs * 1000)


@pytest.mark.parametrize("most_conditions", [1, 2])
def test_the_walk_finds_xor_of_two_of_twenty_inputs_if_a_rule_may_have_two(most_conditions):
    generator = np.random.default_rng(2)
    columns = generator.uniform(0, 10, size=(20, 1000))
    targets = ((columns[4] > 5) != (columns[11] > 5)).astype(float)
    table = search_table(columns, targets, np.ones(1000), CrossEntropyOfTwo())
    stage = walked(table, 4, most_conditions).at(0, 4)
    pairs = [{one.input for one in draft.conditions} for draft in stage.drafts]
    assert ({4, 11} in pairs) == (most_conditions == 2)
    if most_conditions == 2:
        degrees = np.array([table.rule_degrees(draft.conditions) for draft in stage.drafts])
        right = (stage.start + stage.points @ degrees > 0) == targets
        assert right.mean() > 0.95
