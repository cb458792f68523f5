"""What the print says, and how wide it is."""

from math import inf

import numpy as np
import pytest
from additive.text.models import made
from hypothesis import given, settings

from unfis.additive.fitting.evidence import Evidence, is_contrary, rule_evidence
from unfis.additive.fitting.rows import ColumnFacts
from unfis.additive.rules import Kinds, Rule, RuleModel, Trapezoid, Unknown
from unfis.additive.text import Names, Wording, explanation, listing, names_of
from unfis.additive.text.numbers import number_words, percent

NAMES = Names(
    ("TSH", "FTI", "pregnancies", "on thyroxine", "clinic"),
    ((), (), (), (), tuple(f"clinic-{n}" for n in range(300))),
    ("negative", "compensated hypothyroid", "primary hypothyroid"),
    (False, False, True, True, False),
    (None, None, None, (0.0, 1.0), None),
)
TSH = Trapezoid(0, 5.1, 6.3)


def words(condition, *others):
    rules = tuple(Rule((one,), 0, 1.0) for one in (condition, *others))
    return Wording(RuleModel(rules, (0.0,)), NAMES).condition(condition)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (TSH, "TSH is high (above 5.1, fully from 6.3)"),
        (Trapezoid(0, 5.1, 5.1), "TSH is 5.1 or more"),
        (Trapezoid(0, c=5.1, d=5.1), "TSH is below 5.1"),
        (
            Trapezoid(0, c=5.1, d=6.0, unknown=1.0),
            "TSH is low (below 6, fully up to 5.1) or unknown",
        ),
        (Trapezoid(0, 1, 2, 3, 4), "TSH is medium (above 1 and below 4, fully from 2 to 3)"),
        (Trapezoid(0, 1, 2, 2, 4), "TSH is medium (above 1 and below 4, fully at 2)"),
        (Trapezoid(0, 2, 2, 4, 4), "TSH is 2 or more and below 4"),
        (Trapezoid(0, 12_345, 12_345), "TSH is 12,345 or more"),
        (Trapezoid(2, 1, 2), "pregnancies is 2 or more"),
        (Trapezoid(2, c=1.5, d=1.5), "pregnancies is 1 or less"),
        (Trapezoid(2, 1.5, 1.5, 4, 5), "pregnancies is 2 to 4"),
        (Trapezoid(2, 1.5, 1.5, 2.5, 2.5), "pregnancies is 2"),
        (Trapezoid(2, 1, 5), "pregnancies is high (above 1, fully from 5)"),
        (Trapezoid(3, 0.5, 0.5), "on thyroxine is 1"),
        (Trapezoid(3, c=0, d=1), "on thyroxine is 0"),
        (Kinds(4, (1, 2, 5)), "clinic is clinic-1, clinic-2 or clinic-5"),
        (Kinds(4, tuple(range(2, 300))), "clinic is not clinic-0 or clinic-1"),
        (Kinds(4, tuple(range(20)), 1.0), "clinic is in list 1 or unknown"),
        (Unknown(1), "FTI is unknown"),
    ],
)
def test_conditions(condition, expected):
    assert words(condition) == expected


def test_an_input_with_two_ranges_is_not_called_high():
    assert words(TSH, Trapezoid(0, 1.0, 2.0)) == "TSH is above 5.1, fully from 6.3"


def test_classes_share_an_if_and_a_contrary_rule_is_marked():
    rules = (Rule((TSH,), 0, -4.0), Rule((TSH,), 1, 11.0), Rule((Unknown(1),), 2, 2.0))
    evidence = [
        Evidence(180, 0.03, 4, 5, 2600, 0.97),
        Evidence(180, 0.95, 5, 5, 2600, 0.01),
        Evidence(12, 0.01, 1, 5, 2768, 0.04),
    ]
    text = listing(RuleModel(rules, (0.0, -3.2, -4.0), 0.7, "softmax"), NAMES, evidence)
    assert text.splitlines()[:7] == [
        "Points for compensated hypothyroid, starting at -3.2 (7 % of 2780 rows)",
        "                                              points  rows  share   found",
        "  IF TSH is high (above 5.1, fully from 6.3)     +11   180   95 %  5 of 5",
        "     and against negative                         -4   180    3 %  4 of 5",
        "",
        "Points for primary hypothyroid, starting at -4 (4 % of 2780 rows)",
        "  IF FTI is unknown (given the others)            +2    12    1 %  1 of 5",
    ]
    assert "No rules for negative, starting at 0" in text


def test_missing_values_are_in_the_order_of_the_print():
    high, low = Trapezoid(0, 5.0, 6.0, unknown=0.2), Trapezoid(0, c=1.0, d=2.0, unknown=0.3)
    rules = (Rule((high,), 0, -4.0), Rule((low,), 1, 5.0), Rule((high,), 2, 6.0))
    text = listing(RuleModel(rules, (0.0, 0.0, 0.0), 1.0, "softmax"), NAMES)
    assert text.index("below 2") < text.index("above 5")
    assert "in part (in the order above): TSH 30 %, 20 %." in text


