"""How rules read, against cases small enough to count by hand."""

from dataclasses import replace

import numpy as np
import pytest
from networks import RuleNetwork
from rule_tables import AVERAGED_KINDS, SOFT, averaged, sparse_in_points

from unfis.network.combination import AVERAGED, MIXED_OUTPUTS
from unfis.rules import Condition, Effect, Rule, RuleBase, Variable, read_rules
from unfis.rules.reading import acting, parts_in

TENS = np.arange(10.0)


def number(name):
    return Variable(name, "number", (), 0.0, 1.0, 0.0, 9.0, (1.0, 3.0, 6.0, 8.0), (), 0, 4.0, 0.0)


def holds_near(centre, width=2.0, name="x", term="near"):
    return Condition(name, "number", 1.0, centre, width, centre, term=term)


def rule(conditions=(), effects=(), biases=(0.0, 0.0), mix=(), label="no", **more):
    return Rule(
        tuple(conditions),
        tuple(effects),
        tuple(biases),
        mix=tuple(mix),
        probabilities=(1 / len(biases),) * len(biases),
        label=label,
        **more,
    )


def base_of(*rules, classes=("no", "yes"), variables=(), combination=AVERAGED):
    variables = variables or (number("x"), number("z"))
    overlap = tuple((1.0,) * len(rules) for _ in rules)
    firing = ((0.0, 1.0),)
    return RuleBase(classes, variables, rules, combination.name, 10, 10, firing, overlap)


def reading_of(base, values, codes, weights=None):
    values = np.column_stack([values, np.zeros(len(values))]) if np.ndim(values) == 1 else values
    weights = np.ones(len(values)) if weights is None else np.array(weights, dtype=float)
    return read_rules(base, values, np.array(codes), weights)


# Two rules of one condition, low x for no and high x for yes, that meet at 4.5.
LOW = rule([holds_near(0.0, term="low")], biases=(2.0, 0.0), mix=(0.8, 0.2))
HIGH = rule([holds_near(9.0, term="high")], biases=(0.0, 2.0), mix=(0.0, 1.0), label="yes")


def test_agreement_and_accuracies_are_counted():
    found = reading_of(base_of(LOW, HIGH), TENS, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1])
    assert (found.rows, found.rules, found.conditions, found.parts) == (10, 2, 2, 2)
    assert found.agreement == 1.0
    assert found.accuracy == found.alone_accuracy == pytest.approx(0.8)
    assert found.empty == 0
    assert (found.alike, found.unreachable, found.directions) == ((), (), ())
    # Of the five rows that the first leads on 3 are no; printed are 80 %.
    assert found.distance == pytest.approx((0.2 + 0.0) / 2)


def test_a_constant_rule_is_read_by_the_class_it_prints():
    """Its own numbers say no, it names yes."""
    base = base_of(replace(LOW, mix=(0.1, 0.9), label="yes"), HIGH)
    found = reading_of(base, TENS, [0] * 5 + [1] * 5)
    assert found.accuracy == 1.0
    assert found.alone_accuracy == 0.5
    assert found.agreement == 0.5
    assert found.unreachable == ("no",)
    assert "The model answers no, which no rule read alone comes to." in str(found)


def test_a_rule_that_led_on_no_row_is_read_by_its_label():
    base = base_of(replace(LOW, mix=()), HIGH)
    found = reading_of(base, TENS, [0] * 5 + [1] * 5)
    assert found.alone_accuracy == 1.0
    assert found.distance == 0.0  # that of the other rule alone
    nothing = base_of(replace(LOW, mix=()), replace(HIGH, mix=()))
    assert reading_of(nothing, TENS, [0] * 10).distance is None


def test_a_rule_that_counts_is_read_by_its_own_probabilities():
    """A scorecard: yes from x = 4 on, whatever was frequent in training."""
    counting = rule([], [Effect("x", "number", (0.0, 1.0))], biases=(3.5, 0.0), mix=(0.9, 0.1))
    found = reading_of(base_of(counting), TENS, [0] * 4 + [1] * 6)
    assert found.accuracy == found.alone_accuracy == found.agreement == 1.0
    assert (found.conditions, found.empty, found.parts) == (0, 0.0, 1)
    assert found.unreachable == ()
    assert [d.share for d in found.directions] == [1.0]
    assert found.directions[0].label == "yes"
    # Of one rule there is nothing to take one at a time, and nothing that could be empty.
    assert str(found) == "A scorecard of 1 number.\nIt is right on 100.0 % of the 10 rows."
    nothing = reading_of(base_of(rule(biases=(1.0, 0.0))), TENS, [0] * 10)
    assert str(nothing).startswith("One rule, which says the same of every row.\nIt is right on")


