"""Sets of classes, and answers that are none where there is doubt."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

import unfis
from unfis import UNFISClassifier


@pytest.fixture(scope="module")
def split():
    generator = np.random.RandomState(1)
    X = generator.normal(size=(900, 2))
    y = np.where(X[:, 0] + 0.7 * generator.normal(size=900) > 0.5, "yes", "no")
    train, test, labels, others = train_test_split(X, y, random_state=0, test_size=0.5)
    return UNFISClassifier().fit(train, labels), test, others


def test_each_class_is_in_its_sets_as_often_as_was_said(split):
    clf, X, y = split
    for confidence in (0.8, 0.9):
        sets = clf.predict_set(X, confidence)
        assert sets.shape == (len(X), 2)
        assert sets.dtype == bool
        for code, label in enumerate(clf.classes_):
            covered = sets[y == label, code]
            error = 2 * np.sqrt(confidence * (1 - confidence) / len(covered))
            assert abs(covered.mean() - confidence) < 2 * error


def test_it_abstains_where_it_doubts(split):
    clf, X, _ = split
    X = np.vstack([X, [[1e9, 0.0]]])
    answers, doubts = clf.abstain(X), clf.doubts(X)
    assert doubts[-1] == "unlike anything learned from"
    assert answers[-1] is None
    assert set(doubts) >= {"", "cannot tell no from yes"}
    sets = clf.predict_set(X)
    sure = doubts == ""
    assert sets[sure, np.searchsorted(clf.classes_, clf.predict(X)[sure])].all()
    assert (answers[sure] == clf.predict(X)[sure]).all()
    assert all(answer is None for answer in answers[~sure])
    assert (clf.predict_set(X)[sure].sum(axis=1) == 1).all()


def test_a_saved_model_doubts_the_same(split, tmp_path):
    clf, X, _ = split
    clf.save(tmp_path / "m.json")
    again = unfis.load(tmp_path / "m.json")
    np.testing.assert_array_equal(again.predict_set(X), clf.predict_set(X))
    assert again.doubts(X).tolist() == clf.doubts(X).tolist()


def test_a_confidence_that_is_none(split):
    clf, X, _ = split
    for ask in (clf.predict_set, clf.abstain, clf.doubts):
        with pytest.raises(ValueError, match=r"confidence must be .* got 1\.2"):
            ask(X, confidence=1.2)


def test_mapie_works_with_it(split):
    classification = pytest.importorskip("mapie.classification")
    clf, X, y = split
    mapie = classification.SplitConformalClassifier(clf, confidence_level=0.9, prefit=True)
    answers, sets = mapie.conformalize(X[:225], y[:225]).predict_set(X[225:])
    assert (answers == clf.predict(X[225:])).all()
    assert sets.shape == (225, 2, 1)
    crossed = classification.CrossConformalClassifier(
        UNFISClassifier(1), confidence_level=0.9, cv=3, random_state=0
    )
    _, sets = crossed.fit_conformalize(X[:225], y[:225]).predict_set(X[225:])
    codes = np.searchsorted(clf.classes_, y[225:])
    assert sets[np.arange(225), codes, 0].mean() > 0.84
