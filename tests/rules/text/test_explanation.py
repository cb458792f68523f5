"""What is told of a prediction of averaged rules: points of probability, and no empty lines."""

import re

import pytest
from rule_tables import AVERAGED_KINDS

from unfis.rules.text.numbers import percent, signed_percent


@pytest.mark.parametrize("kind", AVERAGED_KINDS)
def test_the_text_tells_points_of_probability(model, kind):
    clf, X, _ = model("clinic", kind)
    for one in clf.explain(X.iloc[:5]):
        assert one.quantity == "probability"
        text = str(one)
        assert f"What speaks for {one.prediction} (in points of probability" in text
        told = dict(re.findall(r"^  (.*?) +([+-]\d+ %)$", text, flags=re.MULTILINE))
        assert told["with nothing known"] == signed_percent(one.start)
        assert told["together"] == signed_percent(max(one.probabilities))
        assert {p.label: signed_percent(p.share) for p in one.inputs}.items() <= told.items()
        for rule in one.rules:
            name = f"Rule {rule.number}{' (otherwise)' * rule.otherwise}"
            shares = signed_percent(rule.share), signed_percent(rule.runner_up_share)
            assert (
                f"{name} carries {percent(rule.strength)} of the decision: "
                f"{shares[0]} for {one.prediction}, {shares[1]} for {one.runner_up}" in text
            )
        assert "log-odds" not in text + one.to_html()
        assert "of the say" not in text + one.to_html()


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
    pytest.importorskip("matplotlib")
    clf, X, _ = model("clinic", "averaged")
    one = clf.explain(X)[0]
    display = one.plot()
    assert display.xlabel == f"probability of {one.prediction}"
    assert display.total == pytest.approx(max(one.probabilities))


def test_signed_percent():
    found = [signed_percent(share) for share in (0.234, -0.016, 0.001, -0.001, 1.0)]
    assert found == ["+23 %", "-2 %", "+0 %", "+0 %", "+100 %"]
