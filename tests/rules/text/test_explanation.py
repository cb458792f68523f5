"""What is told of a prediction of averaged rules: points of probability, and no empty lines."""

import re
from dataclasses import replace

import numpy as np
import pytest
from rule_tables import AVERAGED_KINDS

from unfis.network.combination import AVERAGED, MIXED_OUTPUTS
from unfis.rules import Condition, explain_rows
from unfis.rules.text.numbers import percent, signed_percent


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_the_text_tells_points_of_probability(model, kind):
    clf, X, _ = model("clinic", kind)
    for one in clf.explain(X.iloc[:5]):
        assert one.quantity == "probability"
        text = str(one)
        assert f"What speaks for {one.prediction} (in points of probability" in text
        told = dict(
            re.findall(r"^  (.*?) +((?:[+-]|over |under |)\d+ %)$", text, flags=re.MULTILINE)
        )
        assert told["with nothing known"] == percent(one.start)
        assert told["together"] == percent(max(one.probabilities))
        shares = {p.label: signed_percent(p.share) for p in one.inputs}
        little = [label for label, share in shares.items() if share == "+0 %"]
        if len(little) > 1:
            assert re.search(
                rf"^  {len(little)} (more )?inputs +under 1 % each$", text, re.MULTILINE
            )
            shares = {label: share for label, share in shares.items() if label not in little}
        assert shares.items() <= told.items()
        for rule in one.rules:
            name = f"Rule {rule.number}{' (otherwise)' * rule.otherwise}"
            begun = f"{name} carries {percent(rule.strength)} of the decision"
            ended = (rule.strength >= 0.005) * (
                f": {percent(rule.share)} for {one.prediction}, "
                f"{percent(rule.runner_up_share)} for {one.runner_up}"
            )
            found = [line for line in text.splitlines() if line.startswith(begun)]
            assert [line.endswith(ended) for line in found] == [True] * (len(one.rules) > 1)
        assert "log-odds" not in text + one.to_html()
        assert "of the say" not in text + one.to_html()


def test_nothing_is_told_of_a_single_rule(model):
    """It decides alone: that it carries all of the decision says nothing."""
    clf, X, _ = model("clinic", "single rule without IF")
    one = clf.explain(X)[0]
    for view in (str(one), one.to_html()):
        assert "carries" not in view
    assert "\n\n\n" not in str(one)


@pytest.mark.parametrize("combination", [AVERAGED, MIXED_OUTPUTS])
def test_a_rule_that_holds_little_but_carries_all_is_told_in_digits(model, combination):
    """Its sets are far from the row, those of the other rule farther: neither holds by 0.00."""
    clf, _, _ = model("iris", "averaged, all with IF")
    base = clf.rules_
    name = "petal width (cm)"
    near, far = (
        replace(rule, conditions=(Condition(name, "number", 1.0, centre, 1.0, shift, term="low"),))
        for rule, centre, shift in zip(base, (4.0, 6.0), (4.0, 6.0), strict=True)
    )
    variables = tuple(replace(one, reference=0.0) for one in base.variables)
    made = replace(base, variables=variables, rules=(near, far), combination=combination.name)
    values = np.zeros((1, 4))
    (one,) = explain_rows(made, values, clf.model_.sample)
    assert one.rules[0].strength > 0.99
    text = str(one)
    assert "Rule 1 carries over 99 % of the decision, as the other holds still less" in text
    assert 'petal width 0.0 cm: "is low" holds by 0.0003, which limits the rule' in text
    assert 'petal width 0.0 cm: "is low" holds by under 0.0001' in text
    assert "by 0.00\n" not in text
    assert "by 0.00," not in text


def test_mixed_outputs_tell_log_odds(model):
    clf, X, _ = model("clinic", "soft")
    one = clf.explain(X)[0]
    assert one.quantity == "log-odds"
    assert "(log-odds, beside knowing nothing)" in str(one)
    assert re.search(r"Rule 1 carries .* of the decision and adds [+-]\d", str(one))
    assert all(rule.runner_up_share is None for rule in one.rules)


def test_an_input_of_the_then_alone_has_no_line_of_a_condition(model):
    clf, X, _ = model("clinic", "averaged")
    rules = clf.rules_
    for part, rule in zip(clf.explain(X)[0].rules, rules, strict=True):
        assert [c.input for c in part.conditions] == [c.input for c in rule.conditions]
    page = clf.explain(X)[0].to_html()
    assert "<ul></ul>" not in page


def test_the_waterfall_is_of_the_probability(model):
    plots = pytest.importorskip("unfis.plots", exc_type=ImportError)
    clf, X, _ = model("clinic", "averaged")
    one = clf.explain(X)[0]
    display = plots.WaterfallDisplay.from_explanation(one)
    assert display.xlabel == f"probability of {one.prediction}"
    assert display.total == pytest.approx(max(one.probabilities))


def test_signed_percent():
    found = [signed_percent(share) for share in (0.234, -0.016, 0.001, -0.001, 1.0)]
    assert found == ["+23 %", "-2 %", "+0 %", "+0 %", "+100 %"]
