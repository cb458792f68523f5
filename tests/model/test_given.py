"""Rules that an expert writes: read, kept, and what cannot be is refused."""

from math import inf, log

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from unfis import UNFISClassifier, UNFISRegressor
from unfis.model.given import given_rules
from unfis.rules import Kinds, Rule, Trapezoid, Unknown


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": generator.integers(20, 90, 500).astype(float),
            "bmi": generator.uniform(18, 40, 500).round(1),
            "smoker": generator.random(500) < 0.3,
            "ward": generator.choice(["A", "B", "C"], 500),
        }
    )
    X.loc[:30, "bmi"] = np.nan
    log_odds = -2 + 2 * (X["age"] > 60) + 2 * X["smoker"] + (X["bmi"].fillna(0) > 30)
    y = np.where(log_odds + generator.logistic(size=500) > 0, "ill", "well")
    return X, y


@pytest.fixture(scope="module")
def inputs(table):
    return UNFISClassifier(max_rules=1).fit(*table).model_.columns.inputs


@pytest.mark.parametrize(
    ("written", "conditions"),
    [
        ({"age": [60, None]}, [Trapezoid(0, 60.0, 60.0)]),
        ({"age": (None, 60)}, [Trapezoid(0, c=60.0, d=60.0)]),
        ({"bmi": [20, 25.5]}, [Trapezoid(1, 20.0, 20.0, 25.5, 25.5)]),
        ({"bmi": [20, 22, None, None]}, [Trapezoid(1, 20.0, 22.0)]),
        ({"bmi": [None, None, 22, 30]}, [Trapezoid(1, -inf, -inf, 22.0, 30.0)]),
        ({"smoker": True}, [Trapezoid(2, 1.0, 1.0)]),
        ({"smoker": False}, [Trapezoid(2, c=1.0, d=1.0)]),
        ({"ward": "B"}, [Kinds(3, (1,))]),
        ({"ward": ["C", "A"], "bmi": None}, [Kinds(3, (0, 2)), Unknown(1)]),
    ],
)
def test_conditions_as_they_are_written(inputs, written, conditions):
    (rule,) = given_rules("given", [{"if": written, "points": 2}], inputs, ())
    assert rule == Rule(tuple(conditions), 0, 2.0)


def test_classes_as_they_are_written(inputs):
    written = [{"if": {"ward": "B"}, "then": name, "points": 2} for name in "abc"]
    several = given_rules("given", written, inputs, "abc")
    assert [(rule.output, rule.points) for rule in several] == [(0, 2.0), (1, 2.0), (2, 2.0)]
    first, second = (given_rules("given", [one], inputs, "ab")[0] for one in written[:2])
    assert (first.output, first.points) == (0, -2.0)
    assert (second.output, second.points) == (0, 2.0)


GIVEN = [
    {"if": {"age": [60, 70, None, None], "ward": ["A", "B"]}, "then": "ill"},
    {"if": {"bmi": [30, None]}, "then": "ill", "points": 3},
    {"if": {"smoker": False}, "then": "well", "points": 1.5},
]


@pytest.mark.parametrize("points", ["whole", "exact"])
@pytest.mark.parametrize("rules", [3, 8])
def test_given_rules_are_in_every_model(table, points, rules):
    model = UNFISClassifier(given_rules=GIVEN, points=points, max_rules=rules).fit(*table).model_
    assert model.given == {0, 1, 2}
    assert model.fixed == {1, 2}
    assert len(model.rules.rules) <= rules
    every = [model.rules, *model.path, *(one for fold in model.folds for one in fold)]
    for one in every:
        pair, bmi, smoker = one.rules[:3]
        assert [c.input for c in pair.conditions] == [0, 3]
        assert pair.conditions[0].edges == ((60.0, 70.0),)
        assert pair.conditions[1].kinds == (0, 1)
        assert bmi.conditions[0].edges == ((30.0, 30.0),)
        assert bmi.points == -3.0  # well is the second class
        assert smoker.points == 1.5
        assert one.unit == pytest.approx(log(2))
    if points == "whole":
        learned = [rule.points for rule in (model.rules.rules[0], *model.rules.rules[3:])]
        assert all(number == int(number) for number in learned)


def test_rules_around_given_ones_are_those_that_are_left(table):
    """What is given is not learned again, and what is not given is."""
    found = UNFISClassifier(given_rules=[{"if": {"age": [61, None]}, "then": "ill"}]).fit(*table)
    learned = [rule.inputs for rule in found.model_.rules.rules[1:]]
    assert (2,) in learned
    assert found.model_.rules.rules[0].points < 0
    assert found.score(*table) > UNFISClassifier().fit(*table).score(*table) - 0.02


