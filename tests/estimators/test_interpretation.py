"""What a fitted model says of itself, as a user asks it."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork
from rule_tables import SOFT
from sample_tables import clinic
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from text_reader import TextReader

from unfis import UNFISClassifier
from unfis.network import forward

X, Y = load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def iris():
    return UNFISClassifier().fit(X, Y)


@pytest.fixture(scope="module")
def ward():
    table, labels = clinic()
    return UNFISClassifier(consequents="constant").fit(table, labels), table


def test_nothing_is_said_before_a_fit():
    for ask in (
        lambda clf: clf.rules_,
        lambda clf: clf.explain(X),
        lambda clf: clf.coverage(X),
        lambda clf: clf.importance(X, Y),
        lambda clf: clf.feature_importances_,
        lambda clf: clf.edit(),
    ):
        with pytest.raises(NotFittedError):
            ask(UNFISClassifier())


def test_the_rules_are_those_of_the_last_fit(iris):
    clf = copy.copy(iris)
    first = clf.rules_
    assert clf.rules_ is first
    clf.fit(X.iloc[:, 2:], Y)
    assert len(clf.rules_.variables) == 2
    assert iris.rules_ == first
    assert not hasattr(clone(clf), "model_")


def parts_of(rules):
    """Conditions, and numbers of effects that are not 0, for each class but one."""
    most = len(rules.classes) - 1
    return sum(
        len(rule.conditions) + sum(min(np.count_nonzero(e.slopes), most) for e in rule.effects)
        for rule in rules
    )


def test_every_model_of_the_path_tells_its_own_rules(iris):
    short = iris.at(2)
    assert 0 < parts_of(short.rules_) <= 2
    assert parts_of(iris.rules_) == iris.model_.parts == iris.choices_["parts"]
    assert parts_of(short.rules_) == short.model_.parts
    np.testing.assert_allclose(short.rules_.predict_proba(X), short.predict_proba(X), atol=1e-12)


def test_a_stream_tells_of_all_its_batches():
    clf = RuleNetwork(**SOFT).partial_fit(X[::2], Y[::2], classes=[0, 1, 2])
    before = clf.rules_
    terms = [[c.term for c in rule.conditions] for rule in before]
    clf.partial_fit(X[1:2], Y[1:2])
    assert clf.rules_ is not before
    assert clf.rules_.rows == 76
    assert [[c.term for c in rule.conditions] for rule in clf.rules_] == terms
    assert clf.explain(X[1:2])[0].neighbours[0].row in (75, 0)
    clf.fit(X[:100], Y[:100])
    assert clf.rules_.rows == 100


def test_rows_of_no_weight_do_not_count():
    weights = np.where(Y == 0, 0.0, 1.0)
    clf = RuleNetwork(**SOFT).fit(X, Y, sample_weight=weights)
    assert clf.rules_.rows == 100
    assert clf.rules_.classes == (1, 2)
    neighbours = clf.explain(X.iloc[[149]])[0].neighbours
    assert neighbours[0].row == 149


def test_class_weights_do_not_bend_the_counts(iris):
    clf = RuleNetwork(**SOFT, class_weight={0: 1, 1: 20, 2: 1}).fit(X, Y)
    mixes = np.array([rule.mix for rule in clf.rules_])
    supports = np.array([rule.support for rule in clf.rules_])
    np.testing.assert_allclose(supports @ mixes, [1 / 3] * 3)


def test_weights_are_told_as_weight():
    weights = np.where(np.arange(150) < 10, 100.0, 1.0)
    text = str(RuleNetwork(**SOFT).fit(X, Y, sample_weight=weights).rules_)
    assert re.search(r"50 rows, \d+ % of the weight: 100 % class 0", text)


def test_equally_strong_rules_share_a_row():
    """A row of which nothing is known is led by no rule more than by another."""
    generator = np.random.default_rng(0)
    column = generator.normal(size=120)
    labels = (column + 0.1 * generator.normal(size=120) > 0).astype(int)
    column[:60] = np.nan
    rules = RuleNetwork(**SOFT).fit(column[:, None], labels).rules_
    assert sum(rule.rows for rule in rules) == 120
    assert all(abs(rule.support - 0.5) < 0.2 for rule in rules)


def test_a_model_keeps_no_more_rows_than_it_must(monkeypatch):
    monkeypatch.setattr("unfis.data.samples.MOST_KEPT", 60)
    clf = RuleNetwork(**SOFT).fit(X, Y)
    assert len(clf.model_.sample.values) == 60
    assert clf.model_.sample.weights.sum() == pytest.approx(150)
    assert clf.rules_.variables[2].highest == X["petal length (cm)"].max()
    assert "about " in str(clf.rules_).split("(")[1]
    assert clf.rules_.rows == 150
    assert sum(rule.rows for rule in clf.rules_) == pytest.approx(150, abs=2)
    assert {n.row for e in clf.explain(X[:40]) for n in e.neighbours} <= set(clf.model_.sample.rows)


def test_a_pickled_model_says_the_same(ward):
    clf, table = ward
    again = pickle.loads(pickle.dumps(clf))
    assert str(again.rules_) == str(clf.rules_)
    assert str(again.explain(table[:3])) == str(clf.explain(table[:3]))


def test_coverage_is_low_far_from_all_that_was_seen(iris):
    usual = iris.coverage(X)
    assert usual.shape == (150,)
    assert usual.min() > 0
    assert usual.max() == 1
    best = forward(
        iris.parameters_, iris.model_.columns.matrix(iris.model_.columns.values(X))
    ).log_firing.max(axis=1)
    shares = [np.mean(best <= value + 1e-9) for value in best]
    np.testing.assert_allclose(usual, shares)
    far = X.iloc[:3].copy()
    far["petal length (cm)"] = [-20, 25, 1e200]
    assert (iris.coverage(far) == 0).all()
    assert "worse than any training row" in str(iris.explain(far)[0])


def test_nothing_known_is_not_covered(iris):
    unknown = X.iloc[:2] * np.nan
    assert (iris.coverage(unknown) == 0).all()
    assert "Nothing is known that the rules look at." in str(iris.explain(unknown)[0])


def test_coverage_of_a_table_is_that_of_its_rows_one_by_one(iris):
    together = iris.coverage(X)
    alone = [iris.coverage(X.iloc[[row]])[0] for row in range(0, 150, 10)]
    np.testing.assert_allclose(together[::10], alone)


def test_an_explanation_is_plain_and_whole(ward):
    clf, table = ward
    explained = clf.explain(table)
    assert len(explained) == len(table)
    assert [e.prediction for e in explained] == clf.predict(table).tolist()
    one = explained[7].to_dict()
    np.testing.assert_allclose(one["probabilities"], clf.predict_proba(table)[7])
    assert one["total"] == pytest.approx(one["start"] + sum(p["share"] for p in one["inputs"]))
    rules = one["rules"]
    assert one["total"] == pytest.approx(sum(p["share"] for p in rules))
    assert sum(p["strength"] for p in rules) == pytest.approx(1)
    for part in rules:
        held = [condition["degree"] for condition in part["conditions"]]
        limiting = [c["degree"] for c in part["conditions"] if c["limits"]]
        assert all(degree == min(held) for degree in limiting)
    assert explained[-1] == explained[len(table) - 1]
    assert explained.to_dict()[7] == one
    with pytest.raises(IndexError, match="There are 120 explained rows, got row 120"):
        explained[120]


def test_explanations_are_their_own(iris):
    """What is done to the table afterwards does not change them; a slice has the same rows."""
    table = X.to_numpy()
    clf = RuleNetwork(**SOFT).fit(table, Y)
    rows = table.copy()
    explained = clf.explain(rows)
    before = str(explained[3])
    rows[:] = 7
    assert str(explained[3]) == before
    assert [str(one) for one in explained[2:5]] == [str(explained[i]) for i in (2, 3, 4)]


def test_unknown_inputs_are_named(ward):
    clf, table = ward
    row = table.iloc[[0]].copy()
    row["age (years)"] = None
    row = row.astype(table.dtypes)
    one = clf.explain(row)[0]
    assert "age (years)" in one.unknown
    assert "Unknown: age (years)" in str(one)
    assert 'age unknown: "' in str(one)
    held = [c for part in one.rules for c in part.conditions if c.input == "age (years)"]
    assert all(c.degree == 1 and c.value is None for c in held)


def test_many_explanations_show_the_first_ones(iris):
    text = str(iris.explain(X))
    assert text.count("rather than") == 5
    assert "... and 145 more rows" in text
    assert iris.explain(X)._repr_html_().count("rather than") == 5
    assert "more rows" not in str(iris.explain(X[:5]))


def test_a_plot_of_an_explanation_shows_its_shares(iris):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    from unfis.plots import WaterfallDisplay

    one = iris.explain(X[:1])[0]
    display = WaterfallDisplay.from_explanation(one)
    assert display.start == one.start
    assert list(display.shares) == [part.share for part in one.inputs]
    pyplot.close("all")


def test_scikit_learn_can_select_by_importance(iris):
    assert iris.feature_importances_.shape == (4,)
    selector = SelectFromModel(iris, prefit=True, threshold=0.5)
    kept = selector.transform(X.to_numpy()).shape[1]
    assert kept == (iris.feature_importances_ >= 0.5).sum()


def test_text_stays_the_same_under_order_of_rows_and_inputs(iris):
    shuffled = UNFISClassifier().fit(X.iloc[::-1, ::-1], Y.iloc[::-1])
    one, other = iris.rules_, shuffled.rules_
    by_support = sorted(one, key=lambda rule: rule.support), sorted(other, key=lambda r: r.support)
    for rule, same in zip(*by_support, strict=True):
        assert rule.support == pytest.approx(same.support)
        terms = {c.input: c.term for c in rule.conditions}
        assert terms == {c.input: c.term for c in same.conditions}


def test_many_classes_are_told():
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(240, 3))
    clf = RuleNetwork(**SOFT).fit(rows, np.arange(240) % 24)
    assert "THEN" in str(clf.rules_)
    assert "more classes" in str(clf.rules_)
    assert clf.rules_.to_html()


def test_of_a_single_rule_no_strength_is_told(iris):
    clf = RuleNetwork(1, selection="soft", ridge=0.15).fit(X, Y)
    text = str(clf.explain(X[:1])[0])
    assert "of the decision" not in text
    assert "holds by" not in text
    assert "set of" not in clf.rules_.to_text(detail="full")


OFFSETS = [(1.7e9, 3600.0), (1.7e12, 1e3), (1e9, 0.1), (20.0, 1e-6), (0.0, 1e-15), (0.0, 1e12)]


@pytest.mark.parametrize(("offset", "spread"), OFFSETS)
def test_inputs_far_from_zero_and_of_any_size(offset, spread):
    generator = np.random.default_rng(0)
    rows = offset + spread * generator.normal(size=(120, 2))
    labels = (rows.sum(axis=1) > 2 * offset).astype(int)
    clf = RuleNetwork(**SOFT).fit(rows, labels)
    expected = clf.predict_proba(rows)
    np.testing.assert_allclose(clf.rules_.predict_proba(rows), expected, atol=1e-12)
    reader = TextReader(clf.rules_.to_text(detail="full"), ["x0", "x1"])
    for row in range(0, 120, 20):
        found = reader.probabilities(dict(zip(["x0", "x1"], rows[row].tolist(), strict=True)))
        np.testing.assert_allclose(list(found.values()), expected[row], atol=1e-6)
    changes = clf.explain(rows).changes
    possible = changes.inputs >= 0
    ends = rows.min(axis=0), rows.max(axis=0)
    inputs = changes.inputs[possible]
    assert possible.any()
    assert (changes.values[possible] >= ends[0][inputs]).all()
    assert (changes.values[possible] <= ends[1][inputs]).all()


def test_shares_add_up_far_from_everything():
    generator = np.random.default_rng(0)
    rows = generator.normal(size=(150, 3))
    clf = RuleNetwork(3, selection="none", ridge=0.15).fit(rows, (rows.sum(axis=1) > 0) * 1)
    for size in (1e3, 1e6, 1e8):
        far = rows[:20].copy()
        far[:, 0] = size
        shares = clf.explain(far).shares
        total = shares.start + shares.of_inputs.sum(axis=1)
        np.testing.assert_allclose(total, shares.total, rtol=1e-9)
        unknown = far.copy()
        unknown[:, 0] = np.nan
        labels = np.array([0, 1] * 10)
        before, after = (
            -clf.predict_log_proba(table)[np.arange(20), labels].mean() for table in (far, unknown)
        )
        assert clf.importance(far, labels)["x0"] == pytest.approx(after - before, rel=1e-9)


def test_a_table_of_nothing_but_unknowns_can_be_told():
    table = pd.DataFrame(
        {"a": [1.0, 2, 3, 4] * 5, "b": np.nan, "c": pd.Series([None] * 20, dtype="category")}
    )
    clf = RuleNetwork(2, selection="soft", ridge=0.15).fit(table, [0, 0, 1, 1] * 5)
    assert "b is" not in str(clf.rules_)
    explained = clf.explain(table)
    assert set(explained[0].unknown) == {"b", "c"}
    np.testing.assert_allclose(clf.rules_.predict_proba(table), clf.predict_proba(table))