def test_weights_are_rows_many_times():
    codes, weights = [0, 0, 0, 1, 1, 1, 1, 1, 1, 0], [1, 2, 1, 3, 1, 1, 2, 1, 1, 4]
    rows = np.repeat(np.arange(10), weights)
    weighted = reading_of(base_of(LOW, HIGH), TENS, codes, weights)
    repeated = reading_of(base_of(LOW, HIGH), TENS[rows], np.array(codes)[rows])
    for name in ("agreement", "accuracy", "alone_accuracy", "distance", "empty"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))
    assert (weighted.rows, repeated.rows) == (10, 17)


@pytest.mark.parametrize(("beyond", "empty"), [(1, 0.5), (2, 0.0)])
def test_a_condition_is_empty_from_nine_tenths_of_the_rows_on(beyond, empty):
    """The first condition holds by half up to 1.177 widths."""
    values = np.array([0.0] * (10 - beyond) + [9.0] * beyond)
    found = reading_of(base_of(LOW, HIGH), values, [0] * 10)
    assert found.empty == empty
    assert f"or more: {round(2 * empty)} of 2." in str(found)


def test_an_unknown_value_fulfils_a_condition():
    values = np.array([0.0] * 5 + [np.nan] * 5)
    assert reading_of(base_of(LOW, HIGH), values, [0] * 10).empty == 0.5


def test_a_direction_that_another_rule_turns_round():
    """More x means yes in the second rule, but the first, which says no, gets stronger."""
    first = rule([holds_near(9.0, 1.0)], biases=(9.0, 0.0), mix=(1.0, 0.0))
    second = rule(
        [holds_near(0.0, 4.0)], [Effect("x", "number", (0.0, 0.01))], (0.0, 3.0), (0.0, 1.0), "yes"
    )
    values = np.array([-3.0, -2.0, 6.5, 6.6])
    found = reading_of(base_of(first, second), values, [1, 1, 1, 1])
    assert found.directions[0].rule == 2
    assert found.directions[0].share == pytest.approx(0.5)
    assert not found.directions[0].holds
    words = "0 of 1; not x in rule 2 (more of it speaks for yes on 50 %)."
    assert words in str(found)


def test_a_direction_is_of_rows_led_in_which_the_input_is_known():
    counting = rule([], [Effect("x", "number", (0.0, 1.0))])
    values = np.array([1.0, np.nan, np.nan, np.nan])
    found = reading_of(base_of(counting), values, [0, 0, 0, 0])
    assert found.directions[0].share == 1.0
    nothing = reading_of(base_of(counting), values[1:], [0, 0, 0])
    assert nothing.directions[0].share is None
    assert nothing.directions[0].holds


def test_directions_are_seen_where_a_class_is_sure():
    """p is 1 to the last digit, but more x makes its odds larger."""
    counting = rule([], [Effect("x", "number", (0.0, 20.0))])
    found = reading_of(base_of(counting), TENS, [1] * 10)
    assert found.directions[0].share == 1.0


def test_rules_that_read_alike():
    same = replace(LOW, conditions=(holds_near(0.3, term="low"),))
    found = reading_of(base_of(LOW, HIGH, same), TENS, [0] * 10)
    assert found.alike == ((1, 3),)
    assert "Rules 1 and 3 read alike." in str(found)
    other_class = replace(same, mix=(0.1, 0.9), label="yes")
    other_words = replace(LOW, conditions=(holds_near(0.3, term="very low"),))
    assert reading_of(base_of(LOW, HIGH, other_class, other_words), TENS, [0] * 10).alike == ()


def test_otherwise_is_not_read_as_a_rule_without_words():
    spare = rule([], biases=(1.0, 0.0), mix=(1.0, 0.0), otherwise=True)
    found = reading_of(base_of(LOW, HIGH, spare), TENS, [0] * 10)
    assert (found.alike, found.conditions, found.parts) == ((), 2, 2)


def test_a_rare_answer_need_not_be_reached():
    values = np.array([0.0] * 199 + [9.0])
    base = base_of(LOW, replace(HIGH, mix=(1.0, 0.0), label="no"))
    assert reading_of(base, values, [0] * 200).unreachable == ()
    assert reading_of(base, values[100:], [0] * 100).unreachable == ("yes",)


