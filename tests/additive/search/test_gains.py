"""Gains in closed form: the decrement of a whole Newton step, and what the objective really loses.

Of a squared error a Newton step is all there is, so that a gain is what the loss gets less by.
"""

import numpy as np
import pytest
from additive.search.tables import (
    FREE,
    TASKS,
    additions_of,
    exact_gain,
    extensions_of,
    gain_of_rule,
    gains_of,
    random_targets,
    search_table,
    state_with,
)

from unfis.additive.rules import Kinds, Trapezoid
from unfis.additive.search.state import Draft

ROWS, WALKS = 300, 3
HIGH, MIDDLE, RED = Trapezoid(0, 2.0, 4.0), Trapezoid(1, 1.0, 2.0, 3.0, 4.0), Kinds(3, (0, 2))


def made(task, rules=3, limits=FREE):
    """A state of three walks with some rules, on inputs of six values and four kinds."""
    generator = np.random.default_rng(0)
    columns = [generator.integers(0, 6, ROWS).astype(float) for _ in range(3)]
    columns.append(generator.integers(0, 4, ROWS).astype(float))
    signal = (columns[0] > 2) + (columns[1] > 3) * (columns[3] < 2) - 0.5 * columns[2]
    targets = random_targets(task, generator, ROWS, signal)
    weights = generator.integers(1, 3, ROWS) * (np.arange(WALKS)[:, None] != np.arange(ROWS) % 5)
    table = search_table(columns, targets, weights, TASKS[task], (0, 0, 0, 4), limits)
    last = TASKS[task].outputs - 1
    drafts = [Draft(last, (HIGH,)), Draft(0, (RED,)), Draft(last, (MIDDLE, RED))]
    return state_with(table, drafts[:rules])


def decrement(state, walk, columns, outputs):
    """s' H^-1 s / 2 of a whole Newton step: starts, the rules present, and other columns."""
    starts = state.table.objective.outputs
    at, weights = state.fit.at, state.table.weights[walk]
    every = np.concatenate([np.ones((starts, ROWS)), columns])
    which = np.concatenate([np.arange(starts), outputs])
    prior = np.full(len(which), float(state.ridge * state.dispersion[walk]))
    prior[:starts] = 1e-6 if starts > 1 else 0.0
    known = np.zeros(len(which))
    known[: starts + state.places] = np.append(state.fit.start[walk], state.fit.points[walk])
    slope = (every * at.gradient[walk, which]).sum(axis=1) - prior * known
    if at.shared is None:
        curvature = (every * at.curvature[walk, 0]) @ every.T
    else:
        shares = at.shared[walk, which]
        same = which[:, None] == which
        bends = same[..., None] * shares[:, None] - shares[:, None] * shares
        curvature = (every[:, None] * every * bends) @ weights
    curvature += np.diag(prior)
    return float(slope @ np.linalg.solve(curvature, slope)) / 2


@pytest.mark.parametrize("task", TASKS)
def test_a_gain_is_the_decrement_of_a_whole_newton_step(task):
    """Of one output exactly; of several it is a lower bound, and no empty one."""
    state, generator = made(task), np.random.default_rng(1)
    columns = generator.random((5, ROWS)) * (generator.random((5, ROWS)) < 0.4)
    shares = []
    for walk in range(WALKS):
        outputs = state.design.outputs[walk]
        before = decrement(state, walk, state.design.degrees[walk], outputs)
        for output in range(TASKS[task].outputs):
            found = gains_of(state, walk, output, columns)
            for column, gain in zip(columns, found, strict=True):
                every = np.vstack([state.design.degrees[walk], column])
                whole = decrement(state, walk, every, np.append(outputs, output)) - before
                shares.append(gain * float(state.dispersion[walk]) / whole)
    if TASKS[task].outputs == 1:
        np.testing.assert_allclose(shares, 1.0, rtol=1e-5)
    else:
        assert max(shares) <= 1 + 1e-2  # refits end some 1e-4 nats from the least loss
        assert np.median(shares) > 0.5


