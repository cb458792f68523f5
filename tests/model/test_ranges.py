"""What training had not, and sets of classes, as reasons not to rely on an answer."""

import warnings
from math import inf

import numpy as np
import pandas as pd
import pytest

from unfis import UNFISClassifier, UNFISRegressor
from unfis.model.caveats import set_caveats
from unfis.model.ranges import Ranges
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid
from unfis.text import Names

MODEL = RuleModel((Rule((Trapezoid(0, 5.0, 5.0), Kinds(2, (0,))), 0, 1.0),), (0.0,))
NAMES = Names(("age", "bmi", "ward"), ((), (), ("A", "B")), ("ill", "well"))
TRAINING = np.array([[17.0, 20.0, 0.0], [90.0, np.nan, 1.0]])


def test_ranges_and_coverage_by_hand():
    ranges = Ranges.of(TRAINING)
    rows = np.array([[17.0, 0, 1], [91.0, 20, 0], [np.nan, 20, np.nan], [40.0, 20, np.nan]])
    assert ranges.coverage(MODEL, rows).tolist() == [1.0, 0.5, 0.0, 0.5]
    assert ranges.known(np.array([[50.0, np.nan, 0.0]])).all()  # bmi is missing in training too
    assert ranges.coverage(RuleModel((), (0.0,)), rows).tolist() == [1.0] * 4
    wider = ranges.with_rows(np.array([[100.0, 20.0, np.nan]]))
    assert wider.coverage(MODEL, rows).tolist() == [1.0, 1.0, 0.5, 1.0]


def test_caveats_in_words():
    ranges = Ranges.of(TRAINING)
    rows = np.array([[140.0, 99.0, 0.0], [np.nan, 20.0, np.nan], [17.0, 0.0, 1.0]])
    assert ranges.caveats(MODEL, NAMES, rows) == [
        ["age is 140; training had 17 to 90"],
        [
            "age is unknown, as in no row of training",
            "ward is unknown or of a new kind, as in no row of training",
        ],
        [],
    ]
    empty = Ranges.of(np.array([[np.nan, 1.0, 1.0]]))
    assert empty.caveats(MODEL, NAMES, np.array([[3.0, 1.0, 0.0]])) == [
        ["age is known, as in no row of training", "ward is A; training had only B"]
    ]


def test_sets_in_words():
    sets = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]], bool)
    names = Names((), (), ("a", "b", "c"))
    found = set_caveats(sets, np.zeros(6, int), np.array([0.1, 0.1, -inf]), names, 0.95)
    at = "at 95 % confidence"
    assert found == [
        [],
        [f"may also be b {at}"],
        [f"unusual for every class {at}"],
        [f"unusual for a, usual for b {at}"],
        [f"may also be c, which training has too few rows of to rule out {at}"],
        [f"may also be b or c {at}"],
    ]


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(1)
    X = pd.DataFrame(
        {"age": generator.integers(17, 91, 500), "ward": generator.choice(["A", "B"], 500)}
    )
    log_odds = 3.0 * (X["age"] > 50) + 2.0 * (X["ward"] == "A") - 2.5
    return X, np.where(log_odds + generator.logistic(size=500) > 0, "yes", "no")


def test_it_abstains_where_there_are_caveats(table):
    X, y = table
    clf = UNFISClassifier(max_rules=3).fit(X, y)
    new = pd.concat([X, pd.DataFrame({"age": [140], "ward": ["Z"]})], ignore_index=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*not seen in training")
        caveats, answers = clf.caveats(new), clf.abstain(new)
        coverage = clf.coverage(new)
    low, high = X["age"].min(), X["age"].max()
    assert caveats[-1].startswith(f"age is 140; training had {low} to {high}; ward is unknown or")
    assert coverage[-1] == 0
    assert (coverage[:-1] == 1).all()
    assert [answer is None for answer in answers] == (caveats != "").tolist()
    sure = caveats[:-1] == ""
    assert 0 < sure.sum() < len(X)
    assert (answers[:-1][sure] == clf.predict(X)[sure]).all()
    assert (clf.predict_set(X)[sure].sum(axis=1) == 1).all()
    with pytest.raises(ValueError, match="confidence must be"):
        clf.abstain(X, confidence=2)


def test_a_number_has_caveats_by_its_ranges_alone(table):
    X, _ = table
    reg = UNFISRegressor(max_rules=2).fit(X, 2.0 * X["age"])
    assert set(reg.caveats(X)) == {""}
    assert reg.caveats(X.assign(age=5))[0].startswith("age is 5; training had ")