def test_rules_on_one_input_are_added_up():
    rules = (
        Rule((Trapezoid(0, 1.0, 2.0),), 0, 10.0),
        Rule((Trapezoid(0, 4.0, 4.0),), 0, -3.0),
        Rule((Trapezoid(2, 1.5, 1.5),), 0, 1.0),
        Rule((Trapezoid(2, 2.5, 2.5),), 0, 1.0),
    )
    lines = listing(RuleModel(rules, (0.0,)), NAMES).splitlines()
    first = lines.index("Points from the 2 rules on TSH alone, in proportion in between:")
    assert lines[first + 1 : first + 3] == [
        "  value   1 or less    2  just below 4  4 or more",
        "  points          0  +10           +10         +7",
    ]
    second = lines.index("Points from the 2 rules on pregnancies alone:")
    assert lines[second + 1 : second + 3] == [
        "  value   1 or less   2  3 or more",
        "  points          0  +1         +2",
    ]


@pytest.mark.parametrize(
    ("link", "outputs", "start", "expected"),
    [
        (
            "logistic",
            ("no", "yes"),
            (1.0,),
            "the commonest class. For every row: yes 73 % and no 27 %.",
        ),
        (
            "softmax",
            ("a", "b"),
            (1.0, 1.0),
            "the commonest class. For every row: a 50 % and b 50 %.",
        ),
        ("identity", ("price",), (1_234_567.0,), "the mean. For every row: price 1,234,567."),
        ("exp", ("claims",), (0.0,), "the mean. For every row: claims 1."),
    ],
)
def test_a_model_without_rules_says_so(link, outputs, start, expected):
    text = listing(RuleModel((), start, 1.0, link), Names(("x",), ((),), outputs))
    assert " ".join(text.split()) == f"No rule is better than {expected}"


@pytest.mark.parametrize("link", ["identity", "exp", "logistic", "softmax"])
def test_at_most_80_columns(link):
    @given(data=made(link=link))
    @settings(max_examples=40, deadline=None)
    def check(data):
        names, model, values = data
        evidence = [Evidence(123_456, 0.994, 5, 5, 20_000, 0.5)] * len(model.rules)
        for text in (listing(model, names, evidence), explanation(model, names, values[0])):
            assert max(map(len, text.splitlines())) <= 80

    check()


def test_twelve_classes():
    classes = tuple(f"category number {n}" for n in range(12))
    rules = tuple(Rule((Trapezoid(0, n, n + 1.0),), n, 5.0) for n in range(12))
    names = Names(("x",), ((),), classes)
    model = RuleModel(rules, (0.0,) * 12, 0.5, "softmax")
    text = listing(model, names)
    assert text.count("Points for category number") == 12
    assert "category number 11, probability" in explanation(
        RuleModel(rules[11:], (0.0,) * 12, 1.0, "softmax"), names, np.array([20.0])
    )


def test_an_explanation_adds_up():
    rules = (Rule((TSH,), 0, 4.0), Rule((Trapezoid(3, 0.5, 0.5),), 0, -3.0))
    names = Names(*(NAMES.inputs, NAMES.categories, ("well", "ill"), NAMES.whole, NAMES.pairs))
    text = explanation(
        RuleModel(rules, (-2.0,), 0.5, "logistic"), names, np.array([5.7, 0, 0, 1, 0])
    )
    assert text.splitlines() == [
        "well, probability 82 %",
        "",
        "Points for ill",
        "                                              value  points  holds   adds",
        "  IF on thyroxine is 1                            1      -3  100 %  -3.00",
        "  IF TSH is high (above 5.1, fully from 6.3)    5.7      +4   50 %  +2.00",
        "  sum                                                               -1.00",
    ]


def test_what_names_know_of_a_table():
    values = np.array([[1.0, 0.0, 0.5], [2.0, 1.0, np.nan], [4.0, 1.0, 0.7]])
    names = names_of("abc", ((), (), ()), ("y",), ColumnFacts.of(values))
    assert names.whole == (True, True, False)
    assert names.pairs == (None, (0.0, 1.0), (0.5, 0.7))


def test_evidence_of_a_rule_and_of_the_other_rows():
    values = np.array([[5.0], [5.7], [7.0], [7.0]])
    rule = Rule((Trapezoid(0, 5.1, 6.3, inf, inf),), 0, -1.0)
    found = rule_evidence(rule, values, np.array([0.0, 0.0, 1.0, 1.0]), np.ones(4))
    np.testing.assert_allclose(found.rows, 2.5)
    np.testing.assert_allclose([found.mean, found.other_mean, found.overall], [0.8, 0.0, 0.5])
    assert is_contrary(rule, found)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0.1 + 0.2, "0.3"), (1e-5, "0.00001"), (2004.0, "2004"), (1234567.0, "1,234,567"),
        (-0.0, "0"), (95.47234567891, "95.4723"), (1e20, "1e+20"), (1234567.891234, "1,234,568"),
    ],
)  # fmt: skip
def test_numbers(number, expected):
    assert number_words(number) == expected


def test_percent_says_none_and_all_only_where_it_is_so():
    assert [percent(share) for share in (0.0, 0.001, 0.5, 0.999, 1.0)] == [
        "0 %", "<1 %", "50 %", ">99 %", "100 %",
    ]  # fmt: skip