@pytest.mark.parametrize("without", [None, 1])
def test_a_gain_is_what_a_squared_error_gets_less_by(without):
    """Also of a rule in the place of another: beyond what that one gained."""
    state, draft = made("number"), Draft(0, (Trapezoid(2, 1.0, 2.0),))
    column = state.table.rule_degrees(draft.conditions)
    for walk in range(WALKS):
        (gain,) = gains_of(state, walk, 0, column[None], without)
        own = 0.0 if without is None else gain_of_rule(state, walk, without)
        expected = exact_gain(state, draft, walk, without)
        np.testing.assert_allclose(gain - own, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("task", TASKS)
def test_a_copy_of_what_is_there_gains_nothing(task):
    state = made(task)
    output = TASKS[task].outputs - 1
    degrees = state.design.degrees[0]
    copies = np.stack([degrees[0], 1 - degrees[0], np.ones(ROWS), 0.3 * degrees[2], 0 * degrees[0]])
    np.testing.assert_array_equal(gains_of(state, 0, output, copies), 0.0)


def test_a_near_copy_does_not_gain_what_the_ridge_has_taken_from_its_rule():
    state = made("two", rules=1).with_ridge(50.0)
    held = state.design.degrees[0, 0]
    near = np.where(np.random.default_rng(2).random(ROWS) < 0.03, 1 - held, held)[None]
    beside = gains_of(state, 0, 0, near)
    without_ridge = gains_of(state, 0, 0, near, again=True)
    assert without_ridge < 0.2 * beside


@pytest.mark.parametrize("task", TASKS)
def test_the_best_new_rules_are_the_best_of_all(task):
    """By the sum over the rows of every condition that may be tried, one by one."""
    state = made(task)
    table, walk = state.table, 1
    output = 0
    moves = additions_of(state, walk, output)
    found = {move.draft.conditions[0].input < 3: move for move in moves}
    conditions = [one.condition(shape) for one in table.shapes for shape in range(len(one.prices))]
    columns = np.array([table.rule_degrees([condition]) for condition in conditions])
    scores = gains_of(state, walk, output, columns)
    np.testing.assert_allclose(found[True].score, max(scores), rtol=1e-6)
    for move in found.values():
        assert move.place is None
        held = table.rule_degrees(move.draft.conditions) @ table.weights[walk]
        # Of a number the half that holds for fewer rows; also of kinds.
        assert held <= table.weights[walk].sum() / 2 or not isinstance(
            move.draft.conditions[0], Kinds
        )


def test_a_condition_added_to_the_only_rule_gains_what_a_squared_error_gets_less_by():
    state = made("number", rules=1)
    (one,) = state.drafts[0][:1]
    moves = extensions_of(state, 0, 0)
    assert {move.place for move in moves} == {None, 0}
    for move in moves:
        assert move.draft.conditions[0] == one.conditions[0]
        assert move.draft.conditions[1].input != one.conditions[0].input
        share = 1 if move.place == 0 else 2
        expected = exact_gain(state, move.draft, 0, move.place)
        if move.draft.conditions[1].input == 3:  # sets of kinds have a price of their own
            assert 0 < move.score * share < expected
        else:
            np.testing.assert_allclose(move.score * share, expected, rtol=1e-3)


@pytest.mark.parametrize("task", TASKS)
def test_a_condition_added_to_a_rule_among_others_gains_what_it_scores_and_more(task):
    """Of a squared error the score is a lower bound; of others much the same."""
    state, shares = made(task), []
    for walk in range(WALKS):
        for place in (0, 1):
            for move in extensions_of(state, walk, place):
                share = 1 if move.place is not None else len(move.draft.conditions)
                exact = exact_gain(state, move.draft, walk, move.place)
                shares.append(exact / (move.score * share))
    assert len(shares) > 4
    assert np.median(shares) > 0.7
    if task == "number":
        assert min(shares) > 0.999
