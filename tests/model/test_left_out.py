"""What a model would answer to rows that it had not seen, wherever it comes from."""

import numpy as np
import pytest
from networks import RuleNetwork
from sklearn.base import clone

from unfis import UNFISClassifier


@pytest.fixture(scope="module")
def rows():
    generator = np.random.RandomState(0)
    X = generator.normal(size=(240, 3))
    y = np.where(X[:, 0] + generator.normal(size=240) > 0.8, "yes", "no")
    return X, y


@pytest.fixture(scope="module")
def fitted(rows):
    return UNFISClassifier().fit(*rows)


def by_fitting_again(clf, X, y, row):
    kept = np.arange(len(y)) != row
    again = clone(clf).fit(X[kept], y[kept])
    return again.predict_proba(X[[row]])[0, list(again.classes_).index(y[row])]


def test_leave_one_out_is_what_fits_without_the_rows_come_to(rows):
    X, y = rows[0][:60], rows[1][:60]
    clf = RuleNetwork(1, selection="none", ridge=1.0, scale=False).fit(X, y)
    exact = [[by_fitting_again(clf, X, y, row), y[row]] for row in range(len(y))]
    for code, label in enumerate(clf.classes_):
        found, weights = clf.model_.held_out.of_class(code)
        expected = sorted(likelihood for likelihood, of in exact if of == label)
        np.testing.assert_allclose(found, expected, atol=0.02)
        assert (weights == 1).all()


def test_a_decisive_choice_has_answers_of_its_folds(rows, fitted):
    held_out = fitted.model_.known_held_out
    assert fitted.model_.held_out is held_out
    losses = -np.log(held_out.likelihoods)
    chosen = fitted.path_["chosen"].index(True)
    assert np.isclose(losses.mean(), fitted.path_["cv_loss"][chosen], rtol=1e-4)
    assert (
        np.bincount(held_out.codes).tolist() == np.unique(rows[1], return_counts=True)[1].tolist()
    )


def test_weights_count_rows_and_those_of_classes_do_not(rows):
    X, y = rows
    clf = UNFISClassifier(class_weight={"yes": 7.0}).fit(X, y)
    np.testing.assert_allclose(clf.model_.held_out.weights, 1)
    twice = UNFISClassifier().fit(X, y, sample_weight=np.full(len(y), 2.0)).model_.held_out
    np.testing.assert_allclose(twice.weights, 2)
    shares = UNFISClassifier().fit(X, y, sample_weight=np.full(len(y), 1 / 240)).model_.held_out
    np.testing.assert_allclose(shares.weights, 1)


def test_other_points_edits_and_streams_have_their_own(rows, fitted):
    X, y = rows
    other = fitted.at(min(fitted.path_["parts"]))
    streamed = UNFISClassifier().partial_fit(X[:200], y[:200])
    first = streamed.model_.held_out
    streamed.partial_fit(X[200:], y[200:])
    assert len(streamed.model_.held_out.codes) > len(first.codes)
    for model in (other, fitted.edit(forbid=[2]), fitted.edit(forbid=[2], refit=True, X=X, y=y)):
        assert model.model_.known_held_out is None
        assert model.predict_set(X).any(axis=1).all()


def test_too_few_rows_to_hold_any_out():
    X, y = np.arange(8.0)[:, None], np.arange(8) % 2
    with pytest.warns(UserWarning, match="too few different rows"):
        clf = UNFISClassifier().fit(X, y)
    with pytest.raises(ValueError, match=r"no answers to rows held out.* Fit anew, with more rows"):
        clf.predict_set(X)
