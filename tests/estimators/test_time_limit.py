"""Fits whose time is over, by a clock that goes on by a tick whenever it is asked."""

import pickle
import time
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning

from unfis import SGD, UNFISClassifier, UNFISNetworkClassifier, UNFISRegressor, load
from unfis.estimators.progress import fits_told_to
from unfis.learning import watch

X, Y = make_classification(
    400, 8, n_informative=4, n_redundant=0, n_clusters_per_class=2, random_state=0
)
IRIS = load_iris(return_X_y=True)
KINDS = [
    UNFISClassifier(),
    UNFISClassifier(max_conditions=1, points="exact"),
    UNFISRegressor(),
    UNFISNetworkClassifier(),
    UNFISNetworkClassifier(3, consequents="constant"),
    UNFISNetworkClassifier(2, selection="none", ridge=0.1, learner=SGD()),
    UNFISNetworkClassifier(selection="none", early_stopping=True, random_state=0),
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


def fitted(estimator, limit, X=X, y=Y):
    """A model of a limited time, and the words of warnings of the limit."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = clone(estimator).set_params(time_limit=limit).fit(X, y)
    return model, [str(one.message) for one in caught if "time_limit" in str(one.message)]


def answers(model):
    return getattr(model, "predict_proba", model.predict)(X)


def check_whole(model, path):
    """Check that a model predicts, prints its rules, and is kept."""
    assert np.isfinite(answers(model)).all()
    assert str(model.rules_)
    model.save(path)
    np.testing.assert_allclose(answers(load(path)), answers(model), atol=1e-9)


@pytest.mark.parametrize("estimator", KINDS, ids=str)
def test_a_model_comes_out_even_if_there_is_no_time_at_all(tmp_path, estimator):
    began = time.perf_counter()
    model, told = fitted(estimator, 1e-9)
    assert time.perf_counter() - began < 20
    assert len(told) == 1
    assert told[0].startswith("time_limit=1e-09 left no time for ")
    check_whole(model, tmp_path / "model.json")


def test_whenever_time_is_over_a_readable_model_comes_out(ticks, tmp_path):
    whole, _ = fitted(UNFISClassifier(), 1e9)
    lengths, ended = [], []
    for limit in np.linspace(1, 2 * ticks[0], 7):
        ticks[0] = 0
        model, told = fitted(UNFISClassifier(), float(limit))
        check_whole(model, tmp_path / "model.json")
        lengths.append(len(model.model_.path))
        ended.append(bool(told))
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1] == len(whole.model_.path)
    assert ended == sorted(ended, reverse=True)
    assert (ended[0], ended[-1]) == (True, False)


@pytest.mark.parametrize("estimator", [UNFISClassifier(), UNFISNetworkClassifier()], ids=str)
def test_enough_time_changes_nothing(estimator):
    model, told = fitted(estimator, 3600.0, *IRIS)
    free = clone(estimator).fit(*IRIS)
    np.testing.assert_array_equal(model.predict_proba(IRIS[0]), free.predict_proba(IRIS[0]))
    assert told == []


def test_the_last_training_ends_after_the_iteration_in_which_time_was_over(ticks):
    network = UNFISNetworkClassifier(2, ridge=0.1, learner=SGD(max_iter=50))
    model, told = fitted(network, 8.0)
    assert 1 < model.n_iter_ < 50
    assert "no time for more iterations:" in told[0]
    assert not model.converged_


def test_a_network_remembers_that_its_time_was_over():
    network = UNFISNetworkClassifier(time_limit=1e-9)
    with pytest.warns(ConvergenceWarning, match="In a stream the number of rules stays"):
        network.partial_fit(X, Y)
    assert network.choices_["time_limit_reached"] is True
    network.set_params(time_limit=None).partial_fit(X, Y)
    assert "time_limit_reached" not in network.choices_


def test_copies_keep_the_limit():
    model, _ = fitted(UNFISClassifier(), 1e-9)
    assert clone(model).time_limit == 1e-9
    again = pickle.loads(pickle.dumps(model))
    assert again.time_limit == 1e-9
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))


def test_a_search_that_is_interrupted_leaves_the_old_model(capsys):
    model = UNFISClassifier(verbose=True).fit(*IRIS)
    before = model.model_
    capsys.readouterr()

    def interrupt(progress):
        if progress.share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), fits_told_to(interrupt):
        model.fit(X, Y)
    assert model.model_ is before
    assert capsys.readouterr().err.endswith("; interrupted\n")


def test_nothing_is_shown_unless_asked_for(capsys):
    with fits_told_to(lambda progress: None):
        UNFISClassifier(time_limit=3600).fit(*IRIS)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("kind", [UNFISClassifier, UNFISNetworkClassifier])
def test_the_closing_line_says_that_time_was_over(capsys, kind):
    fitted(kind(verbose=True), 1e-9)
    assert capsys.readouterr().err.endswith("; ended by time_limit\n")
