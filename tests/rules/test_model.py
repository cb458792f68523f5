"""RuleModel: the sum of points, its links, and evaluation in blocks."""

from dataclasses import FrozenInstanceError
from math import e, nan

import numpy as np
import pytest

from unfis.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown
from unfis.rules.model import BLOCK_ROWS

HIGH = Trapezoid(0, 1.0, 3.0)
RED = Kinds(1, (0, 2))
ROWS = np.array([[2.0, 0.0], [3.0, 1.0], [nan, 2.0], [2.5, nan]])


def test_a_rule_holds_by_the_product_of_its_conditions():
    rule = Rule((HIGH, RED), 0, 4.0)
    np.testing.assert_array_equal(rule.degrees(ROWS), [0.5, 0.0, 0.0, 0.0])
    assert rule.inputs == (0, 1)
    unknown = Rule((Unknown(0), Kinds(1, (2,))), 0, 1.0)
    np.testing.assert_array_equal(unknown.degrees(ROWS), [0.0, 0.0, 1.0, 0.0])


def test_a_number_is_the_start_and_the_points_of_what_holds():
    """10 + 4 * high + 2 * red: 10 + 2 + 2, 10 + 4, 10 + 2 and 10 + 3."""
    model = RuleModel((Rule((HIGH,), 0, 4.0), Rule((RED,), 0, 2.0)), (10.0,))
    np.testing.assert_array_equal(model.degrees(ROWS), [[0.5, 1, 0, 0.75], [1, 0, 1, 0]])
    np.testing.assert_array_equal(model.points(ROWS)[:, 0], [14, 14, 12, 13])
    np.testing.assert_array_equal(model.predictions(ROWS), [14, 14, 12, 13])
    assert model.conditions == 2


def test_a_count_is_e_to_the_points():
    model = RuleModel((Rule((HIGH,), 0, 4.0),), (-2.0,), 0.5, "exp")
    expected = [1.0, e, 1 / e, e**0.5]  # of -2 + 4 * (0.5, 1, 0, 0.75), each worth 0.5
    np.testing.assert_allclose(model.predictions(ROWS), expected)


def test_of_two_classes_one_sum_is_the_log_odds_of_the_second():
    model = RuleModel((Rule((HIGH,), 0, 4.0),), (-2.0,), 0.5, "logistic")
    odds = np.array([1.0, e, 1 / e, e**0.5])
    expected = np.column_stack([1 / (1 + odds), odds / (1 + odds)])
    np.testing.assert_allclose(model.predictions(ROWS), expected)


def test_of_several_classes_each_has_its_sum():
    rules = (Rule((HIGH,), 1, 2.0), Rule((RED,), 2, -3.0), Rule((HIGH, RED), 1, 2.0))
    model = RuleModel(rules, (0.0, 1.0, 2.0), 2.0, "softmax")
    sums = np.array([[0, 3, -1], [0, 3, 2], [0, 1, -1], [0, 2.5, 2]])
    np.testing.assert_array_equal(model.points(ROWS), sums)
    weights = np.exp(2.0 * sums)
    expected = weights / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predictions(ROWS), expected)


def test_points_however_large_give_probabilities():
    for link, start in (("logistic", (900.0,)), ("softmax", (900.0, -900.0, 0.0))):
        found = RuleModel((), start, 10.0, link).predictions(ROWS)
        assert ((found == 0) | (found == 1)).all()
        np.testing.assert_array_equal(found.sum(axis=1), 1.0)


def test_no_rules_and_no_rows():
    model = RuleModel((), (3.0,))
    np.testing.assert_array_equal(model.predictions(ROWS), [3.0] * 4)
    assert model.degrees(ROWS).shape == (0, 4)
    rules = RuleModel((Rule((HIGH,), 0, 1.0),), (3.0,))
    assert rules.predictions(ROWS[:0]).shape == (0,)
    assert rules.degrees(ROWS[:0]).shape == (1, 0)


def test_blocks_give_what_all_rows_give_at_once():
    generator = np.random.default_rng(0)
    values = generator.normal(size=(2 * BLOCK_ROWS + 77, 3))
    values[:, 1] = generator.integers(0, 4, len(values))
    values[generator.random(values.shape) < 0.1] = nan
    rules = (
        Rule((Trapezoid(0, -1.0, 0.5),), 0, 2.0),
        Rule((RED, Trapezoid(2, -1.0, 0.0, 0.0, 2.0, 0.4)), 1, -3.0),
        Rule((Unknown(2),), 1, 1.0),
    )
    model = RuleModel(rules, (0.5, -0.5))
    points = np.array([rule.points for rule in rules])
    outputs = np.array([rule.output for rule in rules])
    degrees = model.degrees(values)
    for output in (0, 1):
        own = outputs == output
        at_once = model.start[output] + points[own] @ degrees[own]
        np.testing.assert_allclose(model.points(values)[:, output], at_once, rtol=1e-13)


def test_other_points_are_another_model():
    model = RuleModel((Rule((HIGH,), 0, 4.0), Rule((RED,), 0, 2.0)), (10.0,), link="logistic")
    other = model.with_points(np.array([1.0]), np.array([5.0, -1.0]), 0.5)
    expected = (Rule((HIGH,), 0, 5.0), Rule((RED,), 0, -1.0))
    assert other == RuleModel(expected, (1.0,), 0.5, "logistic")
    assert model.start == (10.0,)
    with pytest.raises(FrozenInstanceError):
        model.unit = 2.0
    with pytest.raises(FrozenInstanceError):
        model.rules[0].points = 2.0
    assert hash(model) != hash(other)
