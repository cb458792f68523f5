"""The watch of a fit, by a clock that stands still unless it is set."""

import pickle

import pytest

from unfis.learning import watch as module
from unfis.learning.watch import UNWATCHED, FitWatch


@pytest.fixture
def clock(monkeypatch):
    """The time, to be set as clock[0]."""
    now = [1000.0]
    monkeypatch.setattr(module, "time", lambda: now[0])
    return now


def test_without_a_limit_time_is_never_over(clock):
    told = []
    watch = FitWatch(None, told.append)
    clock[0] += 1e9
    assert not watch.is_over("all")
    assert not UNWATCHED.is_over("all")
    assert list(watch.left_out) == list(UNWATCHED.left_out) == []


def test_what_is_left_out_is_noted_once_and_only_when_time_is_over(clock):
    watch = FitWatch(5.0)
    assert not watch.is_over("paths")
    clock[0] += 5
    assert watch.is_over()
    assert watch.is_over("folds")
    assert watch.is_over("folds")
    assert watch.left_out == ["folds"]


def test_what_goes_on_leaves_time_for_what_comes_after_it(clock):
    watch = FitWatch(10.0)
    watch.begin("first", (0.0, 0.2), 2, 4)
    clock[0] += 5.9
    assert not watch.is_over()
    clock[0] += 0.2
    assert watch.is_over()
    watch.begin("last", (0.2, 1.0))
    assert not watch.is_over()


def test_shares_never_fall_and_stay_between_0_and_1(clock):
    told = []
    watch = FitWatch(tell=told.append)
    watch.begin("path", (0.2, 0.6), 2, 4)
    for share in (0.5, 0.1, 7.0, -1.0):
        watch.report(share)
    watch.begin("path", (0.2, 0.6), 1, 4)
    watch.begin("training", (watch.share, 1.0))
    watch.report(1.0, "done")
    assert [round(one.share, 3) for one in told] == [0.3, 0.35, 0.35, 0.4, 0.4, 0.4, 0.4, 1.0]
    assert [one.doing for one in told][::5] == ["path 2 of 4", "path 1 of 4"]
    assert told[-1].doing == "done"


def test_the_time_left_is_told_once_it_can_be_known(clock):
    told = []
    watch = FitWatch(tell=told.append)
    watch.report(0.0, "path")
    clock[0] += 1
    watch.report(0.04)
    watch.report(0.05)
    clock[0] += 3
    watch.report(0.5)
    clock[0] -= 100  # clocks are set back now and then
    watch.report(0.5)
    watch.report(1.0)
    assert [one.left for one in told] == [None, None, pytest.approx(19), 4.0, 0.0, 0.0]
    assert told[-1].seconds == 0.0


def test_no_more_time_is_left_than_the_limit_leaves(clock):
    told = []
    watch = FitWatch(3.0, told.append)
    clock[0] += 2
    watch.report(0.1)
    clock[0] += 2
    watch.report(0.2)
    assert [one.left for one in told] == [1.0, 0.0]


def test_in_another_process_a_watch_is_silent_and_over_as_here(clock):
    told = []
    watch = FitWatch(5.0, told.append)
    other = pickle.loads(pickle.dumps(watch))
    other.report(0.5, "path")
    assert told == []
    assert not other.is_over()
    clock[0] += 5
    assert other.is_over("paths")
    assert watch.left_out == []
