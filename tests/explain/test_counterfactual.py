"""The smallest changes: they change the answer, and no smaller one would."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from explain.tables import cases, fitted, table
from hypothesis import given, settings
from hypothesis import strategies as st

from unfis import UNFISClassifier
from unfis.data.costs import threshold_costs
from unfis.explain import Goal
from unfis.explain.counterfactual import NO_INPUT, ChangeSearch
from unfis.explain.seen import resolution
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown

ANOTHER = Goal()


def with_rules(estimator, rules, start=(0.0,)):
    """A fitted model with other rules."""
    return replace(estimator.model_, rules=RuleModel(rules, start, 1.0, "logistic"))


@pytest.fixture(scope="module")
def two():
    X, signal = table(3, rows=300)
    return fitted("two", X, signal)[0]


def row(model, **values):
    """A row of values by name, unknown where none is given."""
    return np.array([[values.get(name, np.nan) for name in model.names.inputs]])


def comb(search, j):
    """All values of the table's resolution, and the borders."""
    seen = search.seen[j]
    if len(seen.choices):
        return seen.choices
    unit = 10.0**-seen.decimals
    low, high = seen.rising[[0, -1]]
    steps = np.arange(np.floor(low / unit), np.ceil(high / unit) + 1)
    return np.append(np.round(steps * unit, seen.decimals), search.borders[j])


def least_size(search, values):
    """The size of the smallest change of one input, by trying all values."""
    best = inf
    old = search.goal.answers(search.model, values)
    for j in search.conditions:
        every = comb(search, j)
        rows = np.tile(values, (len(every), 1))
        rows[:, j] = every
        reached = search.goal.is_reached(search.model, rows, np.repeat(old, len(rows)))
        sizes = search.seen[j].sizes(values[:, j], every)
        best = min(best, sizes[reached].min(initial=inf))
    return best


def goal_of(task, predictions, generator):
    if task in ("two", "three"):
        return ANOTHER
    limit = float(np.quantile(predictions, generator.uniform(0.2, 0.8)))
    return Goal(above=limit) if generator.random() < 0.5 else Goal(below=limit)


@settings(max_examples=12, deadline=None)
@given(cases(), st.booleans(), st.integers(0, 99))
def test_the_change_reaches_the_goal_and_no_smaller_one_would(case, has_costs, seed):
    task, X, signal = case
    generator = np.random.default_rng(seed)
    costs = None
    if has_costs and task in ("two", "three"):
        costs = {"low": 0.4, "high": 3.0} if task == "three" else {"low": 2.5}
    estimator, _ = fitted(task, X, signal, **({"costs": costs} if costs else {}))
    model = estimator.model_
    values = model.columns.values(X)[:12]
    search = ChangeSearch(model, goal_of(task, model.predictions(values), generator))
    found, old = search.changes(values), search.goal.answers(model, values)
    reached = search.goal.is_reached(model, found.applied(values), old)
    at_once = search.goal.is_reached(model, values, old)
    np.testing.assert_array_equal(reached, np.isfinite(found.sizes) | at_once)
    for n in np.flatnonzero(~at_once):
        least = least_size(search, values[[n]])
        is_one = np.isfinite(found.sizes[n]) and found.inputs[n, 1] == NO_INPUT
        assert is_one == (least < inf)
        assert not is_one or found.sizes[n] <= least + 1e-9


def test_two_inputs_change_where_no_single_one_does(two):
    TSH, age = (two.model_.names.inputs.index(name) for name in ("TSH", "age"))
    rules = (
        Rule((Trapezoid(TSH, 5.0, 5.0),), 0, 2.0),
        Rule((Trapezoid(age, 40.0, 60.0),), 0, 4.0),
    )
    model = with_rules(two, rules, (-5.0,))
    search = ChangeSearch(model, ANOTHER)
    values = row(model, TSH=3.0, age=30.0)
    found = search.changes(values)
    then = found.applied(values)
    assert set(found.inputs[0].tolist()) == {TSH, age}
    assert then[0, TSH] == 5.0
    # 2 + 4 * (age - 40) / 20 > 5, at whole years
    assert then[0, age] == 56.0


def test_a_crossing_is_rounded_to_the_side_that_changes_the_answer(two):
    j = two.model_.names.inputs.index("TSH")
    model = with_rules(two, (Rule((Trapezoid(j, 2.0, 5.0),), 0, 7.0),), (-3.0,))
    search = ChangeSearch(model, ANOTHER)
    values = np.concatenate([row(model, TSH=1.0), row(model, TSH=6.1)])
    found = search.changes(values)
    # The answer changes at 2 + 3 * 3 / 7 = 3.2857.
    assert found.values[:, 0].tolist() == [3.3, 3.2]
    assert [search.beyond(values[n], found.applied(values)[n], j) for n in (0, 1)] == [
        "or more",
        "or less",
    ]


