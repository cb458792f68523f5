"""The two estimators of rules that add up on tables whose rules are known."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from unfis import UNFISClassifier


@pytest.fixture(scope="module")
def thresholds():
    """A class by two thresholds, of which one counts only where the other holds."""
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.uniform(0, 10, size=(600, 4)), columns=list("abcd"))
    log_odds = -2 + 4 * (X["a"] > 6) + 3 * ((X["b"] < 4) & (X["c"] > 3))
    y = np.where(log_odds + generator.logistic(size=600) > 0, "ill", "well")
    return X, y


def test_thresholds_are_found_where_they_are(thresholds):
    X, y = thresholds
    model = UNFISClassifier().fit(X, y).model_.rules
    inputs = {rule.inputs: rule for rule in model.rules}
    step = inputs[0,].conditions[0]
    assert min(edge[0] for edge in step.edges) >= 5
    assert max(edge[1] for edge in step.edges) <= 7
    assert any(set(pair) == {1, 2} for pair in inputs)


def test_the_text_names_inputs_and_classes(thresholds):
    text = UNFISClassifier().fit(*thresholds).rules_
    assert "Points for well" in text
    assert "IF a is" in text
    assert max(map(len, text.splitlines())) <= 80


def test_points_are_whole_numbers_unless_exact_ones_are_asked_for():
    X, y = load_iris(return_X_y=True)
    whole = [rule.points for rule in UNFISClassifier().fit(X, y).model_.rules.rules]
    exact = [rule.points for rule in UNFISClassifier(points="exact").fit(X, y).model_.rules.rules]
    assert all(points == int(points) and abs(points) <= 9 for points in whole)
    assert any(points != int(points) for points in exact)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_rules": 0}, "max_rules must be an integer from 1; got 0"),
        ({"max_conditions": 4}, "max_conditions must be an integer from 1 to 3; got 4"),
        ({"points": "few"}, "points must be 'whole' or 'exact'; got 'few'"),
        ({"ridge": -1.0}, "ridge must be 'auto' or a number above 0; got -1.0"),
    ],
)
def test_wrong_parameters_are_told(parameters, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(**parameters).fit([[0.0], [1.0], [2.0]], [0, 1, 0])