def test_parts_are_conditions_and_numbers():
    category = Variable(
        "kind", "category", ("a", "b", "c"), 0.0, 1.0, 0.0, 2.0, (0.0,) * 4, (), 0, "a", 0.0
    )
    truth = replace(category, name="truth", kind="boolean", categories=(False, True), typical=True)
    variables = {one.name: one for one in (number("x"), category, truth)}
    effects = [
        Effect("x", "number", (0.0, 1.0, 2.0)),
        Effect("kind", "category", ((0.0, 0.0, 0.0), (1.0, 2.0, 0.0), (0.0, 1.0, 0.0))),
        Effect("truth", "boolean", ((0.0, 0.0), (0.0, 1.0), (0.0, 0.0))),
    ]
    made = rule([holds_near(0.0)], effects, (0.0, 0.0, 0.0))
    # Numbers that are 0 are not read.
    assert parts_in(made, variables) == 1 + 2 + (2 + 1) + 1
    assert parts_in(rule([holds_near(0.0)], effects[:0]), variables) == 1
    # As of constant consequents: an effect that tells no classes apart is none.
    assert acting(rule([], [Effect("x", "number", (0.0, 0.0))])) == []


@pytest.mark.parametrize("most", [1, 2, 4])
@pytest.mark.parametrize("rules", [1, 2])
def test_parts_of_sparse_rules_are_those_of_the_network(model, rules, most):
    clf, X, y = model("ten classes", "soft")
    sparse = sparse_in_points(clf, rules, True, 3, most=most)
    found = sparse.reading(X, y)
    assert found.parts == sparse.model_.parts
    assert all(one.share is None or 0 <= one.share <= 1 for one in found.directions)
    assert len(found.sentences()) >= 2


def test_a_number_may_speak_against_a_class_for_all_others():
    """No class is without points: more of x is less of no, more of z less of yes."""
    effects = [
        Effect("x", "number", (-1.0, 0.0, 0.0)),
        Effect("z", "number", (0.0, -1.0, 0.0)),
        Effect("w", "number", (0.0, 0.0, 1.0)),
    ]
    variables = tuple(number(name) for name in "xzw")
    base = base_of(
        rule([], effects, (0.0,) * 3), classes=("no", "yes", "perhaps"), variables=variables
    )
    values = np.random.default_rng(0).normal(size=(20, 3))
    found = reading_of(base, values, [0] * 20).directions
    told = [(one.label, one.against, one.share) for one in found]
    assert told == [("no", True, 1.0), ("yes", True, 1.0), ("perhaps", False, 1.0)]


@pytest.mark.parametrize("kind", ["decisive", "soft", "constant", "one rule", *AVERAGED_KINDS])
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_on_training_rows_the_percentages_are_exact(model, name, kind):
    clf, X, y = model(name, kind)
    found = clf.reading(X, y)
    assert found.distance == pytest.approx(0, abs=1e-12)
    assert found.accuracy == pytest.approx(clf.score(X, y))
    assert found == clf.model_.reading(clf.model_.sample)
    assert len(found.sentences()) >= (3 if len(clf.rules_) > 1 else 2)


@pytest.mark.parametrize("name", ["iris", "clinic"])
@pytest.mark.parametrize("kind", ["two rules", "soft", "constant", *AVERAGED_KINDS])
def test_on_training_rows_a_reading_tells_what_the_rules_tell(model, name, kind):
    """One share of rows that single rules answer, and one of rows that follow a direction."""
    clf, _, _ = model(name, kind)
    base = clf.rules_
    found = clf.model_.reading(clf.model_.sample)
    assert found.agreement == pytest.approx(base.alone, abs=1e-12)
    directions = iter(found.directions)
    for rule in base if len(base) > 1 else ():
        for effect in rule.effects:
            if effect.kind == "number":
                assert next(directions).share == pytest.approx(min(effect.directed), abs=1e-12)


def test_rules_and_reading_tell_directions_of_all_rows_however_many_there_are():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(2500, 2))
    clf = averaged(RuleNetwork(**SOFT).fit(X, (X[:, 0] > 0) * 1), 2, True)
    told = [effect.directed for rule in clf.rules_ for effect in rule.effects]
    found = clf.reading(X, (X[:, 0] > 0) * 1).directions
    assert [one.share for one in found] == pytest.approx(list(map(min, told)), abs=1e-12)


def test_mixed_outputs_are_read_too():
    found = reading_of(base_of(LOW, HIGH, combination=MIXED_OUTPUTS), TENS, [0] * 5 + [1] * 5)
    assert found.agreement == found.accuracy == 1.0