def test_a_sharp_edge_is_met_at_its_border_and_left_just_below(two):
    j = two.model_.names.inputs.index("TSH")
    band = Trapezoid(j, 3.0, 3.0, 4.0, 4.0)
    model = with_rules(two, (Rule((band,), 0, 5.0),), (-2.0,))
    search = ChangeSearch(model, ANOTHER)
    values = np.concatenate([row(model, TSH=value) for value in (2.0, 5.5, 3.1, 3.9)])
    found = search.changes(values)
    assert found.values[:, 0].tolist() == [3.0, 3.9, 2.9, 4.0]
    # Beyond the band the answer is the old one again.
    assert search.beyond(values[0], found.applied(values)[0], j) == ""
    assert search.beyond(values[2], found.applied(values)[2], j) == "or less"


def test_unknown_values_may_become_known_and_none_becomes_unknown(two):
    names = two.model_.names.inputs
    j, ward = names.index("TSH"), names.index("ward")
    rules = (Rule((Unknown(j),), 0, 5.0), Rule((Unknown(ward),), 0, -9.0))
    model = with_rules(two, rules, (-2.0,))
    search = ChangeSearch(model, ANOTHER)
    values = np.concatenate([row(model, ward=1.0), row(model, ward=1.0, TSH=2.0)])
    found = search.changes(values)
    assert found.inputs[0].tolist() == [j, NO_INPUT]
    assert found.values[0, 0] == search.seen[j].centre
    assert np.isinf(found.sizes[1])


def test_a_category_changes_to_the_commonest_kind_that_does(two):
    names = two.model_.names.inputs
    ward = names.index("ward")
    model = with_rules(two, (Rule((Kinds(ward, (1, 3)),), 0, 5.0),), (-2.0,))
    search = ChangeSearch(model, ANOTHER)
    found = search.changes(np.concatenate([row(model, ward=code) for code in (0.0, 1.0)]))
    shares = search.seen[ward].shares
    assert found.values[0, 0] == (1 if shares[1] >= shares[3] else 3)
    assert found.values[1, 0] == (0 if shares[0] >= shares[2] else 2)


def test_a_threshold_moves_the_change(two):
    j = two.model_.names.inputs.index("TSH")
    model = with_rules(two, (Rule((Trapezoid(j, 1.0, 6.0),), 0, 5.0),), (-2.5,))
    changes = []
    for threshold in (0.2, 0.5, 0.8):
        one = replace(model, costs=threshold_costs(threshold))
        found = ChangeSearch(one, ANOTHER).changes(row(model, TSH=0.9))
        changes.append(found.values[0, 0])
        # p(TSH) = threshold where TSH = 1 + 2.5 + logit(threshold)
        assert 0 < changes[-1] - (3.5 + np.log(threshold / (1 - threshold))) < 0.11
    assert changes == sorted(changes)


def test_without_rows_borders_and_the_columns_are_enough(two):
    X, _ = table(3, rows=300)
    model = replace(two.model_, searched=None)
    values = model.columns.values(X)[:40]
    search = ChangeSearch(model, ANOTHER)
    found, old = search.changes(values), model.answers(model.predictions(values))
    new = model.answers(model.predictions(found.applied(values)))
    assert np.isfinite(found.sizes).mean() > 0.5
    np.testing.assert_array_equal(new != old, np.isfinite(found.sizes))


def test_a_size_is_the_share_of_rows_between():
    X = np.arange(10.0)[:, None].repeat(4, axis=0)
    clf = UNFISClassifier(max_rules=1).fit(X, X[:, 0] > 4.5)
    seen = ChangeSearch(clf.model_, ANOTHER).seen[0]
    sizes = seen.sizes(np.array([2.0, 2.0, 2.0, np.nan, 2.0]), np.array([3.0, 7.0, 2.0, 4.0, 99.0]))
    np.testing.assert_allclose(sizes, [0.1, 0.5, inf, 0.0, inf], atol=1e-8)


@pytest.mark.parametrize(
    ("values", "spread", "decimals"),
    [
        ([1.0, 2.0, 30.0], 10.0, 0),
        ([0.25, 1.5], 1.0, 2),
        ([1 / 3, 2 / 3], 1.0, 4),
        ([123_456_789.0], 5e6, -2),
        ([5e-324], 5e-324, 300),
    ],
)
def test_resolution(values, spread, decimals):
    assert resolution(np.array(values), spread) == decimals
