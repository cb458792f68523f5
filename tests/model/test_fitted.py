"""A fitted model by itself, without its estimator."""

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork
from sklearn.datasets import load_iris

from unfis import TrustRegion, UNFISClassifier


@pytest.fixture(scope="module")
def fitted():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return UNFISClassifier(2, ridge=0.3).fit(X, y), X


def test_it_predicts_as_its_estimator_does(fitted):
    clf, X = fitted
    np.testing.assert_array_equal(clf.model_.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda X: X.iloc[:, ::-1], r"X must have the columns \['sepal length \(cm\)', "),
        (lambda X: X.rename(columns=str.upper), r"got \['SEPAL LENGTH \(CM\)', "),
        (lambda X: X.iloc[:, :2], "in this order"),
        (lambda X: pd.concat([X, X.add_prefix("other ")], axis=1), "in this order"),
        (
            lambda X: X.to_numpy()[:, :2],
            r"X must be a table of 4 columns.* got the shape \(150, 2\)",
        ),
        (lambda X: np.hstack([X, X]), r"X must be a table of 4 columns.* got the shape \(150, 8\)"),
        (lambda X: X.to_numpy()[0], r"X must be a table of 4 columns.* got the shape \(4,\)"),
    ],
)
def test_it_refuses_other_columns(fitted, change, words):
    clf, X = fitted
    with pytest.raises(ValueError, match=words):
        clf.model_.predict_proba(change(X))


def test_what_a_user_does_with_its_answers_is_not_done_to_it(fitted):
    clf, _ = fitted
    clf.history_["loss"].clear()
    clf.choices_.clear()
    assert clf.history_["loss"]
    assert clf.choices_


def test_a_learner_that_is_changed_later_is_not_that_of_the_fit():
    X, y = load_iris(return_X_y=True)
    clf = RuleNetwork(2, selection="soft", learner=TrustRegion(tol=1e-3)).fit(X, y)
    clf.set_params(learner__tol=0.5)
    assert clf.model_.settings.learner.tol == 1e-3


def test_models_are_told_apart_by_what_they_are(fitted):
    clf, X = fitted
    assert clf.model_ == clf.model_
    assert clf.model_ != UNFISClassifier(2, ridge=0.3).fit(X, clf.predict(X)).model_
    assert len({clf.model_}) == 1
