"""Scorecards that are split where their rows differ."""

import numpy as np
import pytest
from selection.conftest import make_samples, make_task

from unfis.data.samples import Samples
from unfis.selection.fired import fired_by
from unfis.selection.readability import agreement
from unfis.selection.scorecards import Scorecards
from unfis.selection.splitting import LEAST_AGREEMENT, Splitting


def turned(rows=600, classes=3, seed=0):
    """What speaks for the classes is another input where the first one is high."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(rows, 2 * classes + 1))
    low, high = X[:, 1 : classes + 1], X[:, classes + 1 :]
    logits = 4 * np.where(X[:, :1] > 0.3, high, low)
    y = (logits + generator.gumbel(size=logits.shape)).argmax(axis=1)
    return Samples(X, np.eye(classes)[y], np.ones(rows))


@pytest.fixture(scope="module")
def splitting():
    task = make_task(turned(), ridge=0.3)
    return Splitting(task, Scorecards(task).path().cards[0][0].stage, 4, 20)


def test_the_split_is_where_the_rows_differ(splitting):
    growth = splitting.growth
    trained = splitting.task.trained(splitting.card)
    splits = list(splitting.splits(growth, trained.stage, fired_by(splitting.task, trained)))
    assert max(splits, key=lambda split: split.gain).item == 0


def test_a_split_before_any_training_says_what_was_said(splitting):
    growth, task = splitting.growth, splitting.task
    trained = task.trained(splitting.card)
    split = next(splitting.splits(growth, trained.stage, fired_by(splitting.task, trained)))
    applied = splitting.applied(growth, trained.stage, split)
    assert applied.rules == 2
    assert applied.otherwise is not None
    assert task.training_loss(applied) == pytest.approx(task.training_loss(trained.stage))


def test_each_rule_keeps_what_is_its_own(splitting):
    task = splitting.task
    path = splitting.path()
    two = [one for one in path if one.stage.rules == 2]
    best = min(two, key=lambda one: task.criterion(one.stage))
    assert task.training_loss(best.stage) < 0.6 * task.training_loss(splitting.card)
    (rule,) = np.flatnonzero(best.stage.condition.any(axis=1))
    assert best.stage.condition[rule].tolist() == [True] + [False] * 6
    assert all(agreement(task, one) >= LEAST_AGREEMENT for one in path)


def test_nothing_is_split_where_one_scorecard_says_all():
    task = make_task(make_samples(rows=300), ridge=0.3)
    card = Scorecards(task).path().nearest(2).stage
    path = Splitting(task, card, 4, 20).path()
    best = min(path, key=lambda one: task.criterion(one.stage))
    assert best.stage.rules == 1
