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
