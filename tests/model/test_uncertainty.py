"""Intervals of probabilities, held against the delta method done by hand."""

import numpy as np
import pytest
from networks import RuleNetwork, classifier, load
from rule_tables import averaged, table_of
from scipy.special import expit, logit
from scipy.stats import norm

from unfis import UNFISClassifier
from unfis.model import uncertainty
from unfis.model.uncertainty import log_odds_of
from unfis.network import network_logits

EXACT = {"n_rules": 1, "selection": "none"}


def logistic_table(seed, rows=300):
    """Three inputs, a class by chance, and how probable it was."""
    generator = np.random.RandomState(seed)
    X = generator.randn(rows, 3)
    probabilities = expit(X @ [1.0, -0.7, 0.5] - 0.5)
    return X, (generator.random_sample(rows) < probabilities).astype(int), probabilities


def by_hand(clf, X, new, weights, variance=None):
    """The log-odds of new rows -+ their errors, of a logistic regression on X."""
    known, asked = (np.column_stack([np.ones(len(rows)), rows]) for rows in (X, new))
    p = clf.predict_proba(X)[:, 1]
    curvature = known.T * (weights * p * (1 - p)) @ known
    middle = curvature if variance is None else known.T * variance @ known
    covariance = np.linalg.solve(curvature, np.linalg.solve(curvature, middle).T)
    errors = np.sqrt(np.einsum("ki,ij,kj->k", asked, covariance, asked))
    log_odds = logit(clf.predict_proba(new)[:, 1])
    return expit(log_odds[:, None] + norm.ppf(0.975) * errors[:, None] * [-1, 1])


def test_one_rule_has_the_intervals_of_logistic_regression():
    X, y, _ = logistic_table(0)
    new = logistic_table(1)[0]
    weights = np.where(X[:, 0] > 0, 2.0, 1.0)
    clf = RuleNetwork(ridge=1e-9, **EXACT).fit(X, y, weights)
    found = clf.predict_interval(new)
    np.testing.assert_allclose(found[:, 1], by_hand(clf, X, new, weights), atol=1e-5)
    np.testing.assert_allclose(found[:, 0], 1 - found[:, 1, ::-1], atol=1e-12)


def test_weighted_classes_are_no_more_rows_than_there_are():
    X, y, _ = logistic_table(2)
    factors = np.array([1.0, 9.0])
    clf = RuleNetwork(ridge=1e-9, class_weight=dict(enumerate(factors)), **EXACT).fit(X, y)
    p = clf.predict_proba(X)
    chances = p / factors
    chances /= chances.sum(axis=1, keepdims=True)
    # The gradient is 9 (1 - p) with one chance, -p with the other.
    variance = chances[:, 1] * (9 * p[:, 0]) ** 2 + chances[:, 0] * p[:, 1] ** 2
    found = clf.predict_interval(X)[:, 1]
    np.testing.assert_allclose(found, by_hand(clf, X, X, factors[y], variance), atol=1e-5)


def test_log_odds_and_their_derivatives():
    logits = np.random.RandomState(0).randn(4, 3) * [1, 5, 20]
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    found, changes = log_odds_of(logits)
    np.testing.assert_allclose(found[0], logit(p[0]), rtol=1e-6)
    for g in range(3):
        step = 1e-6 * np.eye(3)[g]
        slopes = (log_odds_of(logits + step)[0] - log_odds_of(logits - step)[0]) / 2e-6
        np.testing.assert_allclose(changes[:, :, g], slopes, atol=1e-7)


