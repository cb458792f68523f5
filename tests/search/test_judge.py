"""The judge: a length from losses made by hand, and losses of rows that were not seen."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from search.tables import LIMITS, TASKS, random_targets, search_table

from unfis.search.judge import chosen, chosen_length, held_out_losses
from unfis.search.rows import fold_weights
from unfis.search.walk import walked

ROWS = 400
USUAL = LIMITS.usual(TASKS["two"])
LONGEST = 2 * USUAL
LENGTHS = np.arange(LONGEST + 1)


def length_of(means, spread=0.02, weights=None):
    """The length chosen by losses of these means, (lengths,), and of independent noise by row."""
    generator = np.random.default_rng(0)
    noise = generator.normal(0, spread, size=(len(means), ROWS))
    noise -= noise.mean(axis=1, keepdims=True)
    weights = np.ones(ROWS) if weights is None else weights
    column = np.arange(ROWS, dtype=float)
    table = search_table([column], column % 2, weights, TASKS["two"])
    return chosen_length(table, np.asarray(means)[:, None] + noise)


def test_where_all_lengths_are_alike_it_is_the_usual_one():
    assert length_of(np.full(LONGEST + 1, 0.5)) == USUAL


def test_rules_that_only_harm_are_given_up():
    assert length_of(0.5 + 0.05 * LENGTHS) == 0


@pytest.mark.parametrize("best", [USUAL // 2, USUAL + 3, LONGEST])
def test_what_is_clearly_best_is_chosen(best):
    assert length_of(0.5 + 0.05 * abs(LENGTHS - best)) == best


@pytest.mark.parametrize("best", [0, LONGEST])
def test_what_is_best_by_noise_alone_is_not(best):
    assert length_of(0.5 - 0.001 * (best == LENGTHS), spread=0.1) == USUAL


def test_of_few_lengths_the_longest_is_the_usual_one():
    assert length_of(np.full(4, 0.5)) == 3
    assert length_of(np.full(1, 0.5)) == 0


def test_rows_count_by_their_weight():
    """Half of the rows want few rules and half many; those of more weight decide."""
    generator = np.random.default_rng(1)
    few = np.arange(ROWS) < ROWS // 2
    losses = np.where(few, 0.05 * LENGTHS[:, None], 0.05 * (LONGEST - LENGTHS[:, None]))
    losses = losses + generator.normal(0, 0.01, size=losses.shape)
    column = np.arange(ROWS, dtype=float)
    chosen_by = [
        chosen_length(search_table([column], column % 2, weights, TASKS["two"]), losses)
        for weights in (np.where(few, 30.0, 1.0), np.where(few, 1.0, 30.0))
    ]
    assert chosen_by == [0, LONGEST]


def table_of(signal):
    """A table in folds whose classes go by a threshold, more or less."""
    generator = np.random.default_rng(2)
    columns = generator.normal(size=(4, ROWS))
    targets = random_targets("two", generator, ROWS, signal * (columns[1] > 0) - signal / 2)
    table = search_table(columns, targets, np.ones(ROWS), TASKS["two"])
    walks = fold_weights(table.bins, targets.astype(int), np.ones(ROWS), 5)
    return replace(table, weights=walks)


@pytest.fixture(scope="module")
def clear():
    """A table of a clear threshold, and its paths."""
    table = table_of(4.0)
    return table, walked(table, 8, 1)


def test_every_row_is_predicted_by_the_fold_that_has_not_seen_it(clear):
    table, paths = clear
    choice = chosen(table, paths, (0.3, 3.0))
    assert choice.ridge in (0.3, 3.0)
    assert choice.losses.shape == (paths.longest + 1, ROWS)
    for length in (0, 1, paths.longest):
        fit, expected = choice.fits[length], np.full(ROWS, np.nan)
        for walk in range(5):
            held = table.weights[walk] == 0
            drafts = paths.at(walk, length).drafts
            log_odds = np.full(ROWS, fit.start[walk, 0])
            for draft, points in zip(drafts, fit.points[walk][: len(drafts)], strict=True):
                log_odds += points * table.rule_degrees(draft.conditions)
            right = np.where(table.targets == 1, expit(log_odds), expit(-log_odds))
            expected[held] = -np.log(right[held])
        np.testing.assert_allclose(choice.losses[length], expected, rtol=1e-6)
        np.testing.assert_array_equal(held_out_losses(table, fit), choice.losses[length])
    assert choice.losses[1].mean() < choice.losses[0].mean() - 0.2


def test_the_ridge_is_the_one_that_predicts_best(clear):
    table, paths = clear
    ridges = (0.1, 1.0, 1000.0)
    alone = [chosen(table, paths, (ridge,)).losses for ridge in ridges]
    usual = min(USUAL, paths.longest)
    best = ridges[int(np.argmin([losses[usual].mean() for losses in alone]))]
    assert best < 1000
    assert chosen(table, paths, ridges).ridge == best


def test_without_folds_there_is_nothing_to_choose_by():
    table = table_of(4.0)
    table = replace(table, weights=table.weights[-1:])
    paths = walked(table, 3, 1)
    choice = chosen(table, paths, (0.1, 10.0))
    assert choice.ridge == LIMITS.ridge
    assert chosen(table, paths, (0.1,)).ridge == 0.1
    assert 0 <= choice.length <= 3
