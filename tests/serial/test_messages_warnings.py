"""Every warning names the user's line, whichever door it comes through."""

import linecache

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from unfis import SGD, TrustRegion, UNFISClassifier, UNFISNetworkClassifier

WARDS = pd.DataFrame({"ward": ["a", "b"] * 10, "dose": np.arange(20.0)})
ILL = np.array([0, 1] * 10)
OTHERS = WARDS.assign(ward="c")
# What is asked of a fitted model about a category that it has not seen.
DOORS = {
    "predict": lambda clf: clf.predict(OTHERS),
    "predict_proba": lambda clf: clf.predict_proba(OTHERS),
    "predict_set": lambda clf: clf.predict_set(OTHERS),
    "decision_function": lambda clf: clf.decision_function(OTHERS),
    "score": lambda clf: clf.score(OTHERS, ILL),
    "explain": lambda clf: clf.explain(OTHERS),
    "contributions": lambda clf: clf.contributions(OTHERS),
    "coverage": lambda clf: clf.coverage(OTHERS),
    "caveats": lambda clf: clf.caveats(OTHERS),
    "audit": lambda clf: clf.audit(OTHERS, ILL),
    "learned_from": lambda clf: clf.learned_from(OTHERS, ILL),
    "partial_fit": lambda clf: clf.partial_fit(OTHERS, ILL),
    "edit": lambda clf: clf.edit(OTHERS, ILL),
    "pipeline": lambda clf: make_pipeline(FunctionTransformer(), clf).predict(OTHERS),
}


def assert_is_named(caught, call):
    """The one warning is of the line of this file in which a call stands."""
    (warning,) = caught
    assert warning.filename == __file__
    assert call in linecache.getline(warning.filename, warning.lineno)


@pytest.mark.parametrize("door", DOORS)
def test_an_unseen_category(door):
    clf = UNFISClassifier().fit(WARDS, ILL)
    with pytest.warns(UserWarning, match="ward has categories .* not seen in training: c") as w:
        DOORS[door](clf)
    assert_is_named(w, f'"{door}": lambda')


def test_a_fit_that_has_not_converged():
    X, y = load_iris(return_X_y=True)
    clf = UNFISNetworkClassifier(2, selection="soft", ridge=0.3, learner=TrustRegion(max_iter=1))
    with pytest.warns(ConvergenceWarning) as w:
        clf.fit(X, y)
    assert_is_named(w, "clf.fit(X, y)")
    with pytest.warns(ConvergenceWarning) as w:
        clf.partial_fit(X, y)
    assert_is_named(w, "clf.partial_fit(X, y)")


def test_fits_that_scikit_learn_asks_for():
    X, y = load_iris(return_X_y=True)
    clf = UNFISNetworkClassifier(2, selection="soft", ridge=0.3, learner=SGD(max_iter=1))
    with pytest.warns(ConvergenceWarning) as w:
        cross_val_score(clf, X, y, cv=2)
    for warning in w:
        assert_is_named([warning], "cross_val_score(clf")


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_no_time(method):
    with pytest.warns(UserWarning, match="time_limit=1e-09 left no time") as w:
        getattr(UNFISClassifier(time_limit=1e-9), method)(WARDS, ILL)
    assert_is_named(w, "getattr(UNFISClassifier(time_limit=1e-9), method)")