@pytest.mark.parametrize("settings", [{}, {"consequents": "constant"}, {"selection": "soft"}])
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_errors_are_those_of_numerical_derivatives(name, settings):
    X, y = table_of(name)
    model = classifier(2, ridge=0.3, **settings).fit(X, y).model_
    values = model.columns.matrix(model.sample.values[::9])
    open_, network = model.uncertainty, model.network
    vector = network.to_vector()

    def log_odds(direction):
        moved = vector.copy()
        moved[open_.positions] += direction
        return log_odds_of(network_logits(network.with_vector(moved), values))[0]

    tiny = 1e-5 / np.abs(open_.root).max()
    slopes = [(log_odds(tiny * d) - log_odds(-tiny * d)) / (2 * tiny) for d in open_.root.T]
    errors = np.sqrt(np.square(slopes).sum(axis=0))
    found = logit(open_.intervals(network, values, 0.5))
    expected = 2 * norm.ppf(0.75) * errors
    inner = np.abs(found).max(axis=2) < 15  # beyond it 1 - p has few digits
    assert inner.sum() > 10
    spread = found[..., 1] - found[..., 0]
    np.testing.assert_allclose(spread[inner], expected[inner], rtol=2e-3)


def test_the_true_probability_is_inside_about_as_often_as_it_is_said():
    inside = []
    for seed in range(40):
        X, y, truth = logistic_table(seed)
        low, high = RuleNetwork(ridge=1e-3, **EXACT).fit(X, y).predict_interval(X)[:, 1].T
        inside.append(np.mean((low <= truth) & (truth <= high)))
    assert 0.88 < np.mean(inside) < 0.99


def test_more_confidence_and_fewer_rows_widen_it():
    X, y, _ = logistic_table(3)
    clf = UNFISClassifier(1, ridge=0.01).fit(X, y)
    p = clf.predict_proba(X)
    half, most = (clf.predict_interval(X, confidence) for confidence in (0.5, 0.99))
    assert (most[..., 0] < half[..., 0]).all()
    assert (half[..., 0] < p).all()
    assert (p < half[..., 1]).all()
    assert (half[..., 1] < most[..., 1]).all()


@pytest.mark.parametrize("confidence", [0, 1, 1.2, "95 %", True, np.nan])
def test_a_confidence_that_is_none(confidence):
    X, y, _ = logistic_table(3, 50)
    clf = UNFISClassifier(1, ridge=0.1).fit(X, y)
    with pytest.raises(ValueError, match="confidence must be a number above 0 and below 1"):
        clf.predict_interval(X, confidence)


def test_blocks_of_rows_change_nothing(monkeypatch):
    X, y = table_of("clinic")
    clf = UNFISClassifier(2, ridge=0.3).fit(X, y)
    whole = clf.predict_interval(X)
    monkeypatch.setattr(uncertainty, "length_of_blocks", lambda widest: 7)
    np.testing.assert_allclose(clf.predict_interval(X), whole, atol=1e-12)


@pytest.mark.parametrize("kind", ["averaged", "default", "soft"])
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_a_file_keeps_them(tmp_path, name, kind):
    X, y = table_of(name)
    settings = {"selection": "soft"} if kind == "soft" else {}
    clf = classifier(3 if kind == "averaged" else 1, ridge=0.3, **settings).fit(X, y)
    clf.save(tmp_path / "m.json")
    again = load(tmp_path / "m.json")
    np.testing.assert_allclose(again.predict_interval(X), clf.predict_interval(X), atol=1e-9)


@pytest.mark.parametrize("learner", ["lm", "sgd", "momentum"])
def test_other_learners_do_not_know(learner):
    X, y, _ = logistic_table(4, 60)
    clf = RuleNetwork(1, ridge=0.1, learner=learner).fit(X, y)
    assert clf.predict_interval(X) is None
    assert clf.explain(X)[0].interval is None


def test_models_that_no_training_ended_with_do_not_know():
    X, y = table_of("iris")
    clf = UNFISClassifier(2, ridge=0.3).fit(X, y)
    assert clf.edit(forbid=[X.columns[0]], refit=False).predict_interval(X) is None
    made = averaged(clf, 2, True)
    made.model_ = made.model_.with_network(made.model_.network, 1.0)
    assert made.predict_interval(X) is None
    batches = UNFISClassifier(1, ridge=0.3)
    assert batches.partial_fit(X[::2], y[::2], classes=np.unique(y)).predict_interval(X) is not None
    assert batches.partial_fit(X[1::2], y[1::2]).predict_interval(X) is None
