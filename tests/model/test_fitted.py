"""FittedModel: what it knows of a fit, and its other lengths."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from unfis import UNFISClassifier, UNFISRegressor


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(1)
    X = pd.DataFrame(generator.integers(0, 40, size=(300, 3)) / 4, columns=list("abc"))
    log_odds = -2 + 4 * (X["a"] > 6) + 2 * (X["b"] > 3)
    y = pd.Series(log_odds + generator.logistic(size=300) > 0, name="ill").map(
        {True: "yes", False: "no"}
    )
    return X, y


@pytest.fixture(scope="module")
def fitted(table):
    return UNFISClassifier().fit(*table)


def test_it_predicts_as_the_estimator_does(table, fitted):
    X, _ = table
    model, values = fitted.model_, X.to_numpy()
    np.testing.assert_array_equal(model.predictions(values), fitted.predict_proba(X))
    log_odds = model.rules.unit * model.points(values)[:, 0]
    np.testing.assert_array_equal(log_odds, fitted.decision_function(X))


def test_it_knows_the_names_and_the_settings(fitted):
    model = fitted.model_
    assert model.names.inputs == ("a", "b", "c")
    assert model.names.outputs == ("no", "yes")
    assert model.names.target == "ill"
    assert model.columns.classes.tolist() == ["no", "yes"]
    assert model.settings == fitted.get_params()
    assert fitted.rules_ == model.text


def test_held_out_losses_are_those_of_the_folds_models(table, fitted):
    _, y = table
    model = fitted.model_
    np.testing.assert_allclose(model.searched.held.sum(axis=0), 1.0)
    for length in (0, model.length):
        losses = [-np.log(fold[length].predictions(model.searched.values)) for fold in model.folds]
        codes = (y == "yes").to_numpy().astype(int)
        by_fold = np.array(losses)[:, np.arange(len(codes)), codes]
        expected = (model.searched.held * by_fold).sum(axis=0)
        np.testing.assert_allclose(model.losses[length], expected, rtol=1e-6, atol=1e-9)


def test_weight_of_drawn_rows_is_that_of_all():
    generator = np.random.default_rng(2)
    X = generator.normal(size=(9_000, 2))
    y = (X[:, 0] > 1.5).astype(int)
    searched = UNFISClassifier(max_rules=2).fit(X, y).model_.searched
    assert len(searched.values) < 9_000
    assert searched.weights.sum() == pytest.approx(9_000)
    assert searched.weights @ searched.targets == pytest.approx(y.sum())


@pytest.mark.parametrize("length", [0, 1, 3])
def test_at_another_length(table, fitted, length):
    X, _ = table
    other = fitted.at(length)
    assert len(other.model_.rules.rules) == length
    assert other.model_.rules == fitted.model_.path[length]
    assert len(other.model_.evidence) == length
    np.testing.assert_array_equal(
        other.predict_proba(X), fitted.model_.path[length].predictions(X.to_numpy())
    )
    assert other.at(fitted.model_.length).rules_ == fitted.rules_
    assert len(fitted.model_.rules.rules) == fitted.model_.length


def test_a_length_that_the_path_does_not_have(fitted):
    longest = len(fitted.model_.path) - 1
    with pytest.raises(ValueError, match=f"models of 0 to {longest} rules; got 99"):
        fitted.at(99)


def test_points_at_another_length_are_whole():
    X, y = load_iris(return_X_y=True)
    rules = UNFISClassifier().fit(X, y).at(2).model_.rules.rules
    assert all(rule.points == int(rule.points) for rule in rules)


def test_at_another_length_of_a_number(table):
    X, _ = table
    regressor = UNFISRegressor().fit(X, X["a"].rename("height"))
    assert regressor.model_.names.outputs == ("height",)
    flat = regressor.at(0)
    assert np.ptp(flat.predict(X)) == 0
    assert not hasattr(clone(flat), "model_")
