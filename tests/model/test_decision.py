"""Costs and thresholds: one decides as the other, and held-out answers choose."""

import numpy as np
import pandas as pd
import pytest
from conformance.doors import by_python, by_sqlite
from sklearn.datasets import load_iris, make_classification
from sklearn.metrics import balanced_accuracy_score

from unfis import UNFISClassifier
from unfis.data.costs import decision_threshold
from unfis.model.decision import chosen_threshold, decision_costs

TWO, THREE = ["no", "yes"], ["a", "b", "c"]


@pytest.fixture(scope="module")
def table():
    X, codes = make_classification(700, 5, weights=[0.9], flip_y=0.05, random_state=3)
    return X, np.array(TWO)[codes]


@pytest.fixture(scope="module")
def fitted(table):
    return UNFISClassifier(max_rules=6).fit(*table)


def drawn(rows=4000, seed=0):
    """True probabilities of the second class, and classes drawn by them."""
    generator = np.random.default_rng(seed)
    probabilities = generator.beta(1, 8, rows)
    return (generator.random(rows) < probabilities).astype(int), probabilities, np.ones(rows)


@pytest.mark.parametrize("threshold", [0.05, 0.2, 0.5, 0.9])
def test_a_threshold_is_what_a_missed_one_costs(table, fitted, threshold):
    X, _ = table
    missed = (1 - threshold) / threshold
    one = fitted.with_decision(threshold=threshold)
    other = fitted.with_decision(costs=[[0, 1], [missed, 0]])
    by_name = fitted.with_decision(costs={"yes": missed})
    expected = np.where(fitted.predict_proba(X)[:, 1] > threshold, "yes", "no")
    for found in (one, other, by_name):
        np.testing.assert_array_equal(found.predict(X), expected)
        np.testing.assert_array_equal(found.predict_proba(X), fitted.predict_proba(X))
    assert decision_threshold(one.model_.costs, 1) == pytest.approx(threshold)


def test_another_decision_leaves_the_first_as_it_is(table, fitted):
    X, y = table
    other = fitted.with_decision(costs={"yes": 10})
    assert fitted.costs is None
    assert fitted.model_.costs == ()
    assert other.model_.settings == other.get_params()
    refitted = UNFISClassifier(**other.get_params()).fit(X, y)
    np.testing.assert_array_equal(refitted.predict(X), other.predict(X))
    np.testing.assert_array_equal(other.with_decision().predict(X), fitted.predict(X))
    assert other.with_decision().costs is None


def test_several_classes_cost_what_a_table_says():
    X, y = load_iris(return_X_y=True)
    clf = UNFISClassifier(max_rules=4).fit(X, y)
    costs = np.array([[0, 1, 1], [1, 0, 1], [20, 5, 0]])
    found = clf.with_decision(costs=costs)
    expected = (clf.predict_proba(X) @ costs).argmin(axis=1)
    np.testing.assert_array_equal(found.predict(X), expected)
    assert (expected == 2).sum() > (clf.predict(X) == 2).sum()


def test_what_is_exported_decides_the_same(table, fitted, tmp_path):
    rows = pd.DataFrame(table[0][:80], columns=[f"x{j}" for j in range(5)])
    found = fitted.with_decision(threshold=0.15)
    expected = found.predict(table[0][:80]).tolist()
    assert expected != fitted.predict(table[0][:80]).tolist()
    assert by_python(found.model_, rows, tmp_path)[0] == expected
    assert by_sqlite(found.model_, rows)[0] == expected


def test_auto_finds_more_of_a_rare_class_and_goes_by_the_costs_there_are(table, fitted):
    X, y = table
    auto = fitted.with_decision(threshold="auto")
    scores = [balanced_accuracy_score(y, one.predict(X)) for one in (fitted, auto)]
    assert scores[1] > scores[0] + 0.02
    dear = fitted.with_decision(costs={"yes": 10})
    later = dear.with_decision(threshold="auto").model_.costs
    assert later == fitted.with_decision(costs={"yes": 10}, threshold="auto").model_.costs
    assert later != auto.model_.costs


def test_true_probabilities_keep_what_follows_from_the_costs():
    for seed in range(5):
        found = chosen_threshold(*drawn(seed=seed), ((0, 1), (10, 0)))
        assert found == pytest.approx(1 / 11, abs=0.03)


def test_wrong_probabilities_are_answered_by_what_costs_least():
    codes, probabilities, weights = drawn(20_000)
    found = chosen_threshold(codes, 0.1 * probabilities, weights, ((0, 1), (10, 0)))
    assert found == pytest.approx(0.1 / 11, rel=0.3)


def test_without_costs_the_classes_count_alike():
    codes, probabilities, weights = drawn(20_000)
    squeezed = 0.5 + 0.01 * probabilities  # none is below a half
    found = chosen_threshold(codes, squeezed, weights)
    recalls = [np.mean((squeezed > found)[codes == c] == c) for c in (0, 1)]
    best = max(
        np.mean([np.mean((squeezed > t)[codes == c] == c) for c in (0, 1)])
        for t in np.linspace(0.5, 0.51, 400)
    )
    assert np.mean(recalls) >= best - 0.002


def test_errors_cost_something_where_probabilities_are_certain():
    codes = np.array([0, 1, 0, 1])
    for probabilities in (np.zeros(4), np.ones(4), codes.astype(float)):
        for costs in ((), ((0, 1), (1000, 0)), ((0, 1000), (1, 0))):
            assert 0 < chosen_threshold(codes, probabilities, 1e-300 * np.ones(4), costs) < 1


def test_it_is_in_the_middle_and_a_weight_of_two_is_two_rows():
    probabilities, codes = np.repeat([0.6, 0.7, 0.8, 0.9], 20), np.repeat([0, 0, 1, 1], 20)
    assert chosen_threshold(codes, probabilities, np.ones(80)) == pytest.approx(0.75)
    codes, probabilities, _ = drawn(500)
    weights = np.random.default_rng(1).integers(1, 4, 500)
    rows = np.repeat(np.arange(500), weights)
    costs = ((0, 1), (30, 0))
    one = chosen_threshold(codes, probabilities**2, weights.astype(float), costs)
    other = chosen_threshold(codes[rows], probabilities[rows] ** 2, np.ones(len(rows)), costs)
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize(
    ("costs", "threshold", "classes", "message"),
    [
        ({"maybe": 2}, None, TWO, "costs names 'maybe'"),
        (None, 1.2, TWO, "threshold must be a probability of 'yes' above 0 and below 1"),
        (None, True, TWO, "threshold must be a probability of 'yes'"),
        (None, "best", TWO, "got 'best'"),
        (None, 0.2, THREE, "got 0.2 for 3 classes"),
        (None, "auto", THREE, "got 'auto' for 3 classes"),
        ({"yes": 2}, 0.2, TWO, "Leave one of them out"),
        (None, "auto", TWO, "needs answers to rows that were held out"),
    ],
)
def test_what_is_wrong_is_a_sentence(costs, threshold, classes, message):
    with pytest.raises(ValueError, match=message):
        decision_costs(costs, threshold, classes, (), None)
    codes, probabilities, weights = drawn(50)
    with pytest.raises(ValueError, match="rows of both classes"):
        chosen_threshold(0 * codes, probabilities, weights)
