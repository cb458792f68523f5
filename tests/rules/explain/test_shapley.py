"""Shares in a probability: they add up to it, and are Shapley's by his own definition."""

import pickle
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from rule_tables import AVERAGED_KINDS, names_of_sets

from unfis.rules import explain_rows
from unfis.rules.explain import shapley
from unfis.rules.explain.attribution import share_out


def by_definition(clf, values, predicted):
    """The mean over all orders of what each used input moves, one row and one order at a time."""
    used = clf.rules_.arrays.used
    shares = np.zeros(len(used))
    orders = list(permutations(range(len(used))))
    for order in orders:
        row = np.where(np.isin(np.arange(len(values)), used), np.nan, values)
        before = clf.model_.probabilities(row[None])[0, predicted]
        for index in order:
            row[used[index]] = values[used[index]]
            after = clf.model_.probabilities(row[None])[0, predicted]
            shares[index] += (after - before) / len(orders)
            before = after
    return shares


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
@pytest.mark.parametrize("name", names_of_sets())
def test_shares_add_up_to_the_probability(model, name, kind):
    clf, X, _ = model(name, kind)
    rows = X.sample(300, replace=True, random_state=0)
    explained = clf.explain(rows)
    shares, p = explained.shares, clf.predict_proba(rows)
    every = np.arange(len(rows))
    np.testing.assert_allclose(shares.total, p.max(axis=1), rtol=0, atol=1e-12)
    assert (clf.classes_[shares.predicted] == clf.predict(rows)).all()
    by_inputs = shares.start + shares.of_inputs.sum(axis=1)
    np.testing.assert_allclose(by_inputs, shares.total, rtol=0, atol=1e-12)
    np.testing.assert_allclose(shares.of_rules.sum(axis=1), shares.total, rtol=0, atol=1e-12)
    runner_up = p[every, shares.runner_up]
    np.testing.assert_allclose(shares.for_runner_up.sum(axis=1), runner_up, rtol=0, atol=1e-12)
    unknown = clf.model_.probabilities(np.full((1, X.shape[1]), np.nan))[0]
    np.testing.assert_allclose(shares.start, unknown[shares.predicted], rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_shares_are_those_of_the_definition(model, name, kind):
    clf, X, _ = model(name, kind)
    explained = clf.explain(X.iloc[::30])
    for row, values in enumerate(explained.values):
        expected = by_definition(clf, values, explained.shares.predicted[row])
        np.testing.assert_allclose(explained.shares.of_inputs[row], expected, atol=1e-12)


def test_an_unknown_input_adds_nothing(model):
    clf, X, _ = model("iris", "averaged")
    rows = X.copy()
    rows["petal width (cm)"] = np.nan
    index = clf.rules_.arrays.used.index(3)
    np.testing.assert_allclose(clf.explain(rows).shares.of_inputs[:, index], 0, atol=1e-15)


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_along_orders_shares_are_near_those_of_all_sets(model, monkeypatch, kind):
    clf, X, _ = model("thyroid" if "thyroid" in names_of_sets() else "iris", kind)
    arrays = clf.rules_.arrays
    found = arrays.evaluate(clf.model_.columns.values(X))
    exact = share_out(arrays, found)
    monkeypatch.setattr(shapley, "MOST_EXACT", 1)
    near = share_out(arrays, found)
    assert np.abs(near.of_inputs - exact.of_inputs).mean() < 0.01
    total = near.start + near.of_inputs.sum(axis=1)
    np.testing.assert_allclose(total, near.total, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(near.of_inputs, share_out(arrays, found).of_inputs)


def test_orders_come_with_their_reverses_and_are_always_the_same():
    orders = shapley.drawn_orders(12)
    assert (np.sort(orders, axis=1) == np.arange(12)).all()
    half = len(orders) // 2
    np.testing.assert_array_equal(orders[half:], orders[:half, ::-1])
    np.testing.assert_array_equal(orders, shapley.drawn_orders(12))


def test_blocks_of_rows_change_nothing(model, monkeypatch):
    clf, X, _ = model("clinic", "averaged")
    whole = clf.explain(X).shares
    monkeypatch.setattr(shapley, "NUMBERS_IN_CACHE", 1)
    np.testing.assert_allclose(clf.explain(X).shares.of_inputs, whole.of_inputs, atol=1e-14)


def test_two_inputs_by_hand():
    """v of nothing 0.2, of the first 0.5, of the second 0.3, of both 0.9."""
    values = np.array([[0.2], [0.5], [0.3], [0.9]])

    def made(arrays, known, log_firing, outputs):
        return values

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapley, "values_of", made)
        added = np.zeros((2, 1, 1)), np.zeros((2, 1, 2, 1))
        known = shapley.KnownRows(*added, np.zeros(1, dtype=int), values[-1])
        start, shares = shapley.shares_of_all_sets(None, known)
    assert start == [0.2]
    first, second = (0.5 - 0.2 + 0.9 - 0.3) / 2, (0.3 - 0.2 + 0.9 - 0.5) / 2
    np.testing.assert_allclose(shares, [[first, second]])


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_shares_add_up_far_from_all_rules(model, kind):
    clf, X, _ = model("iris", kind)
    rows = X.iloc[:6].copy()
    rows.iloc[:, :] = np.random.default_rng(0).choice([-1e300, -1e4, 0, 1e4, 1e300], rows.shape)
    shares = clf.explain(rows).shares
    total = shares.start + shares.of_inputs.sum(axis=1)
    np.testing.assert_allclose(total, clf.predict_proba(rows).max(axis=1), rtol=0, atol=1e-12)
    assert np.abs(shares.of_inputs).max() <= 1


def test_rules_that_look_at_nothing_are_all_start(model):
    clf, _, _ = model("iris", "single rule without IF")
    rule = replace(clf.rules_.rules[0], effects=())
    base = replace(clf.rules_, rules=(rule,))
    one = explain_rows(base, clf.model_.sample.values[:2], clf.model_.sample)[0]
    assert one.inputs == ()
    assert one.start == one.total == pytest.approx(max(one.probabilities))
    assert str(one).startswith(f"{one.prediction} (")


def test_a_pickled_model_explains_the_same(model):
    clf, X, _ = model("iris", "averaged")
    before = str(clf.explain(X.iloc[:2]))
    again = pickle.loads(pickle.dumps(clf))
    assert str(again.explain(X.iloc[:2])) == before
