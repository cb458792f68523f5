"""Scorecards from many numbers to none, with those of all folds beside them."""

from dataclasses import replace

import numpy as np
import pytest
from selection.conftest import make_samples, make_task

from unfis.data.samples import Samples
from unfis.network import network_logits
from unfis.network.constraints import Constraints
from unfis.selection.folds import deduplicated, fold_numbers
from unfis.selection.scorecards import Scorecards


def by_class(rows=300, classes=4, seed=0):
    """Class c is more probable, the larger input c is; two inputs are noise."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, classes + 2))
    y = (3 * X[:, :classes] + generator.gumbel(size=(rows, classes))).argmax(axis=1)
    return deduplicated(Samples(X, np.eye(classes)[y], np.ones(rows)))


def kinds(rows=400, count=8, seed=0):
    """A category of which three kinds tell the classes apart, and an input of noise."""
    generator = np.random.default_rng(seed)
    codes = generator.integers(count, size=rows)
    effects = np.array([3.0, -3.0, 2.0, *np.zeros(count - 3)])
    y = (effects[codes] + generator.logistic(size=rows) > 0).astype(int)
    X = np.column_stack([np.eye(count)[codes], generator.normal(size=rows)])
    return Samples(X, np.eye(2)[y], np.ones(rows)), [slice(0, count), slice(count, count + 1)]


def test_a_class_keeps_the_input_that_speaks_for_it():
    task = make_task(by_class(), ridge=0.3)
    path = Scorecards(task).path()
    card = path.nearest(4).stage
    assert task.parts(card) == 4
    np.testing.assert_array_equal(card.consequent[0], np.eye(4, 6, dtype=bool))


def test_cards_become_ever_shorter_and_end_with_nothing():
    task = make_task(by_class(), ridge=0.3)
    cards = Scorecards(task).path().cards[0]
    parts = [card.parts for card in cards]
    assert parts[0] == 6 * 3  # what is said for all four classes is read for three
    assert sorted(parts, reverse=True) == parts
    assert parts[-1] == 0
    objectives = [card.objective for card in cards]
    assert objectives == sorted(objectives)


@pytest.mark.parametrize("samples", [make_samples(), by_class()])
def test_a_card_is_the_network_that_says_the_same(samples):
    task = make_task(samples, ridge=0.3)
    cards = Scorecards(task).path()
    for card in cards.cards[0][::5]:
        own, problem = task.problem(card.stage)
        assert problem.value(own.start) / problem.weight == pytest.approx(card.objective, rel=1e-6)


def test_folds_are_judged_by_what_was_trained_without_them():
    samples = by_class()
    task = make_task(samples, ridge=0.3)
    folds = fold_numbers(samples, task.objective)
    cards = Scorecards(task, folds)
    path = cards.path()
    losses, hits = cards.judged(path, [4, 8])
    for fold in range(folds.max() + 1):
        own = make_task(samples.part(np.flatnonzero(folds != fold)), ridge=0.3)
        alone = Scorecards(own).path()
        held = samples.part(np.flatnonzero(folds == fold))
        for number, size in enumerate((4, 8)):
            outputs = network_logits(alone.nearest(size).stage.parameters, held.X)
            expected = task.objective.losses(outputs, held.targets)
            np.testing.assert_allclose(losses[number, folds == fold], expected, atol=2e-2)
            expected = task.objective.hits(outputs, held.targets)
            assert np.mean(hits[number, folds == fold] == expected) > 0.97
    assert np.isfinite(losses).all()


def test_kinds_go_one_by_one_and_many_are_read_as_few():
    samples, inputs = kinds()
    task = make_task(samples, inputs, ridge=1.0)
    path = Scorecards(task).path()
    assert path.cards[0][0].parts == 4 + 1  # of eight kinds no more than four numbers are read
    np.testing.assert_array_equal(np.flatnonzero(path.nearest(3).stage.consequent[0, 0]), [0, 1, 2])


def test_of_two_inputs_that_say_the_same_the_earlier_stays():
    samples = make_samples()
    copied = samples._replace(X=np.column_stack([samples.X, samples.X[:, 0]]))
    card = Scorecards(make_task(copied, ridge=0.3)).path().nearest(2).stage
    np.testing.assert_array_equal(np.flatnonzero(card.consequent[0, 0]), [0, 1])


def test_missing_values_add_nothing():
    samples = make_samples()
    X = samples.X.copy()
    X[::3, 0] = np.nan
    task = make_task(samples._replace(X=X), ridge=0.3)
    card = Scorecards(task).path().cards[0][0]
    filled = replace(card.stage.parameters)
    np.testing.assert_allclose(
        network_logits(filled, X), network_logits(filled, np.nan_to_num(X)), atol=1e-12
    )


def test_scorecards_keep_to_signs_and_to_what_is_forbidden():
    constraints = Constraints(frozenset({2}), {0: 1, 1: -1})  # the second against the truth
    task = make_task(make_samples(), ridge=0.3, constraints=constraints)
    cards = Scorecards(task, fold_numbers(task.samples, task.objective)).path().cards
    for stage in (card.stage for each in cards for card in each):
        rising = stage.parameters.consequents[0, 1, 1:] - stage.parameters.consequents[0, 0, 1:]
        assert rising[0] >= 0
        assert rising[1] == rising[2] == 0
        assert not stage.in_consequent[0, [1, 2]].any()
