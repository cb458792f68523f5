"""Plain models learn from what the model learned from, and all answer the same rows."""

import numpy as np
import pytest
from page_words import words_of
from rare_tables import rare_model, rare_table
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import unfis
from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.baselines import OWN_MODEL, OWN_RULES, compare

SAME = "The plain models learned from the same 600 rows as this model"


def half():
    """The rows that the model of a rare class learned from."""
    X, y = rare_table()
    return X.iloc[::2], y[::2]


def logistic(X, y, asked):
    """A logistic regression of numbers scaled and categories as columns."""

    def matrix(table):
        numbers = scaler.transform(table[["income", "debt"]])
        return np.column_stack([numbers, encoder.transform(table[["branch"]])])

    scaler = StandardScaler().fit(X[["income", "debt"]])
    encoder = OneHotEncoder(sparse_output=False).fit(X[["branch"]])
    return LogisticRegression(max_iter=1000).fit(matrix(X), y).predict_proba(matrix(asked))


def test_plain_models_learn_from_the_rows_of_the_model():
    clf, X, y = rare_model()
    found = compare(answers_of(clf, X, y))
    assert (found.folds, found.learned, len(found.rows)) == (0, 600, 600)
    np.testing.assert_allclose(found.probabilities[OWN_MODEL], clf.predict_proba(X), atol=1e-9)
    expected = logistic(*half(), X)
    np.testing.assert_allclose(found.probabilities["Logistic regression"], expected, atol=1e-4)
    share = (half()[1] == "yes").mean()
    same = found.probabilities["The same answer to every row"]
    np.testing.assert_allclose(same[:, 1], share)
    assert SAME in words_of(report_html(clf, X, y))


def test_a_file_keeps_no_rows_and_they_may_be_given(tmp_path):
    clf, X, y = rare_model()
    unfis.save(clf, tmp_path / "model.json")
    loaded = unfis.load(tmp_path / "model.json")
    given = compare(answers_of(loaded, X, y, training=half()))
    for name, shares in compare(answers_of(clf, X, y)).probabilities.items():
        np.testing.assert_allclose(given.probabilities[name], shares, atol=1e-9)
    unknown = compare(answers_of(loaded, X, y))
    assert unknown.folds == 2
    assert OWN_RULES in unknown.probabilities
    words = words_of(report_html(loaded, X, y))
    assert "since the rows that the model learned from are not at hand" in words
    with pytest.raises(ValueError, match="training must be the rows that the model learned from"):
        report_html(loaded, X, y, training=(X, y))


def test_all_models_answer_by_the_same_costs():
    clf, X, y = rare_model()
    words = words_of(report_html(clf.deciding(costs={"yes": 12}), X, y))
    assert "All answer by the same costs." in words
    assert "Model Cost per row 95 % interval" in words
    # The one answer is what would be cheapest on the training rows.
    share = (half()[1] == "yes").mean()
    price = (y == "no").mean() if 12 * share > 1 - share else 12 * (y == "yes").mean()
    assert f"The same answer to every row {price:.3f}" in words


def test_rows_that_were_learned_from_are_cross_validated(model):
    clf, X, y = model("clinic", "soft")
    found = compare(answers_of(clf, X, y))
    assert (found.folds, found.learned) == (2, 0)
    assert OWN_RULES in found.probabilities
    assert OWN_MODEL not in found.probabilities
