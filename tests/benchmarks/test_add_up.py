"""What there is to read in rules is counted right; made tables are what they say."""

import sys
from math import inf
from types import SimpleNamespace

import add_up
import add_up_asked
import add_up_jobs
import made_shapes
import numpy as np
import pandas as pd
import pytest
import tables
from measuring import Line
from reading import (
    at_most_parts,
    conditions_per_input,
    inputs_of,
    parts_of,
    wide_share,
)

from unfis.model.audit import contrary_rules, rules_in_part
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown

HIGH = Trapezoid(0, 4.0, 6.0)
BAND = Trapezoid(0, 1.0, 2.0, 7.0, 8.0)
SOME = Kinds(1, (0, 2, 3))
VALUES = np.column_stack([np.arange(10.0), np.arange(10) % 4])
EQUAL = np.ones(10)


def model_of(*rules, link="logistic", outputs=1):
    return RuleModel(tuple(rules), (0.0,) * outputs, link=link)


def test_a_band_counts_two_and_a_set_its_kinds():
    model = model_of(
        Rule((HIGH,), 0, 1.0), Rule((BAND, SOME), 0, -2.0), Rule((Unknown(1),), 0, 1.0)
    )
    assert parts_of(model) == 1 + 2 + 3 + 1
    assert conditions_per_input(model) == 4 / 2
    assert inputs_of(model) == [0, 1]
    shared = model_of(Rule((HIGH,), 0, 1.0), Rule((HIGH, SOME), 0, 1.0))
    assert conditions_per_input(shared) == 1
    assert conditions_per_input(model_of()) == 1


def test_the_longest_model_that_has_no_more_parts():
    rules = (Rule((HIGH,), 0, 1.0), Rule((BAND,), 0, 1.0), Rule((SOME,), 0, 1.0))
    path = [model_of(*rules[:count]) for count in range(4)]
    model = SimpleNamespace(model_=SimpleNamespace(path=path))
    assert [at_most_parts(model, parts) for parts in (0, 1, 2, 3, 5, 6)] == [0, 1, 1, 2, 2, 3]


def test_rules_that_hold_partly():
    assert rules_in_part(model_of(Rule((HIGH,), 0, 1.0)), VALUES) == pytest.approx(
        0.1
    )  # of 5 alone
    both = model_of(Rule((HIGH,), 0, 1.0), Rule((Trapezoid(0, 0.0, 9.0),), 0, 1.0))
    assert rules_in_part(both, VALUES) == pytest.approx(0.9)


def test_wide_edges():
    wide = Rule((Trapezoid(0, 0.0, 9.0),), 0, 1.0)
    assert wide_share(model_of(wide, Rule((SOME,), 0, 1.0)), VALUES) == 0.5
    assert wide_share(model_of(Rule((BAND,), 0, 1.0)), VALUES) == 0
    assert wide_share(model_of(), VALUES) == 0


def test_rules_against_their_own_rows():
    targets = (VALUES[:, 0] >= 5).astype(float)
    assert len(contrary_rules(model_of(Rule((HIGH,), 0, 1.0)), VALUES, targets, EQUAL)) == 0
    assert len(contrary_rules(model_of(Rule((HIGH,), 0, -1.0)), VALUES, targets, EQUAL)) == 1
    # Of several classes points are for the rule's own.
    several = model_of(Rule((HIGH,), 0, 1.0), Rule((HIGH,), 1, 1.0), link="softmax", outputs=2)
    assert len(contrary_rules(several, VALUES, targets, EQUAL)) == 1
    number = model_of(Rule((HIGH,), 0, -1.0), link="identity")
    assert len(contrary_rules(number, VALUES, VALUES[:, 0], EQUAL)) == 1


@pytest.mark.parametrize("name", tables.CURVED)
def test_borders_that_are_known_are_nearly_right(name):
    X, y, by_borders = add_up_jobs.curved(f"{name} 2000")
    assert len(X) == 2000
    assert X.shape[1] == (20 if name == "xor" else 2)
    assert np.mean(by_borders == y) > 0.93
    small, labels, _ = add_up_jobs.curved(name)
    pd.testing.assert_frame_equal(small, tables.load(name)[0])
    pd.testing.assert_series_equal(labels, tables.load(name)[1])


@pytest.mark.parametrize("shape", made_shapes.SHAPES)
def test_the_rule_that_made_a_table_is_the_right_one(shape):
    X, y, truth, odds = made_shapes.made(shape, 3)
    again = made_shapes.made(shape, 3)
    pd.testing.assert_frame_equal(X, again[0])
    assert set(y) == {0, 1}
    rule = rule_of(truth, X)
    noise = Rule((Trapezoid(4, 1.0, 2.0),), 0, 0.1)
    found = made_shapes.found(estimator(model_of(noise, rule), X), X, truth, odds)
    assert found["right"] == 1
    assert abs(found["together"]) > 0.97
    assert found.get("border", 0.0) == 0
    weak = Rule(rule.conditions, 0, 0.01)
    assert made_shapes.found(estimator(model_of(noise, weak), X), X, truth, odds)["right"] == 0
    nothing = made_shapes.found(estimator(model_of(), X), X, truth, odds)
    assert (nothing["right"], nothing["together"]) == (0, 0)


