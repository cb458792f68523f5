"""What stands behind rules, against what is counted by hand."""

import numpy as np
import pytest
from networks import RuleNetwork
from rule_tables import AVERAGED_KINDS
from sklearn.metrics import log_loss

from unfis import UNFISClassifier
from unfis.network import forward
from unfis.rules.extract import extract_rules


@pytest.mark.parametrize("name", ["iris", "wine", "clinic"])
def test_support_is_counted_on_the_rows(model, name):
    clf, X, y = model(name)
    strengths = forward(
        clf.parameters_, clf.model_.columns.matrix(clf.model_.columns.values(X))
    ).strengths
    leaders = strengths.argmax(axis=1)
    for i, rule in enumerate(clf.rules_):
        led = np.asarray(y)[leaders == i]
        assert rule.rows == len(led)
        assert rule.support == pytest.approx(len(led) / len(X))
        assert rule.strength == pytest.approx(strengths[:, i].mean())
        expected = [np.mean(led == label) for label in clf.classes_] if len(led) else ()
        assert rule.mix == pytest.approx(tuple(expected))
        assert sum(rule.probabilities) == pytest.approx(1)
        assert rule.label == clf.classes_[int(np.argmax(rule.mix or rule.probabilities))]


def test_a_weight_of_two_is_a_row_twice():
    generator = np.random.default_rng(3)
    X = generator.normal(size=(80, 2)).round(1)
    y = (X[:, 0] + 0.3 * generator.normal(size=80) > 0).astype(int)
    weights = generator.integers(1, 4, size=80)
    settings = {"n_rules": 2, "selection": "soft", "ridge": 0.15}
    weighted = RuleNetwork(**settings).fit(X, y, sample_weight=weights).rules_
    rows = np.repeat(np.arange(80), weights)
    repeated = RuleNetwork(**settings).fit(X[rows], y[rows]).rules_
    for one, other in zip(weighted, repeated, strict=True):
        assert one.support == pytest.approx(other.support, abs=1e-6)
        assert one.mix == pytest.approx(other.mix, abs=1e-6)
        assert [c.term for c in one.conditions] == [c.term for c in other.conditions]
    for one, other in zip(weighted.variables, repeated.variables, strict=True):
        assert one.cuts == other.cuts
        assert one.importance == pytest.approx(other.importance, abs=1e-5)


@pytest.mark.parametrize("kind", ["decisive", "soft", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", ["wine", "clinic"])
def test_importance_is_the_loss_without_the_input(model, name, kind):
    clf, X, y = model(name, kind)
    before = log_loss(y, clf.predict_proba(X), labels=clf.classes_)
    for j, column in enumerate(X.columns):
        without = X.copy()
        without[column] = None if name == "clinic" else np.nan
        without = without.astype(X.dtypes)
        after = log_loss(y, clf.predict_proba(without), labels=clf.classes_)
        assert clf.feature_importances_[j] == pytest.approx(after - before, abs=1e-9)
        assert (clf.feature_importances_[j] == 0) == (not clf.selected_[:, j].any())
    ranked = clf.importance(X, y)
    assert list(ranked.values()) == sorted(ranked.values(), reverse=True)
    assert ranked == pytest.approx(dict(zip(X.columns, clf.feature_importances_, strict=True)))


def test_overlap_is_one_with_itself_and_the_same_both_ways(model):
    clf, X, _ = model("wine", "three rules")
    overlap = np.array(clf.rules_.overlap)
    np.testing.assert_allclose(np.diag(overlap), 1)
    np.testing.assert_allclose(overlap, overlap.T)
    strengths = forward(
        clf.parameters_, clf.model_.columns.matrix(clf.model_.columns.values(X))
    ).strengths
    both = np.minimum(strengths[:, 0], strengths[:, 1]).sum()
    either = np.maximum(strengths[:, 0], strengths[:, 1]).sum()
    assert overlap[0, 1] == pytest.approx(both / either)


def test_shares_of_all_rows_are_one_at_most():
    """Shares of weights add up to 1 only up to rounding, which is another one on each machine."""
    generator = np.random.default_rng(0)
    X = np.column_stack([generator.normal(size=60), np.full(60, np.nan)])
    clf = RuleNetwork(1, selection="soft", ridge=0.15).fit(X, X[:, 0] > 0)
    for _ in range(100):
        sample = clf.model_.sample._replace(weights=generator.uniform(0.1, 3.0, size=60))
        base = extract_rules(clf.parameters_, clf.inputs_, clf.classes_, sample, clf.notation_)
        rule = base.rules[0]
        assert max(rule.support, rule.strength, base.variables[1].missing) <= 1.0


def test_a_rule_that_leads_nowhere_says_so(model):
    clf, _, _ = model("iris", "none")
    away = clf.edit(centres={(1, "petal length (cm)"): 1000}).rules_
    assert (away[0].rows, away[0].support, away[0].mix) == (0, 0.0, ())
    assert away[1].rows == 150
    assert "leads on none of the rows" in str(away)


def test_the_table_of_points_reaches_all_rows_that_are_led(model):
    clf, X, _ = model("clinic")
    (rule,) = clf.rules_
    opinions = clf.rules_.arrays.evaluate(clf.model_.columns.values(X)).opinions[:, 0]
    odds = opinions[:, 1] - opinions[:, 0]
    np.testing.assert_allclose(rule.totals, [odds.min(), odds.max()])


def test_with_class_weights_the_class_named_is_the_most_frequent_of_the_weighted_rows():
    generator = np.random.default_rng(0)
    X = generator.uniform(-1, 1, size=(400, 2))
    rare = (X[:, 0] > 0) & (generator.random(400) < 0.3)
    settings = {"consequents": "constant", "class_weight": {False: 1.0, True: 8.0}}
    base = UNFISClassifier(**settings).fit(X, rare).rules_
    assert {rule.label for rule in base} == {False, True}
    assert base.alone > 0.95
