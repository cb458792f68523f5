"""What an expert knows of inputs: models are monotone exactly, and inputs stay apart."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingRegressor

from unfis import UNFISClassifier, UNFISRegressor
from unfis.rules import Trapezoid

STEPS = 60


@st.composite
def tables(draw):
    """Numbers of many and of few values, a category, missing values, and a signal with pairs."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = draw(st.sampled_from([80, 250]))
    X = pd.DataFrame(
        {
            "a": generator.normal(size=rows),
            "b": generator.integers(0, 6, rows).astype(float),
            "c": generator.uniform(0, 100, rows),
            "kind": generator.choice(["p", "q", "r"], rows),
        }
    )
    a, c = X["a"].to_numpy(), X["c"].to_numpy()
    both = 3 * ((a > 0) & (c > 40)) - 2 * ((X["b"] > 2) & (a < 0.5))
    signal = {
        "rising": 2 * a + (X["kind"] == "p"),
        "pairs": both,
        "waves": 2 * np.sin(2 * a) + 2 * (np.abs(c - 50) < 20),
        "crossed": 4.0 * ((a > 0) ^ (c > 50)),
    }[draw(st.sampled_from(["rising", "pairs", "waves", "crossed"]))]
    if draw(st.booleans()):
        X.loc[generator.random(rows) < 0.15, "a"] = np.nan
    signs = {name: draw(st.sampled_from([-1, 0, 1])) for name in ("a", "b", "c")}
    return X, np.asarray(signal, dtype=float) + generator.logistic(size=rows), signs


def rising_rows(generator, model, X, name):
    """The values of some rows, each with all values of one input from low to high."""
    values = model.columns.values(X)
    j = list(X).index(name)
    conditions = [c for rules in model.path for rule in rules.rules for c in rule.conditions]
    ranges = [c for c in conditions if c.input == j and isinstance(c, Trapezoid)]
    knots = [knot for one in ranges for edge in one.edges for knot in edge]
    numbers = np.concatenate([generator.choice(values[:, j], STEPS), knots])
    numbers = np.sort(numbers[~np.isnan(numbers)])
    for row in values[generator.choice(len(values), 6)]:
        table = np.tile(row, (len(numbers), 1))
        table[:, j] = numbers
        yield table


def assert_monotone(model, X, signs):
    generator = np.random.default_rng(0)
    every = [model.rules, *model.path, *(rules for fold in model.folds for rules in fold)]
    for name, sign in signs.items():
        for table in rising_rows(generator, model, X, name) if sign else ():
            for rules in every:
                assert (sign * np.diff(rules.points(table)[:, 0]) >= 0).all()


@settings(max_examples=15, deadline=None)
@given(tables(), st.sampled_from([1, 2, 3]), st.sampled_from(["whole", "exact"]))
def test_the_probability_is_monotone(table, most, points):
    X, signal, signs = table
    y = np.where(signal > np.median(signal), "yes", "no")
    parameters = {"max_conditions": most, "points": points, "max_rules": 8}
    model = UNFISClassifier(monotonic_cst=signs, **parameters).fit(X, y).model_
    assert_monotone(model, X, signs)


@settings(max_examples=15, deadline=None)
@given(tables(), st.sampled_from([1, 2, 3]), st.sampled_from(["squared_error", "poisson"]))
def test_the_number_is_monotone(table, most, loss):
    X, signal, signs = table
    y = np.exp(np.clip(signal, -3, 3)).round() if loss == "poisson" else signal
    parameters = {"max_conditions": most, "loss": loss, "max_rules": 8}
    model = UNFISRegressor(monotonic_cst=signs, **parameters).fit(X, y).model_
    assert_monotone(model, X, signs)


@pytest.fixture(scope="module")
def wave():
    """A number that rises with x, falls, and rises again; z counts where x is high."""
    generator = np.random.default_rng(3)
    X = pd.DataFrame(generator.uniform(0, 6, size=(800, 3)), columns=list("xzn"))
    y = X["x"] + 2 * np.sin(2 * X["x"]) + 3 * ((X["x"] > 3) & (X["z"] > 3))
    return X, y + generator.normal(0, 0.3, 800)


def test_directions_cost_little_where_they_are_true(wave):
    X, _ = wave
    y = 3 * (X["x"] > 2) + 2 * ((X["x"] > 4) & (X["z"] > 3))
    free = UNFISRegressor().fit(X, y)
    kept = UNFISRegressor(monotonic_cst={"x": 1, "z": 1}).fit(X, y)
    assert kept.score(X, y) > 0.98 * free.score(X, y)


