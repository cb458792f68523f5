"""Shares add up to the logit, and are what they are said to be."""

import numpy as np
import pytest
from rule_tables import MIXED, names_of_sets

from unfis.rules.explain.attribution import strength_shares


def thousand_rows(X):
    return X.sample(1000, replace=True, random_state=0)


@pytest.mark.parametrize("kind", MIXED)
@pytest.mark.parametrize("name", names_of_sets())
def test_shares_add_up_to_the_logits(model, name, kind):
    clf, X, _ = model(name, kind)
    rows = thousand_rows(X)
    shares = clf.explain(rows).shares
    logits = clf.model_.logits(clf.model_.columns.values(rows))
    order = np.sort(logits, axis=1)
    margin = order[:, -1] - order[:, -2]
    np.testing.assert_allclose(shares.total, margin, rtol=0, atol=1e-9)
    by_rules = shares.of_rules.sum(axis=1)
    by_inputs = shares.start + shares.of_inputs.sum(axis=1)
    np.testing.assert_allclose(by_rules, margin, rtol=0, atol=1e-9)
    np.testing.assert_allclose(by_inputs, margin, rtol=0, atol=1e-9)
    assert (clf.classes_[shares.predicted] == clf.predict(rows)).all()


@pytest.mark.parametrize("kind", ["soft", "three rules"])
def test_a_rules_share_is_its_strength_times_its_opinion(model, kind):
    clf, X, _ = model("wine", kind)
    explained = clf.explain(X)
    found, shares = explained.found, explained.shares
    rows = np.arange(len(X))
    opinions = found.opinions[rows, :, shares.predicted] - found.opinions[rows, :, shares.runner_up]
    np.testing.assert_allclose(shares.of_rules, found.strengths * opinions, atol=1e-12)


@pytest.mark.parametrize("kind", ["soft", "three rules"])
def test_the_start_is_the_answer_to_a_row_of_unknowns(model, kind):
    clf, X, _ = model("wine", kind)
    unknown = X.iloc[:1] * np.nan
    logits = clf.model_.logits(clf.model_.columns.values(unknown))[0]
    shares = clf.explain(X).shares
    expected = logits[shares.predicted] - logits[shares.runner_up]
    np.testing.assert_allclose(shares.start, expected, atol=1e-12)


def test_an_unknown_input_adds_nothing(model):
    clf, X, _ = model("iris", "soft")
    rows = X.copy()
    rows["petal width (cm)"] = np.nan
    assert (clf.explain(rows).shares.of_inputs[:, 3] == 0).all()


def test_strengths_of_two_rules_are_shared_as_by_integrated_gradients(model):
    """phi_1 = expit(t D) along the line t l: each input's part is its part of D."""
    clf, X, _ = model("wine", "soft")
    found = clf.explain(X).found
    steps = (np.arange(20000) + 0.5) / 20000
    differences = found.log_degrees[:, 0] - found.log_degrees[:, 1]
    for row in range(0, len(X), 40):
        total = differences[row].sum()
        slopes = 1 / (2 + 2 * np.cosh(steps * total))
        expected = differences[row] * slopes.mean()
        np.testing.assert_allclose(strength_shares(found)[row, 0], expected, atol=1e-7)
        np.testing.assert_allclose(strength_shares(found)[row, 1], -expected, atol=1e-7)


def test_equal_rules_share_nothing_out(model):
    """Where all strengths are equal the logarithmic mean is their value, not 0 / 0."""
    clf, X, _ = model("iris", "soft")
    found = clf.explain(X.iloc[:1] * np.nan).found
    np.testing.assert_allclose(found.strengths, 0.5)
    assert (strength_shares(found) == 0).all()


def test_an_input_that_moves_all_rules_alike_gets_no_share_of_the_strengths(model):
    clf, X, _ = model("wine", "three rules")
    found = clf.explain(X).found
    log_degrees = found.log_degrees.copy()
    log_degrees[:, :, 4] = log_degrees[:, :1, 4]
    shifted = found._replace(log_degrees=log_degrees)
    np.testing.assert_allclose(strength_shares(shifted)[:, :, 4], 0, atol=1e-15)
