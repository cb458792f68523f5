"""No printed statement is false by the rows it speaks of, read by a second reader of the text."""

import functools
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networks import RuleNetwork
from printed_rules import (
    WORDS,
    fulfils,
    points_of,
    read,
    same_percent,
    same_times,
    word_range,
)
from rule_tables import averaged, averaged_in_points, class_rules

from unfis import UNFISClassifier
from unfis.network import forward, network_logits

# One of the tables has a class of a few rows.
pytestmark = pytest.mark.filterwarnings("ignore:Fewer than 10 rows are of:UserWarning")
MADE = {"averaged": averaged, "points": averaged_in_points, "classes": class_rules}


def table_of_numbers(generator, rows):
    X = pd.DataFrame(generator.normal(size=(rows, 3)).round(2), columns=["a (cm)", "b", "c"])
    return X, X["a (cm)"] + 0.5 * X["b"] + 0.5 * generator.normal(size=rows) > 0


def with_categories(generator, rows):
    X, y = table_of_numbers(generator, rows)
    X["ward"] = pd.Categorical(generator.choice(["east", "north", "west"], rows))
    X["smoker"] = generator.random(rows) < 0.4
    return X, y ^ (X["ward"] == "east") & X["smoker"]


def with_missing(generator, rows):
    X, y = with_categories(generator, rows)
    X["smoker"] = X["smoker"].astype("boolean")
    for name in X.columns:
        X.loc[generator.random(rows) < 0.15, name] = None
    return X, y