def test_a_model_with_directions_is_as_good_as_boosting_with_them(wave):
    X, y = wave
    ours = UNFISRegressor(monotonic_cst=[1, 0, 0]).fit(X, y)
    boosted = HistGradientBoostingRegressor(monotonic_cst=[1, 0, 0]).fit(X, y)
    assert ours.score(X, y) > boosted.score(X, y) - 0.1


def test_the_other_way_says_next_to_nothing(wave):
    X, _ = wave
    y = X["x"] + X["n"]
    wrong = UNFISRegressor(monotonic_cst={"x": -1}).fit(X, y)
    assert wrong.score(X, y) < UNFISRegressor().fit(X[["z", "n"]], y).score(X[["z", "n"]], y) + 0.03


def test_directions_by_name_by_order_and_none_at_all(wave):
    X, y = wave
    by_name = UNFISRegressor(monotonic_cst={"z": 1, "n": 0}).fit(X, y)
    by_order = UNFISRegressor(monotonic_cst=np.array([0, 1, 0])).fit(X, y)
    assert by_name.rules_ == by_order.rules_
    nothing = UNFISRegressor(monotonic_cst=[0, 0, 0]).fit(X, y)
    assert nothing.rules_ == UNFISRegressor().fit(X, y).rules_


def pairs(model):
    """The inputs that stand in one rule, in any model of the path."""
    return {frozenset(rule.inputs) for rules in model.path for rule in rules.rules}


def test_inputs_that_may_stand_in_one_rule():
    generator = np.random.default_rng(4)
    X = generator.uniform(size=(700, 5))
    high = X > 0.5
    y = (
        2.0 * (high[:, 0] ^ high[:, 1])
        + 2 * (high[:, 2] & high[:, 3])
        + 2 * (high[:, 1] & high[:, 2])
    )
    free = UNFISRegressor().fit(X, y)
    assert {frozenset((0, 1)), frozenset((2, 3)), frozenset((1, 2))} <= pairs(free.model_)
    groups = UNFISRegressor(interaction_cst=[[0, 1], {1, 2}]).fit(X, y)
    found = pairs(groups.model_)
    assert frozenset((0, 1)) in found
    assert frozenset((1, 2)) in found
    assert all(
        one <= {0, 1} or one <= {1, 2} or one <= {3, 4} for one in found
    )  # inputs in no group are one more
    single = UNFISRegressor(interaction_cst="no_interactions").fit(X, y)
    assert all(len(one) == 1 for one in pairs(single.model_))
    pairwise = UNFISRegressor(interaction_cst="pairwise", max_conditions=3).fit(X, y)
    assert all(len(one) <= 2 for one in pairs(pairwise.model_))


def test_three_inputs_of_pairs_of_groups_do_not_stand_in_one_rule():
    generator = np.random.default_rng(5)
    high = generator.integers(0, 2, size=(600, 3))
    y = 3.0 * high.all(axis=1) + generator.normal(0, 0.1, 600)
    groups = [[0, 1], [1, 2], [0, 2]]
    free = UNFISRegressor(max_conditions=3).fit(high, y)
    assert frozenset((0, 1, 2)) in pairs(free.model_)
    kept = UNFISRegressor(max_conditions=3, interaction_cst=groups).fit(high, y)
    assert max(map(len, pairs(kept.model_))) == 2


TABLE = pd.DataFrame({"a": [1.0, 2, 3, 4] * 5, "w": ["p", "q"] * 10})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"monotonic_cst": {"w": 1}}, "monotonic_cst has 1 for w, a category"),
        ({"monotonic_cst": {"a": 2}}, "monotonic_cst must be 1, -1 or 0 for a; got 2"),
        ({"monotonic_cst": [1]}, "for each of the 2 inputs; got 1 numbers"),
        ({"monotonic_cst": "a"}, "monotonic_cst must be a dict such as"),
        ({"monotonic_cst": {"b": 1}}, "monotonic_cst names the input 'b'"),
        ({"monotonic_cst": {"a": 1, 0: -1}}, "monotonic_cst names a twice, with 1 and with -1"),
        ({"interaction_cst": "pairs"}, "interaction_cst must be 'no_interactions', 'pairwise'"),
        ({"interaction_cst": [["a", "b"]]}, "interaction_cst names the input 'b'"),
        ({"interaction_cst": ["a"]}, "got 'a' in place of a group"),
        ({"interaction_cst": 3}, "got 3 in place of a group"),
    ],
)
def test_what_cannot_be_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        UNFISClassifier(**parameters).fit(TABLE, [0, 1] * 10)


def test_three_classes_have_no_direction():
    with pytest.raises(ValueError, match="monotonic_cst is about the probability of the second"):
        UNFISClassifier(monotonic_cst=[1, 0]).fit(TABLE, [0, 1, 2, 3] * 5)
