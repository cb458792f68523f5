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


def test_directions_and_what_is_forbidden_are_told_and_kept(loans):
    told, model = fit(loans, "--increasing", "debt", "--decreasing", "income", "--forbid", "sex")
    words = "Kept by design: more debt never lowers the probability of yes, more income never "
    assert words + "raises it." in told
    rules = told[told.index("Kept by design") - 2000 :]
    assert "sex" not in rules[rules.index("target") :]
    # id is left out, the others stay columns of the model.
    assert model["settings"]["monotonic_cst"] == [1, -1, 0, 0]
    assert model["settings"]["forbidden_inputs"] == ["sex"]


def test_a_direction_may_be_about_the_other_class(loans):
    _, about_yes = fit(loans, "--increasing", "debt", "--for", "yes")
    _, about_no = fit(loans, "--decreasing", "debt", "--for", "no")
    assert about_yes["settings"] == about_no["settings"]
    assert about_yes["network"] == about_no["network"]


WRONG = {
    "unknown": (["--increasing", "dept"], "no column 'dept'. Did you mean 'debt'?"),
    "both": (["--increasing", "debt", "--decreasing", "debt"], "is in --increasing and in"),
    "constrained": (
        ["--increasing", "debt", "--forbid", "debt"],
        "is in --increasing and in --for",
    ),
    "kinds": (["--decreasing", "town"], "a category of 3 kinds"),
    "target": (["--increasing", "default"], "which is the target"),
    "left out": (["--forbid", "id"], "which is left out: an identifier"),
    "all": (["--forbid", "debt,income,sex,town"], "names every column"),
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
IF debt > 35 AND income < 50 THEN yes
IF income >= 60 THEN no with 95 %  # by law
"""


def test_rules_given_by_hand_are_kept_as_they_read(loans):
    rules = loans.with_name("rules.txt")
    rules.write_text(GIVEN, encoding="utf-8")
    told, model = fit(loans, "--given", rules)
    assert "Rule 1  IF debt is above 35\n        AND income is below 50\n        THEN yes" in told
    assert "Rule 2  IF income is at least 60\n        THEN no" in told
    assert "Given by hand for no, of which it says 95 %." in told
    assert model["settings"]["given_rules"] == GIVEN.splitlines()
    out = loans.with_name("out.json")
    assert "income is at least 60" in done("rules", out)
    done("report", out, loans, "-o", loans.with_name("report.html"))
    assert "income is at least 60" in loans.with_name("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            b"IF debt > 3 THEN yes\n\nIF dept > 3 THEN no",
            "txt, line 3: there is no input 'dept'",
        ),
        (b"# none", "rules.txt, line 1: at least one rule was expected"),
        (b"IF debt > 3 THEN yes \xff", "rules.txt must be text in UTF-8"),
    ],
)
def test_wrong_rules_are_told_with_their_lines(loans, tmp_path, text, told):
    rules = tmp_path / "rules.txt"
    rules.write_bytes(text)
    call = ["fit", loans, "-t", "default", "-o", tmp_path / "model.json", "--given", rules]
    assert told in refused(*call, code=2)
    assert not (tmp_path / "model.json").exists()


def test_how_many_rules_are_given_is_not_asked(loans, tmp_path):
    rules = tmp_path / "rules.txt"
    rules.write_text(GIVEN, encoding="utf-8")
    call = ["fit", loans, "-t", "default", "-o", tmp_path / "model.json", "--given", rules]
    assert "--rules cannot be with --given" in refused(*call, "--rules", "2", code=2)
    said = refused(*call, "--forbid", "income", code=2)
    assert "rules.txt, rule 1: income is forbidden, and so is in no IF" in said


def test_a_report_of_costs_by_class(loans):
    """Its models are fitted again by the labels that costs name."""
    out = loans.with_name("costly.json")
    done("fit", loans, "-t", "default", "-o", out, "--cost", "yes=5", "--class-weight", "yes=2")
    done("report", out, loans, "-o", loans.with_name("costly.html"))