def test_each_given_point_doubles_the_odds(table):
    X, y = table
    alone = [{"if": {"smoker": True}, "then": "ill", "points": 2}]
    model = UNFISClassifier(given_rules=alone, max_rules=1).fit(X, y)
    log_odds = np.unique(model.decision_function(X))
    assert np.diff(log_odds) == pytest.approx(2 * log(2))
    start = model.model_.rules.start[0]
    probabilities = model.predict_proba(X[X["smoker"]])[:, 1]
    assert probabilities == pytest.approx(expit((start - 2) * log(2)))


@pytest.mark.parametrize("points", ["whole", "exact"])
def test_points_of_a_number_are_in_its_unit(table, points):
    X, _ = table
    y = 1000 + 50 * X["smoker"] + 30 * (X["age"] >= 55) + np.arange(500) % 7
    given = [{"if": {"smoker": True}, "points": 44.5}, {"if": {"age": [55, None]}}]
    model = UNFISRegressor(given_rules=given, points=points).fit(X, y)
    first, second = model.model_.rules.rules[:2]
    assert first.points == 44.5
    assert second.points == pytest.approx(30, abs=2)
    assert model.score(X, y) > 0.9


def test_several_classes_and_counts_have_given_rules(table):
    X, _ = table
    classes = np.where(X["age"] > 60, "old", X["ward"])
    given = [{"if": {"age": [60, None]}, "then": "old", "points": 4}]
    model = UNFISClassifier(given_rules=given).fit(X, classes).model_
    assert (model.rules.rules[0].output, model.rules.rules[0].points) == (3, 4.0)
    counts = np.where(X["smoker"], 4, 1)
    given = [{"if": {"smoker": True}, "points": 2}]
    counted = UNFISRegressor(given_rules=given, max_rules=1, loss="poisson").fit(X, counts)
    np.testing.assert_allclose(counted.predict(X), counts, rtol=0.05)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("IF", "given_rules must be a list of rules such as"),
        (["IF"], "rule 1 of given_rules must be a dict such as"),
        ([{"when": {}}], "rule 1 of given_rules has 'when'; a rule has 'if', 'then', 'points'"),
        ([{"if": {}, "then": "ill"}], "must have one to 3 conditions by input in 'if'"),
        ([{"if": {"age": [1, None]}}], "must have 'then', one of the classes 'ill', 'well'"),
        ([{"if": {"age": [1, None]}, "then": "dead"}], "names 'dead', which is not among"),
        ([{"if": {"old": [1, None]}, "then": "ill"}], "names the input 'old', which is none of"),
        ([{"if": {"age": 60}, "then": "ill"}], r"age in rule 1 of given_rules must be \[low, high"),
        ([{"if": {"age": [70, 60]}, "then": "ill"}], "must have rising borders"),
        ([{"if": {"age": [None, None]}, "then": "ill"}], "must have rising borders, one at least"),
        ([{"if": {"age": [1, None, 3, 4]}, "then": "ill"}], "must have both borders of an edge"),
        ([{"if": {"ward": "D"}, "then": "ill"}], "must be some of the kinds 'A', 'B', 'C'"),
        ([{"if": {"ward": ["A", "B", "C"]}, "then": "ill"}], "must be some of the kinds"),
        ([{"if": {"smoker": "yes"}, "then": "ill"}], "must be True or False; got 'yes'"),
        ([{"if": {"age": [60, None]}, "then": "ill", "points": 0}], "a number other than 0; got 0"),
        ([{"if": {"age": [99, None]}, "then": "ill"}], "holds for no row"),
        (2 * [{"if": {"age": [60, None]}, "then": "ill"}], "rule 2 of given_rules is there twice"),
    ],
)
def test_what_cannot_be_is_refused(table, given, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(given_rules=given).fit(*table)


def test_given_rules_must_fit_the_other_parameters(table):
    X, y = table
    with pytest.raises(ValueError, match="max_rules must be at least 3"):
        UNFISClassifier(given_rules=GIVEN, max_rules=2).fit(X, y)
    with pytest.raises(ValueError, match="rule 2 of given_rules goes against monotonic_cst"):
        UNFISClassifier(given_rules=GIVEN, monotonic_cst={"bmi": 1}).fit(X, y)
    kept = UNFISClassifier(given_rules=GIVEN, monotonic_cst={"bmi": -1, "age": -1}).fit(X, y)
    assert kept.model_.rules.rules[0].points <= 0
    with pytest.raises(ValueError, match="has 'then', which only classes have"):
        UNFISRegressor(given_rules=GIVEN).fit(X, np.arange(500.0))