def rare_class(generator, rows):
    X, _ = table_of_numbers(generator, rows)
    odds = X["a (cm)"] + generator.normal(size=rows)
    return X, odds > np.sort(odds)[-max(3, rows // 20)]


def copies(generator, rows):
    X, y = table_of_numbers(generator, rows)
    return X.assign(b=X["a (cm)"], c=X["a (cm)"]), y


def xor(generator, rows):
    X = pd.DataFrame(generator.normal(size=(rows, 2)), columns=["a", "b"])
    return X, (X["a"] > 0) ^ (X["b"] > 0)


def rings(generator, rows):
    X = pd.DataFrame(generator.normal(size=(rows, 2)), columns=["a", "b"])
    radius = np.hypot(X["a"], X["b"])
    return X, np.digitize(radius, [0.8, 1.5])


def counts_of_yes(generator, rows):
    X = pd.DataFrame(generator.random((rows, 5)) < 0.4, columns=list("vwxyz")).astype(float)
    return X, X.sum(axis=1) + 0.5 * generator.normal(size=rows) > 2


TABLES = [
    table_of_numbers,
    with_categories,
    with_missing,
    rare_class,
    copies,
    xor,
    rings,
    counts_of_yes,
]


def labelled(y):
    """Classes with names."""
    codes = np.asarray(y, dtype=float).astype(int)
    return np.array(["no", "yes", "perhaps"])[codes]


def checked(clf, X, y):
    """Hold every statement of the printed rules against the rows."""
    text, names = str(clf.rules_), [str(name) for name in clf.classes_]
    told = read(text, names)
    labels = {re.sub(r" \([^()]*\)$", "", name): name for name in X.columns}
    inputs = clf.model_.columns.matrix(clf.model_.columns.values(X))
    found = forward(clf.parameters_, inputs)
    leads = found.log_firing >= found.log_firing.max(axis=1, keepdims=True) - 1e-12
    leads = leads / leads.sum(axis=1, keepdims=True)
    assert not re.search(r"\b(anything|rather|say of|opinion)\b", text.replace("rules say", ""))
    assert max(map(len, text.splitlines())) <= 100
    assert f"learned from {len(X)} rows" in told.headline
    assert len(told.rules) == len(clf.parameters_.consequents)
    readings = [repr(rule._replace(title="", count=0)) for rule in told.rules]
    assert len(set(readings)) == len(readings)
    for i, rule in enumerate(told.rules):
        own = clf.parameters_.consequents[i, :, 0] - clf.parameters_.thresholds
        rows_are_told(rule, leads[:, i], y, names, own.argmax(), single=len(told.rules) == 1)
        ranges_hold(rule, leads[:, i], X, labels)
        if len(told.rules) > 1:
            directions_hold(rule, leads[:, i], clf, X, labels)
    if told.same is not None:
        answers = np.asarray(clf.predict(X)).astype(str)
        share = alone(told, leads, X, labels, answers)
        counts = any(rule.points for rule in told.rules)  # of rounded probabilities
        assert share is None or same_percent(told.same, share) or (counts and near(told, share))
    return told, labels, leads


def near(told, share):
    """Whether single rules answer the same on as many rows as is told, up to a few."""
    return abs(float(re.search(r"\d+", told.same)[0]) - 100 * share) <= 3


def rows_are_told(rule, leads, y, names, own, *, single):
    """The number of rows led, their classes, and the class that is named: the rule's own answer.

    Where another class is more frequent among these rows, that is told.
    """
    if not leads.any():
        assert "leads on none of the rows" in rule.remarks
        return
    if rule.count is None:
        assert single  # of a scorecard: it is about all rows
        return
    assert rule.count == round(leads.sum())
    shares = {name: leads[y == name].sum() / leads.sum() for name in names}
    for name, share in shares.items():
        assert (name in rule.shares) == (share > 0)
        if share > 0:
            assert same_percent(rule.shares[name], share)
            average = np.mean(y == name)
            assert (name in rule.times) == (average < 0.1 and not single)
            if name in rule.times:
                assert same_times(rule.times[name], share / average)
    if not rule.points:
        assert rule.conclusion == names[own]
        most = max(shares.values())
        other = [
            re.match(r"The rule says .+, although (.+) is more frequent", r) for r in rule.remarks
        ]
        frequent = [found[1] for found in other if found] or [rule.conclusion]
        assert shares[frequent[0]] == pytest.approx(most)
        assert len(frequent) == 1


def ranges_hold(rule, leads, X, labels):
    """Nine tenths of the rows led are in all ranges, and words are the nearest ones to them."""
    inside = np.ones(len(X), dtype=bool)
    for condition in rule.conditions:
        holds = fulfils(condition, X, labels)
        assert not holds.all()
        inside &= holds
        label, term, bounds = condition
        if bounds:
            values = X[labels[label]].to_numpy(float)
            known = ~np.isnan(values)

            def apart(word, values=values, holds=holds, known=known):
                low, high = word_range(word, values)
                return ((((values > low) & (values <= high)) != holds) & known).sum()

            assert apart(term) <= min(map(apart, WORDS)) + 1
    assert leads @ inside >= 0.9 * leads.sum() - 1e-9


def alone(told, leads, X, labels, answers):
    """The share of rows on which the strongest rule, read alone, has the model's answer.

    None where not all is printed that a rule counts.
    """
    names = sorted(set(told.headline.split(" for ")[1].split(",")[0].split(" or ")), key=len)
    rows, same = records(X), []
    for row, strongest in enumerate(leads.argmax(axis=1)):
        rule = told.rules[strongest]
        if not rule.points:
            same.append(rule.conclusion == answers[row])
        elif not rule.scale or "Log-odds" in told.text:
            return None
        else:
            (named,) = rule.points[0][1]
            (other,) = set(names) - {named}
            total = points_of(rule, rows[row], labels)[named]
            scale = sorted(rule.scale)
            odds = np.interp(total, scale, [logit(rule.scale[points]) for points in scale])
            same.append((named if odds > 0 else other) == answers[row])
    return np.mean(same)


def logit(percent):
    """The log-odds of a printed percentage, as far as they are known."""
    known = {"under 1 %": 0.5, "over 99 %": 99.5}
    share = np.clip(known.get(percent) or float(percent.rstrip(" %")), 0.1, 99.9)
    return np.log(share / (100 - share))


def records(X):
    """The rows of a table as dicts, NaN where unknown."""
    return X.astype(object).where(X.notna(), np.nan).to_dict("records")


def directions_hold(rule, leads, clf, X, labels):
    """The whole model moves with a number as a rule says, or the rule tells no direction of it."""
    told = re.search(
        r"Which way the answer goes with (.+) depends on all rules, not on these points alone\.",
        " ".join(rule.remarks),
    )
    untold = re.split(r", | or ", told[1]) if told else []
    for name, numbers, step, _ in rule.points:
        if step is None:
            continue
        column = labels[name]
        values = X[column].to_numpy(float)
        low, high = word_range("not extreme", values)
        half = 0.025 * (high - low or np.nanmax(values) - np.nanmin(values))
        moved = log_odds(clf, X.assign(**{column: values + half}))
        moved -= log_odds(clf, X.assign(**{column: values - half}))
        weights = leads * ~np.isnan(values)
        places = {str(label): c for c, label in enumerate(clf.classes_)}
        shares = [
            weights @ ((moved[:, places[c]] - beside(rule, moved, places, numbers)) * number > 0)
            for c, number in numbers.items()
            if number
        ]
        if shares and weights.any():
            share = min(shares) / weights.sum()
            assert (name in untold) == (share < 0.9 - 1e-9)


def beside(rule, moved, places, numbers):
    """What a class moves beside: the one that has no points, or those that a number leaves out."""
    without = re.search(r"(?:^|\. |\) )(\S+) has 0\.", " ".join(rule.remarks))
    others = {without[1]} if without else set(places) - set(numbers)
    return moved[:, [places[c] for c in others]].mean(axis=1)


def log_odds(clf, X):
    """The model's logits, (rows, classes)."""
    columns = clf.model_.columns
    return network_logits(clf.parameters_, columns.matrix(columns.values(X)))


@functools.cache
def start_of(table, number):
    """A table and a soft model of it, whose network is made another for each example."""
    X, y = table(np.random.default_rng(number), 100)
    y = labelled(y)
    return RuleNetwork(2, selection="soft", ridge=0.15).fit(X, y), X, y


def model_of(table, kind, rules, seed):
    start, X, y = start_of(table, seed % 4)
    if kind == "default":
        return UNFISClassifier().fit(X, y), X, y
    return MADE[kind](start, rules, bool(seed % 3), seed), X, y


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.sampled_from(TABLES),
    st.sampled_from(list(MADE)),
    st.integers(1, 4),
    st.integers(0, 10_000),
)
def test_nothing_that_is_printed_is_false(table, kind, rules, seed):
    clf, X, y = model_of(table, kind, rules, seed)
    checked(clf, X, y)


@pytest.mark.parametrize("table", TABLES)
def test_nothing_that_a_default_fit_prints_is_false(table):
    checked(*model_of(table, "default", None, 1))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.sampled_from(TABLES), st.integers(0, 10_000))