def rule_of(truth, X):
    """The rule that made a table, as a model has it."""
    numbers = [list(X).index(name) for name in truth.inputs]
    if truth.shape == "kinds":
        every = sorted(set(X[truth.inputs[0]]))
        return Rule(
            (Kinds(numbers[0], tuple(every.index(one) for one in sorted(truth.kinds))),), 0, 5.0
        )
    if truth.shape == "slopes":
        column = X[truth.inputs[0]]
        return Rule((Trapezoid(numbers[0], column.min(), column.max()),), 0, 5.0)
    if truth.shape == "bands":
        low, high = truth.borders
        return Rule((Trapezoid(numbers[0], low, low, high, high),), 0, 5.0)
    sides = [
        Trapezoid(number, at, at) if up else Trapezoid(number, c=at, d=at)
        for number, at, up in zip(numbers, truth.borders, truth.rising, strict=True)
    ]
    return Rule(tuple(sides), 0, 5.0)


def estimator(model, X):
    """As much of an estimator as is asked."""
    every = {name: sorted(set(X[name])) for name in made_shapes.CATEGORIES}
    values = X.copy()
    for name, kinds in every.items():
        values[name] = values[name].map(kinds.index)
    categories = tuple(every.get(name, ()) for name in X)
    names = SimpleNamespace(inputs=tuple(X), categories=categories)
    fitted = SimpleNamespace(rules=model, names=names, points=model.points)
    return SimpleNamespace(model_=fitted, _values=lambda X: values.to_numpy(float))


def test_a_border_is_wrong_by_the_rows_between():
    X, _, truth, odds = made_shapes.made("steps", 0)
    number, at = list(X).index(truth.inputs[0]), truth.borders[0]
    above = float(X[truth.inputs[0]].quantile(0.9))
    model = model_of(Rule((Trapezoid(number, above, above),), 0, 5.0))
    wrong = made_shapes.found(estimator(model, X), X, truth, odds)["border"]
    column = X[truth.inputs[0]]
    assert wrong == pytest.approx(100 * ((column >= at) & (column < above)).mean())


def test_slopes_are_no_steps():
    column = np.linspace(0, 1, 101)
    truth = made_shapes.Truth("steps", ("age",), (0.5,), (True,))
    assert not made_shapes.is_shape([Trapezoid(0, 0.2, 0.9)], [column], truth)
    assert made_shapes.is_shape([Trapezoid(0, 0.2, 0.9)], [column], truth._replace(shape="slopes"))
    assert made_shapes.is_shape([Trapezoid(0, -inf, -inf, 0.5, 0.6)], [column], truth)
    assert not made_shapes.is_shape([Trapezoid(0, 0.1, 0.2, 0.5, 0.6)], [column], truth)


def test_measured_stands_beside_asked():
    def lines(system, **values):
        return [Line("ebm", "heart", system, 0, name, value) for name, value in values.items()]

    ours = lines("unfis", auc=0.9, log_loss=0.404, accuracy=80.0, rules=8.0)
    text = add_up_asked.summarised([*ours, *lines("EBM", auc=0.91, log_loss=0.4)])
    assert "| AUC less EBM's, at most twelve rules | >= -0.005 | -0.0100" in text
    assert "| log loss above EBM's, % | <= 2 | +1.0 | yes |" in text
    assert "0 of 1; worst -0.010 (heart)" in text
    assert add_up_asked.summarised([]) == "nothing is recorded"


def test_what_is_recorded_is_not_measured_again(monkeypatch, tmp_path, capsys):
    calls = []

    def job(table, seed, system):
        calls.append((table, seed))
        return {"right": 1.0, "rules": 2.0, "together": 0.9}

    part = add_up_jobs.Part(lambda: ["steps"], 2, ("unfis",), job)
    monkeypatch.setitem(add_up_jobs.PARTS_OF, "shapes", part)
    command = ["add_up.py", "--only", "shapes", "--output", str(tmp_path / "found.csv")]
    for more in ([], [], ["--again", "--splits", "1"]):
        monkeypatch.setattr(sys, "argv", [*command, *more])
        add_up.main()
    assert calls == [("steps", 0), ("steps", 1), ("steps", 0)]
    assert (
        "| steps: right shape, % | >= 90 | 100; all rules with the log odds 0.900 | yes |"
        in capsys.readouterr().out
    )
