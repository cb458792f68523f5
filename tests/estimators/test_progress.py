import io

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.estimators.progress import (
    ProgressLine,
    duration,
    ending,
    fits_told_to,
    progress_words,
    round_number,
    too_little_time,
    watch_of,
)
from unfis.learning.loop import IterationRecord, TrainingOutcome
from unfis.learning.watch import UNWATCHED, FitWatch, Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def show(stream, iterations):
    line = ProgressLine("TrustRegion", 200, stream)
    for number in range(1, iterations + 1):
        line.update(number, IterationRecord(1.0 / number, 0.1, 1.0, 0.01 * number))
    line.close("converged")
    return stream.getvalue()


def test_a_terminal_redraws_one_line():
    text = show(Terminal(), 57)
    assert text.count("\n") == 1
    assert text.count("\r") >= 57
    assert "iteration 57 of at most 200" in text
    assert text.endswith("converged\n")


def test_a_log_file_gets_ever_fewer_lines():
    lines = show(io.StringIO(), 157).splitlines()
    assert len(lines) == 7 + 1  # 1 2 5 10 20 50 100 and the end
    assert "\r" not in "".join(lines)


def test_an_interrupted_line_is_closed():
    stream = Terminal()
    line = ProgressLine("SGD", 5, stream)
    line.update(1, IterationRecord(1.0, 0.1, 1.0, 0.5))
    with pytest.raises(KeyboardInterrupt), line:
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("interrupted\n")


def test_round_number():
    assert [round_number(n) for n in (1, 3, 9, 10, 19, 55, 100, 999)] == [
        1,
        2,
        5,
        10,
        10,
        50,
        100,
        500,
    ]


def test_the_choice_is_shown_before_the_iterations_and_not_after():
    stream = Terminal()
    line = ProgressLine("TrustRegion", 200, stream)
    line.begin(Progress(0.64, "cross-validation, fold 2 of 5", 5.0, 2.8))
    line.update(1, IterationRecord(1.0, 0.1, 1.0, 0.5))
    line.begin(Progress(0.97, "training, iteration 1", 6.0, 0.1))
    line.close("converged")
    text = stream.getvalue()
    assert "UNFISClassifier: cross-validation, fold 2 of 5, 64 % done, about 3 s left" in text
    assert "training, iteration 1" not in text
    assert text.endswith("0.50 s; converged\n")


def test_a_log_file_is_told_of_the_choice_ever_more_rarely():
    stream = io.StringIO()
    line = ProgressLine("TrustRegion", 200, stream)
    for seconds in np.arange(0, 60, 0.1):
        line.begin(Progress(seconds / 60, "path", float(seconds), 60 - float(seconds)))
    assert len(stream.getvalue().splitlines()) == 6  # after 1 2 5 10 20 50 seconds


def test_a_choice_that_is_interrupted_is_told():
    stream = Terminal()
    line = ProgressLine("SGD", 5, stream)
    line.begin(Progress(0.5, "path", 1.0, 1.0))
    with pytest.raises(KeyboardInterrupt), line:
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("path, 50 % done, about 1 s left; interrupted\n")


def test_words_for_how_far_a_fit_is():
    assert (
        progress_words(Progress(0.0, "number of rules", 0.1, None)) == "number of rules, 0 % done"
    )
    assert progress_words(Progress(0.999, "path", 9.0, 0.0)) == "path, 99 % done, about 1 s left"
    assert progress_words(Progress(1.0, "done", 9.0, 0.0)) == "done, 100 % done"


def test_times_are_no_more_exact_than_they_are():
    told = {0: "1 s", 2.1: "3 s", 10: "10 s", 11: "15 s", 89: "90 s", 100: "2 min", 7300: "2 h"}
    assert {seconds: duration(seconds) for seconds in told} == told


def test_what_a_limit_has_cost_is_a_sentence():
    watch = FitWatch(1e-9)
    for left_out in ("more numbers of rules", "whole paths", "3 of 5 folds"):
        assert watch.is_over(left_out)
    text = too_little_time(watch)
    assert "no time for more numbers of rules, whole paths and 3 of 5 folds: " in text
    assert ending(TrainingOutcome(np.zeros(1)), watch) == "ended by time_limit"
    assert ending(TrainingOutcome(np.zeros(1)), UNWATCHED) == "not converged"


LAST = {UNFISClassifier: "search for rules", UNFISNetworkClassifier: "done"}


@pytest.mark.parametrize("kind", LAST)
def test_who_listens_is_told_of_fits_there_alone(kind):
    X, y = load_iris(return_X_y=True)
    told = []
    with fits_told_to(told.append):
        kind().fit(X, y)
    count = len(told)
    kind().fit(X, y)
    assert len(told) == count > 3
    assert watch_of(None) is UNWATCHED
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    assert told[-1].doing == LAST[kind]
    assert all(progress.left is None or progress.left >= 0 for progress in told)