def test_the_points_of_a_scorecard_are_the_model(table, seed):
    """Points added up by hand give the log-odds, and the table gives their probabilities."""
    clf, X, y = model_of(table, "points", 1, 3 * seed + 1)
    told, labels, _ = checked(clf, X, y)
    (rule,) = told.rules
    if not rule.points:
        return
    points = [points_of(rule, row, labels) for row in records(X)]
    logits, names = log_odds(clf, X), [str(name) for name in clf.classes_]
    if len(names) > 2:
        # Every class has a sum, which is known up to one number for all.
        sums = np.array([[row[name] for name in names] for row in points])
        difference = logits - 0.3 * sums
        assert np.abs(difference - difference.mean(axis=1, keepdims=True)).max() < 2e-2
        assert not rule.scale
        return
    (named,) = rule.points[0][1]
    odds = (logits[:, names.index(named)] - logits[:, 1 - names.index(named)])[:, None]
    points = np.array([[row[named]] for row in points])
    # The start of two classes is whole, and its rest is in the table.
    rest = odds - 0.3 * points
    # What is unknown counts as the reference, with two decimals of a point.
    rounding = 2e-2 if X.isna().any(axis=None) else 1e-6
    rest_of_start = rest[X.notna().all(axis=1)][0]
    assert np.abs(rest - rest_of_start).max() < rounding
    assert len(rule.scale) > 1
    for number, share in rule.scale.items():
        assert same_percent(share, 1 / (1 + np.exp(-0.3 * number - rest_of_start[0])))


def test_weighted_classes_are_told():
    X, y = rare_class(np.random.default_rng(1), 200)
    y = labelled(y)
    clf = RuleNetwork(2, selection="soft", ridge=0.15, class_weight="balanced").fit(X, y)
    checked(clf, X, y)
    factor = len(y) / (2 * np.sum(y == "yes"))
    assert f"yes by {factor:.3g})" in str(clf.rules_)
    assert "probabilities are of classes weighted so" in str(clf.rules_)
    plain = RuleNetwork(2, selection="soft", ridge=0.15).fit(X, y)
    assert "weighted" not in str(plain.rules_)
