"""Plain models learn from what the model learned from, and all answer the same rows."""

import numpy as np
import pytest
from page_words import words_of
from report_models import fitted
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from unfis import load
from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.baselines import OWN_FOLDS, OWN_MODEL, compare


def logistic(X, y, asked):
    """A logistic regression of numbers scaled and categories as columns."""

    def matrix(table):
        numbers = scaler.transform(table[["income", "debt"]])
        return np.column_stack([numbers, encoder.transform(table[["branch"]])])

    scaler = StandardScaler().fit(X[["income", "debt"]])
    encoder = OneHotEncoder(sparse_output=False).fit(X[["branch"]])
    return LogisticRegression(max_iter=1000).fit(matrix(X), y).predict_proba(matrix(asked))


def test_plain_models_learn_from_the_rows_of_the_model():
    clf, learned, (X, y) = fitted("rare")
    found = compare(answers_of(clf, X, y))
    assert (found.folds, found.learned, len(found.rows)) == (0, 600, 600)
    np.testing.assert_allclose(found.predictions[OWN_MODEL], clf.predict_proba(X), atol=1e-9)
    expected = logistic(*learned, X)
    np.testing.assert_allclose(found.predictions["Logistic regression"], expected, atol=1e-4)
    share = (learned[1] == "yes").mean()
    np.testing.assert_allclose(found.predictions["The same answer to every row"][:, 1], share)
    words = words_of(report_html(clf, X, y))
    assert "The plain models learned from the same 600 rows as this model" in words


def test_plain_models_of_a_number():
    model, (X, y), (X_test, y_test) = fitted("diabetes")
    found = compare(answers_of(model, X_test, y_test)).predictions
    scaler = StandardScaler().fit(X)
    expected = Ridge().fit(scaler.transform(X), y).predict(scaler.transform(X_test))
    np.testing.assert_allclose(found["Linear regression"], expected, rtol=1e-6)
    np.testing.assert_allclose(found["The mean"], y.mean())
    np.testing.assert_allclose(found[OWN_MODEL], model.predict(X_test))


def test_rows_that_were_learned_from_are_answered_by_folds_that_had_not_seen_them():
    clf, (X, y), _ = fitted("rare")
    found = compare(answers_of(clf, X, y))
    assert (found.folds, found.learned) == (5, 0)
    np.testing.assert_array_equal(found.rows, np.arange(len(X)))
    fitted_model = clf.model_
    for fold, held in zip(fitted_model.folds, fitted_model.searched.held, strict=True):
        own = held == 1
        expected = fold[fitted_model.length].predictions(fitted_model.searched.values[own])
        np.testing.assert_allclose(found.predictions[OWN_FOLDS][own], expected)


def test_rows_that_were_learned_from_are_known_in_any_order():
    clf, (X, y), _ = fitted("clinic")
    order = np.random.default_rng(0).permutation(len(X))
    found, other = (compare(answers_of(clf, X.iloc[n], y[n])) for n in (np.arange(len(X)), order))
    for name, shares in found.predictions.items():
        np.testing.assert_array_equal(other.predictions[name], shares)
    again = answers_of(clf, X.iloc[order], y[order])
    rows = clf.model_.searched
    np.testing.assert_array_equal(again.values[other.rows], rows.values)
    np.testing.assert_array_equal(again.targets[other.rows], rows.targets)


def test_a_file_keeps_no_rows_and_they_may_be_given(tmp_path):
    clf, learned, (X, y) = fitted("rare")
    clf.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    given = compare(answers_of(loaded, X, y, training=learned))
    for name, shares in compare(answers_of(clf, X, y)).predictions.items():
        np.testing.assert_allclose(given.predictions[name], shares, atol=1e-9)
    assert compare(answers_of(loaded, X, y)) is None
    assert "the rows that the model learned from are not at hand" in words_of(
        report_html(loaded, X, y)
    )
    with pytest.raises(ValueError, match="training must be the rows that the model learned from"):
        report_html(loaded, X, y, training=(X, y))
    # A fit of the very same rows has the same folds.
    again, first = compare(answers_of(loaded, *learned)), compare(answers_of(clf, *learned))
    np.testing.assert_allclose(again.predictions[OWN_FOLDS], first.predictions[OWN_FOLDS])


def test_all_models_answer_by_the_same_costs():
    clf, learned, (X, y) = fitted("rare")
    words = words_of(report_html(clf.with_decision(costs={"yes": 12}), X, y))
    assert "All answer by the same costs." in words
    assert "Model Cost per row 95 % interval" in words
    # The one answer is what would be cheapest on the training rows.
    share = (learned[1] == "yes").mean()
    price = (y == "no").mean() if 12 * share > 1 - share else 12 * (y == "yes").mean()
    assert f"The same answer to every row {price:.3f}" in words
