"""Costs and thresholds decide what is answered, from the same probabilities."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, make_scorer
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV

import unfis
from unfis import UNFISClassifier


@pytest.fixture(scope="module")
def table():
    X, codes = make_classification(800, 5, weights=[0.9], flip_y=0.05, random_state=3)
    return X, np.array(["no", "yes"])[codes]


@pytest.fixture(scope="module")
def plain(table):
    return UNFISClassifier().fit(*table)


def test_costs_change_answers_and_no_probability(table, plain):
    X, y = table
    dear = UNFISClassifier(costs={"yes": 10}).fit(X, y)
    np.testing.assert_array_equal(dear.predict_proba(X), plain.predict_proba(X))
    expected = np.where(plain.predict_proba(X)[:, 1] > 1 / 11, "yes", "no")
    assert (dear.predict(X) == expected).all()
    assert (dear.predict(X) != plain.predict(X)).any()


def test_another_operating_point_needs_no_fit(table, plain):
    X, _ = table
    other = plain.deciding(costs=[[0, 1], [10, 0]])
    same = plain.deciding(threshold={"no": 10 / 11})
    assert (other.predict(X) == same.predict(X)).all()
    assert other.get_params()["costs"] == [[0, 1], [10, 0]]
    assert plain.costs is None
    back = other.deciding()
    assert (back.predict(X) == plain.predict(X)).all()


def test_it_is_kept_in_the_model_file_and_told_in_the_rules(table, plain, tmp_path):
    X, _ = table
    dear = plain.deciding(costs={"yes": 10})
    dear.save(tmp_path / "m.json")
    read = unfis.load(tmp_path / "m.json")
    assert read.costs == {"yes": 10}
    assert (read.predict(X) == dear.predict(X)).all()
    assert (read.rules_.predict(X) == dear.predict(X)).all()
    assert "a missed yes counts as much as 10 false alarms" in " ".join(str(read.rules_).split())


def test_several_classes_cost_what_a_table_says():
    X, codes = make_classification(
        300, 5, n_informative=4, n_redundant=0, n_classes=3, random_state=1
    )
    costs = [[0, 1, 1], [1, 0, 1], [20, 5, 0]]
    clf = UNFISClassifier(costs=costs).fit(X, codes)
    expected = clf.predict_proba(X) @ np.array(costs)
    assert (clf.predict(X) == expected.argmin(axis=1)).all()
    assert (clf.predict(X) == 2).sum() > (clf.deciding().predict(X) == 2).sum()


def test_a_threshold_by_cross_validation_finds_more_of_a_rare_class(table, plain):
    X, y = table
    auto = UNFISClassifier(threshold="auto").fit(X, y)
    scores = [balanced_accuracy_score(y, model.predict(X)) for model in (plain, auto)]
    assert scores[1] > scores[0] + 0.02


def test_a_threshold_found_later_is_found_by_the_costs_there_are(plain):
    dear = plain.deciding(costs={"yes": 10})
    later = dear.deciding(threshold="auto")
    both = plain.deciding(costs={"yes": 10}, threshold="auto")
    assert later.model_.costs == both.model_.costs != plain.deciding(threshold="auto").model_.costs


def test_scikit_learns_fixed_threshold(table, plain):
    X, y = table
    fixed = FixedThresholdClassifier(
        UNFISClassifier(), threshold=0.2, pos_label="yes", response_method="predict_proba"
    ).fit(X, y)
    assert (fixed.predict(X) == plain.deciding(threshold={"yes": 0.2}).predict(X)).mean() == 1


def test_scikit_learns_tuned_threshold(table):
    X, y = table
    scorer = make_scorer(balanced_accuracy_score)
    tuned = TunedThresholdClassifierCV(
        UNFISClassifier(), scoring=scorer, response_method="predict_proba", cv=2
    ).fit(X, y)
    assert 0 < tuned.best_threshold_ < 0.5
    auto = UNFISClassifier(threshold="auto").fit(X, y)
    scores = [balanced_accuracy_score(y, model.predict(X)) for model in (tuned, auto)]
    assert scores[1] > scores[0] - 0.03
