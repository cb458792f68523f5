"""Fits whose time is over, by a clock that goes on by a tick whenever it is asked."""

import pickle
import time
import warnings

import numpy as np
import pytest
from networks import classifier, load
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning

from unfis import SGD, UNFISClassifier
from unfis.estimators.progress import fits_told_to
from unfis.learning import watch

X, Y = make_classification(
    400, 8, n_informative=4, n_redundant=0, n_clusters_per_class=2, random_state=0
)
IRIS = load_iris(return_X_y=True)
KINDS = [
    {},
    {"n_rules": 3},
    {"n_rules": 3, "max_conditions": 1},
    {"max_conditions": 1},
    {"consequents": "constant"},
    {"consequents": "constant", "n_rules": 1},
    {"selection": "soft"},
    {"selection": "none", "n_rules": 2, "ridge": 0.1, "learner": SGD()},
    {"selection": "none", "early_stopping": True, "random_state": 0},
]


@pytest.fixture
def ticks(monkeypatch):
    """How often the clock was asked."""
    count = [0]

    def tick():
        count[0] += 1
        return float(count[0])

    monkeypatch.setattr(watch, "time", tick)
    return count


def fitted(limit, X=X, y=Y, **settings):
    """A model of a limited time, and the words of warnings of the limit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clf = classifier(time_limit=limit, **settings).fit(X, y)
    assert all(issubclass(one.category, ConvergenceWarning) for one in caught)
    return clf, [str(one.message) for one in caught if "time_limit" in str(one.message)]


def check_whole(clf, path):
    """Check that a model predicts, tells its rules, and is kept."""
    assert np.isfinite(clf.predict_proba(X)).all()
    assert "learned from" in str(clf.rules_)
    clf.save(path)
    again = load(path)
    np.testing.assert_allclose(again.predict_proba(X), clf.predict_proba(X), atol=1e-9)
    assert again.choices_["time_limit_reached"] is True
    assert again.time_limit is None


@pytest.mark.parametrize("settings", KINDS, ids=str)
def test_a_model_comes_out_even_if_there_is_no_time_at_all(tmp_path, settings):
    began = time.perf_counter()
    clf, told = fitted(1e-9, **settings)
    assert time.perf_counter() - began < 60
    assert len(told) == 1
    assert told[0].startswith("time_limit=1e-09 left no time for ")
    assert clf.n_iter_ == 1
    assert clf.choices_["n_rules"] == settings.get("n_rules", clf.choices_["n_rules"])
    check_whole(clf, tmp_path / "model.json")


def test_whenever_time_is_over_a_readable_model_comes_out(ticks, tmp_path):
    fitted(1e9)
    whole = ticks[0]
    seen = set()
    for limit in np.linspace(2, whole, 7):
        clf, told = fitted(float(limit))
        if told:
            check_whole(clf, tmp_path / "model.json")
        assert clf.choices_["time_limit_reached"] is bool(told)
        assert clf.choices_["parts"] <= 24
        seen |= {word for word in ("numbers", "paths", "folds", "iterations") if word in str(told)}
    assert seen == {"numbers", "paths", "folds", "iterations"}


def test_folds_that_have_ended_decide(ticks):
    told = []
    with fits_told_to(lambda progress: told.append((ticks[0], progress.doing))):
        fitted(1e9)
        second = next(tick for tick, doing in told if doing.endswith("fold 2 of 5"))
        # Of the limit folds may take all but half of what comes after them.
        ticks[0] = 0
        clf, words = fitted((second + 40) / 0.975)
    assert "folds" in words[0]
    assert "5 of 5" not in words[0]
    assert clf.choices_["by"] == "cross-validation"
    assert np.isfinite(clf.path_["cv_loss"]).all()


def test_enough_time_changes_nothing():
    clf, told = fitted(3600.0, *IRIS)
    free = UNFISClassifier().fit(*IRIS)
    np.testing.assert_array_equal(clf.predict_proba(IRIS[0]), free.predict_proba(IRIS[0]))
    assert told == []
    assert clf.choices_["time_limit_reached"] is False
    assert "time_limit_reached" not in free.choices_


def test_the_last_training_ends_after_the_iteration_in_which_time_was_over(ticks):
    settings = {"selection": "soft", "n_rules": 2, "ridge": 0.1, "learner": SGD(max_iter=50)}
    clf, told = fitted(8.0, **settings)
    assert 1 < clf.n_iter_ < 50
    assert "no time for more iterations:" in told[0]
    assert not clf.converged_


def test_processes_keep_to_the_limit():
    clf, told = fitted(1e-9, n_jobs=2)
    alone, _ = fitted(1e-9)
    assert len(told) == 1
    np.testing.assert_array_equal(clf.predict_proba(X), alone.predict_proba(X))


def test_processes_tell_how_far_they_are():
    told = []
    with fits_told_to(told.append):
        UNFISClassifier(n_jobs=2, time_limit=3600).fit(X, Y)
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert any(progress.doing.endswith("fold 5 of 5") for progress in told)


def test_a_batch_of_a_stream_has_a_limit_too():
    clf = UNFISClassifier(time_limit=1e-9)
    with pytest.warns(ConvergenceWarning, match="In a stream the conditions stay"):
        clf.partial_fit(X, Y)
    assert clf.choices_["time_limit_reached"] is True
    clf.set_params(time_limit=None).partial_fit(X, Y)
    assert "time_limit_reached" not in clf.choices_


def test_copies_keep_the_limit():
    clf, _ = fitted(1e-9)
    assert clone(clf).time_limit == 1e-9
    again = pickle.loads(pickle.dumps(clf))
    assert again.time_limit == 1e-9
    np.testing.assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


def test_a_choice_that_is_interrupted_leaves_the_old_model(capsys):
    clf = UNFISClassifier(verbose=True).fit(*IRIS)
    before = clf.model_
    capsys.readouterr()

    def interrupt(progress):
        if progress.doing.startswith("cross-validation"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), fits_told_to(interrupt):
        clf.fit(X, Y)
    assert clf.model_ is before
    assert capsys.readouterr().err.endswith("; interrupted\n")


def test_nothing_is_shown_unless_asked_for(capsys):
    with fits_told_to(lambda progress: None):
        UNFISClassifier(time_limit=3600).fit(*IRIS)
    assert capsys.readouterr() == ("", "")


def test_the_closing_line_says_that_time_was_over(capsys):
    fitted(1e-9, verbose=True)
    assert capsys.readouterr().err.endswith("; ended by time_limit\n")
