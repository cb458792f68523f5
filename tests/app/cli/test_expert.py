"""unfis fit with what an expert knows."""

import json

import numpy as np
import pandas as pd
import pytest
from calling import done, refused


@pytest.fixture(scope="module")
def loans(tmp_path_factory):
    """Loans whose risk rises with debt and falls with income, and a column not to be used."""
    draw = np.random.default_rng(4)
    rows = 240
    debt, income = draw.gamma(2.0, 10.0, rows).round(1), draw.normal(50, 12, rows).round(1)
    sex = draw.choice(["f", "m"], rows)
    odds = (debt - 20) / 8 - (income - 50) / 10 + (sex == "m") + draw.logistic(size=rows)
    table = pd.DataFrame(
        {
            "id": np.arange(rows),
            "debt": debt,
            "income": income,
            "sex": sex,
            "town": draw.choice(["Ulm", "Bonn", "Kiel"], rows),
            "default": np.where(odds > 0.5, "yes", "no"),
        }
    )
    path = tmp_path_factory.mktemp("loans") / "loans.csv"
    table.to_csv(path, index=False)
    return path


def fit(path, *more, target="default"):
    output = path.with_name("out.json")
    return done("fit", path, "-t", target, "-o", output, *more), json.loads(output.read_text())


def test_directions_are_kept_and_what_is_forbidden_is_no_input(loans):
    options = ("--increasing", "debt", "--decreasing", "income", "--forbid", "sex")
    told, model = fit(loans, *options, "--drop", "town")
    assert "sex      left out  as asked" in told
    assert "town     left out  as asked" in told
    assert [one["name"] for one in model["inputs"]] == ["debt", "income"]
    assert model["constraints"]["signs"] == {"debt": 1, "income": -1}
    for name, sign in (("debt", 1), ("income", -1)):
        shares = probabilities(loans.with_name("out.json"), name)
        assert (sign * np.diff(shares) >= 0).all()


def probabilities(path, name):
    """The probability of yes for growing values of one input."""
    rows = pd.DataFrame({"debt": 20.0, "income": 50.0}, index=range(50))
    rows[name] = np.linspace(0, 90, 50)
    lines = done(
        "predict", path, "-", "--json", "--abstain", input=rows.to_csv(index=False).encode()
    )
    return [json.loads(line)["probabilities"]["yes"] for line in lines.splitlines()]


def test_a_direction_may_be_about_the_other_class(loans):
    _, about_yes = fit(loans, "--increasing", "debt", "--for", "yes")
    _, about_no = fit(loans, "--decreasing", "debt", "--for", "no")
    assert about_yes["settings"] == about_no["settings"]
    assert about_yes["rules"] == about_no["rules"]


WRONG = {
    "unknown": (["--increasing", "dept"], "no column 'dept'. Did you mean 'debt'?"),
    "both": (["--increasing", "debt", "--decreasing", "debt"], "is in --increasing and in"),
    "dropped": (["--increasing", "debt", "--drop", "debt"], "which is left out: as asked"),
    "kinds": (["--decreasing", "town"], "a category of 3 kinds"),
    "target": (["--increasing", "default"], "which is the target"),
    "left out": (["--increasing", "id"], "which is left out: an identifier"),
    "class": (["--increasing", "debt", "--for", "maybe"], "is not among ['no', 'yes']"),
    "nothing": (["--for", "yes"], "says what --increasing or --decreasing is about"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_a_sentence(loans, wrong):
    options, told = WRONG[wrong]
    output = loans.with_name("never.json")
    said = refused("fit", loans, "-t", "default", "-o", output, *options, code=2)
    assert told in said
    assert not output.exists()


def test_several_classes_have_no_direction(loans):
    output = loans.with_name("never.json")
    said = refused("fit", loans, "-t", "town", "-o", output, "--increasing", "debt", code=2)
    assert "one of two classes, but 3 were found: ['Bonn', 'Kiel', 'Ulm']" in said


GIVEN = """# What the bank has always done
IF debt >= 35 AND income < 50 THEN yes
IF income >= 60 THEN no +2

{"if": {"town": ["Ulm", "Kiel"]}, "then": "yes", "points": 1}
IF town is Bonn or Kiel AND sex is m THEN yes +1
"""


def test_rules_given_by_hand_are_kept_as_they_read(loans):
    rules = loans.with_name("rules.txt")
    rules.write_text(GIVEN, encoding="utf-8")
    told, model = fit(loans, "--given", rules)
    assert "IF debt is 35 or more AND income is below 50" in told
    assert model["given"] == [0, 1, 2, 3]
    assert model["fixed"] == [1, 2, 3]
    # Each point of a rule that is given doubles the odds; no is the class without points.
    points = [model["unit"] * one["points"] / np.log(2) for one in model["rules"][:4]]
    assert points[1:] == pytest.approx([-2, 1, 1])
    kinds = [one["if"]["town"]["is"] for one in model["rules"][2:4]]
    assert kinds == [["Kiel", "Ulm"], ["Bonn", "Kiel"]]
    assert "income is 60 or more" in done("rules", loans.with_name("out.json"))


def test_rules_about_numbers_truth_and_unknown(loans):
    rules = loans.with_name("rules.txt")
    frame = pd.read_csv(loans).assign(
        late=np.tile([0, 1, 2], 80), member=np.tile(["yes", "no"], 120)
    )
    frame.loc[::7, "debt"] = np.nan
    frame.to_csv(loans.with_name("more.csv"), index=False)
    lines = ["IF late is 2 THEN income -3", "IF member is yes +2", "IF debt is unknown"]
    rules.write_text("\n".join([*lines, "IF debt >= 10 AND debt < 20.5 +1"]), encoding="utf-8")
    _, model = fit(loans.with_name("more.csv"), "--given", rules, target="income")
    conditions = [one["if"] for one in model["rules"][:4]]
    for condition in (one for parts in conditions for one in parts.values() if "known" not in one):
        condition.pop("unknown", None)  # what a missing value counts
    assert conditions == [
        {"late": {"from": 2, "below": 3}},
        {"member": {"from": 1}},
        {"debt": {"known": 0, "unknown": 1}},
        {"debt": {"from": 10, "below": 20.5}},
    ]
    assert [one["points"] for one in model["rules"][:2]] == [-3, 2]


WRONG_RULES = {
    "line 3 of --given names the input 'dept', which is none of": (
        b"IF debt >= 3 THEN yes\n\nIF dept < 3 THEN no"
    ),
    "line 1 of --given names 'maybe', which is not among": b"IF debt >= 3 THEN maybe",
    "line 1 of --given must have 'then'": b"IF debt >= 3 THEN +2",
    "Line 2 of --given must be such as IF age >= 60 AND": b"# one\ndebt >= 3",
    "Line 1 of --given must have conditions such as 'age >= 60'": b"IF debt > 3 THEN yes",
    "Line 1 of --given must have a number after <; got 'much'": b"IF debt < much THEN yes",
    "Line 1 of --given must be JSON (Expecting": b'{"if": ',
    "--given must have at least one rule": b"# none",
    "rules.txt must be text in UTF-8": b"IF debt >= 3 THEN yes \xff",
}


@pytest.mark.parametrize("told", WRONG_RULES)
def test_wrong_rules_are_named_by_their_lines(loans, tmp_path, told):
    rules = tmp_path / "rules.txt"
    rules.write_bytes(WRONG_RULES[told])
    call = ["fit", loans, "-t", "default", "-o", tmp_path / "model.json", "--given", rules]
    assert told in refused(*call, code=2)
    assert not (tmp_path / "model.json").exists()
